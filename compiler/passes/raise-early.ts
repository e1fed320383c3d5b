/**
 * `x = o.name`, and the next thing evaluated raises if x is Undefined: raise where the value arises instead, with the
 * place of that first use. Nothing can be observed in between, and all later code needs no check.
 */
import { certainChildren } from "../ir/effects.js";
import type { Expr, Local, Module, Stmt } from "../ir/nodes.js";
import { mapBodies, rewriteLists, statementExprs } from "../ir/visit.js";
import type { Pass } from "./pass.js";

export const raiseEarly: Pass = {
  name: "raise-early",
  run(module): Module {
    if (module.dialect !== "jinja") return module;
    return mapBodies(module, (body) =>
      rewriteLists(body, (list) => list.map((stmt, i) => raiseIn(stmt, list[i + 1]))),
    );
  },
};

function raiseIn(stmt: Stmt, next: Stmt | undefined): Stmt {
  if (next === undefined) return stmt;
  if (stmt.op === "set") return raise(stmt, next);
  if (stmt.op !== "if" || stmt.otherwise.length > 0) return stmt;
  const last = stmt.then.at(-1);
  if (last?.op !== "set") return stmt;
  return { ...stmt, then: [...stmt.then.slice(0, -1), raise(last, next)] };
}

function raise(stmt: Extract<Stmt, { op: "set" }>, next: Stmt): Stmt {
  const { value, local } = stmt;
  if (value.op !== "coalesce" || value.otherwise.op !== "intrinsic") return stmt;
  if (value.otherwise.name !== "jinja.absent") return stmt;
  const [first] = statementExprs(next);
  const place = first === undefined ? null : firstStrictUse(first, local);
  if (place === null) return stmt;
  return {
    ...stmt,
    value: { ...value, otherwise: { ...value.otherwise, name: "jinja.missing", place } },
  };
}

/** The place of the check of the local, where the expression evaluates it before anything else that counts. */
function firstStrictUse(expr: Expr, local: Local): string | null {
  if (expr.op === "intrinsic" && expr.name === "jinja.strict") {
    const [subject] = expr.args;
    if (subject?.op === "local" && subject.local === local) return expr.place;
  }
  for (const child of certainChildren(expr)) {
    if (isInert(child)) continue;
    return firstStrictUse(child, local);
  }
  return null;
}

/** Evaluating it cannot be observed. */
function isInert(expr: Expr): boolean {
  return expr.op === "literal" || expr.op === "local" || expr.op === "input";
}
