/** Expressions that fail: what can throw must be evaluated before a failure that is known at compile time. */
import type { Expr } from "../ir/nodes.js";
import { intrinsic, listOf, val, type Val } from "./lower-state.js";

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
