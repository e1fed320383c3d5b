/** Decimal digits of a float, exact and rounded half to even, for every way that Python writes numbers. */
import { shortestDigits } from "./jinja-text.js";

/** A finite float's magnitude as an exact fraction. */
export function fraction(value: number): { over: bigint; under: bigint } {
  let scaled = Math.abs(value);
  let under = 1n;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    under *= 2n;
  }
  return { over: BigInt(scaled), under };
}

export function roundHalfEven(over: bigint, under: bigint): bigint {
  const whole = over / under;
  const twice = (over % under) * 2n;
  const up = twice > under || (twice === under && whole % 2n === 1n);
  return up ? whole + 1n : whole;
}

/** The magnitude with so many decimals: `12.30`. */
export function fixedDigits(value: number, places: number): string {
  const { over, under } = fraction(value);
  const digits = roundHalfEven(over * 10n ** BigInt(places), under).toString();
  if (places === 0) return digits;
  const padded = digits.padStart(places + 1, "0");
  return `${padded.slice(0, -places)}.${padded.slice(-places)}`;
}

/** `places + 1` significant digits of the magnitude, and the exponent of the first. */
function significantDigits(value: number, places: number): { digits: string; exponent: number } {
  if (value === 0) return { digits: "0".repeat(places + 1), exponent: 0 };
  const { over, under } = fraction(value);
  for (let { exponent } = shortestDigits(value); ;) {
    const shift = BigInt(Math.abs(places - exponent));
    const power = 10n ** shift;
    const up = places >= exponent;
    const digits = roundHalfEven(up ? over * power : over, up ? under : under * power).toString();
    if (digits.length === places + 1) return { digits, exponent };
    exponent += digits.length > places + 1 ? 1 : -1;
  }
}

function exponential(value: number, places: number, keepPoint: boolean): string {
  const { digits, exponent } = significantDigits(value, places);
  const point = places > 0 || keepPoint ? "." : "";
  const sign = exponent < 0 ? "-" : "+";
  const power = String(Math.abs(exponent)).padStart(2, "0");
  return `${digits.charAt(0)}${point}${digits.slice(1)}e${sign}${power}`;
}

function stripZeros(digits: string): string {
  if (!digits.includes(".")) return digits;
  return digits.replace(/\.?0+(?=e|$)/, "");
}

/** `%g`; `dotZero` is the form of a float without a type, which keeps `.0` and turns to exponents one digit earlier. */
function general(value: number, precision: number, alternate: boolean, dotZero: boolean): string {
  const count = precision === 0 ? 1 : precision;
  const { exponent } = significantDigits(value, count - 1);
  if (exponent < -4 || exponent >= count - (dotZero ? 1 : 0)) {
    const text = exponential(value, count - 1, alternate);
    return alternate ? text : stripZeros(text);
  }
  const text = fixedDigits(value, count - 1 - exponent);
  if (alternate) return text.includes(".") ? text : `${text}.`;
  const stripped = stripZeros(text);
  return dotZero && !stripped.includes(".") ? `${stripped}.0` : stripped;
}

export interface FloatStyle {
  /** One of e, f, g; "" for a float without a type. */
  readonly type: string;
  readonly precision: number;
  /** The `#` flag. */
  readonly alternate: boolean;
}

/** The magnitude of a float in one of C's styles; infinities and NaN have names. */
export function floatDigits(value: number, style: FloatStyle): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return "inf";
  if (style.type === "e") return exponential(value, style.precision, style.alternate);
  if (style.type === "f") {
    const text = fixedDigits(value, style.precision);
    return style.alternate && style.precision === 0 ? `${text}.` : text;
  }
  return general(value, style.precision, style.alternate, style.type === "");
}

/** Whether a float is written with a minus sign. */
export function isNegative(value: number): boolean {
  return value < 0 || Object.is(value, -0);
}
