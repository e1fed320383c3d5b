/** The truth of expressions that Jinja2 folds before it looks for errors in them. */
import type { Expr } from "./ast.js";
import { constantValue, isTrue } from "./constant-value.js";
import { expressionChildren, someChild } from "./walk.js";

/** Python's truth of a constant, or null where the expression is not one. */
export function constantTruth(node: Expr): boolean | null {
  const known = constantValue(node);
  if (known !== null) return isTrue(known.value);
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
    case "Concat":
      return node.items.every(isConstant) ? node.items.some((item) => !isEmptyString(item)) : null;
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

function isEmptyString(node: Expr): boolean {
  return node.type === "Literal" && node.value === "";
}

/** Expressions that compiler.py tries to fold, everything inside them included (`optimizeconst`). */
const FOLDED: ReadonlySet<Expr["type"]> = new Set<Expr["type"]>([
  "Attribute",
  "Binary",
  "Call",
  "Compare",
  "Concat",
  "Conditional",
  "Filter",
  "Item",
  "Logical",
  "Not",
  "Test",
  "Unary",
]);

export function isFolded(node: Expr): boolean {
  return FOLDED.has(node.type);
}

/** A key of a dict that is constant as far as the key, that Python cannot hash, which makes the folding fail, or null. */
export function unhashableKey(node: Expr): Expr | null {
  if (node.type === "Dict") {
    // Python builds the dict pair after pair, until one is no constant.
    for (const { key, value } of node.items) {
      if (!isFoldable(key) || !isFoldable(value)) break;
      const found = unhashable(key);
      if (found !== null) return found;
    }
  }
  return firstOf(expressionChildren(node), unhashableKey);
}

/** Filters that need the render's context (`pass_context`), which folding does not have. */
export const CONTEXT_FILTERS: ReadonlySet<string> = new Set([
  "map",
  "random",
  "reject",
  "rejectattr",
  "select",
  "selectattr",
]);

/** Made of constants: what asks for the render is all that Jinja2 does not try to evaluate early. */
function isFoldable(node: Expr): boolean {
  if (node.type === "Name" || node.type === "Call") return false;
  if (node.type === "Filter" && CONTEXT_FILTERS.has(node.name)) return false;
  return !someChild(node, isUnfoldable, null);
}

function isUnfoldable(node: Expr): boolean {
  return !isFoldable(node);
}

function unhashable(node: Expr): Expr | null {
  if (node.type === "List" || node.type === "Dict") return node;
  return node.type === "Tuple" ? firstOf(node.items, unhashable) : null;
}

function firstOf(list: readonly Expr[], find: (node: Expr) => Expr | null): Expr | null {
  for (const node of list) {
    const found = find(node);
    if (found !== null) return found;
  }
  return null;
}
