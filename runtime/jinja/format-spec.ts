/** Python's format(): the format specification mini-language for str, int, bool and float. */
import { fail } from "../errors.js";
import { meter } from "../meter.js";
import { Complex } from "./complex.js";
import { exponentText, fixedText, floatRepr, generalText } from "./decimal.js";
import { asciiDigits } from "./number-text.js";
import { decimalText, toDouble } from "./numbers.js";
import { repr, str } from "./print.js";
import { sliceText, textLength } from "./text.js";
import { doubleOf, isFloatValue, isInt, textOf, typeName } from "./types.js";

interface Spec {
  readonly fill: string;
  readonly align: string;
  readonly sign: string;
  readonly noNegativeZero: boolean;
  readonly alternate: boolean;
  readonly width: number;
  readonly grouping: string;
  readonly precision: number | null;
  readonly type: string;
}

/** `format(v, spec)`. */
export function formatValue(v: unknown, spec: string, place: string): string {
  if (spec === "") {
    return str(v);
  }
  const text = textOf(v);
  if (text !== null) {
    return formatText(text, parse(spec, v, place), typeName(v), place);
  }
  if (isInt(v)) {
    return formatInt(v, parse(spec, v, place), place);
  }
  if (isFloatValue(v)) {
    return formatDouble(doubleOf(v), parse(spec, v, place), "float", place);
  }
  if (v instanceof Complex) {
    return formatComplex(v, parse(spec, v, place), place);
  }
  const type = typeName(v);
  return fail("TypeError", `unsupported format string passed to ${type}.__format__`, place);
}

/** What stands before the precision: each part may be missing, so that every text has this. */
const HEAD = /^(?:(.)?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\p{Nd}*)(,)?(_)?/su;
const PRECISION = /^\.(\p{Nd}*)/u;

/** Reads a specification part by part, with CPython's error for the first that is wrong. */
function parse(text: string, v: unknown, place: string): Spec {
  const head = HEAD.exec(text) ?? [text];
  const [whole, fill, given, sign, z, alternate, zero, width = "", comma, underscore] = head;
  const wide = fieldSize(width, place) ?? 0;
  const after = text.slice(whole.length);
  if (underscore !== undefined && (comma !== undefined || after.startsWith(","))) {
    return fail("ValueError", "Cannot specify both ',' and '_'.", place);
  }
  const precision = PRECISION.exec(after);
  const places = precision === null ? null : fieldSize(precision[1] ?? "", place);
  if (precision !== null && places === null) {
    return fail("ValueError", "Format specifier missing precision", place);
  }
  const type = after.slice(precision?.[0].length ?? 0);
  if (textLength(type) > 1) {
    const message = `Invalid format specifier '${text}' for object of type '${typeName(v)}'`;
    return fail("ValueError", message, place);
  }
  const grouping = comma ?? underscore ?? "";
  checkGrouping(grouping, type, place);
  const align = textOf(v) === null ? (zero === undefined ? ">" : "=") : "<";
  return {
    fill: fill ?? (zero === undefined ? " " : "0"),
    align: given ?? align,
    sign: sign ?? "",
    noNegativeZero: z !== undefined,
    alternate: alternate !== undefined,
    width: wide,
    grouping,
    precision: places,
    type,
  };
}

function checkGrouping(grouping: string, type: string, place: string): void {
  const grouped = grouping === "_" ? "bdoxXeEfFgG%" : "deEfFgG%";
  if (grouping !== "" && !grouped.includes(type)) {
    fail("ValueError", `Cannot specify '${grouping}' with '${shownCode(type)}'.`, place);
  }
}

/** A type in messages: what ASCII cannot show is a number. */
function shownCode(type: string): string {
  const code = type.codePointAt(0) ?? 0;
  return code > 32 && code < 128 ? type : `\\x${code.toString(16)}`;
}

/** CPython reads the digits of a size, of any script, into a size of C; null where there are none. */
function fieldSize(digits: string, place: string): number | null {
  if (digits === "") return null;
  const size = BigInt(asciiDigits(digits));
  return size < 2n ** 63n
    ? Number(size)
    : fail("ValueError", "Too many decimal digits in format string", place);
}

function pad(prefix: string, body: string, spec: Spec): string {
  const missing = spec.width - textLength(prefix) - textLength(body);
  if (missing <= 0) {
    return prefix + body;
  }
  meter?.spendText(missing);
  const left = spec.align === "^" ? Math.floor(missing / 2) : spec.align === "<" ? 0 : missing;
  const [before, after] = [spec.fill.repeat(left), spec.fill.repeat(missing - left)];
  return spec.align === "=" ? prefix + before + body : before + prefix + body + after;
}

function formatText(s: string, spec: Spec, type: string, place: string): string {
  const kind = "not allowed in string format specifier";
  if (spec.type !== "" && spec.type !== "s") {
    return unknownCode(spec.type, type, place);
  }
  if (spec.grouping !== "") {
    return fail("ValueError", `Cannot specify '${spec.grouping}' with 's'.`, place);
  }
  if (spec.sign !== "") {
    const name = spec.sign === " " ? "Space" : "Sign";
    return fail("ValueError", `${name} ${kind}`, place);
  }
  if (spec.noNegativeZero) {
    return fail("ValueError", `Negative zero coercion (z) ${kind}`, place);
  }
  if (spec.alternate) {
    return fail("ValueError", `Alternate form (#) ${kind}`, place);
  }
  if (spec.align === "=") {
    return fail("ValueError", `'=' alignment ${kind}`, place);
  }
  return pad("", spec.precision === null ? s : sliceText(s, null, spec.precision), spec);
}

function unknownCode(code: string, type: string, place: string): never {
  const message = `Unknown format code '${shownCode(code)}' for object of type '${type}'`;
  return fail("ValueError", message, place);
}

const RADIX: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16, X: 16, d: 10, n: 10, "": 10 };

function formatInt(v: number | bigint | boolean, spec: Spec, place: string): string {
  if (spec.type !== "" && "eEfFgG%".includes(spec.type)) {
    return formatDouble(toDouble(v, place) ?? 0, spec, "int", place);
  }
  if (spec.type !== "c" && RADIX[spec.type] === undefined) {
    return unknownCode(spec.type, typeName(v), place);
  }
  if (spec.precision !== null) {
    return fail("ValueError", "Precision not allowed in integer format specifier", place);
  }
  if (spec.noNegativeZero) {
    const message = "Negative zero coercion (z) not allowed in integer format specifier";
    return fail("ValueError", message, place);
  }
  if (spec.type === "c") {
    return formatCharacter(v, spec, place);
  }
  return formatDigits(BigInt(v), RADIX[spec.type] ?? 10, spec, place);
}

function formatDigits(n: bigint, radix: number, spec: Spec, place: string): string {
  const size = n < 0n ? -n : n;
  const digits = radix === 10 ? decimalText(size, place) : size.toString(radix);
  const body = spec.type === "X" ? digits.toUpperCase() : digits;
  const mark = spec.alternate && radix !== 10 ? `0${spec.type}` : "";
  return group(signOf(n < 0n, spec) + mark, body, "", radix === 10 ? 3 : 4, spec);
}

function formatCharacter(v: number | bigint | boolean, spec: Spec, place: string): string {
  if (spec.sign !== "") {
    return fail("ValueError", "Sign not allowed with integer format specifier 'c'", place);
  }
  if (spec.alternate) {
    const message = "Alternate form (#) not allowed with integer format specifier 'c'";
    return fail("ValueError", message, place);
  }
  const code = Number(v);
  if (Math.abs(code) >= 2 ** 63) {
    return fail("OverflowError", "Python int too large to convert to C long", place);
  }
  return code >= 0 && code < 0x110000
    ? pad("", String.fromCodePoint(code), spec)
    : fail("OverflowError", "%c arg not in range(0x110000)", place);
}

function signOf(negative: boolean, spec: Spec): string {
  return negative ? "-" : spec.sign === "-" ? "" : spec.sign;
}

/** Pads a number; separators go into the padding too where it is of zeros. */
function group(prefix: string, digits: string, rest: string, size: number, spec: Spec): string {
  if (spec.grouping === "") {
    return pad(prefix, digits + rest, spec);
  }
  let padded = digits;
  if (spec.fill === "0" && spec.align === "=") {
    const room = spec.width - prefix.length - rest.length;
    while (padded.length + Math.floor((padded.length - 1) / size) < room) {
      padded = "0" + padded;
    }
  }
  const first = padded.length % size || size;
  const parts = [padded.slice(0, first)];
  for (let at = first; at < padded.length; at += size) {
    parts.push(padded.slice(at, at + size));
  }
  return pad(prefix, parts.join(spec.grouping) + rest, spec);
}

function formatDouble(n: number, spec: Spec, type: string, place: string): string {
  if (spec.type !== "" && !"eEfFgGn%".includes(spec.type)) {
    return unknownCode(spec.type, type, place);
  }
  const body = doubleText(n, spec);
  const upper = spec.type !== "" && "EFG".includes(spec.type);
  const zero = spec.noNegativeZero && /^[0.]*(?:e|%|$)/.test(body);
  const negative = !zero && (n < 0 || Object.is(n, -0));
  const [, digits = "", rest = ""] = /^(\d*)(.*)$/s.exec(upper ? body.toUpperCase() : body) ?? [];
  return group(signOf(negative, spec), digits, rest, 3, spec);
}

/** Both parts in the notation of the type; without one they stand in brackets, as repr() has them. */
function formatComplex(v: Complex, spec: Spec, place: string): string {
  const kind = "not allowed in complex format specifier";
  if (spec.type !== "" && !"eEfFgGn".includes(spec.type)) {
    return unknownCode(spec.type, "complex", place);
  }
  if (spec.fill === "0") return fail("ValueError", `Zero padding is ${kind}`, place);
  if (spec.align === "=") return fail("ValueError", `'=' alignment flag is ${kind}`, place);
  const [real = 0, imaginary = 0] = Complex.parts(v, place) ?? [];
  const bare = spec.type === "" && spec.precision !== null ? { ...spec, type: "g" } : spec;
  const part = (n: number, sign: string): string => {
    const plain = { ...bare, sign, width: 0, fill: " ", align: ">" };
    const text = formatDouble(n, plain, "complex", place);
    return spec.type === "" ? text.replace(/\.0$/, "") : text;
  };
  const isBracketed = spec.type === "" && !Object.is(real, 0);
  const hasReal = spec.type !== "" || isBracketed;
  const body = hasReal
    ? `${part(real, spec.sign)}${part(imaginary, "+")}j`
    : `${part(imaginary, spec.sign)}j`;
  return pad("", isBracketed ? `(${body})` : body, spec);
}

/** The size of a double in the notation of the type. */
function doubleText(n: number, spec: Spec): string {
  if (spec.type === "%") {
    return `${doubleText(n * 100, { ...spec, type: "f" })}%`;
  }
  if (!Number.isFinite(n)) {
    return floatRepr(Math.abs(n));
  }
  const places = spec.precision ?? 6;
  switch (spec.type.toLowerCase()) {
    case "e":
      return withPoint(exponentText(n, places), spec);
    case "f":
      return withPoint(fixedText(n, places), spec);
    case "g":
    case "n":
      return generalText(n, places, spec.alternate);
    default:
      return withPoint(shortText(n, spec.precision, spec.alternate), spec);
  }
}

function withPoint(text: string, spec: Spec): string {
  return spec.alternate && !text.includes(".") ? text.replace(/^\d+/, "$&.") : text;
}

/** Without a type: repr(), or `g` that keeps a digit after the point and turns to an exponent one digit earlier. */
function shortText(n: number, precision: number | null, alternate: boolean): string {
  if (precision === null) {
    return repr(Math.abs(n)) === repr(n) ? floatRepr(n) : floatRepr(-n);
  }
  const count = Math.max(1, precision);
  const text = generalText(n, count, alternate);
  if (text.includes("e") || (text.includes(".") && !text.endsWith("."))) {
    return text;
  }
  const digits = text.replace(".", "");
  return digits.length >= count ? exponentForm(n, count) : `${digits}.0`;
}

function exponentForm(n: number, count: number): string {
  const [mantissa = "", exponent = ""] = exponentText(n, count - 1).split("e");
  const trimmed = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return `${trimmed}e${exponent}`;
}
