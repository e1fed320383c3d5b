/** What evaluating an expression can do beside giving a value: the question before dropping or moving it. */
import { intrinsics, type IntrinsicName } from "./intrinsics.js";
import type { Expr, Local, Stmt } from "./nodes.js";
import { eachChild, someExpr } from "./visit.js";

const RAISING: ReadonlySet<IntrinsicName> = new Set([
  "jinja.raiseException",
  "jinja.fail",
  "go.fail",
]);

/** Whether what follows the statement is never reached. */
export function alwaysRaises(stmt: Stmt): boolean {
  if (stmt.op !== "run" && stmt.op !== "emit") return false;
  const { value } = stmt;
  const inner = value.op === "intrinsic" && value.name === "jinja.str" ? value.args[0] : value;
  return inner?.op === "intrinsic" && RAISING.has(inner.name);
}

/** Whether the expression neither changes anything nor can throw: it may be dropped. */
export function isDroppable(expr: Expr): boolean {
  return !someExpr(expr, hasEffect);
}

function hasEffect(expr: Expr): boolean {
  switch (expr.op) {
    case "call":
    case "assign":
      return true;
    case "method":
      return expr.name === "add" || expr.name === "push";
    case "read":
      return !expr.optional && !isKnownObject(expr.object);
    case "intrinsic": {
      const { throws, pure } = intrinsics[expr.name];
      return throws || !pure;
    }
    default:
      return false;
  }
}

/** A plain read of what a pass has shown to be there. */
function isKnownObject(expr: Expr): boolean {
  return expr.op === "local" || expr.op === "read" || expr.op === "at";
}

/** Calls back for the parts of the expression that are evaluated whenever it is, in order. */
export function eachCertainChild(expr: Expr, visit: (child: Expr) => void): void {
  switch (expr.op) {
    case "choose":
      visit(expr.test);
      return;
    case "and":
    case "or":
      visit(expr.left);
      return;
    case "coalesce":
      visit(expr.value);
      return;
    case "chain":
      visit(expr.source);
      return;
    default:
      eachChild(expr, visit);
  }
}

/** {@link eachCertainChild} as a list. */
export function certainChildren(expr: Expr): readonly Expr[] {
  const children: Expr[] = [];
  eachCertainChild(expr, (child) => children.push(child));
  return children;
}

/** Whether the expression reads the local. */
export function mentions(expr: Expr, local: Local): boolean {
  return someExpr(expr, (inner) => inner.op === "local" && inner.local === local);
}
