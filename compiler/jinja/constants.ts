/** Which expressions Jinja2 evaluates when it compiles (`as_const` in nodes.py, `optimizeconst` in compiler.py). */
import type * as ast from "./ast.js";
import { FILTERS, TESTS } from "./builtins.js";
import { constantTruth } from "./constant-truth.js";
import type { Frame } from "./context.js";
import { expressionChildren } from "./walk.js";

/** Filters that need the render's context, which folding does not have. */
const CONTEXT_FILTERS: ReadonlySet<string> = new Set([
  "map",
  "random",
  "reject",
  "rejectattr",
  "select",
  "selectattr",
]);

/** Whether an expression is made of constants only, so that Jinja2 tries to fold it. */
export function isConstant(node: ast.Expr, frame: Frame): boolean {
  switch (node.type) {
    case "Name":
    case "Call":
      return false;
    case "Filter":
      if (frame.escape === "ask" || CONTEXT_FILTERS.has(node.name)) return false;
      return FILTERS.has(node.name) && node.value !== null && allConstant(node, frame);
    case "Test":
      return frame.escape !== "ask" && TESTS.has(node.name) && allConstant(node, frame);
    case "Conditional":
      return isConstantChoice(node, frame);
    case "Logical": {
      // What is not reached need not be constant.
      const left = constantTruth(node.left);
      const isReached = left === null || left === (node.op === "and");
      return isConstant(node.left, frame) && (!isReached || isConstant(node.right, frame));
    }
    default:
      return allConstant(node, frame);
  }
}

function isConstantChoice(node: ast.Conditional, frame: Frame): boolean {
  const { test, then, otherwise } = node;
  const truth = constantTruth(test);
  if (!isConstant(test, frame)) return false;
  if (truth === true) return isConstant(then, frame);
  if (otherwise === null || !isConstant(otherwise, frame)) return false;
  return truth === false || isConstant(then, frame);
}

function allConstant(node: ast.Expr, frame: Frame): boolean {
  return expressionChildren(node).every((child) => isConstant(child, frame));
}

/** Whether the value of a constant expression may be a float that is no number, or hold one. */
export function mayOverflow(node: ast.Expr): boolean {
  if (node.type === "Literal") return node.float;
  if (node.type === "Filter" && node.name === "float") return true;
  return expressionChildren(node).some(mayOverflow);
}
