/**
 * Children of Jinja's nodes, in the order in which Jinja2 visits them. What is asked of them is asked of one after the
 * other, until one answers true: lists of them would be most of what a compilation allocates.
 */
import type * as ast from "./ast.js";

/** A question about an expression; `given` is what the caller hands on. */
type Ask<Given> = (node: ast.Expr, given: Given) => boolean;

/** Whether the answer is true for one of the expressions directly inside an expression. */
export function someChild<Given>(node: ast.Expr, ask: Ask<Given>, given: Given): boolean {
  switch (node.type) {
    case "Name":
    case "Literal":
      return false;
    case "Tuple":
    case "List":
    case "Concat":
      return someOf(node.items, ask, given);
    case "Dict":
      return node.items.some(({ key, value }) => ask(key, given) || ask(value, given));
    case "Conditional":
      return ask(node.test, given) || ask(node.then, given) || someIf(node.otherwise, ask, given);
    case "Logical":
    case "Binary":
      return ask(node.left, given) || ask(node.right, given);
    case "Not":
    case "Unary":
      return ask(node.value, given);
    case "Compare":
      return ask(node.left, given) || node.rest.some(({ value }) => ask(value, given));
    case "Attribute":
      return ask(node.object, given);
    case "Item":
      return ask(node.object, given) || ask(node.key, given);
    case "Slice":
      return (
        someIf(node.start, ask, given) ||
        someIf(node.stop, ask, given) ||
        someIf(node.step, ask, given)
      );
    case "Call":
      return ask(node.callee, given) || someArgument(node, ask, given);
    case "Filter":
      return someIf(node.value, ask, given) || someArgument(node, ask, given);
    case "Test":
      return ask(node.value, given) || someArgument(node, ask, given);
  }
}

function someArgument<Given>(node: ast.Arguments, ask: Ask<Given>, given: Given): boolean {
  return (
    someOf(node.args, ask, given) ||
    (node.kwargs.length > 0 && node.kwargs.some(({ value }) => ask(value, given))) ||
    someIf(node.splat, ask, given) ||
    someIf(node.kwSplat, ask, given)
  );
}

function someOf<Given>(list: readonly ast.Expr[], ask: Ask<Given>, given: Given): boolean {
  for (const node of list) if (ask(node, given)) return true;
  return false;
}

function someIf<Given>(node: ast.Expr | null, ask: Ask<Given>, given: Given): boolean {
  return node !== null && ask(node, given);
}

/** The expressions directly inside an expression. */
export function expressionChildren(node: ast.Expr): readonly ast.Expr[] {
  const children: ast.Expr[] = [];
  someChild(node, collect, children);
  return children;
}

function collect(node: ast.Expr, list: ast.Expr[]): boolean {
  list.push(node);
  return false;
}

/** Whether the answer is true for an expression of the statement that belongs to the frame around it; bodies are left out. */
export function someExpression<Given>(node: ast.Stmt, ask: Ask<Given>, given: Given): boolean {
  switch (node.type) {
    case "Output":
      return node.items.some((item) => item.type !== "TextData" && ask(item, given));
    case "For":
      return ask(node.iter, given);
    case "If":
      return node.branches.some(({ test }) => ask(test, given));
    case "Set":
      return ask(node.value, given);
    case "SetBlock":
      return someIf(node.filter, ask, given);
    case "CallBlock":
      return ask(node.call, given);
    case "FilterBlock":
      return ask(node.filter, given);
    case "With":
      return node.bindings.some(({ value }) => ask(value, given));
    case "Autoescape":
      return ask(node.value, given);
    case "Include":
    case "Import":
    case "FromImport":
    case "Extends":
      return ask(node.template, given);
    case "Macro":
    case "Block":
    case "Generation":
    case "Break":
    case "Continue":
      return false;
  }
}

/** As {@link someExpression}, with a loop's filter and the defaults of parameters, which belong to frames inside. */
export function someOwnExpression<Given>(node: ast.Stmt, ask: Ask<Given>, given: Given): boolean {
  if (someExpression(node, ask, given)) return true;
  if (node.type === "For") return someIf(node.test, ask, given);
  if (node.type !== "Macro" && node.type !== "CallBlock") return false;
  return node.parameters.some((parameter) => someIf(parameter.default, ask, given));
}

/** Calls back for each statement, outer before inner. */
export function eachStatement(list: readonly ast.Stmt[], visit: (node: ast.Stmt) => void): void {
  for (const node of list) {
    visit(node);
    someBody(node, eachOf, visit);
  }
}

function eachOf(list: readonly ast.Stmt[], visit: (node: ast.Stmt) => void): boolean {
  eachStatement(list, visit);
  return false;
}

/** Whether the answer is true for one of the statement lists inside a statement. */
export function someBody<Given>(
  node: ast.Stmt,
  ask: (list: readonly ast.Stmt[], given: Given) => boolean,
  given: Given,
): boolean {
  switch (node.type) {
    case "For":
      return ask(node.body, given) || ask(node.otherwise, given);
    case "If":
      return node.branches.some(({ body }) => ask(body, given)) || ask(node.otherwise, given);
    case "Macro":
    case "CallBlock":
    case "FilterBlock":
    case "SetBlock":
    case "With":
    case "Block":
    case "Autoescape":
    case "Generation":
      return ask(node.body, given);
    default:
      return false;
  }
}

/** The statement lists inside a statement. */
export function statementBodies(node: ast.Stmt): readonly (readonly ast.Stmt[])[] {
  const bodies: (readonly ast.Stmt[])[] = [];
  someBody(node, collectBody, bodies);
  return bodies;
}

function collectBody(body: readonly ast.Stmt[], list: (readonly ast.Stmt[])[]): boolean {
  list.push(body);
  return false;
}

export function expressionMentions(node: ast.Expr, name: string): boolean {
  return node.type === "Name" ? node.name === name : someChild(node, expressionMentions, name);
}
