/** fmt/format.go: padding and the verbs of single values. */

import { runeCount, toBytes } from "./bytes.js";
import { formatFloat } from "./float.js";
import { canBackquote, isPrint, quote, quoteRune, validRune } from "./quote.js";

/** The flags, width and precision of a verb; a width or precision of -1 is absent. */
export interface Flags {
  width: number;
  precision: number;
  minus: boolean;
  plus: boolean;
  sharp: boolean;
  space: boolean;
  zero: boolean;
  /** `%+v` and `%#v`, whose flags mean other things than for single values. */
  plusV: boolean;
  sharpV: boolean;
}

/** The state before a directive. */
export function noFlags(): Flags {
  return {
    width: -1,
    precision: -1,
    minus: false,
    plus: false,
    sharp: false,
    space: false,
    zero: false,
    plusV: false,
    sharpV: false,
  };
}

/** Padding counts runes; zeros go to the left only. */
export function pad(f: Flags, s: string, zero = f.zero): string {
  if (f.width <= 0) {
    return s;
  }
  const fill = padding(f, f.width - runeCount(s), zero);
  return f.minus ? s + fill : fill + s;
}

function padding(f: Flags, count: number, zero: boolean): string {
  return count > 0 ? (zero && !f.minus ? "0" : " ").repeat(count) : "";
}

/** The text cut to the precision, which counts runes. */
function truncate(f: Flags, s: string): string {
  if (f.precision < 0 || s.length <= f.precision) {
    return s;
  }
  let out = "";
  let left = f.precision;
  for (const sign of s) {
    if (left-- <= 0) {
      break;
    }
    out += sign;
  }
  return out;
}

/** %s. */
export function formatText(f: Flags, s: string): string {
  return pad(f, truncate(f, s));
}

/** %q of a text. */
export function formatQuoted(f: Flags, s: string): string {
  const cut = truncate(f, s);
  return pad(f, f.sharp && canBackquote(cut) ? "`" + cut + "`" : quote(cut, f.plus));
}

/** %x and %X of a text or bytes. */
export function formatHex(f: Flags, source: string | Uint8Array, upper: boolean): string {
  const all = typeof source === "string" ? toBytes(source) : source;
  const bytes = f.precision >= 0 ? all.subarray(0, f.precision) : all;
  if (bytes.length === 0) {
    return padding(f, f.width, f.zero);
  }
  const prefix = f.sharp ? (upper ? "0X" : "0x") : "";
  const pairs = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"));
  const digits = f.space ? pairs.join(" " + prefix) : pairs.join("");
  const body = upper ? digits.toUpperCase() : digits;
  return pad(f, prefix + (upper ? body : digits));
}

const BASES: Readonly<Record<string, number>> = { b: 2, o: 8, O: 8, x: 16, X: 16 };

/** %v %d %b %o %O %x %X of an integer. */
export function formatInteger(f: Flags, n: bigint, verb: string): string {
  const negative = n < 0n;
  const size = negative ? -n : n;
  if (f.precision === 0 && size === 0n) {
    return padding(f, f.width, false);
  }
  const signed = negative || f.plus || f.space;
  const zeros = f.zero && !f.minus && f.width >= 0 ? f.width - (signed ? 1 : 0) : 0;
  const base = BASES[verb] ?? 10;
  let digits = size.toString(base).padStart(f.precision >= 0 ? f.precision : zeros, "0");
  if (f.sharp && base !== 10) {
    digits =
      base === 8
        ? (digits.startsWith("0") ? "" : "0") + digits
        : (base === 2 ? "0b" : "0x") + digits;
  }
  if (verb === "O") {
    digits = "0o" + digits;
  }
  const sign = negative ? "-" : f.plus ? "+" : f.space ? " " : "";
  return pad(f, sign + (verb === "X" ? digits.toUpperCase() : digits), false);
}

function runeOf(n: bigint): number {
  return n < 0n || n > 0x10ffffn ? 0xfffd : Number(n);
}

/** %c. */
export function formatRune(f: Flags, n: bigint): string {
  return pad(f, String.fromCodePoint(validRune(runeOf(n))));
}

/** %q of an integer. */
export function formatQuotedRune(f: Flags, n: bigint): string {
  return pad(f, quoteRune(runeOf(n), f.plus));
}

/** %U. */
export function formatUnicode(f: Flags, n: bigint): string {
  const unsigned = BigInt.asUintN(64, n);
  const digits = unsigned.toString(16).toUpperCase().padStart(Math.max(f.precision, 4), "0");
  const shown = f.sharp && unsigned <= 0x10ffffn && isPrint(Number(unsigned));
  const sign = shown ? ` '${String.fromCodePoint(Number(unsigned))}'` : "";
  return pad(f, "U+" + digits + sign, false);
}

/** %b %e %f %g %x of a float64; `precision` is the verb's own, which an explicit one overrules. */
export function formatFloatVerb(f: Flags, v: number, verb: string, precision: number): string {
  const places = f.precision >= 0 ? f.precision : precision;
  let number = formatFloat(v, verb, places);
  if (!/^[+-]/.test(number)) {
    number = "+" + number;
  }
  if (f.space && number.startsWith("+") && !f.plus) {
    number = " " + number.slice(1);
  }
  if (!Number.isFinite(v)) {
    const bare = Number.isNaN(v) && !f.space && !f.plus;
    return pad(f, bare ? number.slice(1) : number, false);
  }
  if (f.sharp && verb !== "b") {
    number = withPoint(number, verb, places);
  }
  if (!f.plus && number.startsWith("+")) {
    return pad(f, number.slice(1));
  }
  if (f.zero && !f.minus && f.width > number.length) {
    return number.charAt(0) + "0".repeat(f.width - number.length) + number.slice(1);
  }
  return pad(f, number);
}

/** The sharp flag: a decimal point always, and the zeros that %g drops. */
function withPoint(number: string, verb: string, precision: number): string {
  const hex = verb === "x" || verb === "X";
  const end = number.search(hex ? /[pP]/ : /[eE]/);
  const tail = end < 0 ? "" : number.slice(end);
  let body = end < 0 ? number : number.slice(0, end);
  const counts = verb === "g" || verb === "G" || verb === "x";
  let digits = counts ? (precision === -1 ? 6 : precision) : 0;
  digits -= body.slice(1).replace(".", "").replace(/^0+/, "").length;
  if (!body.includes(".")) {
    if (body.length === 2 && body.charAt(1) === "0") {
      digits--;
    }
    body += ".";
  }
  return body + "0".repeat(Math.max(digits, 0)) + tail;
}
