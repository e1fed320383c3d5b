/** Children of Jinja's nodes, in the order in which Jinja2 visits them. */
import type * as ast from "./ast.js";

const NONE: readonly never[] = [];

/** The expressions directly inside an expression. */
export function expressionChildren(node: ast.Expr): readonly ast.Expr[] {
  switch (node.type) {
    case "Name":
    case "Literal":
      return NONE;
    case "Tuple":
    case "List":
    case "Concat":
      return node.items;
    case "Dict":
      return node.items.flatMap(({ key, value }) => [key, value]);
    case "Conditional":
      return present([node.test, node.then, node.otherwise]);
    case "Logical":
    case "Binary":
      return [node.left, node.right];
    case "Not":
    case "Unary":
      return [node.value];
    case "Compare":
      return [node.left, ...node.rest.map(({ value }) => value)];
    case "Attribute":
      return [node.object];
    case "Item":
      return [node.object, node.key];
    case "Slice":
      return present([node.start, node.stop, node.step]);
    case "Call":
      return [node.callee, ...argumentList(node)];
    case "Filter":
      return node.value === null ? argumentList(node) : [node.value, ...argumentList(node)];
    case "Test":
      return [node.value, ...argumentList(node)];
  }
}

/** The expressions of a statement that belong to the frame around it; bodies are left out. */
export function statementExpressions(node: ast.Stmt): readonly ast.Expr[] {
  switch (node.type) {
    case "Output":
      return node.items.filter((item): item is ast.Expr => item.type !== "TextData");
    case "For":
      return [node.iter];
    case "If":
      return node.branches.map(({ test }) => test);
    case "Set":
      return [node.value];
    case "SetBlock":
      return node.filter === null ? [] : [node.filter];
    case "CallBlock":
      return [node.call];
    case "FilterBlock":
      return [node.filter];
    case "With":
      return node.bindings.map(({ value }) => value);
    case "Autoescape":
      return [node.value];
    case "Include":
    case "Import":
    case "FromImport":
    case "Extends":
      return [node.template];
    case "Macro":
    case "Block":
    case "Generation":
    case "Break":
    case "Continue":
      return NONE;
  }
}

/** Calls back for each statement, outer before inner. */
export function eachStatement(list: readonly ast.Stmt[], visit: (node: ast.Stmt) => void): void {
  for (const node of list) {
    visit(node);
    if (node.type === "Output" || node.type === "Set") continue;
    for (const body of statementBodies(node)) eachStatement(body, visit);
  }
}

/** The statement lists inside a statement. */
export function statementBodies(node: ast.Stmt): readonly (readonly ast.Stmt[])[] {
  switch (node.type) {
    case "For":
      return [node.body, node.otherwise];
    case "If":
      return [...node.branches.map(({ body }) => body), node.otherwise];
    case "Macro":
    case "CallBlock":
    case "FilterBlock":
    case "SetBlock":
    case "With":
    case "Block":
    case "Autoescape":
    case "Generation":
      return [node.body];
    default:
      return NONE;
  }
}

function argumentList(node: ast.Arguments): readonly ast.Expr[] {
  // Most calls have positional arguments alone.
  if (node.kwargs.length === 0 && node.splat === null && node.kwSplat === null) return node.args;
  return present([
    ...node.args,
    ...node.kwargs.map(({ value }) => value),
    node.splat,
    node.kwSplat,
  ]);
}

function present(list: readonly (ast.Expr | null)[]): readonly ast.Expr[] {
  return list.filter((node): node is ast.Expr => node !== null);
}

export function expressionMentions(node: ast.Expr, name: string): boolean {
  return node.type === "Name"
    ? node.name === name
    : expressionChildren(node).some((child) => expressionMentions(child, name));
}
