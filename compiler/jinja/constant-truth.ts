/** The truth of expressions that Jinja2 folds before it looks for errors in them. */
import type { Expr } from "./ast.js";

/** Python's truth of a constant, or null where the expression is not one. */
export function constantTruth(node: Expr): boolean | null {
  switch (node.type) {
    case "Literal":
      return typeof node.value === "number" ? node.value !== 0 : Boolean(node.value);
    case "Not": {
      const value = constantTruth(node.value);
      return value === null ? null : !value;
    }
    case "Unary":
      return constantTruth(node.value);
    case "Tuple":
    case "List":
      return node.items.every(isConstant) ? node.items.length > 0 : null;
    case "Dict":
      return node.items.every(({ key, value }) => isConstant(key) && isConstant(value))
        ? node.items.length > 0
        : null;
    case "Logical": {
      const left = constantTruth(node.left);
      return left === null || left === (node.op === "or") ? left : constantTruth(node.right);
    }
    default:
      return null;
  }
}

function isConstant(node: Expr): boolean {
  return constantTruth(node) !== null;
}
