/** Python's numbers: unbounded ints over number and bigint, floats over number and Float. */
import { Float } from "../values.js";
import { fail } from "../errors.js";
import { divideHalfEven, fixedText } from "./decimal.js";
import { isIntNumber } from "./types.js";

/** A Python int: a number while it is safe, else a bigint. */
export function int(n: bigint): number | bigint {
  return n >= -9007199254740991n && n <= 9007199254740991n ? Number(n) : n;
}

/** The number as a double, null if it is no number; ints that no double can hold raise. */
export function toDouble(v: unknown, place: string): number | null {
  if (typeof v === "number") {
    return v;
  }
  if (typeof v === "boolean") {
    return v ? 1 : 0;
  }
  if (typeof v === "bigint") {
    return bigToDouble(v, place);
  }
  return v instanceof Float ? v.valueOf() : null;
}

function bigToDouble(n: bigint, place: string): number {
  const double = Number(n);
  return Number.isFinite(double)
    ? double
    : fail("OverflowError", "int too large to convert to float", place);
}

/** Python's int() of a float: towards zero. */
export function truncate(n: number, place: string): number | bigint {
  if (!Number.isFinite(n)) {
    return Number.isNaN(n)
      ? fail("ValueError", "cannot convert float NaN to integer", place)
      : fail("OverflowError", "cannot convert float infinity to integer", place);
  }
  return int(BigInt(Math.trunc(n)));
}

/** The decimal digits of a Python int. */
export function intText(n: number | bigint | boolean): string {
  return Number.isSafeInteger(n) ? String(n) : BigInt(n).toString();
}

/** Python refuses to write an int that has more digits than this. */
const MOST_DIGITS = 4300;

/** The decimal digits of an int that may be too long for Python to write. */
export function decimalText(n: bigint, place: string): string {
  const text = n.toString();
  if (text.replace("-", "").length <= MOST_DIGITS) return text;
  const message =
    `Exceeds the limit (${MOST_DIGITS} digits) for integer string conversion; ` +
    "use sys.set_int_max_str_digits() to increase the limit";
  return fail("ValueError", message, place);
}

/** The int or bool as a JavaScript number; null for anything else, and for what is not safe. */
export function smallInt(v: unknown): number | null {
  if (typeof v === "number") {
    return isIntNumber(v) ? v : null;
  }
  return typeof v === "boolean" ? Number(v) : null;
}

/** The exact quotient of two ints as a double, correctly rounded. */
export function divideInts(a: bigint, b: bigint, place: string): number {
  const negative = a < 0n !== b < 0n;
  const [top, bottom] = [a < 0n ? -a : a, b < 0n ? -b : b];
  const shift = Math.max(0, bitLength(bottom) - bitLength(top) + 66);
  const scaled = top << BigInt(shift);
  const quotient = scaled / bottom;
  const sticky = scaled % bottom === 0n ? quotient : quotient | 1n;
  const result = Number(sticky) * 2 ** -Math.min(shift, 1000) * 2 ** -Math.max(0, shift - 1000);
  if (!Number.isFinite(result)) {
    return fail("OverflowError", "integer division result too large for a float", place);
  }
  return negative ? -result : result;
}

/** Python's int.bit_length(). */
export function bitLength(n: bigint): number {
  return n === 0n ? 0 : (n < 0n ? -n : n).toString(2).length;
}

/** Python's round(float, places). */
export function roundDouble(n: number, places: number): number {
  if (!Number.isFinite(n) || n === 0 || places > 323) {
    return n;
  }
  if (places >= 0) {
    const size = Number(fixedText(n, places));
    return n < 0 ? -size : size;
  }
  const unit = 10n ** BigInt(Math.min(-places, 400));
  const [whole, rest] = [BigInt(Math.trunc(Math.abs(n))), Math.abs(n) % 1];
  // The fraction only decides a tie, so one more binary digit of it is enough.
  const size = divideHalfEven(whole * 2n + (rest > 0 ? 1n : 0n), unit * 2n) * unit;
  return n < 0 ? -Number(size) : Number(size);
}

/** Python's round(int, places) for negative places. */
export function roundInt(n: bigint, places: number): bigint {
  if (places >= 0) {
    return n;
  }
  // A unit far above the number would cost more than all else, and leaves nothing of it.
  if (-places > bitLength(n)) {
    return 0n;
  }
  const unit = 10n ** BigInt(-places);
  const size = divideHalfEven(n < 0n ? -n : n, unit) * unit;
  return n < 0n ? -size : size;
}
