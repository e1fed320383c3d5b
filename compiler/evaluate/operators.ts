/** The operators and methods that have JavaScript's own meaning. */
import type { Compare, Expr, MethodCall } from "../ir/nodes.js";
import type { Arithmetic } from "../ir/nodes.js";
import type { Evaluate } from "./frame.js";

export function compare(expr: Compare, of: (inner: Expr) => Evaluate): Evaluate {
  const left = of(expr.left);
  if (expr.right.op === "literal") {
    const { value } = expr.right;
    if (expr.operator === "===") return (frame) => left(frame) === value;
    if (expr.operator === "!==") return (frame) => left(frame) !== value;
  }
  const right = of(expr.right);
  switch (expr.operator) {
    case "===":
      return (frame) => left(frame) === right(frame);
    case "!==":
      return (frame) => left(frame) !== right(frame);
    case "<":
      return (frame) => ordinal(left(frame)) < ordinal(right(frame));
    case "<=":
      return (frame) => ordinal(left(frame)) <= ordinal(right(frame));
    case ">":
      return (frame) => ordinal(left(frame)) > ordinal(right(frame));
    case ">=":
      return (frame) => ordinal(left(frame)) >= ordinal(right(frame));
  }
}

export function arithmetic(
  operator: Arithmetic["operator"],
  left: Evaluate,
  right: Evaluate,
): Evaluate {
  switch (operator) {
    case "+":
      return (frame) => sum(left(frame), right(frame));
    case "-":
      return (frame) => number(left(frame)) - number(right(frame));
    case "*":
      return (frame) => number(left(frame)) * number(right(frame));
    case "%":
      return (frame) => number(left(frame)) % number(right(frame));
  }
}

function sum(left: unknown, right: unknown): string | number {
  if (typeof left === "string" && typeof right === "string") return left + right;
  return number(left) + number(right);
}

/** Go's integers past 2^53 are bigints; nothing else that is compared so is one. */
function ordinal(value: unknown): number | bigint {
  return typeof value === "bigint" ? value : number(value);
}

/** Passes put arithmetic only where both sides are numbers, or both texts. */
function number(value: unknown): number {
  if (typeof value === "number") return value;
  throw new TypeError("an operand that is no number");
}

export function method(
  name: MethodCall["name"],
  object: Evaluate,
  args: readonly Evaluate[],
): Evaluate {
  const [first, second] = args;
  const one = first ?? NOTHING;
  switch (name) {
    case "includes":
      return (frame) => includes(object(frame), one(frame));
    case "startsWith":
      return (frame) => text(object(frame), name).startsWith(text(one(frame), name));
    case "endsWith":
      return (frame) => text(object(frame), name).endsWith(text(one(frame), name));
    case "slice":
      return (frame) => slice(object(frame), number(one(frame)), second?.(frame));
    case "has":
      return (frame) => setOf(object(frame), name).has(one(frame));
    case "add":
      return (frame) => setOf(object(frame), name).add(one(frame));
    case "push":
      return (frame) => list(object(frame), name).push(...args.map((arg) => arg(frame)));
  }
}

const NOTHING: Evaluate = () => undefined;

function includes(object: unknown, item: unknown): boolean {
  return typeof object === "string"
    ? object.includes(text(item, "includes"))
    : list(object, "includes").includes(item);
}

function slice(object: unknown, from: number, to: unknown): unknown {
  const end = to === undefined ? undefined : number(to);
  return typeof object === "string"
    ? object.slice(from, end)
    : list(object, "slice").slice(from, end);
}

function text(value: unknown, name: string): string {
  return typeof value === "string" ? value : lacks(value, name);
}

function list(value: unknown, name: string): unknown[] {
  return Array.isArray(value) ? value : lacks(value, name);
}

function setOf(value: unknown, name: string): Set<unknown> {
  return value instanceof Set ? value : lacks(value, name);
}

function lacks(value: unknown, name: string): never {
  throw new TypeError(`${String(value)}.${name} is not a function`);
}
