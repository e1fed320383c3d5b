/** `and`, `or` and `not`: they give one of their operands, and evaluate no more than they need. */
import type { Expr } from "../ir/nodes.js";
import type { CallSite } from "./lower-calls.js";
import { argument, type Scope } from "./lower-pipeline.js";
import type { GoType } from "./model.js";
import { joinTypes, val, type Lowering, type Val } from "./lower-state.js";
import { convert, truth } from "./lower-values.js";
import { literal } from "./lower-state.js";

export function and(state: Lowering, scope: Scope, site: CallSite): Val {
  return joined(state, operandsOf(state, scope, site), "and");
}

export function or(state: Lowering, scope: Scope, site: CallSite): Val {
  return joined(state, operandsOf(state, scope, site), "or");
}

export function not(value: Val): Val {
  return val("bool", negation(truth(value)));
}

export function negation(test: Expr): Expr {
  if (test.op === "literal") return literal(test.value !== true);
  if (test.op === "not") return test.value;
  return { op: "not", value: test };
}

function operandsOf(state: Lowering, scope: Scope, { args, final }: CallSite): Val[] {
  const values: Val[] = [];
  for (const node of args) {
    const value = argument(state, scope, node);
    values.push(value);
    if (value.type === "never") return values;
  }
  return final === null ? values : [...values, final];
}

/** Go's functions have no effect, so that an operand may stand both in the test and as the result. */
function joined(state: Lowering, operands: readonly Val[], op: "and" | "or"): Val {
  let i = operands.length - 1;
  let result = operands[i];
  if (result === undefined) return val("bool", literal(op === "and"));
  for (i--; i >= 0; i--) {
    const before = operands[i];
    if (before !== undefined) result = joinedPair(state, before, result, op);
  }
  return result;
}

function joinedPair(state: Lowering, left: Val, right: Val, op: "and" | "or"): Val {
  const known = truth(left);
  if (left.type === "never") return left;
  if (known.op === "literal") return (known.value === true) === (op === "or") ? left : right;
  const type = joinedType(left, right);
  const test: Expr = { op, left: known, right: truth(right) };
  if (type === "bool") return val("bool", test);
  const [then, otherwise] = op === "and" ? [right, left] : [left, right];
  const expr: Expr = {
    op: "choose",
    test: known,
    then: convert(state, then, type),
    otherwise: convert(state, otherwise, type),
  };
  const stray = (left.stray ?? false) || (right.stray ?? false);
  return { type, expr, test, stray, wrapped: left.wrapped || right.wrapped };
}

/** What is known to be nil is never evaluated, so that a nil that may fail to come about is no such type. */
function joinedType(left: Val, right: Val): GoType {
  const type = joinTypes(left.type, right.type);
  return type === "nil" ? "any" : type;
}
