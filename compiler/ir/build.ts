/** Short constructors for IR nodes. */
import type { IntrinsicName } from "./intrinsics.js";
import type * as ir from "./nodes.js";

export function literal(value: ir.Literal["value"]): ir.Literal {
  return { op: "literal", value };
}

export const TRUE = literal(true);
export const FALSE = literal(false);
export const UNDEFINED = literal(undefined);
export const NULL = literal(null);

export function ref(local: ir.Local): ir.LocalRef {
  return { op: "local", local };
}

export function input(name: string): ir.Input {
  return { op: "input", name };
}

export function read(object: ir.Expr, name: string, optional: boolean): ir.Read {
  return { op: "read", object, name, optional };
}

export function at(list: ir.Expr, index: ir.Expr, bounded = false): ir.At {
  return { op: "at", list, index, bounded };
}

export function concat(parts: readonly ir.Expr[]): ir.Expr {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { op: "concat", parts };
}

export function choose(test: ir.Expr, then: ir.Expr, otherwise: ir.Expr): ir.Choose {
  return { op: "choose", test, then, otherwise };
}

export function and(left: ir.Expr, right: ir.Expr): ir.Logical {
  return { op: "and", left, right };
}

export function or(left: ir.Expr, right: ir.Expr): ir.Logical {
  return { op: "or", left, right };
}

export function not(value: ir.Expr): ir.Expr {
  return value.op === "not" ? value.value : { op: "not", value };
}

export function compare(left: ir.Expr, operator: ir.CompareOperator, right: ir.Expr): ir.Compare {
  return { op: "compare", operator, left, right };
}

export function arithmetic(
  left: ir.Expr,
  operator: ir.Arithmetic["operator"],
  right: ir.Expr,
): ir.Arithmetic {
  return { op: "arithmetic", operator, left, right };
}

export function count(list: ir.Expr): ir.Count {
  return { op: "count", list };
}

export function list(items: readonly ir.Expr[]): ir.ListOf {
  return { op: "list", items };
}

/** A rule of the dialect; `place` is given where the rule can throw. */
export function intrinsic(
  name: IntrinsicName,
  args: readonly ir.Expr[],
  place: string | null = null,
): ir.IntrinsicCall {
  return { op: "intrinsic", name, args, place };
}

export function rule(name: IntrinsicName): ir.RuleRef {
  return { op: "rule", name };
}

export function emit(value: ir.Expr, origin: ir.Origin | null = null): ir.Emit {
  return { op: "emit", value, origin };
}

export function set(local: ir.Local, value: ir.Expr, origin: ir.Origin | null = null): ir.SetLocal {
  return { op: "set", local, value, origin };
}

export function when(
  test: ir.Expr,
  then: readonly ir.Stmt[],
  otherwise: readonly ir.Stmt[] = [],
  origin: ir.Origin | null = null,
): ir.If {
  return { op: "if", test, then, otherwise, origin };
}

export function run(value: ir.Expr, origin: ir.Origin | null = null): ir.Run {
  return { op: "run", value, origin };
}

/** The expression with its own place, or with one of what it was a part of. */
export function placed(expr: ir.Expr, origin: ir.Origin | null | undefined): ir.Expr {
  return expr.origin !== undefined || origin === null || origin === undefined
    ? expr
    : { ...expr, origin };
}

/** What an output writes, as a part of another output. */
export function outputPart({ value, origin }: ir.Emit): ir.Expr {
  return placed(value, origin);
}
