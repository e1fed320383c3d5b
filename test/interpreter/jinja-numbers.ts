/** `int()`, `float()` and `round()`. */
import { toFloat } from "./jinja-arithmetic.js";
import { fixedDigits, isNegative, roundHalfEven } from "./jinja-digits.js";
import { failUndefined, repr } from "./jinja-text.js";
import { int, PyBytes, PyFloat, PyInt, PyNone, PyStr, raise, Undefined } from "./jinja-values.js";
import type { Value } from "./jinja-values.js";
import { requireWhole } from "./jinja-operators.js";
import { decimalValue, strip } from "./jinja-unicode.js";

/** `int(float)`: towards zero. */
export function toIntFromFloat(value: number): bigint {
  if (Number.isNaN(value)) raise("ValueError", "cannot convert float NaN to integer");
  if (!Number.isFinite(value)) raise("OverflowError", "cannot convert float infinity to integer");
  return BigInt(Math.trunc(value));
}

/** White space gone, and every Unicode decimal digit as an ASCII digit. */
function asciiDigits(text: string): string {
  // The separators of ASCII are no white space to C, which reads what is left.
  const spaces = " \t\n\v\f\r\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000";
  const blanks = Array.from({ length: 11 }, (_, at) => String.fromCharCode(0x2000 + at));
  return Array.from(strip(text, spaces + blanks.join(""), "both"))
    .map((char) => decimalValue(char) ?? char)
    .join("");
}

function radixPrefix(base: number): string {
  return base === 2 ? "0b" : base === 8 ? "0o" : base === 16 ? "0x" : "";
}

/** `int(text, base)`. */
export function parseInt(value: PyStr, base: bigint): bigint {
  if (base !== 0n && (base < 2n || base > 36n)) {
    raise("ValueError", "int() base must be >= 2 and <= 36, or 0");
  }
  const refuse = (): never =>
    raise(
      "ValueError",
      `invalid literal for int() with base ${base}: ${repr(new PyStr(value.text))}`,
    );
  const found = /^([-+]?)(.*)$/s.exec(asciiDigits(value.text).toLowerCase());
  const sign = found?.[1] ?? "";
  let digits = found?.[2] ?? "";
  let radix = Number(base);
  if (radix === 0) {
    radix = [2, 8, 16].find((each) => digits.startsWith(radixPrefix(each))) ?? 10;
    if (radix === 10 && !/^(?:[1-9][0-9_]*|0[0_]*)$/.test(digits)) return refuse();
  }
  const prefix = radixPrefix(radix);
  if (prefix !== "" && digits.startsWith(prefix)) digits = digits.slice(2).replace(/^_/, "");
  if (!/^[0-9a-z]+(?:_[0-9a-z]+)*$/.test(digits)) return refuse();
  const bare = digits.replaceAll("_", "");
  if (bare.length > 4300 && ![2, 4, 8, 16, 32].includes(radix)) {
    const limit = "Exceeds the limit (4300 digits) for integer string conversion";
    raise(
      "ValueError",
      `${limit}: value has ${bare.length} digits; use sys.set_int_max_str_digits() to increase the limit`,
    );
  }
  let total = 0n;
  for (const digit of bare) {
    const worth = Number.parseInt(digit, 36);
    if (worth >= radix) return refuse();
    total = total * BigInt(radix) + BigInt(worth);
  }
  return sign === "-" ? -total : total;
}

const floatLiteral =
  /^[-+]?(?:(?:\d+(?:_\d+)*)(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[-+]?\d+(?:_\d+)*)?$/i;

/** `float(value)`. */
export function toFloatValue(value: Value): number {
  if (value instanceof Undefined) failUndefined(value);
  if (value instanceof PyInt) return toFloat(value.value);
  if (value instanceof PyFloat) return value.value;
  if (value instanceof PyBytes) {
    return toFloatValue(new PyStr(value.octets));
  }
  if (!(value instanceof PyStr)) {
    const wanted = "a string or a real number";
    raise("TypeError", `float() argument must be ${wanted}, not '${value.typeName}'`);
  }
  const text = asciiDigits(value.text).toLowerCase();
  if (floatLiteral.test(text)) return Number(text.replaceAll("_", ""));
  const word = /^([-+]?)(inf|infinity|nan)$/.exec(text);
  if (word === null) {
    raise("ValueError", `could not convert string to float: ${repr(new PyStr(value.text))}`);
  }
  return (word[1] === "-" ? -1 : 1) * (word[2] === "nan" ? NaN : Infinity);
}

/** `int(value)`, for what is no text. */
export function toInt(value: Value): bigint {
  if (value instanceof Undefined) failUndefined(value);
  if (value instanceof PyInt) return value.value;
  if (value instanceof PyFloat) return toIntFromFloat(value.value);
  if (value instanceof PyBytes) {
    return parseInt(new PyStr(value.octets), 10n);
  }
  const wanted = "a string, a bytes-like object or a real number";
  return raise("TypeError", `int() argument must be ${wanted}, not '${value.typeName}'`);
}

function roundFloat(value: number, digits: bigint): number {
  if (!Number.isFinite(value) || digits > 323n) return value;
  if (digits < -308n) return isNegative(value) ? -0 : 0;
  const magnitude =
    digits >= 0n
      ? Number(fixedDigits(value, Number(digits)))
      : Number(roundInt(BigInt(fixedDigits(value, 0)), digits, Math.abs(value)));
  if (!Number.isFinite(magnitude)) {
    raise("OverflowError", "rounded value too large to represent");
  }
  return isNegative(value) ? -magnitude : magnitude;
}

/** Rounds to tens, hundreds …, half to even; `exact` breaks ties that the whole number hides. */
function roundInt(value: bigint, digits: bigint, exact?: number): bigint {
  const unit = 10n ** -digits;
  const magnitude = value < 0n ? -value : value;
  if (exact !== undefined && Number(magnitude) < exact && (magnitude * 2n) % unit === 0n) {
    return roundHalfEven(magnitude * 2n + 1n, unit * 2n) * unit;
  }
  const rounded = roundHalfEven(magnitude, unit) * unit;
  return value < 0n ? -rounded : rounded;
}

/** `round(value, digits)`. */
export function round(value: Value, digits: Value): Value {
  if (digits instanceof PyNone && value instanceof PyFloat) {
    const whole = toIntFromFloat(roundFloat(value.value, 0n));
    return int(whole);
  }
  if (value instanceof PyInt) {
    if (digits instanceof PyNone) return int(value.value);
    const places = requireWhole(digits);
    return int(places >= 0n ? value.value : roundInt(value.value, places));
  }
  if (value instanceof PyFloat) return new PyFloat(roundFloat(value.value, requireWhole(digits)));
  return raise("TypeError", `type ${value.typeName} doesn't define __round__ method`);
}
