/** Python's arithmetic operators, with its messages. */
import { fail } from "../errors.js";
import { meter } from "../meter.js";
import { float, value, type Value } from "../values.js";
import { Complex, complexPower, complexResult } from "./complex.js";
import { divideInts, int, toDouble } from "./numbers.js";
import { ABSENT, ADD, OCTETS, PythonObject, REPEAT, SUBTRACT } from "./protocol.js";
import { powerOf } from "./power.js";
import { percentFormat } from "./percent.js";
import { repeatItems, repeatText } from "./repeat.js";
import { doubleOf, isFloatValue, isInt, textOf, typeName } from "./types.js";
import { failUndefined, isUndefined } from "./required.js";

type Int = number | bigint | boolean;

/** `a + b`. */
export function add(a: unknown, b: unknown, place: string): Value {
  if (typeof a === "string" && typeof b === "string") {
    return value(a + b);
  }
  if (isInt(a) && isInt(b)) {
    return value(addInts(a, b));
  }
  return value(addOther(a, b, place));
}

function addInts(a: Int, b: Int): number | bigint {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) {
      return sum;
    }
  }
  return int(BigInt(a) + BigInt(b));
}

function addOther(a: unknown, b: unknown, place: string): unknown {
  const numbers = doubles(a, b, place);
  if (numbers !== null) {
    return float(numbers[0] + numbers[1]);
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    meter?.spendItems(a.length + b.length, place);
    return [...list(a), ...list(b)];
  }
  if (b instanceof PythonObject && typeof a === "string") {
    const sum = b[ADD]?.(a, true) ?? ABSENT;
    return sum === ABSENT ? failAdd(a, b, place) : sum;
  }
  const complex = complexResult("+", a, b, place);
  if (complex !== null) {
    return complex;
  }
  const sum = a instanceof PythonObject ? (a[ADD]?.(b, false) ?? ABSENT) : ABSENT;
  return sum === ABSENT ? failAdd(a, b, place) : sum;
}

function list(v: readonly unknown[]): readonly unknown[] {
  return v;
}

function failAdd(a: unknown, b: unknown, place: string): never {
  throwUndefined(a, b, place);
  if (isMarkup(a) || !isSequence(a)) return unsupported("+", a, b, place);
  return typeName(a) === "bytes"
    ? fail("TypeError", `can't concat ${typeName(b)} to bytes`, place)
    : failConcat(typeName(a), b, place);
}

function failConcat(type: string, v: unknown, place: string): never {
  const message = `can only concatenate ${type} (not "${typeName(v)}") to ${type}`;
  return fail("TypeError", message, place);
}

/** The right side of `text + v`: v if it is text, else the error. */
export function text(v: unknown, place: string): string {
  return typeof v === "string" ? v : textSlow(v, place);
}

function textSlow(v: unknown, place: string): string {
  return textOf(v) ?? (isUndefined(v) ? failUndefined(v, place) : failConcat("str", v, place));
}

/** `a - b`. */
export function sub(a: unknown, b: unknown, place: string): Value {
  if (isInt(a) && isInt(b)) {
    if (typeof a === "number" && typeof b === "number" && Number.isSafeInteger(a - b)) {
      return value(a - b);
    }
    return value(int(BigInt(a) - BigInt(b)));
  }
  const rest = isUndefined(a) ? ABSENT : subObjects(a, b, place);
  if (rest !== ABSENT) {
    return value(rest);
  }
  const [x, y] = operands("-", a, b, place);
  return value(float(x - y));
}

/** What is left of sets and of the views of dicts; ABSENT where neither side is one. */
function subObjects(a: unknown, b: unknown, place: string): unknown {
  const complex = complexResult("-", a, b, place);
  if (complex !== null) {
    return complex;
  }
  const own = a instanceof PythonObject ? (a[SUBTRACT]?.(b, false, place) ?? ABSENT) : ABSENT;
  return own === ABSENT && b instanceof PythonObject
    ? (b[SUBTRACT]?.(a, true, place) ?? ABSENT)
    : own;
}

/** `a * b`. */
export function mul(a: unknown, b: unknown, place: string): Value {
  const complex = complexResult("*", a, b, place);
  if (complex !== null) {
    return value(complex);
  }
  if (isInt(a)) {
    return value(isInt(b) ? mulInts(a, b, place) : mulInt(a, b, place));
  }
  if (isInt(b)) {
    return value(mulInt(b, a, place, [a, b]));
  }
  failMarkup(a, b, place);
  throwUndefined(a, b, place);
  if (isSequence(a) || isSequence(b)) {
    const other = isSequence(a) ? b : a;
    const message = `can't multiply sequence by non-int of type '${typeName(other)}'`;
    return fail("TypeError", message, place);
  }
  const [x, y] = operands("*", a, b, place);
  return value(float(x * y));
}

/** Markup multiplies by code of its own, before an Undefined on its right is asked. */
function failMarkup(a: unknown, b: unknown, place: string): void {
  const factor = isMarkup(a) ? b : isMarkup(b) && !isUndefined(a) ? a : ABSENT;
  if (factor !== ABSENT) {
    const message = `'${typeName(factor)}' object cannot be interpreted as an integer`;
    fail("TypeError", message, place);
  }
}

function isMarkup(v: unknown): boolean {
  return typeof v !== "string" && textOf(v) !== null;
}

function isSequence(v: unknown): boolean {
  return typeof v === "string" || Array.isArray(v) || (v instanceof PythonObject && repeats(v));
}

function repeats(v: PythonObject): boolean {
  return (v[REPEAT]?.(0, "") ?? ABSENT) !== ABSENT;
}

function mulInts(a: Int, b: Int, place: string): number | bigint {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (Number.isSafeInteger(product)) {
      return product + 0;
    }
  }
  spendDigits(a, 1, place);
  spendDigits(b, 1, place);
  return int(BigInt(a) * BigInt(b));
}

/** The work on a product of so many long factors. */
function spendDigits(factor: Int, times: number, place: string): void {
  if (meter !== null) meter.spendText(BigInt(factor).toString(16).length * times * 2, place);
}

function mulInt(
  count: Int,
  v: unknown,
  place: string,
  order: readonly [unknown, unknown] = [count, v],
): unknown {
  if (isFloatValue(v)) {
    const [x, y] = operands("*", count, v, place);
    return float(x * y);
  }
  if (!isSequence(v)) {
    throwUndefined(count, v, place);
    return unsupported("*", order[0], order[1], place);
  }
  const limit = 2n ** 63n;
  if (BigInt(count) >= limit || BigInt(count) < -limit) {
    return fail("OverflowError", "cannot fit 'int' into an index-sized integer", place);
  }
  const times = Math.max(0, Number(count));
  if (v instanceof PythonObject) {
    return v[REPEAT]?.(times, place) ?? ABSENT;
  }
  return typeof v === "string"
    ? repeatText(v, times, place)
    : repeatItems(Array.isArray(v) ? v : [], times, place);
}

/** `a / b`. */
export function div(a: unknown, b: unknown, place: string): Value {
  if (isInt(a) && isInt(b)) {
    if (Number(b) === 0) {
      return fail("ZeroDivisionError", "division by zero", place);
    }
    const safe = Number.isSafeInteger(Number(a)) && Number.isSafeInteger(Number(b));
    const exact = safe ? Number(a) / Number(b) : divideInts(BigInt(a), BigInt(b), place);
    return value(float(exact === 0 && Number(a) === 0 ? (Number(b) < 0 ? -0 : 0) : exact));
  }
  const complex = complexResult("/", a, b, place);
  if (complex !== null) {
    return value(complex);
  }
  const [x, y] = operands("/", a, b, place);
  return y === 0 ? fail("ZeroDivisionError", "float division by zero", place) : value(float(x / y));
}

/** `a // b`. */
export function floordiv(a: unknown, b: unknown, place: string): Value {
  if (isInt(a) && isInt(b)) {
    return value(floordivInts(a, b, place));
  }
  const [x, y] = operands("//", a, b, place);
  if (y === 0) {
    return fail("ZeroDivisionError", "float floor division by zero", place);
  }
  return value(float(floorDouble(x, y)));
}

function floordivInts(a: Int, b: Int, place: string): number | bigint {
  const rest = Number(b) === 0 ? fail(...zeroDivisor(place)) : modInts(a, b, place);
  if (typeof a === "number" && typeof b === "number" && Number.isSafeInteger(a - Number(rest))) {
    return (a - Number(rest)) / b + 0;
  }
  return int((BigInt(a) - BigInt(rest)) / BigInt(b));
}

function zeroDivisor(place: string): [string, string, string] {
  return ["ZeroDivisionError", "integer division or modulo by zero", place];
}

/** As CPython's float_floor_div: the quotient is made from the remainder, then corrected. */
function floorDouble(x: number, y: number): number {
  const rest = x % y;
  const borrow = rest !== 0 && y < 0 !== rest < 0 ? 1 : 0;
  const quotient = (x - rest) / y - borrow;
  if (quotient === 0) {
    return x / y < 0 || Object.is(x / y, -0) ? -0 : 0;
  }
  const whole = Math.floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

/** `a % b`: remainder, or printf-style formatting where a is text. */
export function mod(a: unknown, b: unknown, place: string): Value {
  if (isInt(a) && isInt(b)) {
    return value(modInts(a, b, place));
  }
  if (textOf(a) !== null || (a instanceof PythonObject && (a[OCTETS]?.() ?? null) !== null)) {
    return value(percentFormat(a, b, place));
  }
  const [x, y] = operands("%", a, b, place);
  if (y === 0) {
    return fail("ZeroDivisionError", "float modulo", place);
  }
  const rest = x % y;
  if (rest === 0) {
    return value(float(y < 0 ? -0 : 0));
  }
  return value(float(y < 0 !== rest < 0 ? rest + y : rest));
}

function modInts(a: Int, b: Int, place: string): number | bigint {
  if (Number(b) === 0) {
    return fail("ZeroDivisionError", "integer modulo by zero", place);
  }
  if (typeof a !== "bigint" && typeof b !== "bigint") {
    const rest = Number(a) % Number(b);
    return (rest !== 0 && rest < 0 !== Number(b) < 0 ? rest + Number(b) : rest) + 0;
  }
  const divisor = BigInt(b);
  const rest = BigInt(a) % divisor;
  return int(rest !== 0n && rest < 0n !== divisor < 0n ? rest + divisor : rest);
}

/** `a ** b` of a folded a: a negative number stands without brackets in Jinja2's Python code, which negates the power. */
export function powOfFolded(a: unknown, b: unknown, place: string): Value {
  const sign = isInt(a) ? Number(a) : isFloatValue(a) ? doubleOf(a) : 0;
  const isNegative = sign < 0 || Object.is(sign, -0);
  return isNegative ? neg(pow(neg(a, place), b, place), place) : pow(a, b, place);
}

/** `a ** b`. */
export function pow(a: unknown, b: unknown, place: string): Value {
  if (isInt(a) && isInt(b) && BigInt(b) >= 0n) {
    spendDigits(a, Number(b), place);
    return value(int(BigInt(a) ** BigInt(b)));
  }
  const complex = complexResult("**", a, b, place);
  if (complex !== null) {
    return value(complex);
  }
  const [x, y] = operands("** or pow()", a, b, place);
  if (x === 0 && y < 0 && Number.isFinite(y)) {
    const message = "0.0 cannot be raised to a negative power";
    return fail("ZeroDivisionError", message, place);
  }
  if (x < 0 && Number.isFinite(x) && Number.isFinite(y) && !Number.isInteger(y)) {
    return value(complexPower(x, y, place));
  }
  return value(float(powDouble(x, y, place)));
}

function powDouble(x: number, y: number, place: string): number {
  if (x === 1 || (x === -1 && !Number.isFinite(y) && !Number.isNaN(y))) {
    return 1;
  }
  const result = powerOf(x, y);
  if (!Number.isFinite(result) && Number.isFinite(x) && Number.isFinite(y)) {
    return fail("OverflowError", "(34, 'Numerical result out of range')", place);
  }
  return result;
}

/** `-a`. */
export function neg(a: unknown, place: string): Value {
  if (isInt(a)) {
    return value(typeof a === "bigint" ? int(-a) : 0 - Number(a));
  }
  return value(a instanceof Complex ? Complex.negative(a) : float(-unary("-", a, place)));
}

/** `+a`. */
export function pos(a: unknown, place: string): Value {
  if (isInt(a)) {
    return value(typeof a === "boolean" ? Number(a) : a);
  }
  return value(a instanceof Complex ? a : float(unary("+", a, place)));
}

function unary(operator: string, a: unknown, place: string): number {
  if (isUndefined(a)) {
    return failUndefined(a, place);
  }
  const message = `bad operand type for unary ${operator}: '${typeName(a)}'`;
  return toDouble(a, place) ?? fail("TypeError", message, place);
}

function doubles(a: unknown, b: unknown, place: string): readonly [number, number] | null {
  if (!isFloatValue(a) && !isFloatValue(b)) {
    return null;
  }
  const x = toDouble(a, place);
  const y = toDouble(b, place);
  return x === null || y === null ? null : [x, y];
}

function operands(
  operator: string,
  a: unknown,
  b: unknown,
  place: string,
): readonly [number, number] {
  const x = toDouble(a, place);
  const y = toDouble(b, place);
  if (x !== null && y !== null) {
    return [x, y];
  }
  throwUndefined(a, b, place);
  return unsupported(operator, a, b, place);
}

function throwUndefined(a: unknown, b: unknown, place: string): void {
  if (isUndefined(a)) {
    failUndefined(a, place);
  }
  if (isUndefined(b)) {
    failUndefined(b, place);
  }
}

function unsupported(operator: string, a: unknown, b: unknown, place: string): never {
  const types = `'${typeName(a)}' and '${typeName(b)}'`;
  return fail("TypeError", `unsupported operand type(s) for ${operator}: ${types}`, place);
}
