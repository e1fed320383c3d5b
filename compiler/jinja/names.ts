/** Names that expressions load and statements store, and the names that a frame knows (idtracking.py). */
import type * as ast from "./ast.js";
import { someBody, someChild } from "./walk.js";

/** Calls back for each name that an expression loads, in order. */
export function eachLoad(node: ast.Expr, visit: (name: ast.Name) => void): void {
  visitLoads(node, visit);
}

function visitLoads(node: ast.Expr, visit: (name: ast.Name) => void): boolean {
  if (node.type === "Name") visit(node);
  else someChild(node, visitLoads, visit);
  return false;
}

/** The first place in the statement, inner ones included, that assigns the name as a variable: no parameter. */
export function findStore(node: ast.Stmt, name: string): ast.Name | null {
  const found: { name: ast.Name | null } = { name: null };
  seekStore(node, { name, found });
  return found.name;
}

interface Search {
  readonly name: string;
  readonly found: { name: ast.Name | null };
}

function seekStore(node: ast.Stmt, search: Search): boolean {
  const isTarget = node.type === "For" || node.type === "Set" || node.type === "SetBlock";
  const own = isTarget ? findInTarget(node.target, search.name) : null;
  if (own === null) return someBody(node, seekStoreIn, search);
  search.found.name = own;
  return true;
}

function seekStoreIn(list: readonly ast.Stmt[], search: Search): boolean {
  return list.some((node) => seekStore(node, search));
}

function findInTarget(target: ast.Target, name: string): ast.Name | null {
  if (target.type === "Name") return target.name === name ? target : null;
  if (target.type === "NamespaceTarget") return null;
  for (const item of target.items) {
    const found = findInTarget(item, name);
    if (found !== null) return found;
  }
  return null;
}

/** The names that have a reference in a frame or in one around it; found when the first is asked for, which is rare. */
export class KnownNames {
  readonly #parent: KnownNames | null;
  readonly #find: (names: FrameNames) => void;
  #names: FrameNames | null = null;

  constructor(parent: KnownNames | null, find: (names: FrameNames) => void) {
    this.#parent = parent;
    this.#find = find;
  }

  has(name: string): boolean {
    if (this.#names === null) {
      this.#names = new FrameNames();
      this.#find(this.#names);
    }
    return this.#names.has(name) || this.#parent?.has(name) === true;
  }
}

/** The names of one frame. */
export class FrameNames {
  readonly #names = new Set<string>();

  has(name: string): boolean {
    return this.#names.has(name);
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
    if (node !== null) eachLoad(node, ({ name }) => this.#names.add(name));
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
