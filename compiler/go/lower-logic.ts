/** `and`, `or` and `not`: they give one of their operands, and evaluate no more than they need. */
import type { Expr } from "../ir/nodes.js";
import type { CallSite } from "./lower-calls.js";
import { argument, type Scope } from "./lower-pipeline.js";
import type { GoType } from "./model.js";
import { mayThrow, once } from "./lower-failing.js";
import { joinTypes, literal, val, type Ends, type Lowering, type Val } from "./lower-state.js";
import { convert, truth } from "./lower-values.js";

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

/** The operands, each with the node where its evaluation ends; a piped one is not evaluated again. */
function operandsOf(state: Lowering, scope: Scope, { args, final }: CallSite): Val[] {
  const values: Val[] = [];
  for (const node of args) {
    const value = argument(state, scope, node);
    values.push({ ...value, ends: value.ends ?? state.at });
    if (value.type === "never") return values;
  }
  return final === null ? values : [...values, { ...final, ends: state.at }];
}

/** Go's functions have no effect, so that an operand may stand both in the truth of the whole and in its value. */
function joined(state: Lowering, operands: readonly Val[], op: "and" | "or"): Val {
  const [result = val("bool", literal(op === "and")), ...before] = operands.toReversed();
  return before.reduce((right, left) => joinedPair(state, left, right, op), result);
}

function joinedPair(state: Lowering, left: Val, right: Val, op: "and" | "or"): Val {
  const known = truth(left);
  if (left.type === "never") return left;
  if (known.op === "literal") return (known.value === true) === (op === "or") ? left : right;
  const type = joinedType(left, right);
  const test: Expr = { op, left: known, right: truth(right) };
  const [then, otherwise] = op === "and" ? [right, left] : [left, right];
  const stray = (left.stray ?? false) || (right.stray ?? false);
  const wrapped = left.wrapped || right.wrapped;
  const result = { type, stray, wrapped, ...joinedEnds(known, then, otherwise) };
  if (type === "bool") return { ...result, expr: test };
  const { first, again } = once(state, left);
  const expr: Expr = {
    op: "choose",
    test: truth(first),
    then: convert(state, op === "and" ? right : again, type),
    otherwise: convert(state, op === "and" ? again : right, type),
  };
  return { ...result, expr, test };
}

function joinedEnds(test: Expr, { ends: then }: Val, { ends: otherwise }: Val): { ends?: Ends } {
  return then === undefined || otherwise === undefined ? {} : { ends: { test, then, otherwise } };
}

/** What follows on a value, with the places of its errors as Go finds them. */
export function following(state: Lowering, { ends }: Val, make: () => Val): Val {
  return ends === undefined ? make() : { ...followingEnds(state, ends, make), ends };
}

function followingEnds(state: Lowering, ends: Ends, make: () => Val): Val {
  if ("type" in ends) {
    state.at = ends;
    return make();
  }
  const then = followingEnds(state, ends.then, make);
  const otherwise = followingEnds(state, ends.otherwise, make);
  if (!mayThrow(then.expr)) return otherwise;
  return {
    ...then,
    expr: { op: "choose", test: ends.test, then: then.expr, otherwise: otherwise.expr },
  };
}

/** What is known to be nil is never evaluated, so that a nil that may fail to come about is no such type. */
function joinedType(left: Val, right: Val): GoType {
  const type = joinTypes(left.type, right.type);
  return type === "nil" ? "any" : type;
}
