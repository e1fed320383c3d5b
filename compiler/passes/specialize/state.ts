/** What one round of specialisation has: the results of the round before, and what this round finds out. */
import {
  Any,
  Hinted,
  isNever,
  Json,
  may,
  Never,
  Undefined,
  union,
  type Kinds,
} from "../../ir/kinds.js";
import type { Expr, FunctionDef, FunctionName, Ids, Local, Module, Stmt } from "../../ir/nodes.js";
import { capturedLocals } from "../../ir/captures.js";
import { assignedLocals, walkExprs, walkStmts } from "../../ir/visit.js";
import type { Fact } from "./fact.js";
import { localKey, type Facts } from "./facts.js";

/** Results of a round; the next round starts from them, until nothing changes. */
export interface Findings {
  /** What each local is ever assigned. */
  readonly kinds: Map<number, Kinds>;
  /** Locals that get a value of which TypeScript knows less than the kinds say. */
  readonly untyped: Set<number>;
  /** Locals whose Undefined must keep its message, since some use may raise it. */
  readonly hinted: Set<number>;
  /** Functions that are used otherwise than by a direct call. */
  readonly escaping: Set<number>;
  /** What is known of the locals that a function captures, wherever it is called. */
  readonly entry: Map<number, ReadonlyMap<string, Fact>>;
}

export function noFindings(): Findings {
  return {
    kinds: new Map(),
    untyped: new Set(),
    hinted: new Set(),
    escaping: new Set(),
    entry: new Map(),
  };
}

/** The items of filters that become chains: the same local for the same filter in each round. */
export class ChainItems {
  readonly #ids: Ids;
  readonly #locals = new Map<Expr, Local>();

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  of(filter: Expr): Local {
    const known = this.#locals.get(filter);
    if (known !== undefined) return known;
    const local = this.#ids.local("item", Json);
    this.#locals.set(filter, local);
    return local;
  }
}

/** What is the same in all rounds over a module. */
export class Survey {
  readonly module: Module;
  readonly captured: ReadonlySet<Local>;
  readonly items: ChainItems;
  readonly functions: ReadonlyMap<number, FunctionDef>;
  readonly macros: ReadonlyMap<number, ReadonlySet<number>>;
  readonly parameters: ReadonlyMap<number, MacroParameters>;
  readonly keepsOrigin: boolean;
  readonly #assigned = new Map<readonly Stmt[], ReadonlySet<Local>>();
  readonly #reached = new Map<number, ReadonlySet<Local>>();
  #assignments: ReadonlyMap<Local, number> | null = null;

  constructor(module: Module, ids: Ids, keepsOrigin: boolean) {
    this.module = module;
    this.keepsOrigin = keepsOrigin;
    this.captured = capturedLocals(module);
    this.items = new ChainItems(ids);
    this.functions = new Map(module.functions.map((fn) => [fn.name.id, fn]));
    ({ macros: this.macros, parameters: this.parameters } = macrosOf(module));
  }

  /** The locals that a function uses, or one that it may come to call: what it must know of. */
  reachedFrom(name: FunctionName): ReadonlySet<Local> {
    const known = this.#reached.get(name.id);
    if (known !== undefined) return known;
    const reached = new Set<Local>();
    // A set that grows while it is gone through.
    const ids = new Set([name.id]);
    for (const id of ids) {
      walkExprs(this.functions.get(id)?.body ?? [], (expr) => {
        if (expr.op === "call" || expr.op === "function") ids.add(expr.callee.id);
        if (expr.op !== "local") return;
        reached.add(expr.local);
        for (const held of this.macros.get(expr.local.id) ?? []) ids.add(held);
      });
    }
    this.#reached.set(name.id, reached);
    return reached;
  }

  assignedIn(list: readonly Stmt[]): ReadonlySet<Local> {
    const known = this.#assigned.get(list);
    if (known !== undefined) return known;
    const assigned = new Set<Local>();
    walkStmts(list, (stmt) => {
      for (const local of assignedLocals(stmt)) assigned.add(local);
    });
    walkExprs(list, (expr) => {
      if (expr.op === "assign") assigned.add(expr.local);
    });
    this.#assigned.set(list, assigned);
    return assigned;
  }

  /** Whether nothing outside of the statements gives the local a value. */
  isOwnOf(list: readonly Stmt[], local: Local): boolean {
    this.#assignments ??= countAssignments([
      this.module.body,
      ...this.module.functions.map((fn) => fn.body),
    ]);
    return this.#assignments.get(local) === countAssignments([list]).get(local);
  }
}

function countAssignments(bodies: readonly (readonly Stmt[])[]): ReadonlyMap<Local, number> {
  const counts = new Map<Local, number>();
  for (const body of bodies) {
    walkStmts(body, (stmt) => {
      for (const local of assignedLocals(stmt)) counts.set(local, (counts.get(local) ?? 0) + 1);
    });
  }
  return counts;
}

export class Round {
  readonly module: Module;
  readonly before: Findings;
  readonly found: Findings;
  /** Locals of one function that another one uses: no facts of a point in the program hold in there. */
  readonly captured: ReadonlySet<Local>;
  readonly functions: ReadonlyMap<number, FunctionDef>;
  /** The functions that a local may hold as a macro. */
  readonly macros: ReadonlyMap<number, ReadonlySet<number>>;
  /** The parameters of the functions that are macros. */
  readonly parameters: ReadonlyMap<number, MacroParameters>;

  readonly items: ChainItems;
  readonly #survey: Survey;

  /** Whether a value stays where it comes from, even where a test has shown which one it is. */
  readonly keepsOrigin: boolean;

  constructor(survey: Survey, before: Findings) {
    this.#survey = survey;
    this.items = survey.items;
    this.module = survey.module;
    this.keepsOrigin = survey.keepsOrigin;
    this.before = before;
    this.captured = survey.captured;
    this.found = noFindings();
    this.functions = survey.functions;
    this.macros = survey.macros;
    this.parameters = survey.parameters;
  }

  /** The locals that the statements assign. */
  assignedIn(list: readonly Stmt[]): ReadonlySet<Local> {
    return this.#survey.assignedIn(list);
  }

  /** Whether nothing outside of the statements gives the local a value. */
  isOwnOf(list: readonly Stmt[], local: Local): boolean {
    return this.#survey.isOwnOf(list, local);
  }

  /** A direct call: what is known of macros there is known in the function, whoever calls it. */
  enter(name: FunctionName, facts: Facts): void {
    const here = new Map<string, Fact>();
    for (const local of this.#survey.reachedFrom(name)) {
      const fact = facts.get(localKey(local));
      if (fact?.macro !== undefined) here.set(localKey(local), fact);
    }
    const known = this.found.entry.get(name.id);
    const both =
      known === undefined
        ? here
        : new Map([...known].filter(([path, fact]) => here.get(path)?.macro === fact.macro));
    this.found.entry.set(name.id, both);
  }

  /** Whatever a local may hold at any time. */
  kindsOf(local: Local): Kinds {
    return this.before.kinds.get(local.id) ?? Never;
  }

  assign(local: Local, kinds: Kinds): void {
    this.found.kinds.set(local.id, union(this.found.kinds.get(local.id) ?? Never, kinds));
  }

  /** Some use of the local raises the error of an Undefined in it, or passes it on. */
  demandHint(local: Local, kinds: Kinds): void {
    if (may(kinds, Undefined | Hinted) || isNever(kinds)) this.found.hinted.add(local.id);
  }

  needsHint(local: Local): boolean {
    return this.before.hinted.has(local.id);
  }

  /** Whether the parameter tells an argument that is not given from one that is undefined: it has a default. */
  hasDefault(name: FunctionName, parameter: Local): boolean {
    return this.functions.get(name.id)?.body.some((stmt) => isDefault(stmt, parameter)) === true;
  }

  /** The function may be called by anything with anything. */
  escape(name: FunctionName): void {
    if (this.found.escaping.has(name.id)) return;
    this.found.escaping.add(name.id);
    for (const { local } of this.functions.get(name.id)?.params ?? []) {
      this.assign(local, Any);
      this.found.hinted.add(local.id);
    }
  }

  /** The local is used as a value: the macros that it may hold escape. */
  escapeMacrosOf(local: Local): void {
    for (const id of this.macros.get(local.id) ?? []) {
      const fn = this.functions.get(id);
      if (fn !== undefined) this.escape(fn.name);
    }
  }
}

/** A macro's parameters by name, and how many special ones it takes. */
export interface MacroParameters {
  readonly names: readonly string[];
  readonly special: number;
}

/** `if (x === undefined) x = …`, unless it only says that x was not provided. */
function isDefault(stmt: Stmt, parameter: Local): boolean {
  if (stmt.op !== "if" || stmt.test.op !== "compare" || stmt.test.operator !== "===") return false;
  const { left, right } = stmt.test;
  const asks = left.op === "local" && left.local === parameter && right.op === "literal";
  const [only] = stmt.then;
  const isUnprovided =
    only?.op === "set" && only.value.op === "intrinsic" && only.value.name === "jinja.unprovided";
  return asks && right.value === undefined && !isUnprovided;
}

/** The macros that the module makes, by the local that is set to them and by their function. */
function macrosOf(module: Module): {
  macros: Map<number, Set<number>>;
  parameters: Map<number, MacroParameters>;
} {
  const macros = new Map<number, Set<number>>();
  const parameters = new Map<number, MacroParameters>();
  const see = (list: readonly Stmt[]): void => {
    walkStmts(list, (stmt) => {
      if (stmt.op !== "set" || stmt.value.op !== "intrinsic") return;
      if (stmt.value.name !== "jinja.macro") return;
      const [, names, , fn, special] = stmt.value.args;
      if (fn?.op !== "function" || names?.op !== "list" || special?.op !== "list") return;
      const held = macros.get(stmt.local.id) ?? new Set<number>();
      macros.set(stmt.local.id, held.add(fn.callee.id));
      parameters.set(fn.callee.id, {
        names: names.items.map((item) => (item.op === "literal" ? String(item.value) : "")),
        special: special.items.length,
      });
    });
  };
  see(module.body);
  for (const fn of module.functions) see(fn.body);
  return { macros, parameters };
}

/** Whether two rounds found the same. */
export function sameFindings(a: Findings, b: Findings): boolean {
  return (
    sameMap(a.kinds, b.kinds) &&
    sameSet(a.untyped, b.untyped) &&
    sameSet(a.hinted, b.hinted) &&
    sameSet(a.escaping, b.escaping) &&
    a.entry.size === b.entry.size &&
    [...a.entry].every(([id, facts]) => sameEntry(facts, b.entry.get(id)))
  );
}

function sameEntry(
  a: ReadonlyMap<string, Fact>,
  b: ReadonlyMap<string, Fact> | undefined,
): boolean {
  return b?.size === a.size && [...a].every(([path, fact]) => b.get(path)?.macro === fact.macro);
}

function sameMap(a: ReadonlyMap<number, Kinds>, b: ReadonlyMap<number, Kinds>): boolean {
  return a.size === b.size && [...a].every(([id, kinds]) => b.get(id) === kinds);
}

function sameSet(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  return a.size === b.size && [...a].every((id) => b.has(id));
}
