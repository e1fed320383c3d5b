/** Expressions that fail: what can throw must be evaluated before a failure that is known at compile time. */
import type { Expr } from "../ir/nodes.js";
import {
  intrinsic,
  listOf,
  localRef,
  val,
  type Ends,
  type Lowering,
  type Val,
} from "./lower-state.js";
import { box } from "./lower-values.js";

/** A result that follows on the evaluation of values; where it always fails they may still fail before it. */
export function afterwards(values: readonly Val[], result: Val): Val {
  if (result.type !== "never") return result;
  const before = values.map((value) => value.expr);
  if (!before.some(mayThrow)) return result;
  return val("never", intrinsic("go.after", [listOf(before), result.expr]));
}

/** The same for a result that does not need the values: what they throw comes first. */
export function regardless(values: readonly Val[], result: Val): Val {
  const throwing = values.map((value) => value.expr).filter(mayThrow);
  if (throwing.length === 0) return result;
  const { test: _test, ...rest } = result;
  return { ...rest, expr: intrinsic("go.after", [listOf(throwing), result.expr]) };
}

/** The result of a command, which Go evaluates after the value that is piped into it. */
export function preceded(state: Lowering, value: Val, result: Val): Val {
  if (!mayThrow(value.expr)) return result;
  // What is known of these two types needs no evaluation, so that their expressions get lost.
  const isLost = result.type === "nil" || result.type === "root";
  const own: Val = isLost ? { ...result, type: "any", expr: box(state, result) } : result;
  return { ...regardless([value], own), ...endsAfter(value, result) };
}

/** Where the result's evaluation ended is asked of operands that may fail, but not before the piped value did. */
export function endsAfter({ expr }: Val, { ends }: Val): { ends?: Ends } {
  if (ends === undefined) return {};
  if ("type" in ends) return { ends };
  return { ends: { ...ends, test: intrinsic("go.after", [listOf([expr]), ends.test]) } };
}

/** A value that is evaluated where `first` stands; after that `again` repeats it. */
export interface Once {
  readonly first: Val;
  readonly again: Val;
}

/** A value that is needed twice in one expression: in a local, unless reading it again costs nothing. */
export function once(state: Lowering, value: Val): Once {
  if (isRead(value.expr)) return { first: value, again: value };
  const { test: _test, ...rest } = value;
  const local = state.newLocal("value", value.type);
  const first: Val = { ...rest, expr: { op: "assign", local, value: value.expr } };
  return { first, again: { ...rest, expr: localRef(local) } };
}

/** Constants, locals, inputs and reads of their fields. */
function isRead(expr: Expr): boolean {
  switch (expr.op) {
    case "literal":
    case "local":
    case "input":
      return true;
    case "read":
      return isRead(expr.object);
    case "coalesce":
      return isRead(expr.value) && isRead(expr.otherwise);
    default:
      return false;
  }
}

/** Whether evaluating an expression can throw. */
export function mayThrow(expr: Expr): boolean {
  if (expr.op === "intrinsic") return expr.place !== null || expr.args.some(mayThrow);
  if (expr.op === "call") return true;
  return operands(expr).some(mayThrow);
}

function operands(expr: Expr): readonly Expr[] {
  switch (expr.op) {
    case "read":
      return [expr.object];
    case "at":
      return [expr.list, expr.index];
    case "concat":
      return expr.parts;
    case "choose":
      return [expr.test, expr.then, expr.otherwise];
    case "and":
    case "or":
    case "compare":
    case "arithmetic":
      return [expr.left, expr.right];
    case "not":
    case "typeof":
    case "assign":
      return [expr.value];
    case "count":
      return [expr.list];
    case "coalesce":
      return [expr.value, expr.otherwise];
    case "list":
      return expr.items;
    case "record":
      return expr.fields.map((each) => each.value);
    case "method":
      return [expr.object, ...expr.args];
    default:
      return [];
  }
}
