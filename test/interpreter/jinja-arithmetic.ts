/** Python's operators on numbers and sequences. */
import { cosineAndSine, exp, lengthPower, log, polar, positivePower } from "./jinja-power.js";
import { percentBytes, percentFormat } from "./jinja-percent.js";
import { subtractSets } from "./jinja-sets.js";
import { escape, failUndefined } from "./jinja-text.js";
import {
  Markup,
  PyBytes,
  PyComplex,
  PyFloat,
  PyInt,
  PyList,
  PyStr,
  PyTuple,
  raise,
  str,
  Undefined,
} from "./jinja-values.js";
import type { Value } from "./jinja-values.js";

export type ArithmeticOp = "+" | "-" | "*" | "/" | "//" | "%" | "**";

/** More text or items than this is more than CPython's memory in any setting of ours. */
const MEMORY = 1 << 28;

/** An int as a float, rounded to the nearest even as CPython does. */
export function toFloat(value: bigint): number {
  const converted = Number(value);
  if (!Number.isFinite(converted)) raise("OverflowError", "int too large to convert to float");
  return converted;
}

/** Both operands as numbers: ints stay ints only among themselves. */
type Operands = { ints: [bigint, bigint] } | { floats: [number, number] };

function operandsOf(a: Value, b: Value): Operands | null {
  if (a instanceof PyInt && b instanceof PyInt) return { ints: [a.value, b.value] };
  const left = floatOf(a);
  const right = left === null ? null : floatOf(b);
  return left === null || right === null ? null : { floats: [left, right] };
}

function floatOf(value: Value): number | null {
  if (value instanceof PyInt) return toFloat(value.value);
  return value instanceof PyFloat ? value.value : null;
}

function floorDivideInts(a: bigint, b: bigint): bigint {
  if (b === 0n) raise("ZeroDivisionError", "integer division or modulo by zero");
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function moduloInts(a: bigint, b: bigint): bigint {
  if (b === 0n) raise("ZeroDivisionError", "integer modulo by zero");
  return a - b * floorDivideInts(a, b);
}

function bitLength(value: bigint): number {
  return value.toString(2).length;
}

/** The quotient of two ints, rounded once to the nearest float, half to even. */
export function divideInts(a: bigint, b: bigint, tooLarge: number | null = null): number {
  if (b === 0n) raise("ZeroDivisionError", "division by zero");
  const negative = a < 0n !== b < 0n;
  const above = a < 0n ? -a : a;
  const below = b < 0n ? -b : b;
  if (above === 0n) return negative ? -0 : 0;
  // Scale so that the quotient has more than 53 bits, and keep the remainder as one sticky bit.
  const shift = Math.max(66 - (bitLength(above) - bitLength(below)), 0);
  const scaled = above << BigInt(shift);
  const sticky = scaled % below === 0n ? 0n : 1n;
  const quotient = (scaled / below) * 2n + sticky;
  const result = scaleDown(quotient, shift + 1);
  if (!Number.isFinite(result)) {
    if (tooLarge !== null) return negative ? -tooLarge : tooLarge;
    raise("OverflowError", "integer division result too large for a float");
  }
  return negative ? -result : result;
}

/** `value / 2 ** shift` with one rounding, also among the subnormals. */
function scaleDown(value: bigint, shift: number): number {
  const exponent = bitLength(value) - shift;
  const spare = exponent < -1021 ? -1021 - exponent : 0;
  const drop = Math.max(bitLength(value) - Math.max(53 - spare, 0), 0);
  const unit = 1n << BigInt(drop);
  const half = unit >> 1n;
  const low = value % unit;
  let kept = value / unit;
  if (low > half || (low === half && drop > 0 && kept % 2n === 1n)) kept += 1n;
  let result = Number(kept);
  for (let left = drop - shift; left !== 0;) {
    const step = Math.max(Math.min(left, 1000), -1000);
    result *= 2 ** step;
    left -= step;
  }
  return result;
}

function moduloFloats(a: number, b: number): number {
  if (b === 0) raise("ZeroDivisionError", "float modulo");
  const rest = a % b;
  if (rest === 0) return Object.is(b, -0) || b < 0 ? -0 : 0;
  return rest < 0 !== b < 0 ? rest + b : rest;
}

/** CPython's `float_floor_div`. */
function floorDivideFloats(a: number, b: number): number {
  if (b === 0) raise("ZeroDivisionError", "float floor division by zero");
  const rest = a % b;
  let quotient = (a - rest) / b;
  if (rest !== 0 && rest < 0 !== b < 0) quotient -= 1;
  if (quotient === 0) return a / b < 0 || Object.is(a / b, -0) ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

/** Null where the result is complex. */
function powerFloats(a: number, b: number): number | null {
  if (a === 0 && b < 0 && Number.isFinite(b))
    raise("ZeroDivisionError", "0.0 cannot be raised to a negative power");
  if (a === 1 || b === 0) return 1;
  if (a === -1 && Math.abs(b) === Infinity) return 1;
  const finite = Number.isFinite(a) && Number.isFinite(b);
  if (!finite || a === 0) return a ** b;
  if (a < 0 && !Number.isInteger(b)) return null;
  const magnitude = positivePower(Math.abs(a), b);
  const result = a < 0 && b % 2 !== 0 ? -magnitude : magnitude;
  if (!Number.isFinite(result)) {
    raise("OverflowError", "(34, 'Numerical result out of range')");
  }
  return result;
}

function power(a: bigint, b: bigint): Value {
  if (b < 0n) return onFloats("**", toFloat(a), toFloat(b));
  const size = BigInt(bitLength(a)) * b;
  if (size > BigInt(MEMORY) && a !== 0n && a !== 1n && a !== -1n) raise("MemoryError", "");
  return new PyInt(a ** b);
}

function onInts(op: ArithmeticOp, a: bigint, b: bigint): Value {
  if (op === "+") return new PyInt(a + b);
  if (op === "-") return new PyInt(a - b);
  if (op === "*") return new PyInt(a * b);
  if (op === "/") return new PyFloat(divideInts(a, b));
  if (op === "//") return new PyInt(floorDivideInts(a, b));
  return op === "%" ? new PyInt(moduloInts(a, b)) : power(a, b);
}

function onFloats(op: ArithmeticOp, a: number, b: number): Value {
  if (op !== "**") return new PyFloat(floatResult(op, a, b));
  const result = powerFloats(a, b);
  if (result !== null) return new PyFloat(result);
  return raiseComplex(new PyComplex(a, 0), new PyComplex(b, 0));
}

function floatResult(op: Exclude<ArithmeticOp, "**">, a: number, b: number): number {
  if (op === "+") return a + b;
  if (op === "-") return a - b;
  if (op === "*") return a * b;
  if (op === "//") return floorDivideFloats(a, b);
  if (op === "%") return moduloFloats(a, b);
  if (b === 0) raise("ZeroDivisionError", "float division by zero");
  return a / b;
}

// ---------------------------------------------------------------- sequences

type Sequence = PyStr | PyList | PyTuple | PyBytes;

function isSequence(value: Value): value is Sequence {
  const items = value instanceof PyList || value instanceof PyTuple;
  return items || value instanceof PyStr || value instanceof PyBytes;
}

function sizeOf(sequence: Sequence): number {
  if (sequence instanceof PyStr) return sequence.text.length;
  return sequence instanceof PyBytes ? sequence.values.length : sequence.items.length;
}

function addText(a: PyStr, b: PyStr): PyStr {
  if (a instanceof Markup || b instanceof Markup)
    return new Markup(escape(a).text + escape(b).text);
  return str(a.text + b.text);
}

function addSequences(a: Value, b: Value): Value | null {
  if (a instanceof PyStr && b instanceof PyStr) return addText(a, b);
  if (a instanceof PyList && b instanceof PyList) return new PyList([...a.items, ...b.items]);
  if (a instanceof PyTuple && b instanceof PyTuple) return new PyTuple([...a.items, ...b.items]);
  if (a instanceof PyBytes) {
    if (b instanceof PyBytes) return new PyBytes([...a.values, ...b.values]);
    return raise("TypeError", `can't concat ${b.typeName} to bytes`);
  }
  if (!isSequence(a) || a instanceof Markup) return null;
  const kind = a instanceof PyStr ? "str" : a instanceof PyList ? "list" : "tuple";
  return raise("TypeError", `can only concatenate ${kind} (not "${b.typeName}") to ${kind}`);
}

function repeat(sequence: Sequence, times: Value): Value {
  if (times instanceof Markup) {
    raise("TypeError", `'${sequence.typeName}' object cannot be interpreted as an integer`);
  }
  if (!(times instanceof PyInt)) {
    raise(
      "TypeError",
      sequence instanceof Markup
        ? `'${times.typeName}' object cannot be interpreted as an integer`
        : `can't multiply sequence by non-int of type '${times.typeName}'`,
    );
  }
  if (times.value >= 2n ** 63n || times.value < -(2n ** 63n)) {
    raise("OverflowError", "cannot fit 'int' into an index-sized integer");
  }
  const count = Number(times.value > 0n ? times.value : 0n);
  const size = sizeOf(sequence);
  if (size * count > MEMORY) raise("MemoryError", "");
  if (sequence instanceof Markup) return new Markup(sequence.text.repeat(count));
  if (sequence instanceof PyStr) return str(sequence.text.repeat(count));
  if (sequence instanceof PyBytes) {
    return new PyBytes(
      Array.from({ length: size === 0 ? 0 : count }, () => sequence.values).flat(),
    );
  }
  const items: Value[] = [];
  for (let round = 0; round < count && size > 0; round++) items.push(...sequence.items);
  return sequence instanceof PyList ? new PyList(items) : new PyTuple(items);
}

function onSequences(op: ArithmeticOp, a: Value, b: Value): Value | null {
  if (op === "+") return addSequences(a, b);
  if (op === "*" && isSequence(a)) return repeat(a, b);
  return op === "*" && isSequence(b) ? repeat(b, a) : null;
}

/** Complex numbers with each other and with numbers; null for what they do not have. */
function onComplex(op: ArithmeticOp, a: Value, b: Value): PyComplex | null {
  const complexOf = (value: Value): PyComplex | null => {
    if (value instanceof PyComplex) return value;
    const real = floatOf(value);
    return real === null ? null : new PyComplex(real, 0);
  };
  const [left, right] = [complexOf(a), complexOf(b)];
  if (left === null || right === null) return null;
  if (op === "+") return new PyComplex(left.real + right.real, left.imaginary + right.imaginary);
  if (op === "-") return new PyComplex(left.real - right.real, left.imaginary - right.imaginary);
  if (op === "*") return timesComplex(left, right);
  if (op === "/") return overComplex(left, right, "complex division by zero");
  return op === "**" ? raiseComplex(left, right) : null;
}

function timesComplex(a: PyComplex, b: PyComplex): PyComplex {
  const real = a.real * b.real - a.imaginary * b.imaginary;
  return new PyComplex(real, a.real * b.imaginary + a.imaginary * b.real);
}

function overComplex(a: PyComplex, b: PyComplex, zero: string): PyComplex {
  if (b.real === 0 && b.imaginary === 0) raise("ZeroDivisionError", zero);
  if (Math.abs(b.real) < Math.abs(b.imaginary)) {
    const ratio = b.real / b.imaginary;
    const below = b.real * ratio + b.imaginary;
    const real = (a.real * ratio + a.imaginary) / below;
    return new PyComplex(real, (a.imaginary * ratio - a.real) / below);
  }
  const ratio = b.imaginary / b.real;
  const below = b.real + b.imaginary * ratio;
  const real = (a.real + a.imaginary * ratio) / below;
  return new PyComplex(real, (a.imaginary - a.real * ratio) / below);
}

/** By the length and the angle; C knows no cosine of infinity. */
function turnedPower(a: PyComplex, b: PyComplex, zero: string): PyComplex {
  const { size, angle } = polar(a.real, a.imaginary);
  let length = lengthPower(size, b.real);
  let phase = angle * b.real;
  if (b.imaginary !== 0) {
    length /= exp(angle * b.imaginary);
    phase += b.imaginary * log(size);
  }
  if (Math.abs(phase) === Infinity) raise("ZeroDivisionError", zero);
  const [cosine, sine] = cosineAndSine(phase);
  return new PyComplex(length * cosine, length * sine);
}

/** Whole exponents up to 100 multiply, others go by the angle. */
function raiseComplex(a: PyComplex, b: PyComplex): PyComplex {
  const times = b.real;
  const zero = "0.0 to a negative or complex power";
  let result = new PyComplex(1, 0);
  if (b.imaginary === 0 && Number.isInteger(times) && Math.abs(times) <= 100) {
    const bits = Math.abs(times).toString(2).split("").reverse();
    let square = a;
    for (const bit of bits) {
      if (bit === "1") result = timesComplex(result, square);
      square = timesComplex(square, square);
    }
    if (times < 0) result = overComplex(new PyComplex(1, 0), result, zero);
  } else if (a.real === 0 && a.imaginary === 0) {
    if (times < 0 || b.imaginary !== 0) raise("ZeroDivisionError", zero);
    result = new PyComplex(0, 0);
  } else {
    result = turnedPower(a, b, zero);
  }
  const parts = [result.real, result.imaginary];
  return parts.includes(Infinity) || parts.includes(-Infinity)
    ? raise("OverflowError", "complex exponentiation")
    : result;
}

function unsupported(op: string, a: Value, b: Value): never {
  const name = op === "**" ? "** or pow()" : op;
  const kinds = `'${a.typeName}' and '${b.typeName}'`;
  return raise("TypeError", `unsupported operand type(s) for ${name}: ${kinds}`);
}

/** A binary operator. An Undefined refuses on either side, except as the argument of a format string. */
export function arithmetic(op: ArithmeticOp, a: Value, b: Value): Value {
  if (a instanceof Undefined) failUndefined(a);
  if (op === "%" && a instanceof PyStr) return percentFormat(a, b);
  if (op === "%" && a instanceof PyBytes) return percentBytes(a, b);
  const rest = op === "-" ? subtractSets(a, b) : null;
  if (rest !== null) return rest;
  if (op === "*" && a instanceof Markup) return repeat(a, b);
  if (b instanceof Undefined) failUndefined(b);
  const complex = a instanceof PyComplex || b instanceof PyComplex ? onComplex(op, a, b) : null;
  if (complex !== null) return complex;
  const operands = operandsOf(a, b);
  if (operands === null) return onSequences(op, a, b) ?? unsupported(op, a, b);
  if ("ints" in operands) return onInts(op, ...operands.ints);
  return onFloats(op, ...operands.floats);
}

/** Unary minus and plus. */
export function unary(op: "-" | "+", value: Value): Value {
  if (value instanceof Undefined) failUndefined(value);
  if (value instanceof PyInt) return new PyInt(op === "-" ? -value.value : value.value);
  if (value instanceof PyFloat) return new PyFloat(op === "-" ? -value.value : value.value);
  if (value instanceof PyComplex) {
    return op === "-" ? new PyComplex(-value.real, -value.imaginary) : value;
  }
  return raise("TypeError", `bad operand type for unary ${op}: '${value.typeName}'`);
}
