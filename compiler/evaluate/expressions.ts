/** IR expressions as closures: each node once, with what is known of it settled before anything runs. */
import { setField, value as asValue } from "../../runtime/values.js";
import { intrinsics, runtimeName } from "../ir/intrinsics.js";
import type { Expr, Local } from "../ir/nodes.js";
import { outer, type Evaluate } from "./frame.js";
import { arithmetic, compare, method } from "./operators.js";
import type { Program } from "./program.js";
import { bindRule } from "./rules.js";
import type { Scope } from "./scopes.js";

type Of<Op extends Expr["op"]> = Extract<Expr, { op: Op }>;

/** The expression as it stands in a scope. */
export function evaluation(program: Program, expr: Expr, scope: Scope): Evaluate {
  const of = (inner: Expr): Evaluate => evaluation(program, inner, scope);
  switch (expr.op) {
    case "literal": {
      const { value } = expr;
      return () => value;
    }
    case "local":
      return reading(program, expr.local, scope);
    case "input":
      return inputReading(program, expr.name);
    case "clock":
      return (frame) => frame.render.clock;
    case "spans":
      return (frame) => frame.render.spans;
    case "written":
      return written(program, expr.inBlock, scope);
    case "function":
      return functionValue(program, expr, scope);
    case "rule": {
      const rule = program.rule(runtimeName(expr.name));
      return () => rule;
    }
    case "new-set":
      return () => new Set<unknown>();
    case "read":
      return fieldReading(expr, of(expr.object));
    case "at":
      return indexing(of(expr.list), of(expr.index));
    case "count":
      return counting(of(expr.list), expr.optional === true);
    case "truthy":
      return of(expr.value);
    case "method":
      return method(expr.name, of(expr.object), expr.args.map(of));
    case "call":
      return calling(program, expr, scope);
    case "intrinsic": {
      const place = intrinsics[expr.name].throws ? expr.place : null;
      return bindRule(program.rule(runtimeName(expr.name)), expr.args.map(of), place);
    }
    case "chain":
      return chaining(program, expr, scope);
    case "list":
      return listing(expr.items, of);
    case "record":
      return recording(expr, of);
    case "spread":
      throw new Error("a spread outside a list");
    case "assign":
      return assigning(program, expr, scope);
    default:
      return operation(expr, of);
  }
}

function operation(
  expr: Of<
    "concat" | "choose" | "and" | "or" | "not" | "compare" | "arithmetic" | "typeof" | "coalesce"
  >,
  of: (inner: Expr) => Evaluate,
): Evaluate {
  switch (expr.op) {
    case "concat":
      return joining(expr.parts.map(of));
    case "choose": {
      const [test, then, otherwise] = [of(expr.test), of(expr.then), of(expr.otherwise)];
      return (frame) => (test(frame) ? then(frame) : otherwise(frame));
    }
    case "and": {
      const [left, right] = [of(expr.left), of(expr.right)];
      return (frame) => left(frame) && right(frame);
    }
    case "or": {
      const [left, right] = [of(expr.left), of(expr.right)];
      // Both are booleans, or stand in a test.
      return (frame) => (left(frame) ? true : right(frame));
    }
    case "not": {
      const value = of(expr.value);
      return (frame) => !value(frame);
    }
    case "compare":
      return compare(expr, of);
    case "arithmetic":
      return arithmetic(expr.operator, of(expr.left), of(expr.right));
    case "typeof": {
      const { type } = expr;
      const value = of(expr.value);
      return (frame) => typeof value(frame) === type;
    }
    case "coalesce": {
      const [value, otherwise] = [of(expr.value), of(expr.otherwise)];
      return (frame) => value(frame) ?? otherwise(frame);
    }
  }
}

// ---------------------------------------------------------------- names

function reading(program: Program, local: Local, scope: Scope): Evaluate {
  const { hops, index } = program.slot(local, scope);
  switch (hops) {
    case 0:
      return (frame) => frame.slots[index];
    case 1:
      return (frame) => frame.parent?.slots[index];
    default:
      return (frame) => outer(frame, hops).slots[index];
  }
}

/** Names that every JavaScript object has are asked of the caller's own object. */
function inputReading(program: Program, name: string): Evaluate {
  if (name !== "" && name in Object.prototype) {
    return ({ render: { given } }) =>
      isObject(given) && Object.hasOwn(given, name) ? asValue(given)?.[name] : undefined;
  }
  const index = program.input(name);
  return (frame) => frame.render.inputs[index];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function assigning(program: Program, expr: Of<"assign">, scope: Scope): Evaluate {
  const value = evaluation(program, expr.value, scope);
  const store = program.storing(expr.local, scope);
  return (frame) => {
    const result = value(frame);
    store(frame, result);
    return result;
  };
}

function written(program: Program, inBlock: boolean, scope: Scope): Evaluate {
  const toRoot = program.hops(scope, program.scopes.root);
  const toFunction = program.hops(scope, program.functionAround(scope));
  return (frame) => {
    const { length } = outer(frame, toRoot).text;
    return inBlock ? length + outer(frame, toFunction).text.length : length;
  };
}

// ---------------------------------------------------------------- calls

function calling(program: Program, { callee, args }: Of<"call">, scope: Scope): Evaluate {
  const target = program.callable(callee);
  const hops = program.hops(scope, target.home);
  const values = args.map((arg) => (arg === null ? null : evaluation(program, arg, scope)));
  const [first] = values;
  if (values.length === 0) return (frame) => target.call(outer(frame, hops), []);
  if (values.length === 1 && first !== null && first !== undefined) {
    return (frame) => target.call(outer(frame, hops), [first(frame)]);
  }
  return (frame) =>
    target.call(
      outer(frame, hops),
      values.map((value) => (value === null ? undefined : value(frame))),
    );
}

function functionValue(program: Program, { callee }: Of<"function">, scope: Scope): Evaluate {
  const target = program.callable(callee);
  const hops = program.hops(scope, target.home);
  return (frame) => {
    const around = outer(frame, hops);
    return (...args: readonly unknown[]): unknown => target.call(around, args);
  };
}

// ---------------------------------------------------------------- data

function fieldReading({ name, optional }: Of<"read">, object: Evaluate): Evaluate {
  if (optional) return (frame) => asValue(object(frame))?.[name];
  return (frame) => present(object(frame), name)[name];
}

/** A plain read of what a pass has shown to be there: JavaScript's own error where it is not. */
function present(object: unknown, name: string): Readonly<Record<string, unknown>> {
  const found = asValue(object);
  if (found !== undefined && found !== null) return found;
  throw new TypeError(`Cannot read properties of ${String(found)} (reading '${name}')`);
}

function indexing(list: Evaluate, index: Evaluate): Evaluate {
  return (frame) => {
    const items = list(frame);
    const at = index(frame);
    if (Array.isArray(items) && typeof at === "number") {
      const item: unknown = items[at];
      return item;
    }
    return present(items, String(at))[String(at)];
  };
}

function counting(list: Evaluate, isOptional: boolean): Evaluate {
  return (frame) => {
    const items = list(frame);
    if (typeof items === "string" || Array.isArray(items)) return items.length;
    if (isOptional) return asValue(items)?.["length"];
    return present(items, "length")["length"];
  };
}

function joining(parts: readonly Evaluate[]): Evaluate {
  const [first, second, third] = parts;
  if (parts.length === 2 && first !== undefined && second !== undefined) {
    return (frame) => textOf(first(frame)) + textOf(second(frame));
  }
  if (parts.length === 3 && first !== undefined && second !== undefined && third !== undefined) {
    return (frame) => textOf(first(frame)) + textOf(second(frame)) + textOf(third(frame));
  }
  return (frame) => {
    let text = "";
    for (const part of parts) text += textOf(part(frame));
    return text;
  };
}

/** What is joined or written is text already, or has JavaScript's own. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : String(value);
}

function listing(items: readonly Expr[], of: (inner: Expr) => Evaluate): Evaluate {
  if (items.length === 0) return () => [];
  if (items.some((item) => item.op === "spread")) return spreading(items, of);
  const values = items.map(of);
  return (frame) => values.map((value) => value(frame));
}

function spreading(items: readonly Expr[], of: (inner: Expr) => Evaluate): Evaluate {
  const values = items.map((item) =>
    item.op === "spread"
      ? { isSpread: true, value: of(item.value) }
      : { isSpread: false, value: of(item) },
  );
  return (frame) => {
    const list: unknown[] = [];
    for (const { isSpread, value } of values) {
      const item = value(frame);
      if (!isSpread) list.push(item);
      else if (isIterable(item)) list.push(...item);
      else throw new TypeError(`${String(item)} is not iterable`);
    }
    return list;
  };
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}

/** Own properties only, `__proto__` too. */
function recording({ fields }: Of<"record">, of: (inner: Expr) => Evaluate): Evaluate {
  const members = fields.map(({ name, value }) => ({ name, value: of(value) }));
  return (frame) => {
    const record: Record<string, unknown> = {};
    for (const { name, value } of members) setField(record, name, value(frame));
    return record;
  };
}

/** What the IR says is a list. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError(`${String(value)} is not iterable`);
}

function chaining(program: Program, expr: Of<"chain">, scope: Scope): Evaluate {
  const source = evaluation(program, expr.source, scope);
  const body = evaluation(program, expr.body, scope);
  const store = program.storing(expr.item, scope);
  const { mode } = expr;
  return (frame) => {
    const turn = (item: unknown): unknown => {
      store(frame, item);
      return body(frame);
    };
    const items = listOf(source(frame));
    switch (mode) {
      case "filter":
        return items.filter(turn);
      case "map":
        return items.map(turn);
      case "find":
        return items.find(turn);
      case "some":
        return items.some(turn);
    }
  };
}
