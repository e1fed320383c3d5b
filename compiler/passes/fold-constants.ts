/**
 * Evaluates rules whose arguments are constants, by the very function of the runtime that would evaluate them in the
 * render: so the two cannot disagree. What raises is left to the render.
 */
import * as goRuntime from "../../runtime/go/index.js";
import * as jinjaRuntime from "../../runtime/jinja/index.js";
import { limited } from "../../runtime/limits.js";
import { literal } from "../ir/build.js";
import * as kinds from "../ir/kinds.js";
import { intrinsics, runtimeName } from "../ir/intrinsics.js";
import type { Compare, Expr, IntrinsicCall, Literal, Logical, Module } from "../ir/nodes.js";
import { mapBodies, rewriteExprs } from "../ir/visit.js";
import type { Pass } from "./pass.js";

export const foldConstants: Pass = {
  name: "fold-constants",
  run(module): Module {
    const runtime: Readonly<Record<string, unknown>> =
      module.dialect === "jinja" ? jinjaRuntime : goRuntime;
    return mapBodies(module, (body) => rewriteExprs(body, (expr) => fold(expr, runtime)));
  },
};

function fold(expr: Expr, runtime: Readonly<Record<string, unknown>>): Expr {
  if (expr.op === "choose" && expr.test.op === "literal") {
    return expr.test.value === true ? expr.then : expr.otherwise;
  }
  if (expr.op === "compare") return foldCompare(expr);
  if (expr.op === "not" && expr.value.op === "literal") return literal(expr.value.value !== true);
  if (expr.op === "and" || expr.op === "or") return foldLogical(expr);
  return expr.op === "intrinsic" && intrinsics[expr.name].pure ? foldRule(expr, runtime) : expr;
}

/** Equality of two constants of one type. */
function foldCompare(expr: Compare): Expr {
  const { left, right, operator } = expr;
  if (left.op !== "literal" || right.op !== "literal") return expr;
  if (typeof left.value !== typeof right.value) return expr;
  if (operator === "===") return literal(left.value === right.value);
  return operator === "!==" ? literal(left.value !== right.value) : expr;
}

function foldLogical(expr: Logical): Expr {
  const { left, right } = expr;
  if (left.op !== "literal") return expr;
  return left.value === (expr.op === "or") ? left : right;
}

const SCALAR = kinds.None | kinds.Bool | kinds.Number | kinds.Text;

function foldRule(expr: IntrinsicCall, runtime: Readonly<Record<string, unknown>>): Expr {
  const args = expr.args.filter((arg): arg is Literal => arg.op === "literal");
  const { gives } = intrinsics[expr.name];
  const rule = runtime[runtimeName(expr.name)];
  // What gives no literal is not even tried: a list of so many items may be more than there is memory.
  if (!kinds.may(gives, SCALAR)) return expr;
  if (args.length < expr.args.length || args.length === 0 || typeof rule !== "function") {
    return expr;
  }
  const values = args.map(({ value }) => value);
  const result = evaluate(rule, expr.place === null ? values : [...values, expr.place]);
  return isConstant(result) ? literal(result) : expr;
}

/** A template of others must not keep the compiler busy: what is long is no constant anyway. */
const LIMITS = { limits: { steps: 10_000 } };

/** The result, or undefined where the rule raises. */
function evaluate(rule: CallableFunction, args: readonly unknown[]): unknown {
  try {
    return limited(LIMITS, (): unknown => Reflect.apply(rule, undefined, args));
  } catch {
    return undefined;
  }
}

/** What is longer than its rule is no gain for code that people read. */
const LONGEST_TEXT = 1000;
const LARGEST_INTEGER = 2n ** 256n;

function isConstant(value: unknown): value is string | number | bigint | boolean | null {
  switch (typeof value) {
    case "string":
      return value.length <= LONGEST_TEXT;
    case "bigint":
      return value < LARGEST_INTEGER && value > -LARGEST_INTEGER;
    case "number":
      return Number.isFinite(value);
    case "boolean":
      return true;
    default:
      return value === null;
  }
}
