/** Jinja2's tests (tests.py). */
import { Float, isDict } from "../values.js";
import { mod } from "./arithmetic.js";
import { eq } from "./compare.js";
import { str } from "./print.js";
import { CALLABLE, PythonObject, SEQUENCE, TYPE } from "./protocol.js";
import { isLowerText, isUpperText } from "./text-case.js";
import { isFloatValue, textOf } from "./types.js";
import { isUndefined } from "./required.js";

/** `v is string`. */
export function isString(v: unknown): boolean {
  return textOf(v) !== null;
}

/** `v is sequence`: it has a length and items, so text and dicts are sequences too. */
export function isSequence(v: unknown): boolean {
  if (typeof v === "string" || v === undefined || Array.isArray(v)) {
    return true;
  }
  return v instanceof PythonObject ? v[SEQUENCE]() : isDict(v);
}

/** `v is number`: booleans are numbers. */
export function isNumber(v: unknown): boolean {
  return (
    typeof v === "number" ||
    typeof v === "bigint" ||
    typeof v === "boolean" ||
    v instanceof Float ||
    (v instanceof PythonObject && v[TYPE] === "complex")
  );
}

/** `v is integer`: booleans are none. */
export function isInteger(v: unknown): boolean {
  return typeof v === "number" ? !isFloatValue(v) : typeof v === "bigint";
}

/** `v is float`. */
export function isFloat(v: unknown): boolean {
  return isFloatValue(v);
}

/** `v is boolean`. */
export function isBoolean(v: unknown): v is boolean {
  return typeof v === "boolean";
}

/** `v is none`. */
export function isNone(v: unknown): v is null {
  return v === null;
}

/** `v is true`. */
export function isTrue(v: unknown): v is true {
  return v === true;
}

/** `v is false`. */
export function isFalse(v: unknown): v is false {
  return v === false;
}

/** `v is callable`: an Undefined is, since calling it is what raises. */
export function isCallable(v: unknown): boolean {
  return isUndefined(v) || (v instanceof PythonObject && v[CALLABLE]?.() === true);
}

/** `v is odd`. */
export function isOdd(v: unknown, place: string): boolean {
  return eq(mod(v, 2, place), 1);
}

/** `v is even`. */
export function isEven(v: unknown, place: string): boolean {
  return eq(mod(v, 2, place), 0);
}

/** `v is divisibleby n`. */
export function isDivisibleBy(v: unknown, n: unknown, place: string): boolean {
  return eq(mod(v, n, place), 0);
}

/** `v is lower`. */
export function isLower(v: unknown): boolean {
  return isLowerText(str(v));
}

/** `v is upper`. */
export function isUpper(v: unknown): boolean {
  return isUpperText(str(v));
}

/** `v is sameas other`: identity, which CPython has for None, booleans, small ints and short texts. */
export function isSameAs(v: unknown, other: unknown): boolean {
  return v === other;
}

/** `v is escaped`. */
export function isEscaped(v: unknown): boolean {
  return typeof v !== "string" && textOf(v) !== null;
}
