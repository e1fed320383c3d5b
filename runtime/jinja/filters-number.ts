/** Jinja2's filters on numbers: abs, int, float, round, filesizeformat. */
import { fail } from "../errors.js";
import { float, value, type Value } from "../values.js";
import { div, mul, neg, pow } from "./arithmetic.js";
import { integerArgument } from "./arguments.js";
import { Complex } from "./complex.js";
import { lt } from "./compare.js";
import { floatOf, numeral } from "./conversions.js";
import { fixedText, floatRepr } from "./decimal.js";
import { parseDouble, parseInteger } from "./number-text.js";
import { int, intText, roundDouble, roundInt, toDouble, truncate } from "./numbers.js";
import { truth } from "./print.js";
import { doubleOf, isFloatValue, isInt, textOf, typeName } from "./types.js";
import { failUndefined, isUndefined } from "./required.js";

/** `v | abs`. */
export function absFilter(v: unknown, place: string): Value {
  if (isInt(v) || isFloatValue(v)) {
    if (isFloatValue(v)) {
      return value(float(Math.abs(doubleOf(v))));
    }
    return lt(v, 0, place) ? neg(v, place) : value(typeof v === "boolean" ? Number(v) : v);
  }
  if (v instanceof Complex) {
    return value(float(Complex.size(v, place)));
  }
  return fail("TypeError", `bad operand type for abs(): '${typeName(v)}'`, place);
}

/** `v | int(default, base)`. */
export function intFilter(v: unknown, fallback: unknown, base: unknown, place: string): Value {
  if (isUndefined(v)) {
    return failUndefined(v, place);
  }
  const text = numeral(v);
  if (text !== null && textOf(v) === null) {
    return value(intOfText(text, 10, place) ?? fallback);
  }
  if (text !== null) {
    return value(intOfText(text, checkBase(base), place) ?? fallback);
  }
  if (isInt(v)) {
    return value(int(BigInt(v)));
  }
  return isFloatValue(v) && !Number.isNaN(doubleOf(v))
    ? value(truncate(doubleOf(v), place))
    : value(fallback);
}

function checkBase(base: unknown): number | null {
  // int() refuses any other base, and Jinja2 takes the text for a float then.
  if (!isInt(base)) return null;
  const n = Number(base);
  return n === 0 || (n >= 2 && n <= 36) ? n : null;
}

/** Python's int(text), else what int(float(text)) gives, else null. */
function intOfText(text: string, base: number | null, place: string): number | bigint | null {
  const n = base === null ? null : parseInteger(text, base);
  if (n !== null) {
    return n;
  }
  const double = parseDouble(text);
  return double !== null && Number.isFinite(double) ? truncate(double, place) : null;
}

/** `v | float(default)`. */
export function floatFilter(v: unknown, fallback: unknown, place: string): Value {
  if (isUndefined(v)) {
    return failUndefined(v, place);
  }
  const text = numeral(v);
  const n = text === null ? toDouble(v, place) : parseDouble(text);
  return n === null ? value(fallback) : value(float(n));
}

/** `v | round(precision, method)`. */
export function roundFilter(v: unknown, precision: unknown, method: unknown, place: string): Value {
  const name = textOf(method);
  if (name === "common") {
    return value(roundCommon(v, precision, place));
  }
  if (name !== "ceil" && name !== "floor") {
    return fail("FilterArgumentError", "method must be common, ceil or floor", place);
  }
  const unit = pow(10, precision, place);
  const product = mul(v, unit, place);
  const exact = isInt(product) ? product : null;
  const scaled = exact === null ? toDouble(product, place) : 0;
  if (scaled === null) {
    return fail("TypeError", `must be real number, not ${typeName(product)}`, place);
  }
  if (exact !== null) {
    return div(exact, unit, place);
  }
  const whole = name === "ceil" ? Math.ceil(scaled) : Math.floor(scaled);
  return div(truncate(whole, place), unit, place);
}

/** round() takes what is too large for the end of the range. */
function clampedArgument(v: unknown, place: string): number {
  const isLarge = typeof v === "bigint" && (v > MOST_PLACES || v < -MOST_PLACES);
  return isLarge ? Math.sign(Number(v)) * Number(MOST_PLACES) : integerArgument(v, place);
}

const MOST_PLACES = 1_000_000_000n;

function roundCommon(v: unknown, precision: unknown, place: string): unknown {
  if (!isInt(v) && !isFloatValue(v)) {
    return fail("TypeError", `type ${typeName(v)} doesn't define __round__ method`, place);
  }
  const places = precision === null ? 0 : clampedArgument(precision, place);
  if (isInt(v)) {
    return int(roundInt(BigInt(v), places));
  }
  const rounded = roundDouble(doubleOf(v), places);
  if (!Number.isFinite(rounded) && Number.isFinite(doubleOf(v))) {
    return fail("OverflowError", "rounded value too large to represent", place);
  }
  return precision === null ? truncate(rounded, place) : float(rounded);
}

const SIZES = ["k", "M", "G", "T", "P", "E", "Z", "Y"];

/** `v | filesizeformat(binary)`. */
export function filesizeformatFilter(v: unknown, binary: unknown, place: string): string {
  const bytes = floatOf(v, place);
  const base = truth(binary) ? 1024 : 1000;
  const suffix = truth(binary) ? "iB" : "B";
  if (bytes === 1) {
    return "1 Byte";
  }
  if (bytes < base) {
    return `${intText(truncate(bytes, place))} Bytes`;
  }
  let exponent = 2;
  // NaN is below no size, and so has the last of the names.
  while (exponent < SIZES.length + 1 && !(bytes < base ** exponent)) {
    exponent++;
  }
  const name = SIZES[exponent - 2] ?? "";
  const prefix = truth(binary) && name === "k" ? "K" : name;
  const size = (base * bytes) / base ** exponent;
  const shown = Number.isFinite(size) ? fixedText(size, 1) : floatRepr(size);
  return `${shown} ${prefix}${suffix}`;
}
