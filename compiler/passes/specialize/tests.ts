/** Boolean expressions, written as one would write them. */
import * as build from "../../ir/build.js";
import { Bool } from "../../ir/kinds.js";
import type { Expr } from "../../ir/nodes.js";
import { pathOf } from "./facts.js";
import type { Typed } from "./use.js";

/** `x !== undefined && truth(x)`, `x === undefined || !truth(x)`: the truth alone says it. */
export function isPresenceOf(left: Expr, right: Expr, stops: boolean): boolean {
  const truth = stops ? (right.op === "not" ? right.value : null) : right;
  if (truth?.op !== "intrinsic" || truth.name !== "jinja.truth") return false;
  const path = truth.args[0] === undefined ? null : pathOf(truth.args[0]);
  return (
    path !== null &&
    left.op === "compare" &&
    left.operator === (stops ? "===" : "!==") &&
    left.right.op === "literal" &&
    left.right.value === undefined &&
    pathOf(left.left) === path
  );
}

/** The negation, pushed inward where that reads better. */
export function negate(expr: Expr): Typed {
  return { expr: negated(expr), kinds: Bool };
}

const OPPOSITE = {
  "===": "!==",
  "!==": "===",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
} as const;

function negated(expr: Expr): Expr {
  switch (expr.op) {
    case "not":
      return expr.value;
    case "literal":
      return build.literal(expr.value !== true);
    case "compare":
      // Not for `<` and its like on what may be NaN: indexes never are.
      return { ...expr, operator: OPPOSITE[expr.operator] };
    case "and":
      return build.or(negated(expr.left), negated(expr.right));
    case "or":
      return build.and(negated(expr.left), negated(expr.right));
    default:
      return build.not(expr);
  }
}
