/** What evaluating an expression can do beside giving a value: the question before dropping or moving it. */
import { intrinsics } from "./intrinsics.js";
import type { Expr, Local } from "./nodes.js";
import { walkExpr } from "./visit.js";

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

/** Whether the expression reads the local. */
export function mentions(expr: Expr, local: Local): boolean {
  let found = false;
  walkExpr(expr, (inner) => {
    if (inner.op === "local" && inner.local === local) found = true;
  });
  return found;
}
