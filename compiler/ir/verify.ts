/**
 * The rules that a module keeps from lowering to the emitter. A pass that breaks one of them is wrong, whatever the
 * program that comes out of it seems to do; so the tests ask after each of them.
 */
import { intrinsics } from "./intrinsics.js";
import {
  Bool,
  Dict,
  Index,
  Int,
  Float,
  isNever,
  List,
  may,
  None,
  only,
  Text,
  Undefined,
  type Kinds,
} from "./kinds.js";
import type { At, Expr, FunctionDef, FunctionName, Local, Module, Read, Stmt } from "./nodes.js";
import { possibleKinds } from "./possible-kinds.js";
import { printExpr } from "./print.js";
import {
  assignedLocals,
  eachChild,
  statementExprs,
  statementLists,
  walkExprs,
  walkStmts,
} from "./visit.js";

/** The rules that the module breaks, in words; none of a sound one. */
export function verify(module: Module): string[] {
  return new Verifier(module).verify();
}

/** Where an expression stands, as far as rules ask for it. */
interface Place {
  readonly owner: Owner;
  /** The locals of loop heads and chains around it. */
  readonly bound: ReadonlySet<Local>;
}

interface Inside extends Place {
  readonly loops: number;
  readonly isCaptured: boolean;
}

/** A body of the module: render's, or a function's. */
interface Owner {
  readonly fn: FunctionDef | null;
  readonly body: readonly Stmt[];
}

class Verifier {
  readonly #module: Module;
  readonly #problems = new Set<string>();
  readonly #owners: readonly Owner[];
  readonly #functions: ReadonlyMap<number, FunctionDef>;
  /** The bodies that assign each local. */
  readonly #assigned = new Map<Local, Set<Owner>>();
  /** The heads of loops and chains that bind each local. */
  readonly #bound = new Set<Local>();
  /** Where each function is defined. */
  readonly #defined = new Map<number, Place>();
  readonly #lists = new Set<readonly Stmt[]>();
  readonly #ids = new Map<number, object>();

  constructor(module: Module) {
    this.#module = module;
    this.#owners = [
      { fn: null, body: module.body },
      ...module.functions.map((fn) => ({ fn, body: fn.body })),
    ];
    this.#functions = new Map(module.functions.map((fn) => [fn.name.id, fn]));
  }

  verify(): string[] {
    for (const owner of this.#owners) this.#collect(owner);
    for (const owner of this.#owners) this.#findDefines(owner.body, { owner, bound: new Set() });
    for (const owner of this.#owners) this.#body(owner);
    this.#defines();
    return [...this.#problems];
  }

  #report(place: Place, problem: string): void {
    const name = place.owner.fn?.name;
    const where = name === undefined ? "the body" : `${name.name}#${String(name.id)}`;
    this.#problems.add(`${problem}, in ${where}`);
  }

  // ------------------------------------------------------------ who assigns what

  #collect(owner: Owner): void {
    const assign = (local: Local): void => {
      this.#assigned.set(local, (this.#assigned.get(local) ?? new Set()).add(owner));
    };
    for (const { local } of owner.fn?.params ?? []) assign(local);
    walkStmts(owner.body, (stmt) => {
      const isHead = stmt.op === "each" || stmt.op === "entries";
      for (const local of assignedLocals(stmt)) {
        if (isHead) this.#bound.add(local);
        else assign(local);
      }
    });
    walkExprs(owner.body, (expr) => {
      if (expr.op === "assign") assign(expr.local);
      if (expr.op === "chain") this.#bound.add(expr.item);
    });
  }

  #findDefines(list: readonly Stmt[], place: Place): void {
    for (const stmt of list) {
      if (stmt.op === "define") {
        if (!this.#functions.has(stmt.callee.id)) {
          this.#report(place, `define of ${stmt.callee.name}, which is no function of the module`);
        } else if (this.#defined.has(stmt.callee.id)) {
          this.#report(place, `${stmt.callee.name} is defined twice`);
        }
        this.#defined.set(stmt.callee.id, place);
      }
      for (const inner of statementLists(stmt)) {
        this.#findDefines(inner, inside(place, stmt, inner));
      }
    }
  }

  /** The functions of Jinja come into being where the template says so; those of Go always are. */
  #defines(): void {
    if (this.#module.dialect !== "jinja") return;
    for (const { name } of this.#module.functions) {
      if (!this.#defined.has(name.id)) this.#problems.add(`no define for ${name.name}`);
    }
  }

  // ------------------------------------------------------------ statements

  #body(owner: Owner): void {
    const place = { owner, bound: new Set<Local>() };
    if (owner.fn !== null) {
      this.#identity(owner.fn.name.id, owner.fn.name.name, owner.fn);
      for (const { local, default: value } of owner.fn.params) {
        this.#local(local, place);
        if (value !== null) this.#expr(value, place);
      }
    }
    this.#list(owner.body, { ...place, loops: 0, isCaptured: false });
  }

  #list(list: readonly Stmt[], at: Inside): void {
    // The emitter tells lists apart by identity; an empty list declares nothing.
    if (list.length > 0 && this.#lists.has(list))
      this.#report(at, "a statement list stands in two places");
    this.#lists.add(list);
    if (new Set(list).size < list.length) this.#report(at, "a statement stands twice in one list");
    for (const stmt of list) this.#statement(stmt, at);
  }

  #statement(stmt: Stmt, at: Inside): void {
    for (const expr of statementExprs(stmt)) this.#expr(expr, at);
    this.#values(stmt, at);
    this.#jump(stmt, at);
    const isHead = stmt.op === "each" || stmt.op === "entries";
    if (!isHead) for (const local of assignedLocals(stmt)) this.#local(local, at);
    for (const inner of statementLists(stmt)) this.#list(inner, this.#inner(stmt, inner, at));
  }

  #inner(stmt: Stmt, list: readonly Stmt[], at: Inside): Inside {
    const isBody = (stmt.op === "each" || stmt.op === "entries") && list === stmt.body;
    const isLoop = isBody || stmt.op === "while";
    return {
      ...inside(at, stmt, list),
      loops: isLoop ? at.loops + 1 : at.loops,
      isCaptured: at.isCaptured || stmt.op === "capture",
    };
  }

  #values(stmt: Stmt, at: Place): void {
    switch (stmt.op) {
      case "emit":
        this.#kind(stmt.value, Text, "emits what is no text", at);
        break;
      case "if":
      case "while":
        this.#kind(stmt.test, Bool, "tests what is no boolean", at);
        break;
      case "each":
        this.#kind(stmt.source, List, "goes through what is no list", at);
        break;
      case "entries":
        this.#kind(
          stmt.source,
          stmt.of === "fields" ? Dict : List,
          `goes through no ${stmt.of}`,
          at,
        );
        break;
      case "unpack":
        this.#kind(stmt.value, List, "unpacks what is no list", at);
        if (new Set(stmt.locals).size < stmt.locals.length)
          this.#report(at, "unpacks into one local twice");
        break;
      default:
        break;
    }
  }

  #jump(stmt: Stmt, at: Inside): void {
    const isJump = stmt.op === "break" || stmt.op === "continue";
    if (isJump && at.loops === 0) this.#report(at, `${stmt.op} outside a loop`);
    if (stmt.op === "return" && at.isCaptured) this.#report(at, "return inside a capture");
  }

  // ------------------------------------------------------------ locals

  #identity(id: number, name: string, node: object): void {
    const known = this.#ids.get(id);
    if (known !== undefined && known !== node)
      this.#problems.add(`${name}#${String(id)}: its id is another's too`);
    this.#ids.set(id, node);
  }

  /** A local is used where it is bound, in the body that assigns it, or in a function that stands in there. */
  #local(local: Local, place: Place): void {
    this.#identity(local.id, local.name, local);
    const text = `${local.name}#${String(local.id)}`;
    const owners = this.#assigned.get(local);
    if (this.#bound.has(local)) {
      if (!this.#around(place).some(({ bound }) => bound.has(local))) {
        this.#report(place, `${text} is used outside the loop that binds it`);
      }
    } else if (owners === undefined) {
      this.#report(place, `${text} is never assigned`);
    } else if (owners.size > 1) {
      this.#report(place, `${text} is assigned in ${String(owners.size)} bodies`);
    } else if (!this.#around(place).some(({ owner }) => owners.has(owner))) {
      this.#report(place, `${text} belongs to a function that does not stand around its use`);
    }
  }

  /** The place, and those of the definitions around it. */
  #around(place: Place): Place[] {
    const places: Place[] = [];
    for (let at: Place | undefined = place; at !== undefined && places.length < 100;) {
      places.push(at);
      const id: number | undefined = at.owner.fn?.name.id;
      at = id === undefined ? undefined : this.#defined.get(id);
    }
    return places;
  }

  // ------------------------------------------------------------ expressions

  #expr(expr: Expr, place: Place): void {
    this.#node(expr, place);
    if (expr.op === "chain") {
      this.#expr(expr.source, place);
      this.#identity(expr.item.id, expr.item.name, expr.item);
      this.#expr(expr.body, { ...place, bound: new Set(place.bound).add(expr.item) });
      return;
    }
    eachChild(expr, (child) => {
      this.#expr(child, place);
      if (child.op === "spread" && expr.op !== "list")
        this.#report(place, "a spread outside a list");
      if (child.op === "function" && expr.op !== "intrinsic")
        this.#report(place, "a function as a value that no intrinsic takes");
    });
  }

  #node(expr: Expr, place: Place): void {
    switch (expr.op) {
      case "local":
      case "assign":
        this.#local(expr.local, place);
        break;
      case "call":
        this.#call(expr.callee, expr.args.length, place);
        break;
      case "function":
        this.#function(expr.callee, place);
        break;
      case "intrinsic":
        this.#intrinsic(expr, place);
        break;
      case "at":
        this.#index(expr, place);
        break;
      case "read":
        this.#read(expr, place);
        break;
      default:
        this.#operands(expr, place);
    }
  }

  #operands(expr: Expr, place: Place): void {
    switch (expr.op) {
      case "concat":
        for (const part of expr.parts) this.#kind(part, Text, "joins what is no text", place);
        break;
      case "choose":
        this.#kind(expr.test, Bool, "tests what is no boolean", place);
        break;
      case "and":
      case "or":
        this.#kind(expr.left, Bool, "tests what is no boolean", place);
        this.#kind(expr.right, Bool, "tests what is no boolean", place);
        break;
      case "not":
        this.#kind(expr.value, Bool, "negates what is no boolean", place);
        break;
      case "arithmetic":
        this.#kind(expr.left, NUMBERS, "calculates with what is no number", place);
        this.#kind(expr.right, NUMBERS, "calculates with what is no number", place);
        break;
      case "count":
        this.#kind(expr.list, List | Text, "counts what is no list", place);
        break;
      default:
        break;
    }
  }

  #call(callee: FunctionName, given: number, place: Place): void {
    const fn = this.#function(callee, place);
    if (fn !== undefined && given > fn.params.length) {
      this.#report(
        place,
        `${callee.name} takes ${String(fn.params.length)} arguments and gets ${String(given)}`,
      );
    }
  }

  #function(callee: FunctionName, place: Place): FunctionDef | undefined {
    const fn = this.#functions.get(callee.id);
    if (fn === undefined) this.#report(place, `${callee.name} is no function of the module`);
    return fn;
  }

  /** What can fail says where; what cannot says nothing. */
  #intrinsic({ name, place: at, args }: Extract<Expr, { op: "intrinsic" }>, place: Place): void {
    const { throws } = intrinsics[name];
    if (throws && at === null) this.#report(place, `${name} has no place`);
    if (!throws && at !== null) this.#report(place, `${name} has a place, and cannot fail`);
    if (at !== null && !/^\d+:\d+(: |$)/.test(at))
      this.#report(place, `${name} has a place that is none: ${at}`);
    if (args.some((arg) => arg.op === "spread")) this.#report(place, `${name} takes a spread`);
  }

  #index(expr: At, place: Place): void {
    this.#kind(expr.list, List, "indexes what is no list", place);
    this.#kind(expr.index, NUMBERS, "indexes by what is no number", place);
    const { index } = expr;
    const isNegative = index.op === "literal" && typeof index.value === "number" && index.value < 0;
    if (expr.bounded && isNegative)
      this.#report(place, "an index below 0 that is said to be inside");
  }

  /** `x.name` of what is never there would throw what no dialect throws. */
  #read(expr: Read, place: Place): void {
    const kinds = possibleKinds(this.#module, expr.object);
    if (!expr.optional && only(kinds, Undefined | None)) {
      this.#report(place, `reads a name of what is not there: ${printExpr(expr)}`);
    }
  }

  #kind(expr: Expr, kinds: Kinds, problem: string, place: Place): void {
    const possible = possibleKinds(this.#module, expr);
    if (!isNever(possible) && !may(possible, kinds)) {
      this.#report(place, `${problem}: ${printExpr(expr)}`);
    }
  }
}

const NUMBERS: Kinds = Index | Int | Float;

/** Inside the body of a loop, its locals are bound. */
function inside<P extends Place>(place: P, stmt: Stmt, list: readonly Stmt[]): P {
  if ((stmt.op !== "each" && stmt.op !== "entries") || list !== stmt.body) return place;
  return { ...place, bound: new Set([...place.bound, ...assignedLocals(stmt)]) };
}
