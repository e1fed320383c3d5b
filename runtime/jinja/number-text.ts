/** How Python reads numbers from text: int(text, base) and float(text). */
import { int } from "./numbers.js";
import { strip } from "./text.js";

/** The text with the decimal digits of every script, which Python takes for numbers, as those of ASCII. */
export function asciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (c) => (c <= "9" ? c : String(digitValue(c))));
}

/** The numeral without white space around it; empty where that has U+001C to U+001F, which C reads as no space. */
function plainNumeral(text: string): string {
  const numeral = strip(text);
  const at = text.indexOf(numeral);
  const around = text.slice(0, at) + text.slice(at + numeral.length);
  return /[\x1c-\x1f]/.test(around) ? "" : asciiDigits(numeral).toLowerCase();
}

/** The digits of a script follow each other, so the value is the distance to its zero. */
function digitValue(c: string): number {
  const code = c.codePointAt(0) ?? 0;
  let start = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) {
    start--;
  }
  return (code - start) % 10;
}

const PREFIXES: Readonly<Record<string, number>> = { "0b": 2, "0o": 8, "0x": 16 };

/** `int(text, base)`, null where Python raises a ValueError. */
export function parseInteger(text: string, base: number): number | bigint | null {
  const match = /^([+-]?)(.*)$/s.exec(plainNumeral(text));
  const sign = match?.[1] === "-" ? -1n : 1n;
  const body = match?.[2] ?? "";
  const prefix = PREFIXES[body.slice(0, 2)];
  const marked = prefix !== undefined && (base === prefix || base === 0);
  const radix = base === 0 ? (prefix ?? 10) : base;
  const digits = marked ? body.slice(2).replace(/^_/, "") : body;
  if (!/^[0-9a-z]+(?:_[0-9a-z]+)*$/.test(digits)) {
    return null;
  }
  const plain = digits.replaceAll("_", "");
  if (base === 0 && !marked && /^0+[1-9]/.test(plain)) {
    return null;
  }
  const tooLong = plain.length > 4300 && (radix & (radix - 1)) !== 0;
  const n = tooLong ? null : parseDigits(plain, radix);
  return n === null ? null : int(sign * n);
}

function parseDigits(digits: string, radix: number): bigint | null {
  if ([...digits].some((c) => Number.parseInt(c, 36) >= radix)) {
    return null;
  }
  if (radix === 10) {
    return BigInt(digits);
  }
  let n = 0n;
  for (const c of digits) {
    n = n * BigInt(radix) + BigInt(Number.parseInt(c, 36));
  }
  return n;
}

const FLOAT = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/;

/** `float(text)` as a double, null where Python raises a ValueError. */
export function parseDouble(text: string): number | null {
  const plain = plainNumeral(text);
  const special = /^([+-]?)(?:(inf|infinity)|nan)$/.exec(plain);
  if (special !== null) {
    const size = special[2] === undefined ? NaN : Infinity;
    return special[1] === "-" ? -size : size;
  }
  return FLOAT.test(plain) ? Number(plain.replaceAll("_", "")) : null;
}
