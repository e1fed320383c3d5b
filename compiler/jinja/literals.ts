/** The values of string and number literals, as Jinja2's lexer gets them from Python's codecs. */
import { characterNamed, hasNames } from "./character-names.js";
import { numericEscape } from "./characters.js";

/** Why a literal has no value: the message that Jinja2 passes on from Python. */
export class LiteralError extends Error {}

/** Python 3.11 refuses to read or print longer decimal integers. */
const MAX_DECIMAL_DIGITS = 4300;

const NON_ASCII = /[\u0080-\u{10ffff}]/gu;
const ESCAPE =
  /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{0,2})|u([0-9a-fA-F]{0,4})|U([0-9a-fA-F]{0,8})|(N)(?:\{([^}]*)\})?|([^]))/g;
const SIMPLE: Readonly<Record<string, string>> = {
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/**
 * Decodes the inside of a string literal like `lexer.py` does: to ASCII with `backslashreplace`, then from
 * `unicode-escape`, so that a backslash before a non-ASCII character escapes that character's own escape.
 */
export function decodeString(inside: string): string {
  if (!inside.includes("\\")) return inside;
  const ascii = inside.replace(NON_ASCII, (char) => numericEscape(char.codePointAt(0) ?? 0));
  return ascii.replace(ESCAPE, (whole, octal, x, u, long, n, name, simple) => {
    if (typeof octal === "string") return String.fromCharCode(parseInt(octal, 8));
    if (typeof x === "string") return codePoint(x, 2, "truncated \\xXX escape");
    if (typeof u === "string") return codePoint(u, 4, "truncated \\uXXXX escape");
    if (typeof long === "string") return codePoint(long, 8, "truncated \\UXXXXXXXX escape");
    if (n === "N") return named(typeof name === "string" ? name : undefined);
    return SIMPLE[String(simple)] ?? whole;
  });
}

function codePoint(digits: string, width: number, truncated: string): string {
  if (digits.length < width) throw new LiteralError(truncated);
  const code = parseInt(digits, 16);
  if (code > 0x10ffff) throw new LiteralError("illegal Unicode character");
  return String.fromCodePoint(code);
}

function named(name: string | undefined): string {
  if (name === undefined || name === "") throw new LiteralError("malformed \\N character escape");
  const char = characterNamed(name);
  if (char !== null) return char;
  throw new LiteralError(
    hasNames()
      ? "unknown Unicode character name"
      : "the names of characters are not loaded: call registerCharacterNames() of chat-template-compiler/character-names",
  );
}

/** `int(text, 0)` of an integer token. */
export function integerValue(text: string): number | bigint {
  const digits = asciiDigits(text.replaceAll("_", ""));
  if (/^[0-9]+$/.test(digits) && digits.length > MAX_DECIMAL_DIGITS) {
    throw new LiteralError(
      `Exceeds the limit (${MAX_DECIMAL_DIGITS} digits) for integer string conversion: value has ` +
        `${digits.length} digits; use sys.set_int_max_str_digits() to increase the limit`,
    );
  }
  const value = BigInt(digits);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** `literal_eval(text)` of a float token; unlike `int` it takes ASCII digits only. */
export function floatValue(text: string): number {
  const foreign = /[\u0080-\u{10ffff}]/u.exec(text)?.[0];
  if (foreign !== undefined) {
    const code = (foreign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    throw new LiteralError(`invalid character '${foreign}' (U+${code})`);
  }
  return Number(text.replaceAll("_", ""));
}

/** Decimal digits of every script as ASCII: the blocks of `Nd` are runs of ten, aligned at their zero. */
function asciiDigits(text: string): string {
  return text.replace(/[\u0080-\u{10ffff}]/gu, (char) => {
    const code = char.codePointAt(0) ?? 0;
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return String((code - zero) % 10);
  });
}
