/**
 * Limits: the module with what counts its work. It runs after all other passes and only where it is asked for, so that
 * plain code pays nothing. Each round of a loop and each call is a step; texts and lists that a rule reads or makes are
 * weighed where the rule's own work grows with them.
 */
import { concat, intrinsic, run } from "../ir/build.js";
import type { Counter, Surroundings } from "../ir/counter.js";
import {
  Dict,
  Generator,
  Index,
  List,
  Markup,
  may,
  only,
  Range,
  Text,
  Tuple,
  View,
} from "../ir/kinds.js";
import type { Expr, FunctionDef, IntrinsicCall, Module, Origin, Stmt } from "../ir/nodes.js";
import { possibleKinds } from "../ir/possible-kinds.js";
import {
  mapChildren,
  mapLists,
  mapStatementExprs,
  statementLists,
  walkExprs,
  walkStmts,
} from "../ir/visit.js";
import { compares, growing, linear, spending } from "./limited-rules.js";

/** The module under limits: what it renders is the same, until a limit is passed. */
export function addLimits(module: Module): Module {
  return limitedBy(new Limits(module), module);
}

/** The same for texts that remember their origin, which no rule weighs: steps and depth are counted. */
export function addStepLimits(module: Module): Module {
  return limitedBy(new Limits(module, false), module);
}

/** {@link addLimits} for closures, statement by statement as they are made: what is never reached is left as it is. */
export class LimitsOnDemand implements Counter {
  readonly start: Surroundings = { place: "", depth: 0 };
  readonly #limits: Limits;

  constructor(module: Module) {
    this.#limits = new Limits(module);
  }

  statement(stmt: Stmt, around: Surroundings): ReturnType<Counter["statement"]> {
    const place = placeOf(stmt.origin, around.place);
    const counted = this.#limits.at(around.depth).own(stmt, place);
    return { counted, inside: { place, depth: isLoop(stmt) ? around.depth + 1 : around.depth } };
  }

  round(body: readonly Stmt[], { place }: Surroundings): Stmt {
    return this.#limits.round(body, place);
  }

  function(fn: FunctionDef): ReturnType<Counter["function"]> {
    const place = this.#limits.placeOf(fn);
    const after = isLevel(fn) ? LEAVE : null;
    return { before: entry(fn, place), after, inside: { place, depth: 1 } };
  }

  parameter(fn: FunctionDef, value: Expr): Expr {
    return this.#limits.at(0).expression(value, this.#limits.placeOf(fn));
  }
}

function limitedBy(limits: Limits, module: Module): Module {
  return {
    ...module,
    body: limits.list(module.body, ""),
    functions: module.functions.map((fn) => limits.function(fn)),
  };
}

/** What may be large. */
const LARGE = Text | Markup | List | Tuple | Range | Generator | View;

class Limits {
  readonly #module: Module;
  /** How many loops and functions are around. */
  #depth = 0;

  readonly #weighs: boolean;

  constructor(module: Module, weighs = true) {
    this.#module = module;
    this.#weighs = weighs;
  }

  function(fn: FunctionDef): FunctionDef {
    const here = this.placeOf(fn);
    const params = fn.params.map((param) =>
      param.default === null || !this.#weighs
        ? param
        : { ...param, default: this.expression(param.default, here) },
    );
    this.#depth++;
    const body = this.list(fn.body, here);
    this.#depth--;
    return { ...fn, params, body: [entry(fn, here), ...(isLevel(fn) ? leaving(body) : body)] };
  }

  /** As what stands inside so many loops and functions. */
  at(depth: number): this {
    this.#depth = depth;
    return this;
  }

  placeOf(fn: FunctionDef): string {
    return fn.origin === null ? this.#firstPlace(fn.body) : placeOf(fn.origin, "");
  }

  /** Where a function of the compiler's own stands, as far as anything in it tells. */
  #firstPlace(body: readonly Stmt[]): string {
    let found = "";
    walkStmts(body, ({ origin }) => {
      if (found === "") found = placeOf(origin, "");
    });
    walkExprs(body, (expr) => {
      if (found === "" && expr.op === "intrinsic") found = this.#place(expr, "");
    });
    return found;
  }

  list(list: readonly Stmt[], around: string): readonly Stmt[] {
    return list.map((stmt) => this.#statement(stmt, placeOf(stmt.origin, around)));
  }

  #statement(stmt: Stmt, here: string): Stmt {
    if (isLoop(stmt)) this.#depth++;
    const inner = mapLists(stmt, (list) => this.list(list, here));
    if (isLoop(stmt)) this.#depth--;
    const counted = isLoop(inner)
      ? { ...inner, body: [this.round(inner.body, here), ...inner.body] }
      : inner;
    return this.#weighs ? this.own(counted, here) : counted;
  }

  /** The statement with its own expressions weighed. */
  own(stmt: Stmt, here: string): Stmt {
    return mapStatementExprs(stmt, (expr) =>
      stmt.op === "emit" ? this.#written(expr, here) : this.expression(expr, here),
    );
  }

  /** What is written is counted with the output. */
  #written(expr: Expr, here: string): Expr {
    if (expr.op === "concat") return concat(expr.parts.map((part) => this.#written(part, here)));
    if (expr.op !== "choose") return this.#children(expr, here);
    const [then, otherwise] = [this.#written(expr.then, here), this.#written(expr.otherwise, here)];
    return { ...expr, test: this.expression(expr.test, here), then, otherwise };
  }

  /** What counts a round: with the text's length where the loop writes. */
  round(body: readonly Stmt[], here: string): Stmt {
    return this.#weighs && body.some(writes)
      ? { op: "round", place: here, origin: null }
      : run(intrinsic("limits.step", [], here));
  }

  #children(expr: Expr, here: string): Expr {
    const inner = mapChildren(expr, (child) => this.expression(child, here));
    return inner.op === "intrinsic" ? this.#weighed(inner, here) : inner;
  }

  expression(expr: Expr, here: string): Expr {
    const inner = this.#children(expr, here);
    switch (inner.op) {
      case "concat":
        return this.#weigh(inner, here);
      case "intrinsic":
        return growing(inner.name) ? this.#weigh(inner, this.#place(inner, here)) : inner;
      case "chain":
        return { ...inner, source: this.#weigh(inner.source, here) };
      case "method":
        return isSearch(inner.name) ? { ...inner, object: this.#weigh(inner.object, here) } : inner;
      case "compare":
        return this.#isSmall(inner.right)
          ? inner
          : { ...inner, left: this.#weigh(inner.left, here) };
      default:
        return inner;
    }
  }

  /** The arguments that a rule reads from end to end. */
  #weighed(call: IntrinsicCall, here: string): IntrinsicCall {
    const place = this.#place(call, here);
    if (spending(call.name)) return this.#marked(call, place);
    if (!linear(call.name)) return call;
    const count = compares(call.name) ? 1 : call.args.length;
    const args = call.args.map((arg, i) => (i < count ? this.#weigh(arg, place) : arg));
    const [first, ...rest] = args;
    // A rule that makes much of little must be found too: by the place that is weighed before.
    const isPlaceless = growing(call.name) && args.every((arg, i) => arg === call.args[i]);
    if (!isPlaceless || first?.op !== "literal" || typeof first.value !== "string")
      return { ...call, args };
    return { ...call, args: [intrinsic("limits.mark", [first], place), ...rest] };
  }

  /** A rule that spends by itself without a place: in a loop or a function the last one that was told is near. */
  #marked(call: IntrinsicCall, place: string): IntrinsicCall {
    const [first, ...rest] = call.args;
    if (first === undefined || (this.#depth > 0 && call.name.startsWith("jinja."))) return call;
    const kinds = possibleKinds(this.#module, first);
    if (!may(kinds, List | Dict | Tuple) && this.#module.dialect === "jinja") return call;
    return { ...call, args: [intrinsic("limits.mark", [first], place), ...rest] };
  }

  #weigh(expr: Expr, place: string): Expr {
    return this.#isSmall(expr) ? expr : intrinsic("limits.weigh", [expr], place);
  }

  /** Whether it cannot be large, or is large in the template's text already, or is weighed. */
  #isSmall(expr: Expr): boolean {
    switch (expr.op) {
      case "literal":
      case "list":
      case "record":
      case "function":
      case "spread":
      case "clock":
      case "spans":
        return true;
      case "intrinsic":
        if (expr.name.startsWith("limits.") || (linear(expr.name) && !growing(expr.name)))
          return true;
    }
    const kinds = possibleKinds(this.#module, expr);
    return !may(kinds, LARGE) || only(kinds, Index);
  }

  /** Go's places are for its own messages. */
  #place({ place }: IntrinsicCall, here: string): string {
    return this.#module.dialect === "jinja" && place !== null && place !== "" ? place : here;
  }
}

function placeOf(origin: Origin | null, around: string): string {
  return origin === null ? around : `${String(origin.line)}:${String(origin.column)}`;
}

function isSearch(name: Extract<Expr, { op: "method" }>["name"]): boolean {
  return name === "includes" || name === "slice";
}

type Loop = Extract<Stmt, { op: "each" | "entries" | "while" }>;

function isLoop(stmt: Stmt): stmt is Loop {
  return stmt.op === "each" || stmt.op === "entries" || stmt.op === "while";
}

function writes(stmt: Stmt): boolean {
  if (stmt.op === "capture") return false;
  return stmt.op === "emit" || statementLists(stmt).some((list) => list.some(writes));
}

/** Functions of the compiler's own are no level, but calls of them are work. */
function isLevel(fn: FunctionDef): boolean {
  return fn.origin !== null;
}

/** What a function's body begins with. */
function entry(fn: FunctionDef, place: string): Stmt {
  return run(intrinsic(isLevel(fn) ? "limits.enter" : "limits.step", [], place));
}

const LEAVE: Stmt = run(intrinsic("limits.leave", []));

/** A function's body that says where it ends. */
function leaving(body: readonly Stmt[]): readonly Stmt[] {
  const inside = (list: readonly Stmt[]): readonly Stmt[] =>
    list.flatMap((stmt) => (stmt.op === "return" ? [LEAVE, stmt] : [mapLists(stmt, inside)]));
  const whole = inside(body);
  return whole.at(-1)?.op === "return" ? whole : [...whole, LEAVE];
}
