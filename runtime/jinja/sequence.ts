/** What Python's sequences have in common: slices, and the methods `count` and `index`. */
import { fail } from "../errors.js";
import { eq } from "./compare.js";
import { smallInt } from "./numbers.js";
import type { Keywords } from "./protocol.js";
import { repr } from "./print.js";
import { isInt, isIntNumber } from "./types.js";

/** An end of a slice as a number, null if it is left out. */
export function sliceEnd(v: unknown, place: string): number | null {
  if (v === null) {
    return null;
  }
  const n = smallInt(v);
  if (n !== null) {
    return n;
  }
  const message = "slice indices must be integers or None or have an __index__ method";
  return isInt(v) ? (BigInt(v) > 0n ? Infinity : -Infinity) : fail("TypeError", message, place);
}

/** Start, stop and step of a slice of a sequence of that length, as Python's slice.indices gives them. */
export function sliceIndices(
  length: number,
  start: unknown,
  stop: unknown,
  step: unknown,
  place: string,
): readonly [start: number, stop: number, step: number] {
  const by = sliceEnd(step, place) ?? 1;
  if (by === 0) {
    return fail("ValueError", "slice step cannot be zero", place);
  }
  const [low, high] = by > 0 ? [0, length] : [-1, length - 1];
  const clamp = (end: number): number =>
    Math.min(high, Math.max(low, end < 0 ? end + length : end));
  const from = sliceEnd(start, place);
  const to = sliceEnd(stop, place);
  return [
    from === null ? (by > 0 ? low : high) : clamp(from),
    to === null ? (by > 0 ? high : low) : clamp(to),
    by,
  ];
}

function isPlainEnd(v: unknown): v is number | null {
  return v === null || (typeof v === "number" && isIntNumber(v));
}

/** The items of a slice. */
export function sliceItems(
  items: readonly unknown[],
  start: unknown,
  stop: unknown,
  step: unknown,
  place: string,
): unknown[] {
  // What JavaScript's slice takes has the same meaning in Python.
  if (step === null && isPlainEnd(start) && isPlainEnd(stop)) {
    return items.slice(start ?? 0, stop ?? items.length);
  }
  const [from, to, by] = sliceIndices(items.length, start, stop, step, place);
  if (by === 1) {
    return items.slice(from, Math.max(from, to));
  }
  const result: unknown[] = [];
  for (let i = from; by > 0 ? i < to : i > to; i += by) {
    result.push(items[i]);
  }
  return result;
}

/** The number of arguments that a builtin takes, checked with CPython's words. */
export function checkCount(
  name: string,
  args: readonly unknown[],
  least: number,
  most: number,
  place: string,
): void {
  const bound = args.length < least ? least : most;
  if (args.length < least || args.length > most) {
    const kind = least === most ? "" : args.length < least ? "at least " : "at most ";
    const noun = bound === 1 ? "argument" : "arguments";
    fail("TypeError", `${name} expected ${kind}${bound} ${noun}, got ${args.length}`, place);
  }
}

/** Raises where a builtin that takes no keywords gets some. */
export function noKeywords(name: string, kwargs: Keywords, place: string): void {
  if (kwargs !== null && Object.keys(kwargs).length > 0) {
    fail("TypeError", `${name}() takes no keyword arguments`, place);
  }
}

/** The arguments of a builtin that takes exactly one, or none, checked with CPython's words. */
export function exactly(
  count: 0 | 1,
  name: string,
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
): unknown {
  noKeywords(name, kwargs, place);
  if (args.length !== count) {
    const takes = count === 0 ? "no arguments" : "exactly one argument";
    fail("TypeError", `${name}() takes ${takes} (${args.length} given)`, place);
  }
  return args[0];
}

/** `items.count(v)`. */
export function countItems(type: string, items: readonly unknown[]) {
  return (args: readonly unknown[], kwargs: Keywords, place: string): number => {
    const wanted = exactly(1, `${type}.count`, args, kwargs, place);
    return items.filter((item) => eq(item, wanted)).length;
  };
}

/** `items.index(v, start, stop)`. */
export function indexItem(type: string, items: readonly unknown[]) {
  return (args: readonly unknown[], kwargs: Keywords, place: string): number => {
    noKeywords(`${type}.index`, kwargs, place);
    checkCount("index", args, 1, 3, place);
    const [from, to] = sliceIndices(items.length, args[1] ?? null, args[2] ?? null, null, place);
    for (let i = from; i < to; i++) {
      if (eq(items[i], args[0])) {
        return i;
      }
    }
    const message =
      type === "tuple" ? "tuple.index(x): x not in tuple" : `${repr(args[0])} is not in ${type}`;
    return fail("ValueError", message, place);
  };
}
