/** Sums of a round's number, the length of the loop's list and a constant. */
import type { Compare, CompareOperator, Expr, Local } from "../ir/nodes.js";

export interface Linear {
  /** How often the round's number is in it, and the list's length. */
  readonly index: number;
  readonly count: number;
  readonly constant: number;
}

/** The expression as such a sum; null where it is none. */
export function linearIn(
  expr: Expr,
  index: Local | null,
  isList: (list: Expr) => boolean,
): Linear | null {
  switch (expr.op) {
    case "literal":
      return typeof expr.value === "number" && Number.isInteger(expr.value)
        ? { index: 0, count: 0, constant: expr.value }
        : null;
    case "local":
      return expr.local === index ? { index: 1, count: 0, constant: 0 } : null;
    case "count":
      return isList(expr.list) ? { index: 0, count: 1, constant: 0 } : null;
    case "arithmetic": {
      const left = linearIn(expr.left, index, isList);
      const right = linearIn(expr.right, index, isList);
      if (left === null || right === null) return null;
      if (expr.operator === "+") return sum(left, right, 1);
      return expr.operator === "-" ? sum(left, right, -1) : null;
    }
    default:
      return null;
  }
}

function sum(a: Linear, b: Linear, sign: number): Linear {
  return {
    index: a.index + sign * b.index,
    count: a.count + sign * b.count,
    constant: a.constant + sign * b.constant,
  };
}

/**
 * Whether a comparison has the same result in every round that at least one other follows, however long the list is:
 * then the length is greater than the round's number by two at least.
 */
export function isDecided(
  { left, operator, right }: Compare,
  form: (expr: Expr) => Linear | null,
): boolean {
  const [a, b] = [form(left), form(right)];
  if (a === null || b === null) return false;
  const { index, count, constant } = sum(a, b, -1);
  if (count === 0) return true;
  if (index !== -count || Math.abs(count) !== 1) return false;
  // `rest` is the length less the number: rest · count + constant, compared with 0.
  const limit = -constant * count;
  return isDecidedFrom(2, count === 1 ? operator : TURNED[operator], limit);
}

/** What the comparison of a list's length with a number is for every list that has an item; null: not always the same. */
export function resultForAny({ operator, right }: Compare): boolean | null {
  if (right.op !== "literal" || typeof right.value !== "number") return null;
  if (!isDecidedFrom(1, operator, right.value)) return null;
  switch (operator) {
    case "===":
    case "<":
    case "<=":
      return false;
    case "!==":
    case ">":
    case ">=":
      return true;
  }
}

const TURNED: Readonly<Record<CompareOperator, CompareOperator>> = {
  "===": "===",
  "!==": "!==",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** Whether `value operator limit` is the same for every value from the least on. */
function isDecidedFrom(least: number, operator: CompareOperator, limit: number): boolean {
  switch (operator) {
    case "===":
    case "!==":
    case "<=":
    case ">":
      return limit < least;
    case "<":
    case ">=":
      return limit <= least;
  }
}
