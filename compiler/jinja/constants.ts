/** Which expressions Jinja2 evaluates when it compiles (`as_const` in nodes.py, `optimizeconst` in compiler.py). */
import type * as ast from "./ast.js";
import { FILTERS, TESTS } from "./builtins.js";
import { constantTruth, CONTEXT_FILTERS } from "./constant-truth.js";
import { constantValue } from "./constant-value.js";
import type { Frame } from "./context.js";
import { expressionChildren, someChild } from "./walk.js";

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
  return !someChild(node, isVariable, frame);
}

function isVariable(node: ast.Expr, frame: Frame): boolean {
  return !isConstant(node, frame);
}

/** Whether the value of a constant expression may be, or hold, a float that is no number or a complex number. */
export function mayReadOtherwise(node: ast.Expr): boolean {
  if (node.type === "Binary" && node.op === "**") return true;
  if (node.type === "Literal") return node.float;
  if (node.type === "Filter" && node.name === "float") return true;
  return someChild(node, mayReadOtherwise, null);
}

/** Filters that make something else of an Undefined; others give one, or raise. */
const SETTLING_FILTERS: ReadonlySet<string> = new Set([
  ...["capitalize", "center", "count", "d", "default", "format", "join", "length", "list", "lower"],
  ...["pprint", "replace", "sort", "string", "striptags", "sum", "title", "trim", "upper"],
  ...["urlencode", "urlize", "wordcount"],
]);

/** Tests that compute with the value. */
const STRICT_TESTS: ReadonlySet<string> = new Set([
  ...["<", "<=", ">", ">=", "divisibleby", "even", "ge", "greaterthan", "gt", "le", "lessthan"],
  ...["lt", "odd"],
]);

/**
 * Whether a constant expression comes to what a slice gives that Python refuses, as in `1[::2]|first`: an Undefined,
 * which Jinja2 cannot write into its code, so that the slice is evaluated again at the render.
 */
export function leavesUndefined(node: ast.Expr): boolean {
  switch (node.type) {
    case "Item":
      return leavesUndefined(node.object) || (node.key.type === "Slice" && isRefused(node));
    case "Attribute":
      return leavesUndefined(node.object);
    case "Filter":
      return node.value !== null && leavesUndefined(node.value) && !SETTLING_FILTERS.has(node.name);
    case "Test":
      return leavesUndefined(node.value) && STRICT_TESTS.has(node.name);
    case "Logical":
      return leavesUndefined(node.op === "and" ? node.left : node.right);
    case "Compare":
      return node.rest.some(({ op }) => /[<>]/.test(op)) && someChild(node, leavesUndefined, null);
    case "Not":
    case "Concat":
      return false;
    default:
      return someChild(node, leavesUndefined, null);
  }
}

/** Numbers, None and dicts have no slices, and the ends of a slice are integers. */
function isRefused({ object, key }: ast.Item): boolean {
  const sliced = constantValue(object);
  const isSequence = typeof sliced?.value === "string" || Array.isArray(sliced?.value);
  if (object.type === "Dict" || (sliced !== null && !isSequence)) return true;
  return expressionChildren(key).some((end) => {
    const found = constantValue(end);
    if (found === null) return false;
    return typeof found.value === "string" || Array.isArray(found.value) || isFloat(found.value);
  });
}

function isFloat(value: unknown): boolean {
  return typeof value === "number";
}
