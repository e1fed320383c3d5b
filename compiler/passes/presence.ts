/**
 * Optional fields of Ollama's data: a test that a field is not empty is JavaScript's own truth of it (`(x ?? "") !== ""`
 * is `x`), and where the test has shown that the field is there, nothing stands in for it any more.
 */
import type { Expr, Local, Module, Stmt } from "../ir/nodes.js";
import {
  assignedLocals,
  mapBodies,
  mapChildren,
  mapStatementExprs,
  walkStmts,
} from "../ir/visit.js";
import type { Pass } from "./pass.js";
import { localKey, pathOf } from "./specialize/facts.js";

export const presence: Pass = {
  name: "presence",
  run(module): Module {
    if (module.dialect !== "ollama") return module;
    return mapBodies(module, (body) => new Walk().list(body, new Set()));
  },
};

type Present = ReadonlySet<string>;

class Walk {
  list(list: readonly Stmt[], present: Present): Stmt[] {
    let known = present;
    return list.flatMap((stmt) => {
      const result = this.#statement(stmt, known);
      known = forget(known, changedIn([stmt]));
      return result;
    });
  }

  #statement(stmt: Stmt, present: Present): Stmt[] {
    switch (stmt.op) {
      case "if":
        return this.#if(stmt, present);
      case "each":
      case "entries": {
        const source = value(stmt.source, present);
        const inner = forget(present, changedIn(stmt.body));
        const empty = this.list(stmt.empty, present);
        return [{ ...stmt, source, body: this.list(stmt.body, inner), empty }];
      }
      case "while": {
        const inner = forget(present, changedIn(stmt.body));
        return [{ ...stmt, test: test(stmt.test, inner), body: this.list(stmt.body, inner) }];
      }
      case "capture":
        return [{ ...stmt, body: this.list(stmt.body, present) }];
      default:
        return [mapStatementExprs(stmt, (expr) => value(expr, present))];
    }
  }

  #if(stmt: Extract<Stmt, { op: "if" }>, present: Present): Stmt[] {
    const rewritten = test(stmt.test, present);
    const then = this.list(stmt.then, shown(rewritten, true, present));
    const otherwise = this.list(stmt.otherwise, shown(rewritten, false, present));
    const [only] = then;
    // `if (xs?.length) for (x of xs)`: going through nothing does nothing.
    const isLoop = then.length === 1 && otherwise.length === 0 && only?.op === "each";
    if (
      isLoop &&
      only.empty.length === 0 &&
      only.index === null &&
      isLengthTest(rewritten, only.source)
    ) {
      return [{ ...only, source: { op: "coalesce", value: only.source, otherwise: EMPTY } }];
    }
    return [{ ...stmt, test: rewritten, then, otherwise }];
  }
}

const EMPTY: Expr = { op: "list", items: [] };

function isLengthTest(expr: Expr, list: Expr): boolean {
  return (
    expr.op === "truthy" &&
    expr.value.op === "count" &&
    pathOf(expr.value.list) !== null &&
    pathOf(expr.value.list) === pathOf(list)
  );
}

/** A test, or a part of one: only whether it holds matters. */
function test(expr: Expr, present: Present): Expr {
  switch (expr.op) {
    case "and":
    case "or": {
      const left = test(expr.left, present);
      const right = test(expr.right, shown(left, expr.op === "and", present));
      return { ...expr, left, right };
    }
    case "not":
      return { ...expr, value: test(expr.value, present) };
    case "compare":
      return notEmpty(expr) ?? value(expr, present);
    default:
      return value(expr, present);
  }
}

/** `(x ?? "") !== ""` and `(xs ?? []).length > 0`, and their opposites. */
function notEmpty(expr: Extract<Expr, { op: "compare" }>): Expr | null {
  const { left, operator, right } = expr;
  if (right.op !== "literal") return null;
  const optional = left.op === "count" ? left.list : left;
  if (optional.op !== "coalesce" || pathOf(optional.value) === null) return null;
  const truthy: Expr = {
    op: "truthy",
    value:
      left.op === "count" ? { op: "count", list: optional.value, optional: true } : optional.value,
  };
  const isText = left.op === "coalesce" && right.value === "";
  const isCount = left.op === "count" && right.value === 0;
  if ((isText && operator === "!==") || (isCount && (operator === ">" || operator === "!=="))) {
    return truthy;
  }
  if ((isText || isCount) && operator === "===") return { op: "not", value: truthy };
  return null;
}

/** A value: `x ?? ""` is x where x is there. */
function value(expr: Expr, present: Present): Expr {
  if (expr.op === "coalesce") {
    const path = pathOf(expr.value);
    if (path !== null && present.has(path)) return expr.value;
  }
  if (expr.op === "choose") {
    const rewritten = test(expr.test, present);
    return {
      ...expr,
      test: rewritten,
      then: value(expr.then, shown(rewritten, true, present)),
      otherwise: value(expr.otherwise, shown(rewritten, false, present)),
    };
  }
  return mapChildren(expr, (child) => value(child, present));
}

/** The paths that are there where the test holds, or where it does not. */
function shown(expr: Expr, holds: boolean, present: Present): Present {
  switch (expr.op) {
    case "not":
      return shown(expr.value, !holds, present);
    case "and":
    case "or": {
      if ((expr.op === "and") !== holds) return present;
      return shown(expr.right, holds, shown(expr.left, holds, present));
    }
    case "truthy": {
      const subject = expr.value.op === "count" ? expr.value.list : expr.value;
      const path = pathOf(subject);
      return holds && path !== null ? new Set([...present, path]) : present;
    }
    default:
      return present;
  }
}

function changedIn(list: readonly Stmt[]): ReadonlySet<Local> {
  const changed = new Set<Local>();
  walkStmts(list, (stmt) => {
    for (const local of assignedLocals(stmt)) changed.add(local);
  });
  return changed;
}

function forget(present: Present, changed: ReadonlySet<Local>): Present {
  const keys = [...changed].map(localKey);
  return new Set(
    [...present].filter((path) => !keys.some((key) => path === key || path.startsWith(`${key}.`))),
  );
}
