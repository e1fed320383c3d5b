/** Which variable a name means: Jinja2's rules from jinja2/idtracking.py, frame by frame. */
import type * as ast from "../../compiler/jinja/ast.js";
import { expressionNames } from "./jinja-names.js";

/** What a frame does with a variable when it is entered. */
export type Load =
  | { readonly kind: "parameter" }
  | { readonly kind: "resolve"; readonly name: string }
  | { readonly kind: "alias"; readonly of: string }
  | { readonly kind: "undefined" };

/** The variables of one frame; a variable is named by the frame's level and its own name. */
export class Symbols {
  readonly level: number;
  readonly parent: Symbols | null;
  refs = new Map<string, string>();
  loads = new Map<string, Load>();
  stores = new Set<string>();

  constructor(parent: Symbols | null, level = parent === null ? 0 : parent.level + 1) {
    this.parent = parent;
    this.level = level;
  }

  copy(): Symbols {
    const copy = new Symbols(this.parent, this.level);
    copy.refs = new Map(this.refs);
    copy.loads = new Map(this.loads);
    copy.stores = new Set(this.stores);
    return copy;
  }

  #define(name: string, load: Load): string {
    const variable = `${this.level} ${name}`;
    this.refs.set(name, variable);
    this.loads.set(variable, load);
    return variable;
  }

  /** The variable that a name means here, or null if no frame around knows it. */
  find(name: string): string | null {
    return this.refs.get(name) ?? this.parent?.find(name) ?? null;
  }

  findLoad(variable: string): Load | null {
    return this.loads.get(variable) ?? this.parent?.findLoad(variable) ?? null;
  }

  load(name: string): void {
    if (this.find(name) === null) this.#define(name, { kind: "resolve", name });
  }

  store(name: string): void {
    this.stores.add(name);
    if (this.refs.has(name)) return;
    const outer = this.parent?.find(name) ?? null;
    this.#define(name, outer === null ? { kind: "undefined" } : { kind: "alias", of: outer });
  }

  declareParameter(name: string): string {
    this.stores.add(name);
    return this.#define(name, { kind: "parameter" });
  }

  /** Merges the branches of an if: what only some of them store is looked up before. */
  branchUpdate(branches: readonly Symbols[]): void {
    const stored = new Set(branches.flatMap((branch) => [...branch.stores]));
    const fresh = [...stored].filter((name) => !this.stores.has(name));
    for (const branch of branches) {
      for (const [name, variable] of branch.refs) this.refs.set(name, variable);
      for (const [variable, load] of branch.loads) this.loads.set(variable, load);
      for (const name of branch.stores) this.stores.add(name);
    }
    for (const name of fresh) {
      const variable = this.find(name);
      if (variable === null) continue;
      const outer = this.parent?.find(name) ?? null;
      const load: Load = outer === null ? { kind: "resolve", name } : { kind: "alias", of: outer };
      this.loads.set(variable, load);
    }
  }

  /** This frame and those around it. */
  #chain(): Symbols[] {
    return [this, ...(this.parent === null ? [] : this.parent.#chain())];
  }

  /** What a scoped block sees of this frame and those around it: names and their variables. */
  allStores(): Map<string, string> {
    const all = new Map<string, string>();
    for (const { stores } of this.#chain()) {
      for (const name of stores) {
        const variable = this.find(name);
        if (!all.has(name) && variable !== null) all.set(name, variable);
      }
    }
    return all;
  }
}

// ---------------------------------------------------------------- what a frame's statements do to its names

export function loadAll(symbols: Symbols, expression: ast.Expr): void {
  for (const { name } of expressionNames(expression)) symbols.load(name);
}

export function storeTarget(symbols: Symbols, target: ast.Target, asParameter: boolean): void {
  if (target.type === "NamespaceTarget") symbols.load(target.name);
  else if (target.type === "TupleTarget") {
    for (const item of target.items) storeTarget(symbols, item, asParameter);
  } else if (asParameter) symbols.declareParameter(target.name);
  else symbols.store(target.name);
}

/** In Jinja2 an elif is an if of its own, inside the list of elifs. */
function analyzeIf(symbols: Symbols, node: ast.If): void {
  const [first, ...elifs] = node.branches;
  if (first === undefined) return;
  loadAll(symbols, first.test);
  const body = symbols.copy();
  analyzeBody(body, first.body);
  const chain = symbols.copy();
  for (const elif of elifs) {
    analyzeIf(chain, { ...node, branches: [elif], otherwise: [] });
  }
  const otherwise = symbols.copy();
  analyzeBody(otherwise, node.otherwise);
  symbols.branchUpdate([body, chain, otherwise]);
}

function analyzeStatement(symbols: Symbols, node: ast.Stmt): void {
  switch (node.type) {
    case "Output":
      for (const item of node.items) if (item.type !== "TextData") loadAll(symbols, item);
      return;
    case "For":
      loadAll(symbols, node.iter);
      return;
    case "If":
      analyzeIf(symbols, node);
      return;
    case "Macro":
      symbols.store(node.name);
      return;
    case "CallBlock":
      loadAll(symbols, node.call);
      return;
    case "FilterBlock":
      loadAll(symbols, node.filter);
      return;
    case "Set":
      loadAll(symbols, node.value);
      storeTarget(symbols, node.target, false);
      return;
    case "SetBlock":
      storeTarget(symbols, node.target, false);
      return;
    case "With":
      for (const { value } of node.bindings) loadAll(symbols, value);
      return;
    case "Include":
    case "Extends":
      loadAll(symbols, node.template);
      return;
    case "Import":
      loadAll(symbols, node.template);
      symbols.store(node.target);
      return;
    case "FromImport":
      loadAll(symbols, node.template);
      for (const { name, alias } of node.names) symbols.store(alias ?? name);
      return;
    case "Block":
    case "Autoescape":
    case "Generation":
    case "Break":
    case "Continue":
      return;
  }
}

/** Statements in the order of the template: a load before a store looks the name up outside. */
export function analyzeBody(symbols: Symbols, body: readonly ast.Stmt[]): void {
  for (const node of body) analyzeStatement(symbols, node);
}
