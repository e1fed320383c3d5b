/**
 * Where each local lives: in a slot of a frame. A function has a frame for each call; a loop's body has one for each
 * turn only where a function keeps a variable of the turn, as a JavaScript closure would. Elsewhere a variable that
 * belongs to a turn, and that the turn does not begin by setting, is reset.
 */
import { mentions } from "../ir/effects.js";
import type { Expr, FunctionDef, Local, Module, Stmt } from "../ir/nodes.js";
import { eachChild, statementExpr, walkStmts } from "../ir/visit.js";

/** What has a frame of its own at run time. */
export class Scope {
  parent: Scope | null = null;
  size = 0;
}

/** A statement list of a function. */
interface Block {
  readonly parent: Block | null;
  /** The index in the parent's list of the statement that holds this list. */
  readonly index: number;
  readonly depth: number;
  readonly list: readonly Stmt[];
  readonly owner: FunctionDef | null;
  readonly isLoop: boolean;
  scope: Scope | null;
}

/** The innermost list that holds all uses of a local, and the first statement there that holds one. */
interface Home {
  block: Block;
  index: number;
  /** Loops and parameter lists begin with a new value. */
  isHeader: boolean;
  /** Whether functions share it. */
  isShared: boolean;
  firstOwner: FunctionDef | null;
}

export interface Slot {
  readonly scope: Scope;
  readonly index: number;
}

/** Where the locals and functions of a module live. */
export interface Scopes {
  readonly root: Scope;
  readonly slots: ReadonlyMap<Local, Slot>;
  /** The scopes of loop bodies that have one. */
  readonly bodies: ReadonlyMap<readonly Stmt[], Scope>;
  readonly functions: ReadonlyMap<number, Scope>;
  /** Locals that have no value yet when the statement is reached. */
  readonly resets: ReadonlyMap<Stmt, readonly Local[]>;
  /** The fields of the input that are read. */
  readonly inputs: readonly string[];
}

export function findScopes(module: Module): Scopes {
  return new ScopeFinder(module).find();
}

class ScopeFinder {
  readonly #module: Module;
  readonly #homes = new Map<Local, Home>();
  readonly #functionBlocks = new Map<number, Block>();
  readonly #loops: Block[] = [];
  readonly #inputs = new Set<string>();
  readonly #used = new Map<FunctionDef, Set<Local>>();
  readonly #called = new Map<FunctionDef, Set<number>>();
  readonly #byId: ReadonlyMap<number, FunctionDef>;

  constructor(module: Module) {
    this.#module = module;
    this.#byId = new Map(module.functions.map((fn) => [fn.name.id, fn]));
  }

  find(): Scopes {
    const root = this.#enter(this.#module.body, null, 0, null, false);
    root.scope = new Scope();
    this.#list(root);
    const defined = definedFunctions(this.#module);
    // What no statement defines stands in the module, and others may be defined in it.
    for (const fn of this.#module.functions) {
      if (!defined.has(fn.name.id)) this.#function(fn, root, root.list.length);
    }
    for (const fn of this.#module.functions) this.#function(fn, root, root.list.length);
    const slots = this.#allocate();
    this.#nest(root.scope);
    const bodies = new Map<readonly Stmt[], Scope>();
    for (const { list, scope } of this.#loops) if (scope !== null) bodies.set(list, scope);
    return {
      root: root.scope,
      slots,
      bodies,
      functions: new Map([...this.#functionBlocks].map(([id, block]) => [id, scopeOf(block)])),
      resets: this.#resets(),
      inputs: [...this.#inputs],
    };
  }

  // ------------------------------------------------------------ uses

  #enter(
    list: readonly Stmt[],
    parent: Block | null,
    index: number,
    owner: FunctionDef | null,
    isLoop: boolean,
  ): Block {
    const depth = parent === null ? 0 : parent.depth + 1;
    const block: Block = { parent, index, depth, list, owner, isLoop, scope: null };
    if (isLoop) this.#loops.push(block);
    return block;
  }

  /** A function stands where it is defined. */
  #function(fn: FunctionDef, parent: Block, index: number): void {
    if (this.#functionBlocks.has(fn.name.id)) return;
    const block = this.#enter(fn.body, parent, index, fn, false);
    block.scope = new Scope();
    this.#functionBlocks.set(fn.name.id, block);
    for (const param of fn.params) {
      this.#use(param.local, block, 0, true);
      if (param.default !== null) this.#expr(param.default, block, 0);
    }
    this.#list(block);
  }

  #list(block: Block): void {
    let index = 0;
    for (const stmt of block.list) this.#statement(stmt, block, index++);
  }

  #statement(stmt: Stmt, block: Block, index: number): void {
    const expr = statementExpr(stmt);
    if (expr !== null) this.#expr(expr, block, index);
    switch (stmt.op) {
      case "define": {
        const fn = this.#byId.get(stmt.callee.id);
        if (fn !== undefined) this.#function(fn, block, index);
        break;
      }
      case "set":
        this.#use(stmt.local, block, index);
        break;
      case "unpack":
        for (const local of stmt.locals) this.#use(local, block, index);
        break;
      case "capture":
        this.#use(stmt.local, block, index);
        this.#list(this.#enter(stmt.body, block, index, block.owner, false));
        break;
      case "if":
        this.#branch(stmt.then, block, index);
        this.#branch(stmt.otherwise, block, index);
        break;
      case "while":
        this.#list(this.#enter(stmt.body, block, index, block.owner, true));
        break;
      case "each":
        this.#loop(stmt, [stmt.item, stmt.index], block, index);
        break;
      case "entries":
        this.#loop(stmt, [stmt.key, stmt.value], block, index);
        break;
      default:
        break;
    }
  }

  #branch(list: readonly Stmt[], block: Block, index: number): void {
    if (list.length > 0) this.#list(this.#enter(list, block, index, block.owner, false));
  }

  #loop(
    stmt: { readonly body: readonly Stmt[]; readonly empty: readonly Stmt[] },
    locals: readonly (Local | null)[],
    block: Block,
    index: number,
  ): void {
    const body = this.#enter(stmt.body, block, index, block.owner, true);
    for (const local of locals) if (local !== null) this.#use(local, body, 0, true);
    this.#list(body);
    this.#branch(stmt.empty, block, index);
  }

  /** The place of the expressions that are visited. */
  #block: Block | null = null;
  #index = 0;

  readonly #visit = (expr: Expr): void => {
    if (this.#block !== null) this.#inside(expr, this.#block, this.#index);
  };

  #expr(expr: Expr, block: Block, index: number): void {
    this.#block = block;
    this.#index = index;
    this.#inside(expr, block, index);
  }

  #inside(expr: Expr, block: Block, index: number): void {
    switch (expr.op) {
      case "literal":
        return;
      case "local":
        this.#use(expr.local, block, index);
        return;
      case "assign":
        this.#use(expr.local, block, index);
        break;
      case "chain":
        this.#use(expr.item, block, index, true);
        break;
      case "input":
        this.#inputs.add(expr.name);
        return;
      case "call":
      case "function":
        if (block.owner !== null) entryOf(this.#called, block.owner).add(expr.callee.id);
        break;
      default:
        break;
    }
    eachChild(expr, this.#visit);
  }

  #use(local: Local, block: Block, index: number, isHeader = false): void {
    const { owner } = block;
    if (owner !== null) entryOf(this.#used, owner).add(local);
    const home = this.#homes.get(local);
    if (home === undefined) {
      const isShared = false;
      this.#homes.set(local, { block, index, isHeader, isShared, firstOwner: owner });
      return;
    }
    home.isHeader ||= isHeader;
    home.isShared ||= home.firstOwner !== owner;
    const common = commonBlock(home.block, block);
    home.index = Math.min(indexIn(common, home.block, home.index), indexIn(common, block, index));
    home.block = common;
  }

  // ------------------------------------------------------------ frames

  #allocate(): Map<Local, Slot> {
    for (const { block, isShared } of this.#homes.values()) {
      if (!isShared) continue;
      const body = loopAround(block);
      if (body !== null) body.scope ??= new Scope();
    }
    const slots = new Map<Local, Slot>();
    for (const [local, { block }] of this.#homes) {
      const scope = scopeOf(block);
      slots.set(local, { scope, index: scope.size++ });
    }
    return slots;
  }

  /** A loop's frame lies in the one around it; a function's in the innermost that holds what it keeps. */
  #nest(root: Scope): void {
    for (const { scope, parent } of this.#loops) {
      if (scope !== null && parent !== null) scope.parent = scopeOf(parent);
    }
    const free = this.#freeLocals();
    for (const fn of this.#module.functions) {
      const block = this.#functionBlocks.get(fn.name.id);
      if (block === undefined) continue;
      let home: Block | null = null;
      for (const local of free.get(fn.name.id) ?? []) {
        const declared = this.#homes.get(local)?.block;
        if (declared !== undefined && declared.depth > (home?.depth ?? -1)) home = declared;
      }
      scopeOf(block).parent = home === null ? root : scopeOf(home);
    }
  }

  /** What each function uses of those around it, itself or through the functions that it calls. */
  #freeLocals(): ReadonlyMap<number, ReadonlySet<Local>> {
    const free = new Map<number, Set<Local>>();
    for (const fn of this.#module.functions) {
      const own = [...(this.#used.get(fn) ?? [])].filter((local) => !this.#isOwn(local, fn));
      free.set(fn.name.id, new Set(own));
    }
    for (let isGrown = true; isGrown;) {
      isGrown = false;
      for (const [fn, called] of this.#called) {
        const known = entryOf(free, fn.name.id);
        for (const id of called) {
          for (const local of free.get(id) ?? []) {
            if (known.has(local) || this.#isOwn(local, fn)) continue;
            known.add(local);
            isGrown = true;
          }
        }
      }
    }
    return free;
  }

  #isOwn(local: Local, fn: FunctionDef): boolean {
    return this.#homes.get(local)?.block.owner === fn;
  }

  // ------------------------------------------------------------ values

  #resets(): Map<Stmt, Local[]> {
    const resets = new Map<Stmt, Local[]>();
    for (const [local, { block, index, isHeader }] of this.#homes) {
      const stmt = block.list[index];
      if (isHeader || stmt === undefined || loopAround(block) === null) continue;
      if (isSetting(stmt, local)) continue;
      const known = resets.get(stmt);
      if (known === undefined) resets.set(stmt, [local]);
      else known.push(local);
    }
    return resets;
  }
}

/** Whether the statement gives the local its value before anything can ask for it. */
function isSetting(stmt: Stmt, local: Local): boolean {
  if (stmt.op === "capture") return stmt.local === local;
  return stmt.op === "set" && stmt.local === local && !mentions(stmt.value, local);
}

function definedFunctions({ body, functions }: Module): ReadonlySet<number> {
  const defined = new Set<number>();
  if (functions.length === 0) return defined;
  for (const list of [body, ...functions.map((fn) => fn.body)]) {
    walkStmts(list, (stmt) => {
      if (stmt.op === "define") defined.add(stmt.callee.id);
    });
  }
  return defined;
}

function entryOf<K, V>(map: Map<K, Set<V>>, key: K): Set<V> {
  let entry = map.get(key);
  if (entry === undefined) {
    entry = new Set();
    map.set(key, entry);
  }
  return entry;
}

function commonBlock(a: Block, b: Block): Block {
  let x = a;
  let y = b;
  while (x !== y) {
    if (x.depth >= y.depth && x.parent !== null) x = x.parent;
    else if (y.parent !== null) y = y.parent;
    else break;
  }
  return x;
}

/** The index, in the block, of the statement that holds the use. */
function indexIn(block: Block, use: Block, index: number): number {
  let at = use;
  let found = index;
  while (at !== block && at.parent !== null) {
    found = at.index;
    at = at.parent;
  }
  return found;
}

/** The body of the innermost loop of the same function around the block. */
function loopAround(block: Block): Block | null {
  for (let at: Block | null = block; at !== null && at.owner === block.owner; at = at.parent) {
    if (at.isLoop) return at;
  }
  return null;
}

function scopeOf(block: Block): Scope {
  for (let at: Block | null = block; at !== null; at = at.parent) {
    if (at.scope !== null) return at.scope;
  }
  throw new Error("a block outside every scope");
}
