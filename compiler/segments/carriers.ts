/** Which locals and functions may hold or give a text that remembers its origin, rather than a plain value. */
import * as build from "../ir/build.js";
import type { Expr, Local, Module, Stmt } from "../ir/nodes.js";
import { possibleKinds } from "../ir/possible-kinds.js";
import { statementLists, walkModule } from "../ir/visit.js";
import { VALUE, type Levels } from "./levels.js";
import type { Places } from "./places.js";
import { givesOrigin, mayBeScalar } from "./rules.js";

/** The types of Ollama's data model that are no texts, whatever their kinds leave open. */
const STRUCT = /^(?:readonly )?Ollama(?!Image$|PropertyType\b)/;

export class Carriers {
  readonly #module: Module;
  readonly #levels: Levels;
  readonly #locals = new Set<Local>();
  readonly #functions = new Set<number>();
  /** Functions that rules call. */
  readonly #values = new Set<number>();
  #isStable = false;

  readonly #places: Places;

  constructor(module: Module, levels: Levels, places: Places) {
    this.#module = module;
    this.#levels = levels;
    this.#places = places;
    walkModule(module, (expr) => {
      if (expr.op === "function") this.#values.add(expr.callee.id);
    });
  }

  find(): void {
    while (!this.#isStable) {
      this.#isStable = true;
      this.#list(this.#module.body, null);
      for (const fn of this.#module.functions) {
        for (const { local, default: value } of fn.params) {
          if (this.#values.has(fn.name.id)) this.#carry(local);
          if (value !== null && this.has(value)) this.#carry(local);
        }
        this.#list(fn.body, fn.name.id);
      }
      walkModule(this.#module, (expr) => {
        this.#arguments(expr);
      });
    }
  }

  isCarrier(local: Local): boolean {
    return this.#locals.has(local);
  }

  ids(): ReadonlySet<number> {
    return new Set([...this.#locals].map(({ id }) => id));
  }

  /** Whether the function may give a text with an origin. */
  gives(id: number): boolean {
    return this.#functions.has(id);
  }

  /** Whether the value, with its origin, may be something else than the plain value. */
  has(expr: Expr): boolean {
    switch (expr.op) {
      case "local":
        if (this.#locals.has(expr.local)) return true;
        return this.#places.spot(expr) !== null && mayBeScalar(possibleKinds(this.#module, expr));
      case "input":
      case "read":
      case "at":
        return mayBeScalar(possibleKinds(this.#module, expr));
      case "concat":
        return expr.parts.some((part) => this.has(part));
      case "choose":
        return this.has(expr.then) || this.has(expr.otherwise);
      case "coalesce":
        return this.has(expr.value) || this.has(expr.otherwise);
      case "assign":
        return this.has(expr.value);
      case "call":
        return this.#functions.has(expr.callee.id);
      case "chain":
        return expr.mode === "find";
      case "method":
        return expr.name === "slice" && this.has(expr.object);
      case "intrinsic":
        if (expr.name === "segments.written") return true;
        return (
          givesOrigin(expr.name, VALUE) &&
          mayBeScalar(possibleKinds(this.#module, expr)) &&
          expr.args.some((arg) => this.#isSource(arg))
        );
      default:
        return false;
    }
  }

  /** Whether a rule's argument may have input in it. */
  #isSource(arg: Expr): boolean {
    switch (arg.op) {
      case "literal":
      case "clock":
      case "function":
        return false;
      case "list":
        return arg.items.some((item) => this.#isSource(item));
      case "record":
        return arg.fields.some(({ value }) => this.#isSource(value));
      default:
        return true;
    }
  }

  #carry(local: Local | null): void {
    if (local === null || this.#locals.has(local) || this.#levels.of(local) !== VALUE) return;
    if (this.#places.spot(build.ref(local)) !== null) return;
    if (!mayBeScalar(this.#module.facts.get(local.id) ?? local.kinds)) return;
    if (local.type !== undefined && STRUCT.test(local.type)) return;
    this.#locals.add(local);
    this.#isStable = false;
  }

  #list(list: readonly Stmt[], writer: number | Local | null): void {
    for (const stmt of list) this.#statement(stmt, writer);
  }

  /** `writer`: the function or capture that the statement writes to. */
  #statement(stmt: Stmt, writer: number | Local | null): void {
    switch (stmt.op) {
      case "emit":
        if (writer !== null && this.has(stmt.value)) this.#writes(writer);
        return;
      case "set":
        if (this.has(stmt.value)) this.#carry(stmt.local);
        return;
      case "unpack":
        for (const local of stmt.locals) this.#carry(local);
        return;
      case "capture":
        this.#list(stmt.body, stmt.local);
        return;
      case "each":
        this.#carry(stmt.item);
        break;
      case "entries":
        this.#carry(stmt.key);
        this.#carry(stmt.value);
        break;
      default:
        break;
    }
    for (const inner of statementLists(stmt)) this.#list(inner, writer);
  }

  #writes(writer: number | Local): void {
    if (typeof writer !== "number") {
      this.#carry(writer);
    } else if (!this.#functions.has(writer)) {
      this.#functions.add(writer);
      this.#isStable = false;
    }
  }

  #arguments(expr: Expr): void {
    if (expr.op === "assign" && this.has(expr.value)) this.#carry(expr.local);
    if (expr.op === "chain") this.#carry(expr.item);
    if (expr.op !== "call") return;
    const fn = this.#module.functions.find(({ name }) => name.id === expr.callee.id);
    expr.args.forEach((arg, i) => {
      const parameter = fn?.params[i];
      if (arg !== null && parameter !== undefined && this.has(arg)) this.#carry(parameter.local);
    });
  }
}
