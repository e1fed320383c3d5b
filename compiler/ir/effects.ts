/** What evaluating an expression can do beside giving a value: the question before dropping or moving it. */
import { intrinsics } from "./intrinsics.js";
import type { Expr, Local } from "./nodes.js";
import { eachChild, walkExpr } from "./visit.js";

/** Whether the expression neither changes anything nor can throw: it may be dropped. */
export function isDroppable(expr: Expr): boolean {
  let droppable = true;
  walkExpr(expr, (inner) => {
    if (inner.op === "call" || inner.op === "assign") droppable = false;
    if (inner.op === "method" && (inner.name === "add" || inner.name === "push")) droppable = false;
    if (inner.op === "read" && !inner.optional && !isKnownObject(inner.object)) droppable = false;
    if (inner.op === "intrinsic") {
      const { throws, pure } = intrinsics[inner.name];
      if (throws || !pure) droppable = false;
    }
  });
  return droppable;
}

/** A plain read of what a pass has shown to be there. */
function isKnownObject(expr: Expr): boolean {
  return expr.op === "local" || expr.op === "read" || expr.op === "at";
}

/** How often the local is read in the expression. */
export function countReads(expr: Expr, local: Local): number {
  let count = expr.op === "local" && expr.local === local ? 1 : 0;
  eachChild(expr, (child) => {
    count += countReads(child, local);
  });
  return count;
}
