/** Python's complex numbers, as far as a power of a negative number makes one. */
import { float } from "../values.js";
import { floatRepr } from "./decimal.js";
import { fail } from "../errors.js";
import { cosineAndSine } from "./double-double.js";
import { powerOf } from "./power.js";
import { Method } from "./method.js";
import { exactly } from "./sequence.js";
import { ABSENT, ATTRIBUTE, EQUALS, PythonObject, REPR, TRUTH } from "./protocol.js";

/** A complex number: it can be printed, compared and taken apart. */
export class Complex extends PythonObject {
  readonly #real: number;
  readonly #imaginary: number;

  constructor(real: number, imaginary: number) {
    super("complex");
    this.#real = real;
    this.#imaginary = imaginary;
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
    return (
      other instanceof Complex && this.#real === other.#real && this.#imaginary === other.#imaginary
    );
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

function plain(n: number): string {
  return floatRepr(n).replace(/\.0$/, "");
}

/** `x ** y` of a negative x, as CPython's c_pow. */
export function complexPower(x: number, y: number, place: string): Complex {
  const size = powerOf(Math.abs(x), y);
  if (!Number.isFinite(size)) {
    return fail("OverflowError", "complex exponentiation", place);
  }
  const [cosine, sine] = cosineAndSine(Math.PI * y);
  return new Complex(size * cosine, size * sine);
}
