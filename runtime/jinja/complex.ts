/** Python's complex numbers, as far as a power of a negative number makes one. */
import { float } from "../values.js";
import { floatRepr } from "./decimal.js";
import { fail } from "../errors.js";
import {
  angleOf,
  cosineAndSine,
  exponential,
  hypotenuse,
  logarithm,
  scaled,
} from "./double-double.js";
import { canonical } from "./hash.js";
import { powerOf } from "./power.js";
import { Method } from "./method.js";
import { toDouble } from "./numbers.js";
import { exactly } from "./sequence.js";
import { BaseObject } from "./object.js";
import { ABSENT, ATTRIBUTE, CANONICAL, EQUALS, REPR, TRUTH } from "./protocol.js";

/** A complex number: it can be printed, compared and taken apart. */
export class Complex extends BaseObject {
  readonly #real: number;
  readonly #imaginary: number;

  constructor(real: number, imaginary: number) {
    super("complex");
    this.#real = real;
    this.#imaginary = imaginary;
  }

  static of(c: Complex): Parts {
    return [c.#real, c.#imaginary];
  }

  /** The parts of a number, null for what is none. */
  static parts(v: unknown, place: string): Parts | null {
    if (v instanceof Complex) return [v.#real, v.#imaginary];
    const real = toDouble(v, place);
    return real === null ? null : [real, 0];
  }

  static size(c: Complex, place: string): number {
    const size = hypotenuse(c.#real, c.#imaginary);
    const isFinite = Number.isFinite(c.#real) && Number.isFinite(c.#imaginary);
    return isFinite && size === Infinity
      ? fail("OverflowError", "absolute value too large", place)
      : size;
  }

  static negative(c: Complex): Complex {
    return new Complex(-c.#real, -c.#imaginary);
  }

  override [TRUTH](): boolean {
    return this.#real !== 0 || this.#imaginary !== 0;
  }

  override [REPR](): string {
    const imaginary = `${plain(this.#imaginary)}j`;
    if (Object.is(this.#real, 0)) {
      return imaginary;
    }
    const sign = imaginary.startsWith("-") ? "" : "+";
    return `(${plain(this.#real)}${sign}${imaginary})`;
  }

  override [EQUALS](other: unknown): boolean {
    if (typeof other === "bigint") {
      const isWhole = this.#imaginary === 0 && Number.isInteger(this.#real);
      return isWhole && BigInt(this.#real) === other;
    }
    const parts = Complex.parts(other, "");
    return parts !== null && this.#real === parts[0] && this.#imaginary === parts[1];
  }

  override [CANONICAL](place: string): unknown {
    return this.#imaginary === 0
      ? canonical(this.#real, place)
      : Symbol.for(`complex(${this.#real + 0},${this.#imaginary})`);
  }

  override [ATTRIBUTE](name: string): unknown {
    switch (name) {
      case "real":
        return float(this.#real);
      case "imag":
        return float(this.#imaginary);
      case "conjugate":
        return new Method("built-in method conjugate of complex object", (args, kwargs, place) => {
          exactly(0, "complex.conjugate", args, kwargs, place);
          return new Complex(this.#real, -this.#imaginary);
        });
      default:
        return ABSENT;
    }
  }
}

/** The operators that complex numbers have. */
export type ComplexOperator = "+" | "-" | "*" | "/" | "**";

const ZERO_BASE = "0.0 to a negative or complex power";

type Parts = readonly [real: number, imaginary: number];

/** `a op b` where one of the two is complex and the other a number; null where not. */
export function complexResult(
  operator: ComplexOperator,
  a: unknown,
  b: unknown,
  place: string,
): Complex | null {
  if (!(a instanceof Complex) && !(b instanceof Complex)) return null;
  const [x, y] = [Complex.parts(a, place), Complex.parts(b, place)];
  if (x === null || y === null) return null;
  const [real, imaginary] = combined(operator, x, y, place);
  return new Complex(real, imaginary);
}

function combined(operator: ComplexOperator, [a, b]: Parts, [c, d]: Parts, place: string): Parts {
  switch (operator) {
    case "+":
      return [a + c, b + d];
    case "-":
      return [a - c, b - d];
    case "*":
      return [a * c - b * d, a * d + b * c];
    case "/":
      return quotient([a, b], [c, d], "complex division by zero", place);
    case "**":
      return power([a, b], [c, d], place);
  }
}

/** As CPython divides: by the larger part first, so that nothing overflows on the way. */
function quotient([a, b]: Parts, [c, d]: Parts, zero: string, place: string): Parts {
  if (c === 0 && d === 0) return fail("ZeroDivisionError", zero, place);
  if (Math.abs(c) >= Math.abs(d)) {
    const ratio = d / c;
    const under = c + d * ratio;
    return [(a + b * ratio) / under, (b - a * ratio) / under];
  }
  const ratio = c / d;
  const under = c * ratio + d;
  return [(a * ratio + b) / under, (b * ratio - a) / under];
}

/** CPython multiplies for whole exponents up to 100, and turns by the angle for others. */
function power(base: Parts, exponent: Parts, place: string): Parts {
  const [c, d] = exponent;
  const result =
    d === 0 && Number.isInteger(c) && Math.abs(c) <= 100
      ? wholePower(base, c, place)
      : anglePower(base, exponent, place);
  return result.some((part) => Math.abs(part) === Infinity)
    ? fail("OverflowError", "complex exponentiation", place)
    : result;
}

function wholePower(base: Parts, exponent: number, place: string): Parts {
  let result: Parts = [1, 0];
  let square = base;
  for (let left = Math.abs(exponent); left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = combined("*", result, square, place);
    square = combined("*", square, square, place);
  }
  return exponent < 0 ? quotient([1, 0], result, ZERO_BASE, place) : result;
}

function anglePower([a, b]: Parts, [c, d]: Parts, place: string): Parts {
  if (c === 0 && d === 0) return [1, 0];
  if (a === 0 && b === 0) {
    return c < 0 || d !== 0 ? fail("ZeroDivisionError", ZERO_BASE, place) : [0, 0];
  }
  const size = hypotenuse(a, b);
  const angle = angleOf(b, a);
  const length = d === 0 ? lengthOf(size, c) : lengthOf(size, c) / exponentialOf(angle * d);
  const phase = d === 0 ? angle * c : angle * c + d * logarithmOf(size);
  // C has an error of its own for the cosine of what is infinite, and CPython one message for both.
  if (Math.abs(phase) === Infinity) return fail("ZeroDivisionError", ZERO_BASE, place);
  const [cosine, sine] = cosineAndSine(phase);
  return [length * cosine, length * sine];
}

/** C's `pow` of a length; JavaScript has no power of one that is infinite or NaN. */
function lengthOf(size: number, exponent: number): number {
  return size === 1 ? 1 : powerOf(size, exponent);
}

/** `e ** x`, rounded once. */
function exponentialOf(x: number): number {
  if (!(Math.abs(x) < 746)) return Math.exp(x);
  const [[high, low], twos] = exponential([x, 0]);
  return scaled(high + low, twos);
}

/** The natural logarithm of a length, rounded once. */
function logarithmOf(x: number): number {
  return Number.isFinite(x) ? logarithm(x)[0] : x;
}

function plain(n: number): string {
  return floatRepr(n).replace(/\.0$/, "");
}

/** `x ** y` of a negative x, as CPython's c_pow. */
export function complexPower(x: number, y: number, place: string): Complex {
  const [real, imaginary] = power([x, 0], [y, 0], place);
  return new Complex(real, imaginary);
}
