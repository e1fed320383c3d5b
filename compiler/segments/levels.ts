/**
 * Of which values the origin is asked for: those that reach the output, and what they are read of. All others are as
 * plain as they are without segments.
 */
import { isDeep } from "../ir/kinds.js";
import type { Expr, FunctionName, Local, Module, Stmt } from "../ir/nodes.js";
import { eachChild, statementLists } from "../ir/visit.js";
import { givesEntries, givesOrigin, isChanging, isUnused } from "./rules.js";

/** Nothing is asked; whether containers are known that come from the input; also texts and numbers themselves. */
export const PLAIN = 0;
export const CONTAINER = 1;
export const VALUE = 2;
export type Level = typeof PLAIN | typeof CONTAINER | typeof VALUE;

export interface Levels {
  of(local: Local | null): Level;
}

/** The levels of all locals of the module. */
export function findLevels(module: Module): Levels {
  const finder = new LevelFinder(module);
  finder.find();
  return finder;
}

class LevelFinder implements Levels {
  readonly #module: Module;
  readonly #levels = new Map<Local, Level>();
  readonly #parameters: ReadonlyMap<number, readonly Local[]>;
  #isStable = false;

  constructor(module: Module) {
    this.#module = module;
    this.#parameters = new Map(
      module.functions.map((fn) => [fn.name.id, fn.params.map(({ local }) => local)]),
    );
  }

  find(): void {
    while (!this.#isStable) {
      this.#isStable = true;
      this.#list(this.#module.body, VALUE);
      for (const fn of this.#module.functions) {
        for (const param of fn.params) {
          if (param.default !== null) this.#need(param.default, this.of(param.local));
        }
        this.#list(fn.body, VALUE);
      }
    }
  }

  of(local: Local | null): Level {
    return local === null ? PLAIN : (this.#levels.get(local) ?? PLAIN);
  }

  #raise(local: Local, level: Level): void {
    if (this.of(local) >= level) return;
    this.#levels.set(local, level);
    this.#isStable = false;
  }

  /** `written`: how much is asked of what the statements write. */
  #list(list: readonly Stmt[], written: Level): void {
    for (const stmt of list) this.#statement(stmt, written);
  }

  #statement(stmt: Stmt, written: Level): void {
    switch (stmt.op) {
      case "emit":
        this.#need(stmt.value, written);
        return;
      case "set":
        this.#need(stmt.value, this.of(stmt.local));
        return;
      case "run":
        if (!isUnused(stmt)) this.#visit(stmt.value);
        return;
      case "unpack":
        this.#need(stmt.value, this.#together(stmt.locals));
        return;
      case "if":
      case "while":
        this.#visit(stmt.test);
        break;
      case "each":
        this.#need(stmt.source, this.#sourceLevel(stmt.item));
        break;
      case "entries":
        this.#entries(stmt.source, this.#together([stmt.key, stmt.value]));
        break;
      case "capture":
        this.#list(stmt.body, this.of(stmt.local));
        return;
      default:
        return;
    }
    for (const inner of statementLists(stmt)) this.#list(inner, written);
  }

  /** What is asked of a list for what is asked of its items; only JSON data is known without going through them. */
  #sourceLevel(item: Local | null): Level {
    if (item === null || this.of(item) === PLAIN) return PLAIN;
    if (!isDeep(this.#module.facts.get(item.id) ?? item.kinds)) this.#raise(item, VALUE);
    return CONTAINER;
  }

  /** A rule for pairs asks for no more than the container. */
  #entries(source: Expr, level: Level): void {
    if (source.op !== "intrinsic" || !givesEntries(source.name)) {
      this.#need(source, level);
      return;
    }
    for (const arg of source.args) this.#need(arg, level);
  }

  /** What is asked of a list that is taken apart: of all its items the same. */
  #together(items: readonly (Local | null)[]): Level {
    if (items.every((item) => this.of(item) === PLAIN)) return PLAIN;
    for (const item of items) if (item !== null) this.#raise(item, VALUE);
    return CONTAINER;
  }

  #need(expr: Expr, level: Level): void {
    if (level === PLAIN) {
      this.#visit(expr);
      return;
    }
    switch (expr.op) {
      case "local":
        this.#raise(expr.local, level);
        return;
      case "read":
        this.#need(expr.object, CONTAINER);
        return;
      case "at":
        this.#need(expr.list, CONTAINER);
        this.#visit(expr.index);
        return;
      case "concat":
        for (const part of expr.parts) this.#need(part, level === VALUE ? VALUE : PLAIN);
        return;
      case "choose":
        this.#visit(expr.test);
        this.#need(expr.then, level);
        this.#need(expr.otherwise, level);
        return;
      case "coalesce":
        this.#need(expr.value, level);
        this.#need(expr.otherwise, level);
        return;
      case "assign":
        this.#raise(expr.local, level);
        this.#need(expr.value, level);
        return;
      case "list":
        for (const item of expr.items) this.#need(item, VALUE);
        return;
      case "record":
        for (const { value } of expr.fields) this.#need(value, VALUE);
        return;
      case "spread":
        this.#need(expr.value, CONTAINER);
        return;
      case "chain":
        this.#chain(expr, level);
        return;
      case "method":
        this.#method(expr, level);
        return;
      case "intrinsic":
        if (givesOrigin(expr.name, level)) {
          for (const arg of expr.args) this.#need(arg, VALUE);
        } else {
          this.#visit(expr);
        }
        return;
      default:
        this.#visit(expr);
    }
  }

  #chain(expr: Extract<Expr, { op: "chain" }>, level: Level): void {
    if (level > PLAIN && expr.mode === "map") this.#need(expr.body, VALUE);
    else this.#visit(expr.body);
    const isAsked = level > PLAIN || this.of(expr.item) > PLAIN;
    this.#need(expr.source, isAsked ? CONTAINER : PLAIN);
  }

  #method(expr: Extract<Expr, { op: "method" }>, level: Level): void {
    if (expr.name === "slice" || expr.name === "push") {
      this.#need(expr.object, expr.name === "push" ? CONTAINER : level);
      for (const arg of expr.args) {
        if (expr.name === "push") this.#need(arg, VALUE);
        else this.#visit(arg);
      }
    } else {
      this.#visit(expr.object);
      for (const arg of expr.args) this.#visit(arg);
    }
  }

  /** An expression of which only the plain value is asked; what happens in it may concern others. */
  #visit(expr: Expr): void {
    switch (expr.op) {
      case "call":
        this.#call(expr.callee, expr.args);
        return;
      case "function":
        for (const local of this.#parameters.get(expr.callee.id) ?? []) this.#raise(local, VALUE);
        return;
      case "assign":
        this.#need(expr.value, this.of(expr.local));
        return;
      case "chain":
        this.#chain(expr, PLAIN);
        return;
      case "method":
        this.#method(expr, PLAIN);
        return;
      case "intrinsic":
        if (isChanging(expr.name)) {
          for (const arg of expr.args) this.#need(arg, VALUE);
          return;
        }
        break;
      default:
        break;
    }
    eachChild(expr, (child) => {
      this.#visit(child);
    });
  }

  #call(callee: FunctionName, args: readonly (Expr | null)[]): void {
    const parameters = this.#parameters.get(callee.id) ?? [];
    args.forEach((arg, i) => {
      if (arg !== null) this.#need(arg, this.of(parameters[i] ?? null));
    });
  }
}
