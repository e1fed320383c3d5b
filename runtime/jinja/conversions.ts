/** Python's int() and float() of any value, with the words of their errors. */
import { fail } from "../errors.js";
import { parseDouble, parseInteger } from "./number-text.js";
import { toDouble, truncate } from "./numbers.js";
import { repr } from "./print.js";
import { OCTETS, PythonObject } from "./protocol.js";
import { failUndefined, isUndefined } from "./required.js";
import { doubleOf, isFloatValue, isInt, textOf, typeName } from "./types.js";

/** What int() and float() read: a str, or bytes. */
export function numeral(v: unknown): string | null {
  return textOf(v) ?? (v instanceof PythonObject ? (v[OCTETS]?.() ?? null) : null);
}

/** `int(v)`; null for what is neither text nor a real number. */
export function intOf(v: unknown, place: string): number | bigint | null {
  if (isUndefined(v)) return failUndefined(v, place);
  const text = numeral(v);
  if (text !== null) {
    const message = `invalid literal for int() with base 10: ${repr(v)}`;
    return parseInteger(text, 10) ?? fail("ValueError", message, place);
  }
  if (isFloatValue(v)) return truncate(doubleOf(v), place);
  return isInt(v) ? BigInt(v) : null;
}

/** `float(v)`. */
export function floatOf(v: unknown, place: string): number {
  if (isUndefined(v)) return failUndefined(v, place);
  const text = numeral(v);
  if (text !== null) {
    const message = `could not convert string to float: ${repr(v)}`;
    return parseDouble(text) ?? fail("ValueError", message, place);
  }
  const message = `float() argument must be a string or a real number, not '${typeName(v)}'`;
  return toDouble(v, place) ?? fail("TypeError", message, place);
}
