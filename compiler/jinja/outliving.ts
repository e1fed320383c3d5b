/**
 * Whether a macro may outlive the frame that it was made in (a loop's round, a with): it then shows what Python's
 * variables, which all rounds and frames of one function share, have come to hold.
 */
import type * as ast from "./ast.js";
import { someBody, someChild, someOwnExpression } from "./walk.js";

/** Tests that keep nothing of what they look at. */
const LOOKING_TESTS: ReadonlySet<string> = new Set(["defined", "undefined", "none", "callable"]);

/** Whether the template keeps a macro, a caller or a recursive loop that was made inside such a frame. */
export function hasOutliving(list: readonly ast.Stmt[]): boolean {
  const names = new Set<string>();
  collect(list, false, names);
  return names.size > 0 && keepsAny(list, names);
}

/** The names by which a template can reach the functions that are made inside of frames. */
function collect(list: readonly ast.Stmt[], isFramed: boolean, names: Set<string>): void {
  for (const node of list) {
    if (isFramed) for (const name of namesOf(node)) names.add(name);
    const isInFrame = opensFrame(node, isFramed);
    someBody(node, isInFrame ? collectFramed : collectFree, names);
  }
}

function collectFramed(list: readonly ast.Stmt[], names: Set<string>): boolean {
  collect(list, true, names);
  return false;
}

function collectFree(list: readonly ast.Stmt[], names: Set<string>): boolean {
  collect(list, false, names);
  return false;
}

function namesOf(node: ast.Stmt): readonly string[] {
  switch (node.type) {
    case "Macro":
      return [node.name];
    case "CallBlock":
      return ["caller", "kwargs"];
    case "For":
      return node.recursive ? ["loop"] : [];
    default:
      return [];
  }
}

/** Whether what the statement holds lies in a frame that ends before its function does. */
function opensFrame(node: ast.Stmt, isFramed: boolean): boolean {
  switch (node.type) {
    case "If":
      return isFramed;
    case "Macro":
    case "CallBlock":
    case "Generation":
    case "Block":
      return false;
    default:
      return true;
  }
}

function keepsAny(list: readonly ast.Stmt[], names: ReadonlySet<string>): boolean {
  return list.some(
    (node) => someOwnExpression(node, keeps, names) || someBody(node, keepsAny, names),
  );
}

/** Whether one of the names is used but to call it, to read an attribute of it, or to see whether it is there. */
function keeps(node: ast.Expr, names: ReadonlySet<string>): boolean {
  if (node.type === "Name") return names.has(node.name);
  const subject = subjectOf(node);
  return someChild(
    node,
    (child) => !(child === subject && child.type === "Name") && keeps(child, names),
    null,
  );
}

function subjectOf(node: ast.Expr): ast.Expr | null {
  switch (node.type) {
    case "Call":
      return node.callee;
    case "Attribute":
      return node.object;
    case "Test":
      return LOOKING_TESTS.has(node.name) ? node.value : null;
    default:
      return null;
  }
}
