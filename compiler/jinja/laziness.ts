/**
 * Which loops go through something that is read step by step (generators, iterators), where reading it all at once
 * could be told apart: by a later error, by a break that leaves the rest, by a body that changes what is still to come.
 */
import type * as ast from "./ast.js";
import { expressionChildren, someBody, someChild, someOwnExpression } from "./walk.js";

/** Filters whose result is read once, step by step. */
const LAZY_FILTERS: ReadonlySet<string> = new Set([
  "batch",
  "items",
  "map",
  "reject",
  "rejectattr",
  "reverse",
  "select",
  "selectattr",
  "slice",
  "unique",
]);

/** Lazy filters that take each item as it is: they fail before the first item or not at all. */
const PASSING_FILTERS: ReadonlySet<string> = new Set(["batch", "items", "reverse", "slice"]);

/** Tests that raise on no value. */
const QUIET_TESTS: ReadonlySet<string> = new Set([
  "defined",
  "undefined",
  "none",
  "string",
  "number",
  "integer",
  "float",
  "boolean",
  "true",
  "false",
  "mapping",
  "iterable",
  "sequence",
  "callable",
  "==",
  "eq",
  "equalto",
  "!=",
  "ne",
]);

/**
 * The names that may hold a value that is read once, or what holds one. Where the template keeps such a value
 * somewhere, these are the parameters of macros and whatever is made from them or from such a filter.
 */
export function lazyNames(list: readonly ast.Stmt[]): ReadonlySet<string> {
  if (!storesLazy(list)) return new Set();
  const names = new Set(["loop", "caller", "varargs", "kwargs"]);
  for (let size = -1; size !== names.size;) {
    size = names.size;
    taint(list, names);
  }
  return names;
}

function taint(list: readonly ast.Stmt[], names: Set<string>): boolean {
  for (const node of list) {
    for (const name of taintedBy(node, names)) names.add(name);
    someBody(node, taint, names);
  }
  return false;
}

/** The names that the statement binds to what may be lazy. */
function taintedBy(node: ast.Stmt, names: ReadonlySet<string>): readonly string[] {
  switch (node.type) {
    case "Macro":
    case "CallBlock":
      return node.parameters.map(({ name }) => name);
    case "Set":
      return mayBeLazy(node.value, names) ? boundNames(node.target) : [];
    case "SetBlock":
      return node.filter !== null && mayBeLazy(node.filter, names) ? boundNames(node.target) : [];
    case "With":
      return node.bindings.flatMap(({ target, value }) =>
        mayBeLazy(value, names) ? boundNames(target) : [],
      );
    case "For":
      return mayBeLazy(node.iter, names) ? boundNames(node.target) : [];
    case "Import":
      return [node.target];
    case "FromImport":
      return node.names.map(({ name, alias }) => alias ?? name);
    default:
      return [];
  }
}

/** Also the namespace of which an attribute is set. */
function boundNames(target: ast.Target): readonly string[] {
  if (target.type === "TupleTarget") return target.items.flatMap(boundNames);
  return [target.name];
}

function mayBeLazy(node: ast.Expr, names: ReadonlySet<string>): boolean {
  if (node.type === "Name") return names.has(node.name);
  if (node.type === "Filter" && LAZY_FILTERS.has(node.name)) return true;
  return someChild(node, mayBeLazy, names);
}

/** Whether the template may keep a value that is read once in a variable, an argument or a container. */
function storesLazy(list: readonly ast.Stmt[]): boolean {
  return list.some(
    (node) =>
      keepsLazyValue(node) ||
      someOwnExpression(node, keepsLazy, null) ||
      someBody(node, storesLazy, null),
  );
}

/** Whether the very value of an expression is lazy that the statement keeps. */
function keepsLazyValue(node: ast.Stmt): boolean {
  switch (node.type) {
    case "Set":
      return isLazyFilter(node.value);
    case "With":
      return node.bindings.some(({ value }) => isLazyFilter(value));
    case "SetBlock":
      return node.filter !== null && isLazyFilter(node.filter);
    default:
      return false;
  }
}

/** Whether a part of the expression is kept somewhere: in a call's arguments, in a container. */
function keepsLazy(node: ast.Expr): boolean {
  return keepsParts(node) || someChild(node, keepsLazy, null);
}

function keepsParts(node: ast.Expr): boolean {
  switch (node.type) {
    case "Tuple":
    case "List":
    case "Dict":
      return someChild(node, isLazyPart, null);
    case "Call":
    case "Filter":
    case "Test":
      return someChild(node, isLazyPart, node.type === "Call" ? node.callee : node.value);
    default:
      return false;
  }
}

function isLazyPart(node: ast.Expr, subject: ast.Expr | null): boolean {
  return node !== subject && isLazyFilter(node);
}

function isLazyFilter(node: ast.Expr): boolean {
  switch (node.type) {
    case "Filter":
      return (
        LAZY_FILTERS.has(node.name) ||
        (node.name === "default" && node.value !== null && isLazyFilter(node.value))
      );
    case "Conditional":
      return [node.then, node.otherwise].some((part) => part !== null && isLazyFilter(part));
    case "Logical":
      return isLazyFilter(node.left) || isLazyFilter(node.right);
    case "Name":
      return node.name === "loop";
    default:
      return false;
  }
}

/** Whether a loop over the expression must read it step by step; `lazy`: the names that may hold what is lazy. */
export function readsStepwise(node: ast.Expr, lazy: ReadonlySet<string>): boolean {
  switch (node.type) {
    case "Filter":
      return readsFilterStepwise(node, lazy);
    case "Conditional":
      return [node.then, node.otherwise].some((part) => part !== null && readsStepwise(part, lazy));
    case "Logical":
      return readsStepwise(node.left, lazy) || readsStepwise(node.right, lazy);
    case "Name":
      return node.name === "loop" || lazy.has(node.name);
    case "Attribute":
    case "Item":
    case "Call":
      return lazy.size > 0 && mayBeLazy(node, lazy);
    default:
      return false;
  }
}

function readsFilterStepwise(node: ast.Filter, lazy: ReadonlySet<string>): boolean {
  const { value } = node;
  if (node.name === "default") return value !== null && readsStepwise(value, lazy);
  if (!LAZY_FILTERS.has(node.name)) return false;
  return !isQuietFilter(node) || (value !== null && readsStepwise(value, lazy));
}

function isQuietFilter(node: ast.Filter): boolean {
  if (PASSING_FILTERS.has(node.name)) return true;
  const [first, second] = node.args;
  switch (node.name) {
    case "map":
      return node.kwargs.some(({ name, value }) => name === "attribute" && isPlainPath(value));
    case "select":
    case "reject":
      return first === undefined || isQuietTest(first);
    case "selectattr":
    case "rejectattr":
      return isPlainPath(first) && (second === undefined || isQuietTest(second));
    default:
      return false;
  }
}

/** One step from an item that JSON gave; the second of two steps may fail. */
function isPlainPath(node: ast.Expr | undefined): boolean {
  return node?.type === "Literal" && typeof node.value === "string" && !node.value.includes(".");
}

function isQuietTest(node: ast.Expr): boolean {
  return node.type === "Literal" && QUIET_TESTS.has(String(node.value));
}

/**
 * Whether a loop filter gives the same whenever it is asked, and cannot fail: it looks at nothing but the item, one
 * step deep, and at plain variables.
 */
export function isQuiet(test: ast.Expr, target: ast.Target): boolean {
  const quiet = (node: ast.Expr): boolean => {
    switch (node.type) {
      case "Literal":
      case "Name":
        return true;
      case "Attribute":
        return isTarget(node.object, target);
      case "Item":
        return isTarget(node.object, target) && node.key.type === "Literal";
      case "Test":
        return QUIET_TESTS.has(node.name) && expressionChildren(node).every(quiet);
      case "Compare":
        return (
          node.rest.every(({ op }) => op === "==" || op === "!=") &&
          expressionChildren(node).every(quiet)
        );
      case "Not":
      case "Logical":
      case "List":
      case "Tuple":
        return expressionChildren(node).every(quiet);
      default:
        return false;
    }
  };
  return quiet(test);
}

function isTarget(node: ast.Expr, target: ast.Target): boolean {
  if (node.type !== "Name") return false;
  return target.type === "TupleTarget"
    ? target.items.some((item) => isTarget(node, item))
    : target.type === "Name" && target.name === node.name;
}
