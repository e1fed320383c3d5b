/**
 * Where each local is declared and what it is called: in the innermost statement list that holds all its uses, at the
 * first of them; `const` where nothing assigns it again. Functions that capture nothing stand in the module.
 */
import { mentions } from "../ir/effects.js";
import type { Expr, FunctionDef, Local, Module, Stmt } from "../ir/nodes.js";
import {
  assignedLocals,
  statementExprs,
  statementLists,
  walkExpr,
  walkExprs,
  walkStmts,
} from "../ir/visit.js";
import { mangle, NameSet } from "./names.js";

/** A statement list inside a function, and the list around it. */
interface Block {
  readonly parent: Block | null;
  readonly list: readonly Stmt[];
  readonly depth: number;
  /** The index of its statement in the list around it; null for a function, which stands nowhere yet. */
  readonly index: number | null;
  /** Whether it is emitted without braces of its own, so that its names stand beside those of the list around it. */
  readonly isInline: boolean;
}

interface Use {
  readonly block: Block;
  readonly index: number;
}

/** How the locals of a module are declared. */
export interface Layout {
  readonly names: ReadonlyMap<Local, string>;
  /** Locals that need a `let` of their own before the statement. */
  readonly before: ReadonlyMap<Stmt, readonly Local[]>;
  /** Statements that declare what they assign. */
  readonly declaring: ReadonlySet<Stmt>;
  readonly constants: ReadonlySet<Local>;
  /** Functions that capture a local or an input: they stand in the list that declares it. */
  readonly nested: ReadonlyMap<readonly Stmt[], readonly FunctionDef[]>;
  /** Functions of the module's own level, in order of definition. */
  readonly hoisted: readonly FunctionDef[];
}

/** The names that are taken are not given to a local. */
export function layOut(module: Module, taken: NameSet): Layout {
  return new LayoutBuilder(module, taken.copy()).build();
}

class LayoutBuilder {
  readonly #module: Module;
  readonly #taken: NameSet;
  readonly #uses = new Map<Local, Use[]>();
  readonly #assignments = new Map<Local, number>();
  readonly #blocks = new Map<readonly Stmt[], Block>();
  readonly #headers = new Map<Local, Block>();
  readonly #defined = new Map<number, Use>();
  readonly #free: ReadonlyMap<number, ReadonlySet<Local>>;
  readonly #capturing: ReadonlySet<number>;

  constructor(module: Module, taken: NameSet) {
    this.#module = module;
    this.#taken = taken;
    this.#free = freeByFunction(module);
    this.#capturing = capturingFunctions(module, this.#free);
  }

  build(): Layout {
    const root = this.#enter(this.#module.body, null, null);
    this.#scan(root);
    for (const fn of this.#outerFirst()) this.#scanFunction(fn, root);
    const before = new Map<Stmt, Local[]>();
    const declaring = new Set<Stmt>();
    const declaredIn = new Map<Local, Block>();
    for (const [local, uses] of this.#uses) {
      const block = this.#headers.get(local) ?? commonBlock(uses);
      declaredIn.set(local, block);
      if (!this.#headers.has(local)) this.#declare(local, block, uses, before, declaring);
    }
    this.#settleUnpacks(declaring, before);
    return {
      names: this.#name(declaredIn),
      before,
      declaring,
      constants: this.#constants(declaring),
      nested: this.#nest(root, declaredIn),
      hoisted: this.#module.functions.filter((fn) => !this.#capturing.has(fn.name.id)),
    };
  }

  #enter(
    list: readonly Stmt[],
    parent: Block | null,
    index: number | null,
    isInline = false,
  ): Block {
    const depth = parent === null ? 0 : parent.depth + 1;
    const block = { parent, list, depth, index, isInline };
    this.#blocks.set(list, block);
    return block;
  }

  /** Where an inner function stands is known once the function around it has been scanned. */
  *#outerFirst(): Generator<FunctionDef> {
    const { functions } = this.#module;
    const done = new Set<FunctionDef>();
    const isReady = (fn: FunctionDef): boolean => !done.has(fn) && this.#defined.has(fn.name.id);
    let start = 0;
    while (start < functions.length) {
      const next = functions.slice(start).find(isReady) ?? functions[start];
      if (next === undefined) return;
      done.add(next);
      yield next;
      while (start < functions.length) {
        const first = functions[start];
        if (first === undefined || !done.has(first)) break;
        start++;
      }
    }
  }

  #scanFunction(fn: FunctionDef, root: Block): void {
    const around = this.#capturing.has(fn.name.id)
      ? (this.#defined.get(fn.name.id)?.block ?? root)
      : null;
    const block = this.#enter(fn.body, around, null);
    for (const { local } of fn.params) this.#header(local, block);
    this.#scan(block);
  }

  /** A local that a loop's head or a parameter list declares. */
  #header(local: Local, block: Block): void {
    this.#headers.set(local, block);
    this.#use(local, { block, index: 0 });
  }

  #scan(block: Block): void {
    block.list.forEach((stmt, index) => {
      const use = { block, index };
      if (stmt.op === "define") this.#scanDefine(stmt.callee.id, use);
      for (const expr of statementExprs(stmt)) this.#scanExpr(expr, use);
      const inHead = stmt.op === "each" || stmt.op === "entries";
      for (const local of assignedLocals(stmt)) {
        if (!inHead) this.#assign(local, use);
      }
      for (const list of statementLists(stmt)) {
        const inner = this.#enter(list, block, index, stmt.op === "capture");
        if (inHead && list === stmt.body) {
          for (const local of assignedLocals(stmt)) this.#header(local, inner);
        }
        this.#scan(inner);
      }
    });
  }

  #scanDefine(id: number, use: Use): void {
    this.#defined.set(id, use);
    for (const local of this.#free.get(id) ?? []) this.#use(local, use);
  }

  #scanExpr(expr: Expr, use: Use): void {
    walkExpr(expr, (inner) => {
      if (inner.op === "local") this.#use(inner.local, use);
      if (inner.op === "assign") {
        this.#assign(inner.local, use);
        this.#assign(inner.local, use);
      }
      if (inner.op === "chain") this.#use(inner.item, use);
    });
  }

  #use(local: Local, use: Use): void {
    const uses = this.#uses.get(local);
    if (uses === undefined) this.#uses.set(local, [use]);
    else uses.push(use);
  }

  #assign(local: Local, use: Use): void {
    this.#use(local, use);
    this.#assignments.set(local, (this.#assignments.get(local) ?? 0) + 1);
  }

  #declare(
    local: Local,
    block: Block,
    uses: readonly Use[],
    before: Map<Stmt, Local[]>,
    declaring: Set<Stmt>,
  ): void {
    const stmt = block.list[firstIndex(block, uses)];
    if (stmt === undefined || this.#isChainItem(local, stmt)) return;
    const isFirstAssignment =
      (stmt.op === "set" || stmt.op === "capture" || stmt.op === "unpack") &&
      assignedLocals(stmt).includes(local) &&
      !statementExprs(stmt).some((expr) => mentions(expr, local));
    if (isFirstAssignment) declaring.add(stmt);
    else append(before, stmt, local);
  }

  /** The parameter of an arrow function needs no declaration. */
  #isChainItem(local: Local, stmt: Stmt): boolean {
    let found = false;
    for (const expr of statementExprs(stmt)) {
      walkExpr(expr, (inner) => {
        if (inner.op === "chain" && inner.item === local) found = true;
      });
    }
    return found;
  }

  /** An unpack declares either all of its locals or none. */
  #settleUnpacks(declaring: Set<Stmt>, before: Map<Stmt, Local[]>): void {
    for (const stmt of [...declaring]) {
      if (stmt.op !== "unpack") continue;
      const known = before.get(stmt) ?? [];
      const here = stmt.locals.filter((local) => {
        // A loop's head declares it, or the value mentions it.
        if (this.#headers.has(local) || known.includes(local)) return false;
        const uses = this.#uses.get(local) ?? [];
        const block = commonBlock(uses);
        return block.list[firstIndex(block, uses)] === stmt;
      });
      if (here.length === stmt.locals.length) continue;
      declaring.delete(stmt);
      before.set(stmt, [...known, ...here]);
    }
  }

  #constants(declaring: ReadonlySet<Stmt>): Set<Local> {
    const constants = new Set<Local>();
    for (const local of this.#headers.keys()) {
      if (!this.#assignments.has(local)) constants.add(local);
    }
    for (const stmt of declaring) {
      if (stmt.op === "capture") continue;
      for (const local of assignedLocals(stmt)) {
        if (this.#assignments.get(local) === 1) constants.add(local);
      }
    }
    return constants;
  }

  /** Outer lists name their locals first; what lies inside must differ, what lies beside may repeat. */
  #name(declaredIn: ReadonlyMap<Local, Block>): Map<Local, string> {
    const inBlock = new Map<Block, Local[]>();
    for (const [local, block] of declaredIn) {
      append(inBlock, block, local);
    }
    const names = new Map<Local, string>();
    const spaces = new Map<Block, NameSet>();
    const spaceOf = (block: Block): NameSet => {
      const known = spaces.get(block);
      if (known !== undefined) return known;
      const outer = block.parent === null ? this.#taken : spaceOf(block.parent);
      const space = block.isInline ? outer : outer.copy();
      spaces.set(block, space);
      for (const local of inBlock.get(block) ?? []) {
        names.set(local, space.unique(nameFor(local, space)));
      }
      return space;
    };
    const ordered = [...this.#blocks.values()].sort((a, b) => a.depth - b.depth);
    for (const block of ordered) spaceOf(block);
    return names;
  }

  #nest(root: Block, declaredIn: ReadonlyMap<Local, Block>): Map<readonly Stmt[], FunctionDef[]> {
    const nested = new Map<readonly Stmt[], FunctionDef[]>();
    for (const fn of this.#module.functions) {
      if (!this.#capturing.has(fn.name.id)) continue;
      let home = root;
      for (const local of this.#free.get(fn.name.id) ?? []) {
        const block = declaredIn.get(local);
        if (block !== undefined && block.depth > home.depth) home = block;
      }
      append(nested, home.list, fn);
    }
    return nested;
  }
}

/** A name that JavaScript or an import has already gets a `$`, so that the template's own word stays readable. */
function nameFor(local: Local, space: NameSet): string {
  const name = mangle(local.name);
  return space.has(name) && !space.has(`${name}$`) && isTakenByCode(name, space)
    ? `${name}$`
    : name;
}

function isTakenByCode(name: string, space: NameSet): boolean {
  return space.has(`import ${name}`);
}

function commonBlock(uses: readonly Use[]): Block {
  const [first, ...rest] = uses;
  if (first === undefined) throw new Error("a local without uses");
  return rest.reduce((block, use) => common(block, use.block), first.block);
}

function common(a: Block, b: Block): Block {
  let x: Block = a;
  let y: Block = b;
  while (x !== y) {
    if (x.depth >= y.depth && x.parent !== null) x = x.parent;
    else if (y.parent !== null) y = y.parent;
    else break;
  }
  return x;
}

function firstIndex(block: Block, uses: readonly Use[]): number {
  return uses.reduce((first, use) => Math.min(first, indexIn(block, use)), Infinity);
}

/** The index, in the block, of the statement that holds the use. */
function indexIn(block: Block, use: Use): number {
  if (use.block === block) return use.index;
  let inner: Block = use.block;
  while (inner.parent !== null && inner.parent !== block) inner = inner.parent;
  // Inside a function that stands here: its definition counts as the use.
  return inner.index ?? block.list.length;
}

function append<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** Free locals by function, those of the functions that it calls included. */
function freeByFunction(module: Module): ReadonlyMap<number, ReadonlySet<Local>> {
  const own = new Map(module.functions.map((fn) => [fn.name.id, ownLocals(fn)]));
  const free = new Map(module.functions.map((fn) => [fn.name.id, new Set(freeLocals(fn))]));
  for (let grown = true; grown;) {
    grown = false;
    for (const fn of module.functions) {
      const known = free.get(fn.name.id) ?? new Set<Local>();
      const size = known.size;
      walkExprs(fn.body, (expr) => {
        if (expr.op !== "call" && expr.op !== "function") return;
        for (const local of free.get(expr.callee.id) ?? []) {
          // What an inner function captures of this one is not free here.
          if (own.get(fn.name.id)?.has(local) !== true) known.add(local);
        }
      });
      grown ||= known.size > size;
    }
  }
  return free;
}

/** Locals that a function binds or assigns. */
function ownLocals(fn: FunctionDef): ReadonlySet<Local> {
  const own = new Set(fn.params.map(({ local }) => local));
  walkStmts(fn.body, (stmt) => {
    for (const local of assignedLocals(stmt)) own.add(local);
  });
  walkExprs(fn.body, (expr) => {
    if (expr.op === "assign" || expr.op === "chain") {
      own.add(expr.op === "assign" ? expr.local : expr.item);
    }
  });
  return own;
}

/** Locals that a function uses and others assign. */
function freeLocals(fn: FunctionDef): ReadonlySet<Local> {
  const own = ownLocals(fn);
  const free = new Set<Local>();
  walkExprs(fn.body, (expr) => {
    if (expr.op === "local" && !own.has(expr.local)) free.add(expr.local);
  });
  return free;
}

/** Functions that use a local of another function, an input or the clock, or call one that does. */
function capturingFunctions(
  module: Module,
  free: ReadonlyMap<number, ReadonlySet<Local>>,
): ReadonlySet<number> {
  const capturing = new Set<number>();
  const calls = new Map<number, Set<number>>();
  for (const fn of module.functions) {
    const called = new Set<number>();
    if ((free.get(fn.name.id)?.size ?? 0) > 0) capturing.add(fn.name.id);
    walkExprs(fn.body, (expr) => {
      if (expr.op === "input" || expr.op === "clock" || expr.op === "spans")
        capturing.add(fn.name.id);
      if (expr.op === "call" || expr.op === "function") called.add(expr.callee.id);
    });
    calls.set(fn.name.id, called);
  }
  for (let grown = true; grown;) {
    grown = false;
    for (const [id, called] of calls) {
      if (capturing.has(id) || ![...called].some((other) => capturing.has(other))) continue;
      capturing.add(id);
      grown = true;
    }
  }
  return capturing;
}
