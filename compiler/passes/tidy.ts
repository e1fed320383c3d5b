/** Small rewrites after specialisation: guards that decide nothing, and branches that only choose a text. */
import { choose, emit, outputPart } from "../ir/build.js";
import { isDroppable } from "../ir/effects.js";
import type { Expr, If, Stmt } from "../ir/nodes.js";
import { mapBodies, rewriteLists } from "../ir/visit.js";
import type { Pass } from "./pass.js";

export const tidy: Pass = {
  name: "tidy",
  run: (module) =>
    mapBodies(module, (body) =>
      rewriteLists(body, (list) => list.map((stmt) => (stmt.op === "if" ? tidyIf(stmt) : stmt))),
    ),
};

function tidyIf(stmt: If): Stmt {
  return withoutGuard(stmt) ?? asChoice(stmt) ?? stmt;
}

/** `if (x !== "") out += x` writes x in any case. */
function withoutGuard(stmt: If): Stmt | null {
  const { test, then, otherwise } = stmt;
  const [only] = then;
  if (then.length !== 1 || otherwise.length > 0 || only?.op !== "emit") return null;
  if (test.op !== "compare" || test.operator !== "!==") return null;
  const isEmptyTest = test.right.op === "literal" && test.right.value === "";
  return isEmptyTest && sameExpr(test.left, only.value) && isDroppable(test.left)
    ? emit(test.left, only.origin)
    : null;
}

/** Two short texts of which one is written: one output. */
function asChoice(stmt: If): Stmt | null {
  const [then] = stmt.then;
  const [otherwise] = stmt.otherwise;
  if (stmt.then.length !== 1 || stmt.otherwise.length !== 1) return null;
  if (then?.op !== "emit" || otherwise?.op !== "emit") return null;
  if (!isShort(then.value) || !isShort(otherwise.value)) return null;
  const { test } = stmt;
  return test.op === "not"
    ? emit(choose(test.value, outputPart(otherwise), outputPart(then)), stmt.origin)
    : emit(choose(test, outputPart(then), outputPart(otherwise)), stmt.origin);
}

function isShort(expr: Expr): boolean {
  return (
    expr.op === "local" ||
    (expr.op === "literal" && typeof expr.value === "string" && expr.value.length <= 16) ||
    (expr.op === "intrinsic" && expr.args.every(isShort))
  );
}

/** Whether two expressions are the same, node by node. */
function sameExpr(a: Expr, b: Expr): boolean {
  return JSON.stringify(a, plainNumbers) === JSON.stringify(b, plainNumbers);
}

function plainNumbers(key: string, value: unknown): unknown {
  if (key === "origin") return undefined;
  if (typeof value === "bigint") return `${String(value)}n`;
  return value === undefined ? "undefined" : value;
}
