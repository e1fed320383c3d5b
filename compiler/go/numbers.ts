/** Go's number constants, after text/template/parse's newNumber, strconv and fmt.Sscan. */
import { quote, unquoteChar } from "./strings.js";

/** The readings of a constant, as ast.ts's NumberNode holds them. */
export interface Constant {
  readonly int: bigint | null;
  readonly uint: bigint | null;
  readonly float: number | null;
  readonly complex: { readonly real: number; readonly imaginary: number } | null;
  readonly rune: boolean;
}

/** A constant that Go refuses, with Go's message. */
export interface Refusal {
  readonly error: string;
}

const maxInt = (1n << 63n) - 1n;
const maxUint = (1n << 64n) - 1n;

/** A character constant `'a'` with its quotes. */
export function characterConstant(text: string): Constant | Refusal {
  const character = unquoteChar(text, 1, "'");
  if (character === null) return { error: "invalid syntax" };
  if (text.slice(character.next) !== "'") {
    return { error: `malformed character constant: ${text}` };
  }
  const { value } = character;
  return { int: BigInt(value), uint: BigInt(value), float: value, complex: null, rune: true };
}

/** A number that is no pair: integer, float or imaginary. */
export function numberConstant(text: string): Constant | Refusal {
  if (text.endsWith("i")) {
    const imaginary = parseFloat64(text.slice(0, -1));
    if (typeof imaginary === "number") return complexConstant(0, imaginary);
  }
  const unsigned = parseUint(text);
  const int = parseInt64(text);
  const uint = unsigned ?? (int === 0n ? 0n : null);
  const integer = int ?? uint;
  if (integer !== null) {
    return { int, uint, float: Number(integer), complex: null, rune: false };
  }
  const float = parseFloat64(text);
  if (typeof float !== "number") return { error: `illegal number syntax: ${quote(text)}` };
  if (!/[.eEpP]/.test(text)) return { error: `integer overflow: ${quote(text)}` };
  return { ...integersOf(float), float, complex: null, rune: false };
}

/** The pair `1+2i`, read as fmt.Sscan reads a complex128. */
export function pairConstant(text: string): Constant | Refusal {
  const tokens = complexTokens(text);
  if (tokens === null) return { error: "syntax error scanning complex number" };
  const real = convertFloat(tokens.real);
  if (typeof real !== "number") return real;
  const imaginary = convertFloat(tokens.imaginary);
  if (typeof imaginary !== "number") return imaginary;
  return complexConstant(real, imaginary);
}

function complexConstant(real: number, imaginary: number): Constant {
  const complex = { real, imaginary };
  if (imaginary !== 0) return { int: null, uint: null, float: null, complex, rune: false };
  return { ...integersOf(real), float: real, complex, rune: false };
}

/** The integer readings of a float that is integral and fits. */
function integersOf(float: number): { int: bigint | null; uint: bigint | null } {
  if (!Number.isInteger(float)) return { int: null, uint: null };
  const value = BigInt(float);
  const int = value >= -maxInt - 1n && value <= maxInt ? value : null;
  return { int, uint: value >= 0n && value <= maxUint ? value : null };
}

/** strconv.ParseInt(text, 0, 64). */
function parseInt64(text: string): bigint | null {
  const negative = text.startsWith("-");
  const magnitude = parseUint(/^[+-]/.test(text) ? text.slice(1) : text);
  if (magnitude === null || magnitude > (negative ? maxInt + 1n : maxInt)) return null;
  return negative ? -magnitude : magnitude;
}

/** strconv.ParseUint(text, 0, 64): prefixes, a leading 0 for octal, underscores between digits. */
function parseUint(text: string): bigint | null {
  if (!underscoresStandBetweenDigits(text)) return null;
  const digits = text.replaceAll("_", "").toLowerCase();
  if (/^0[0-7]+$/.test(digits)) return bounded(BigInt(`0o${digits}`));
  if (!/^(0|[1-9][0-9]*|0x[0-9a-f]+|0o[0-7]+|0b[01]+)$/.test(digits)) return null;
  return bounded(BigInt(digits));
}

function bounded(value: bigint): bigint | null {
  return value > maxUint ? null : value;
}

/** strconv's underscoreOK; a base prefix counts as a digit. */
function underscoresStandBetweenDigits(text: string): boolean {
  if (!text.includes("_")) return true;
  const unsigned = text.replace(/^[+-]/, "");
  const prefixed = /^0[box]/i.test(unsigned);
  const body = prefixed ? `0${unsigned.slice(2)}` : unsigned;
  const digit = /^0x/i.test(unsigned) ? "[0-9a-fA-F]" : "[0-9]";
  return !new RegExp(`(?<!${digit})_|_(?!${digit})`).test(body);
}

type FloatError = "invalid syntax" | "value out of range";

const decimalFloat = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const hexFloat = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)$/;

/** strconv.ParseFloat(text, 64) of what the lexer lets through. */
function parseFloat64(text: string): number | FloatError {
  if (!underscoresStandBetweenDigits(text)) return "invalid syntax";
  const digits = text.replaceAll("_", "");
  const hex = hexFloat.exec(digits);
  let value: number;
  if (hex !== null) {
    const [, sign = "", whole = "", fraction = "", exponent = "0"] = hex;
    if (whole + fraction === "") return "invalid syntax";
    const magnitude = scaled(
      BigInt(`0x${whole}${fraction}`),
      Number(exponent) - 4 * fraction.length,
    );
    value = sign === "-" ? -magnitude : magnitude;
  } else {
    if (!decimalFloat.test(digits)) return "invalid syntax";
    value = Number(digits);
  }
  return Number.isFinite(value) ? value : "value out of range";
}

/** mantissa × 2^exponent, rounded to the nearest float, ties to even. */
function scaled(mantissa: bigint, exponent: number): number {
  if (mantissa === 0n) return 0;
  const width = mantissa.toString(2).length;
  if (width + exponent > 1024) return Infinity;
  if (width + exponent < -1074) return 0;
  if (exponent >= 0) return Number(mantissa << BigInt(exponent));
  // Bits below the smallest subnormal, or beyond the 53 of a mantissa, are rounded away once.
  const dropped = Math.max(width - 53, -1074 - exponent, 0);
  const divisor = 1n << BigInt(dropped);
  const rest = mantissa % divisor;
  let kept = mantissa / divisor;
  const twice = rest * 2n;
  if (twice > divisor || (twice === divisor && kept % 2n === 1n)) kept += 1n;
  return multiplyByPowerOfTwo(Number(kept), exponent + dropped);
}

/** In two exact steps, since 2^-1074 × 2^… may not fit one factor. */
function multiplyByPowerOfTwo(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return value * 2 ** half * 2 ** (exponent - half);
}

/** fmt's reading of the two floats of a complex number; null where it finds no pair. */
function complexTokens(text: string): { real: string; imaginary: string } | null {
  const real = floatToken(text);
  const sign = text[real.length] ?? "";
  if (sign !== "+" && sign !== "-") return null;
  const imaginary = floatToken(text.slice(real.length + 1));
  if (text[real.length + 1 + imaginary.length] !== "i") return null;
  return { real, imaginary: sign + imaginary };
}

// The "i" is what fmt consumes while it looks for "Inf".
const hexToken = /^[+-]?[iI]?0[xX][0-9a-fA-F_]*\.?[0-9a-fA-F_]*([pP][+-]?[0-9_]*)?/;
const decimalToken = /^[+-]?[iI]?[0-9_]*\.?[0-9_]*([eEpP][+-]?[0-9_]*)?/;

function floatToken(text: string): string {
  return (hexToken.exec(text) ?? decimalToken.exec(text))?.[0] ?? "";
}

function convertFloat(token: string): number | Refusal {
  const value = parseFloat64(token);
  if (typeof value === "number") return value;
  return { error: `strconv.ParseFloat: parsing ${quote(token)}: ${value}` };
}
