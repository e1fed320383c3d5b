/** Go's complex128, which only a template's constants can make. */

import { Opaque } from "../values.js";

/** A complex constant such as `1+2i`. */
export class Complex extends Opaque {
  readonly #real: number;
  readonly #imaginary: number;

  constructor(real: number, imaginary: number) {
    super();
    this.#real = real;
    this.#imaginary = imaginary;
  }

  static parts(complex: Complex): readonly [real: number, imaginary: number] {
    return [complex.#real, complex.#imaginary];
  }
}
