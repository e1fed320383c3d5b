/** Exact decimal digits of doubles, as Python's dtoa gives them: correctly rounded, ties to even. */

/** The absolute value of a finite double as `numerator / 2 ** shift`. */
function fraction(n: number): readonly [numerator: bigint, shift: number] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(n));
  const bits = view.getBigUint64(0);
  const exponent = Number(bits >> 52n);
  const mantissa = bits & 0xfffffffffffffn;
  if (exponent === 0) {
    return [mantissa, 1074];
  }
  const full = mantissa | 0x10000000000000n;
  const shift = 1075 - exponent;
  return shift < 0 ? [full << BigInt(-shift), 0] : [full, shift];
}

/** `numerator / denominator` as an integer, ties to even; both are positive. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && (quotient & 1n) === 1n);
  return up ? quotient + 1n : quotient;
}

/** The digits of |n| with so many after the point, without the point. */
function scaledDigits(n: number, places: number): string {
  const [numerator, shift] = fraction(n);
  const denominator = 1n << BigInt(shift);
  return places >= 0
    ? divideHalfEven(numerator * 10n ** BigInt(places), denominator).toString()
    : divideHalfEven(numerator, denominator * 10n ** BigInt(-places)).toString();
}

/** No double has more digits after the point, nor as many significant ones: what follows is zeros. */
const MOST_DIGITS = 1074;

/** |n| in fixed notation, as `%.*f`; `places` is not negative. A RangeError where no text can hold them. */
export function fixedText(n: number, places: number): string {
  const exact = Math.min(places, MOST_DIGITS);
  const digits = scaledDigits(n, exact).padStart(exact + 1, "0");
  if (places === 0) return digits;
  return `${digits.slice(0, -exact)}.${digits.slice(-exact)}${"0".repeat(places - exact)}`;
}

/** |n| rounded to so many significant digits: the digits, and the exponent of the first one. */
function significant(n: number, count: number): readonly [digits: string, exponent: number] {
  if (n === 0) {
    return ["0".repeat(count), 0];
  }
  if (count > MOST_DIGITS) {
    const [digits, exponent] = significant(n, MOST_DIGITS);
    return [digits + "0".repeat(count - MOST_DIGITS), exponent];
  }
  const estimate = Number(Math.abs(n).toExponential(0).split("e")[1]);
  for (const exponent of [estimate - 1, estimate, estimate + 1]) {
    const digits = scaledDigits(n, count - 1 - exponent);
    if (digits.length === count) {
      return [digits, exponent];
    }
  }
  return ["0".repeat(count), 0];
}

/** |n| in exponential notation, as `%.*e`. */
export function exponentText(n: number, places: number): string {
  const [digits, exponent] = significant(n, places + 1);
  const fractional = places === 0 ? "" : `.${digits.slice(1)}`;
  return digits.slice(0, 1) + fractional + exponentSuffix(exponent);
}

/** An exponent as C prints it: a sign, and two digits at least. */
function exponentSuffix(exponent: number): string {
  return `e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** |n| in the shorter notation, as `%.*g`; `alternate` keeps trailing zeros. */
export function generalText(n: number, precision: number, alternate: boolean): string {
  const count = precision === 0 ? 1 : precision;
  const [digits, exponent] = significant(n, count);
  const trimmed = alternate ? digits : digits.replace(/0+$/, "") || "0";
  if (exponent < -4 || exponent >= count) {
    const fractional = trimmed.slice(1);
    const point = fractional === "" && !alternate ? "" : ".";
    return trimmed.slice(0, 1) + point + fractional + exponentSuffix(exponent);
  }
  if (exponent < 0) {
    return `0.${"0".repeat(-exponent - 1)}${trimmed}`;
  }
  const whole = trimmed.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const fractional = trimmed.slice(exponent + 1);
  return fractional === "" && !alternate ? whole : `${whole}.${fractional}`;
}

/** Python's repr() of a float: the shortest digits that read back, with an exponent outside 1e-4 … 1e16. */
export function floatRepr(n: number): string {
  if (!Number.isFinite(n)) {
    return String(n).replace("inity", "").toLowerCase();
  }
  const size = Math.abs(n);
  if (n === 0 || (size >= 1e-4 && size < 1e16)) {
    return (Object.is(n, -0) ? "-0" : String(n)) + (Number.isInteger(n) ? ".0" : "");
  }
  // An exponent has two digits at least.
  return n.toExponential().replace(/(?<=e.)(?=.$)/, "0");
}
