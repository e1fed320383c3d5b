/**
 * Which variable a name means: Jinja2's rules (idtracking.py). Each frame (template, loop body, macro, with …) has a
 * scope; a name that a frame stores or loads gets one local in it, and the scope says what that local holds at first.
 * A `set` inside an if makes the local start as the outer variable, or as the input of that name.
 */
import type { Ids, Local } from "../ir/nodes.js";
import { Any } from "../ir/kinds.js";
import type * as ast from "./ast.js";
import { someChild, someExpression } from "./walk.js";

/** What a frame's local holds when the frame is entered. */
export type Load =
  | { readonly kind: "parameter" }
  | { readonly kind: "input"; readonly name: string }
  | { readonly kind: "alias"; readonly of: Local }
  | { readonly kind: "missing" };

export class Scope {
  readonly parent: Scope | null;
  #loads: Map<Local, Load> | null = null;
  readonly #ids: Ids;
  /** One local for a name in this frame, shared by the copies made for branches. */
  readonly #locals: Map<string, Local>;
  /** What it refers to and stores itself; branches, of which there are many, mostly nothing. */
  #refs: Map<string, Local> | null = null;
  #stores: Set<string> | null = null;

  /**
   * The locals of all the frames of one Python function, by level and name, where functions may outlive their frame:
   * frames of one level share them.
   */
  readonly #cells: Map<string, Local> | null;
  readonly #level: number;

  /** A branch's scope has what it changes; all else is here. */
  readonly #base: Scope | null;

  constructor(ids: Ids, parent: Scope | null, cells: Map<string, Local> | null, base?: Scope) {
    this.#ids = ids;
    this.parent = parent;
    this.#cells = cells;
    this.#level = parent === null ? 0 : parent.#level + 1;
    this.#base = base ?? null;
    this.#locals = base === undefined ? new Map<string, Local>() : base.#locals;
  }

  get loads(): ReadonlyMap<Local, Load> {
    return this.#loads ?? NO_LOADS;
  }

  child(): Scope {
    return new Scope(this.#ids, this, this.#cells);
  }

  /** The first frame of a function of its own. */
  inFunction(): Scope {
    return new Scope(this.#ids, this, this.#cells === null ? null : new Map<string, Local>());
  }

  /** Another frame beside this one, in the same function. */
  beside(): Scope {
    return new Scope(this.#ids, this.parent, this.#cells);
  }

  /** Whether frames share their locals. */
  get hasCells(): boolean {
    return this.#cells !== null;
  }

  /** The locals of the frames inside this one in its function. */
  innerCells(): readonly Local[] {
    const own = new Set(this.#locals.values());
    return [...(this.#cells?.values() ?? [])].filter((local) => !own.has(local));
  }

  /** The locals of this frame and those beside and inside it in its function. */
  allCells(): readonly Local[] {
    return [...(this.#cells?.values() ?? [])];
  }

  /** The local that a name means here, or null where only the input can have it. */
  find(name: string): Local | null {
    return this.#ref(name) ?? this.parent?.find(name) ?? null;
  }

  #ref(name: string): Local | undefined {
    return this.#refs?.get(name) ?? (this.#base === null ? undefined : this.#base.#ref(name));
  }

  #isStored(name: string): boolean {
    return this.#stores?.has(name) === true || (this.#base !== null && this.#base.#isStored(name));
  }

  findLoad(local: Local): Load | null {
    return this.#loads?.get(local) ?? (this.#base ?? this.parent)?.findLoad(local) ?? null;
  }

  declareParameter(name: string): Local {
    this.#addStore(name);
    return this.#define(name, { kind: "parameter" });
  }

  load(name: string): void {
    if (this.find(name) === null) this.#define(name, { kind: "input", name });
  }

  #addStore(name: string): void {
    this.#stores ??= new Set();
    this.#stores.add(name);
  }

  store(name: string): void {
    this.#addStore(name);
    if (this.#ref(name) !== undefined) return;
    const outer = this.parent?.find(name) ?? null;
    this.#define(name, outer === null ? { kind: "missing" } : { kind: "alias", of: outer });
  }

  /** The names that this frame and those around it store, with the locals that they mean here. */
  allStores(): ReadonlyMap<string, Local> {
    const stores = new Map(this.parent?.allStores() ?? []);
    for (const name of this.#stores ?? []) {
      const local = this.find(name);
      if (local !== null) stores.set(name, local);
    }
    return stores;
  }

  /** The scope of the template or of the block that this scope lies in. */
  root(): Scope {
    return this.parent?.root() ?? this;
  }

  /** A scope that starts as this one, for a branch of an if: this one stays as it is until the branch is merged. */
  forBranch(): Scope {
    return new Scope(this.#ids, this.parent, this.#cells, this);
  }

  /** Merges the branches of an if: what one of them stores starts as the outer value. */
  mergeBranches(branches: readonly Scope[]): void {
    const stored = new Set<string>();
    for (const branch of branches) {
      for (const name of branch.#stores ?? []) if (!this.#isStored(name)) stored.add(name);
    }
    for (const branch of branches) this.#absorb(branch);
    for (const name of stored) this.#startFromOutside(name);
  }

  #absorb(branch: Scope): void {
    for (const [name, local] of branch.#refs ?? []) this.#refer(name, local);
    for (const [local, load] of branch.loads) this.#start(local, load);
    for (const name of branch.#stores ?? []) this.#addStore(name);
  }

  #startFromOutside(name: string): void {
    const local = this.find(name);
    if (local === null) return;
    const outer = this.parent?.find(name) ?? null;
    this.#start(local, outer === null ? { kind: "input", name } : { kind: "alias", of: outer });
  }

  #refer(name: string, local: Local): void {
    this.#refs ??= new Map();
    this.#refs.set(name, local);
  }

  #start(local: Local, load: Load): void {
    this.#loads ??= new Map();
    this.#loads.set(local, load);
  }

  #define(name: string, load: Load): Local {
    const local = this.#locals.get(name) ?? this.#shared(name) ?? this.#ids.local(name, Any);
    this.#locals.set(name, local);
    this.#cells?.set(this.#cell(name), local);
    this.#refer(name, local);
    this.#start(local, load);
    return local;
  }

  #shared(name: string): Local | undefined {
    return this.#cells?.get(this.#cell(name));
  }

  #cell(name: string): string {
    return `${String(this.#level)} ${name}`;
  }
}

const NO_LOADS: ReadonlyMap<Local, Load> = new Map();

/** Records in a scope what statements load and store, in Jinja2's order; inner frames are not entered. */
export class ScopeAnalysis {
  #scope: Scope;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  statements(list: readonly ast.Stmt[]): void {
    for (const statement of list) this.#statement(statement);
  }

  expression(node: ast.Expr | null): void {
    if (node !== null) loadNames(node, this.#scope);
  }

  target(node: ast.Target, asParameter: boolean): void {
    if (node.type === "NamespaceTarget") this.#scope.load(node.name);
    else if (node.type === "TupleTarget") {
      for (const item of node.items) this.target(item, asParameter);
    } else if (asParameter) this.#scope.declareParameter(node.name);
    else this.#scope.store(node.name);
  }

  #statement(node: ast.Stmt): void {
    switch (node.type) {
      case "If":
        this.#if(node);
        break;
      case "Set":
        this.expression(node.value);
        this.target(node.target, false);
        break;
      case "SetBlock":
        this.target(node.target, false);
        break;
      case "Macro":
        this.#scope.store(node.name);
        break;
      case "Import":
        this.expression(node.template);
        this.#scope.store(node.target);
        break;
      case "FromImport":
        this.expression(node.template);
        for (const { name, alias } of node.names) this.#scope.store(alias ?? name);
        break;
      case "Autoescape":
      case "Generation":
      case "Block":
        break;
      default:
        someExpression(node, loadNames, this.#scope);
    }
  }

  #if(node: ast.If): void {
    const first = node.branches[0];
    if (first === undefined) return;
    this.expression(first.test);
    const outer = this.#scope;
    const branches = [this.#inBranch(outer, first.body)];
    // Jinja2 visits all elifs as one branch, each as an if of its own. A branch without statements changes nothing.
    if (node.branches.length > 1) {
      const branch = (this.#scope = outer.forBranch());
      for (const elif of node.branches.slice(1)) this.#elif(elif);
      this.#scope = outer;
      branches.push(branch);
    }
    if (node.otherwise.length > 0) branches.push(this.#inBranch(outer, node.otherwise));
    outer.mergeBranches(branches);
  }

  #inBranch(outer: Scope, list: readonly ast.Stmt[]): Scope {
    const branch = (this.#scope = outer.forBranch());
    this.statements(list);
    this.#scope = outer;
    return branch;
  }

  /** An elif is an If node without elifs and else in Jinja2's tree. */
  #elif(branch: ast.IfBranch): void {
    this.expression(branch.test);
    const outer = this.#scope;
    outer.mergeBranches([this.#inBranch(outer, branch.body)]);
  }
}

/** Loads the names of an expression. */
function loadNames(node: ast.Expr, scope: Scope): boolean {
  if (node.type === "Name") scope.load(node.name);
  else someChild(node, loadNames, scope);
  return false;
}
