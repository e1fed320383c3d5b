/** Walks a tree in the order of Jinja2's node fields, and finds which special names it uses undeclared. */
import type * as ast from "../../compiler/jinja/ast.js";

export interface NameUse {
  readonly name: string;
  readonly load: boolean;
}

function* argumentNames(node: ast.Arguments): Generator<NameUse> {
  for (const arg of node.args) yield* expressionNames(arg);
  for (const { value } of node.kwargs) yield* expressionNames(value);
  if (node.splat !== null) yield* expressionNames(node.splat);
  if (node.kwSplat !== null) yield* expressionNames(node.kwSplat);
}

function childrenOf(node: ast.Expr): readonly (ast.Expr | null)[] {
  switch (node.type) {
    case "Name":
    case "Literal":
    case "Call":
    case "Filter":
    case "Test":
      return [];
    case "Tuple":
    case "List":
    case "Concat":
      return node.items;
    case "Dict":
      return node.items.flatMap((item) => [item.key, item.value]);
    case "Conditional":
      return [node.test, node.then, node.otherwise];
    case "Logical":
    case "Binary":
      return [node.left, node.right];
    case "Not":
    case "Unary":
      return [node.value];
    case "Compare":
      return [node.left, ...node.rest.map((operand) => operand.value)];
    case "Attribute":
      return [node.object];
    case "Item":
      return [node.object, node.key];
    case "Slice":
      return [node.start, node.stop, node.step];
  }
}

/** The names that an expression loads. */
export function* expressionNames(node: ast.Expr): Generator<NameUse> {
  if (node.type === "Name") yield { name: node.name, load: true };
  for (const child of childrenOf(node)) if (child !== null) yield* expressionNames(child);
  if (node.type === "Call") yield* expressionNames(node.callee);
  if (node.type === "Filter" || node.type === "Test") {
    if (node.value !== null) yield* expressionNames(node.value);
  }
  if (node.type === "Call" || node.type === "Filter" || node.type === "Test") {
    yield* argumentNames(node);
  }
}

function* targetNames(target: ast.Target): Generator<NameUse> {
  if (target.type === "Name") yield { name: target.name, load: false };
  if (target.type === "TupleTarget") for (const item of target.items) yield* targetNames(item);
}

function* parameterNames(parameters: readonly ast.Parameter[]): Generator<NameUse> {
  for (const { name } of parameters) yield { name, load: false };
  for (const parameter of parameters) {
    if (parameter.default !== null) yield* expressionNames(parameter.default);
  }
}

function* forNames(node: ast.For): Generator<NameUse> {
  yield* targetNames(node.target);
  yield* expressionNames(node.iter);
  yield* bodyNames(node.body);
  yield* bodyNames(node.otherwise);
  if (node.test !== null) yield* expressionNames(node.test);
}

function* ifNames(node: ast.If): Generator<NameUse> {
  for (const branch of node.branches) {
    yield* expressionNames(branch.test);
    yield* bodyNames(branch.body);
  }
  yield* bodyNames(node.otherwise);
}

function* withNames(node: ast.With): Generator<NameUse> {
  for (const { target } of node.bindings) yield* targetNames(target);
  for (const { value } of node.bindings) yield* expressionNames(value);
  yield* bodyNames(node.body);
}

function* setBlockNames(node: ast.SetBlock): Generator<NameUse> {
  yield* targetNames(node.target);
  if (node.filter !== null) yield* expressionNames(node.filter);
  yield* bodyNames(node.body);
}

function* statementNames(node: ast.Stmt): Generator<NameUse> {
  switch (node.type) {
    case "Output":
      for (const item of node.items) if (item.type !== "TextData") yield* expressionNames(item);
      return;
    case "For":
      yield* forNames(node);
      return;
    case "If":
      yield* ifNames(node);
      return;
    case "CallBlock":
      yield* expressionNames(node.call);
      yield* parameterNames(node.parameters);
      yield* bodyNames(node.body);
      return;
    case "Macro":
      yield* parameterNames(node.parameters);
      yield* bodyNames(node.body);
      return;
    case "FilterBlock":
      yield* bodyNames(node.body);
      yield* expressionNames(node.filter);
      return;
    case "Set":
      yield* targetNames(node.target);
      yield* expressionNames(node.value);
      return;
    case "SetBlock":
      yield* setBlockNames(node);
      return;
    case "With":
      yield* withNames(node);
      return;
    case "Autoescape":
      yield* expressionNames(node.value);
      yield* bodyNames(node.body);
      return;
    case "Generation":
      yield* bodyNames(node.body);
      return;
    case "Include":
    case "Import":
    case "FromImport":
    case "Extends":
      yield* expressionNames(node.template);
      return;
    case "Block":
    case "Break":
    case "Continue":
      return;
  }
}

function* bodyNames(body: readonly ast.Stmt[]): Generator<NameUse> {
  for (const node of body) yield* statementNames(node);
}

/** Jinja2's `find_undeclared`: which of these names are loaded before anything stores them. */
export function findUndeclared(body: readonly ast.Stmt[], names: readonly string[]): Set<string> {
  const wanted = new Set(names);
  const undeclared = new Set<string>();
  for (const { name, load } of bodyNames(body)) {
    if (load && wanted.has(name)) undeclared.add(name);
    else wanted.delete(name);
  }
  return undeclared;
}

/** The statements inside a statement, in order. */
function bodiesOf(node: ast.Stmt): readonly (readonly ast.Stmt[])[] {
  switch (node.type) {
    case "For":
      return [node.body, node.otherwise];
    case "If":
      return [...node.branches.map((branch) => branch.body), node.otherwise];
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
      return [];
  }
}

/** Every block, outer before inner. */
export function findBlocks(body: readonly ast.Stmt[]): ast.Block[] {
  return body.flatMap((node) => {
    const inner = bodiesOf(node).flatMap((each) => findBlocks(each));
    return node.type === "Block" ? [node, ...inner] : inner;
  });
}
