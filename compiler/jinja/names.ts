/** Names in the order in which Jinja2's visitors meet them, and the names that a frame knows (idtracking.py). */
import type * as ast from "./ast.js";
import { expressionChildren } from "./walk.js";

export interface NameUse {
  readonly name: string;
  /** Jinja2's `ctx`: a parameter is a store that no check of assignments sees. */
  readonly use: "load" | "store" | "parameter";
  readonly line: number;
  readonly span: ast.Name["span"];
}

/** Every name of a statement, inner statements included, in the order of Jinja2's node fields. */
export function* namesOf(node: ast.Stmt, intoBlocks: boolean): Generator<NameUse, void> {
  switch (node.type) {
    case "Output":
      for (const item of node.items) if (item.type !== "TextData") yield* loads(item);
      return;
    case "For":
      yield* stores(node.target, "store");
      yield* loads(node.iter);
      yield* namesIn([...node.body, ...node.otherwise], intoBlocks);
      yield* loads(node.test);
      return;
    case "If":
      for (const { test, body } of node.branches) {
        yield* loads(test);
        yield* namesIn(body, intoBlocks);
      }
      yield* namesIn(node.otherwise, intoBlocks);
      return;
    case "With":
      for (const { target } of node.bindings) yield* stores(target, "parameter");
      for (const { value } of node.bindings) yield* loads(value);
      yield* namesIn(node.body, intoBlocks);
      return;
    case "Block":
      if (intoBlocks) yield* namesIn(node.body, intoBlocks);
      return;
    default:
      yield* otherNames(node, intoBlocks);
  }
}

type Other = Exclude<ast.Stmt, ast.Output | ast.For | ast.If | ast.With | ast.Block>;

function* otherNames(node: Other, intoBlocks: boolean): Generator<NameUse, void> {
  switch (node.type) {
    case "Set":
      yield* stores(node.target, "store");
      return yield* loads(node.value);
    case "SetBlock":
      yield* stores(node.target, "store");
      yield* loads(node.filter);
      return yield* namesIn(node.body, intoBlocks);
    case "Macro":
    case "CallBlock":
      if (node.type === "CallBlock") yield* loads(node.call);
      yield* parameterNames(node.parameters);
      return yield* namesIn(node.body, intoBlocks);
    case "FilterBlock":
      yield* namesIn(node.body, intoBlocks);
      return yield* loads(node.filter);
    case "Autoescape":
      yield* loads(node.value);
      return yield* namesIn(node.body, intoBlocks);
    case "Generation":
      return yield* namesIn(node.body, intoBlocks);
    case "Break":
    case "Continue":
      return;
    default:
      yield* loads(node.template);
  }
}

/** {@link namesOf} of a list. */
function* namesIn(list: readonly ast.Stmt[], intoBlocks: boolean): Generator<NameUse, void> {
  for (const node of list) yield* namesOf(node, intoBlocks);
}

function* parameterNames(parameters: readonly ast.Parameter[]): Generator<NameUse, void> {
  for (const { name, span } of parameters) yield { name, use: "parameter", line: 0, span };
  for (const parameter of parameters) yield* loads(parameter.default);
}

/** The names that an expression loads. */
export function* loads(node: ast.Expr | null): Generator<NameUse, void> {
  if (node === null) return;
  if (node.type === "Name") {
    yield { name: node.name, use: "load", line: node.line, span: node.span };
  }
  for (const child of expressionChildren(node)) yield* loads(child);
}

function* stores(target: ast.Target, use: "store" | "parameter"): Generator<NameUse, void> {
  if (target.type === "Name") {
    yield { name: target.name, use, line: target.line, span: target.span };
  } else if (target.type === "TupleTarget") {
    for (const item of target.items) yield* stores(item, use);
  }
}

/** Whether the statements read a name before they assign it (compiler.py, `find_undeclared`). */
export function readsUndeclared(list: readonly ast.Stmt[], name: string): boolean {
  for (const found of namesIn(list, false)) if (found.name === name) return found.use === "load";
  return false;
}

/** The names that have a reference in a frame or in one around it. */
export class KnownNames {
  readonly #parent: KnownNames | null;
  readonly #names = new Set<string>();

  constructor(parent: KnownNames | null) {
    this.#parent = parent;
  }

  has(name: string): boolean {
    return this.#names.has(name) || this.#parent?.has(name) === true;
  }

  add(...names: readonly string[]): this {
    for (const name of names) this.#names.add(name);
    return this;
  }

  addTarget(target: ast.Target): this {
    if (target.type !== "TupleTarget") return this.add(target.name);
    for (const item of target.items) this.addTarget(item);
    return this;
  }

  addExpression(node: ast.Expr | null): this {
    for (const { name } of loads(node)) this.add(name);
    return this;
  }

  addParameters(parameters: readonly ast.Parameter[]): this {
    for (const { name, default: value } of parameters) this.add(name).addExpression(value);
    return this;
  }

  /** What statements refer to in the frame that they stand in; bodies with frames of their own are left out. */
  addStatements(list: readonly ast.Stmt[]): this {
    for (const node of list) this.#addStatement(node);
    return this;
  }

  #addStatement(node: ast.Stmt): void {
    switch (node.type) {
      case "Output":
        for (const item of node.items) if (item.type !== "TextData") this.addExpression(item);
        return;
      case "For":
        this.addExpression(node.iter);
        return;
      case "If":
        for (const { test, body } of node.branches) this.addExpression(test).addStatements(body);
        this.addStatements(node.otherwise);
        return;
      case "Set":
        this.addExpression(node.value).addTarget(node.target);
        return;
      case "SetBlock":
        this.addTarget(node.target);
        return;
      case "Macro":
        this.add(node.name);
        return;
      case "CallBlock":
        this.addExpression(node.call);
        return;
      case "FilterBlock":
        this.addExpression(node.filter);
        return;
      case "With":
        for (const { value } of node.bindings) this.addExpression(value);
        return;
      default:
        this.#addImport(node);
    }
  }

  #addImport(node: ast.Stmt): void {
    if ("template" in node) this.addExpression(node.template);
    if (node.type === "Import") this.add(node.target);
    if (node.type === "FromImport") {
      for (const { name, alias } of node.names) this.add(alias ?? name);
    }
  }
}
