/** Comparisons, as text/template's funcs.go decides them by the kinds of the operands. */
import type { IntrinsicName } from "../ir/intrinsics.js";
import type { CompareOperator, Expr } from "../ir/nodes.js";
import type { Call } from "./lower-calls.js";
import { mayThrow } from "./lower-failing.js";
import { negation } from "./lower-logic.js";
import {
  compare,
  intrinsic,
  listOf,
  literal,
  NIL,
  val,
  type Lowering,
  type Val,
} from "./lower-state.js";
import { box } from "./lower-values.js";
import { goName, type GoType } from "./model.js";

const BASIC: readonly GoType[] = ["bool", "string", "int", "float64"];

function isBasic(value: Val): boolean {
  return BASIC.includes(value.type);
}

/** eq: whether the first equals one of the others. */
export function equal(state: Lowering, call: Call): Val {
  const [first = NIL, ...others] = call.args;
  if (others.length === 0) return call.fail("missing argument for comparison");
  // The first match ends the comparison, but every argument has been evaluated, in order.
  if (others.slice(1).some((other) => mayThrow(other.expr))) return equalBoxed(state, call);
  const tests: Expr[] = [];
  for (const other of others) {
    const test = equalTo(state, first, other);
    if (test === "incompatible") {
      if (tests.length > 0) return equalBoxed(state, call);
      const types = `${goName(first.type) ?? ""} and ${goName(other.type) ?? ""}`;
      return call.fail(`incompatible types for comparison: ${types}`);
    }
    if (test === null) return equalBoxed(state, call);
    tests.push(test);
  }
  return val(
    "bool",
    tests.reduce((left, right) => ({ op: "or", left, right })),
  );
}

function equalBoxed(state: Lowering, call: Call): Val {
  const values = call.args.map((each) => box(state, each));
  return val("bool", intrinsic("go.eq", [listOf(values)], call.place));
}

export function notEqual(state: Lowering, call: Call): Val {
  const [first = NIL, second = NIL] = call.args;
  const test = equalTo(state, first, second);
  if (test === "incompatible") {
    const types = `${goName(first.type) ?? ""} and ${goName(second.type) ?? ""}`;
    return call.fail(`incompatible types for comparison: ${types}`);
  }
  if (test !== null) return val("bool", negated(test));
  const values = [first, second].map((each) => box(state, each));
  return val("bool", intrinsic("go.ne", [listOf(values)], call.place));
}

function negated(test: Expr): Expr {
  if (test.op === "compare" && test.operator === "===") return { ...test, operator: "!==" };
  return negation(test);
}

/** The test of two operands; null where only their values can tell. */
function equalTo(state: Lowering, left: Val, right: Val): Expr | "incompatible" | null {
  if (isBasic(left) && isBasic(right)) {
    if (left.type !== right.type) return "incompatible";
    return (
      (state.optimize ? simplified(left, right) : null) ?? compare("===", left.expr, right.expr)
    );
  }
  const oneNil = left.type === "nil" ? right : right.type === "nil" ? left : null;
  if (oneNil === null) return null;
  if (oneNil.type === "nil") return literal(true);
  return isBasic(oneNil) && !mayThrow(oneNil.expr) ? literal(false) : null;
}

const JAVASCRIPT_TYPES: Readonly<Record<string, "string" | "number" | "boolean">> = {
  string: "string",
  float64: "number",
  bool: "boolean",
};

/** `eq (printf "%T" $v) "string"` asks for what `typeof` tells; `count - i === 1` asks for the last index. */
function simplified(left: Val, right: Val): Expr | null {
  if (right.expr.op !== "literal") {
    return left.expr.op === "literal" ? simplified(right, left) : null;
  }
  const { value } = right.expr;
  if (typeof value === "string") {
    const asked = askedType(left.expr);
    const type = Object.hasOwn(JAVASCRIPT_TYPES, value) ? JAVASCRIPT_TYPES[value] : undefined;
    if (asked === null || type === undefined) return null;
    if (type === "number" && asked.op !== "intrinsic") return null;
    return {
      op: "typeof",
      value: asked.op === "intrinsic" ? (asked.args[0] ?? asked) : asked,
      type,
    };
  }
  if (left.expr.op !== "arithmetic" || left.expr.operator !== "-" || typeof value !== "number")
    return null;
  const { left: count, right: index } = left.expr;
  const last: Expr = { op: "arithmetic", operator: "-", left: count, right: literal(value) };
  return compare("===", index, last);
}

/** What `printf "%T"` is asked about: a local or boxed JSON data. */
function askedType(expr: Expr): Expr | null {
  if (expr.op !== "intrinsic" || expr.name !== "go.printf") return null;
  const [format, list] = expr.args;
  if (format?.op !== "literal" || format.value !== "%T" || list?.op !== "list") return null;
  const [asked, ...more] = list.items;
  if (asked === undefined || more.length > 0) return null;
  return asked.op !== "intrinsic" || asked.name === "go.boxJson" ? asked : null;
}

const OPERATORS: Readonly<Record<Order, CompareOperator>> = {
  lt: "<",
  le: "<=",
  gt: ">",
  ge: ">=",
};
const RULES: Readonly<Record<Order, IntrinsicName>> = {
  lt: "go.lt",
  le: "go.le",
  gt: "go.gt",
  ge: "go.ge",
};

type Order = "lt" | "le" | "gt" | "ge";

/** lt, le, gt, ge: numbers of one kind, or texts by their bytes. */
export function ordered(state: Lowering, call: Call, name: Order): Val {
  const [left = NIL, right = NIL] = call.args;
  const numbers = left.type === "int" || left.type === "float64";
  if (numbers && left.type === right.type) {
    return val("bool", compare(OPERATORS[name], left.expr, right.expr));
  }
  const values = [left, right].map((each) => box(state, each));
  return val("bool", intrinsic(RULES[name], [listOf(values)], call.place));
}
