/** fmt's formatter of basic values (format.go): flags, width and precision. */
import { formatFloat } from "./go-float.js";
import { canBackquote, quote, quoteRune } from "./go-quote.js";
import { encodeRune, isPrint, runes, toBytes } from "./go-utf8.js";

/** The flags of one verb; plusV and sharpV are `%+v` and `%#v`. */
export interface Flags {
  minus: boolean;
  plus: boolean;
  sharp: boolean;
  space: boolean;
  zero: boolean;
  plusV: boolean;
  sharpV: boolean;
  width: number | null;
  precision: number | null;
}

export function noFlags(): Flags {
  return {
    minus: false,
    plus: false,
    sharp: false,
    space: false,
    zero: false,
    plusV: false,
    sharpV: false,
    width: null,
    precision: null,
  };
}

function padding(count: number, flags: Flags): string {
  return (flags.zero && !flags.minus ? "0" : " ").repeat(Math.max(count, 0));
}

/** Pads to the width, counted in runes. */
function pad(bytes: Uint8Array, flags: Flags): Uint8Array {
  if (flags.width === null || flags.width === 0) return bytes;
  const fill = toBytes(padding(flags.width - runes(bytes).length, flags));
  return Uint8Array.from(flags.minus ? [...bytes, ...fill] : [...fill, ...bytes]);
}

export function padText(text: string, flags: Flags): Uint8Array {
  return pad(toBytes(text), flags);
}

/** The first `precision` runes. */
function truncated(bytes: Uint8Array, flags: Flags): Uint8Array {
  if (flags.precision === null) return bytes;
  const end = runes(bytes)[flags.precision];
  return end === undefined ? bytes : bytes.slice(0, end.at);
}

/** %s */
export function formatString(bytes: Uint8Array, flags: Flags): Uint8Array {
  return pad(truncated(bytes, flags), flags);
}

/** %q */
export function formatQuoted(bytes: Uint8Array, flags: Flags): Uint8Array {
  const cut = truncated(bytes, flags);
  if (flags.sharp && canBackquote(cut)) return pad(Uint8Array.from([0x60, ...cut, 0x60]), flags);
  return pad(quote(cut, flags.plus), flags);
}

/** %x and %X of bytes: here the precision counts bytes. */
export function formatHex(bytes: Uint8Array, upper: boolean, flags: Flags): Uint8Array {
  const cut = flags.precision === null ? bytes : bytes.slice(0, flags.precision);
  if (cut.length === 0) return toBytes(padding(flags.width ?? 0, flags));
  const prefix = flags.sharp ? "0x" : "";
  const pairs = Array.from(cut, (b) => b.toString(16).padStart(2, "0"));
  const plain = flags.space ? pairs.map((p) => prefix + p).join(" ") : prefix + pairs.join("");
  const text = upper ? plain.toUpperCase() : plain;
  const fill = padding((flags.width ?? 0) - text.length, flags);
  return toBytes(flags.minus ? text + fill : fill + text);
}

/** %c */
export function formatCharacter(code: bigint, flags: Flags): Uint8Array {
  return pad(Uint8Array.from(encodeRune(toRune(code))), flags);
}

/** %q of an integer */
export function formatQuotedCharacter(code: bigint, flags: Flags): Uint8Array {
  return pad(quoteRune(toRune(code), flags.plus), flags);
}

/** A rune from the unsigned reading of an integer; too large a one is U+FFFD. */
function toRune(code: bigint): number {
  const unsigned = BigInt.asUintN(64, code);
  return unsigned > 0x10ffffn ? 0xfffd : Number(unsigned);
}

/** %U */
export function formatUnicode(code: bigint, flags: Flags): Uint8Array {
  const unsigned = BigInt.asUintN(64, code);
  const digits = Math.max(flags.precision ?? 4, 4);
  let text = `U+${unsigned.toString(16).toUpperCase().padStart(digits, "0")}`;
  if (flags.sharp && unsigned <= 0x10ffffn && isPrint(Number(unsigned))) {
    text += ` '${String.fromCodePoint(Number(unsigned))}'`;
  }
  return padText(text, { ...flags, zero: false });
}

/** %d %b %o %O %x %X: a width with the flag 0 is a precision, a precision switches the flag off. */
export function formatInteger(value: bigint, base: number, verb: string, flags: Flags): Uint8Array {
  const spaced = { ...flags, zero: false };
  if (flags.precision === 0 && value === 0n) return toBytes(padding(flags.width ?? 0, spaced));
  const negative = value < 0n;
  const sign = negative ? "-" : flags.plus ? "+" : flags.space ? " " : "";
  let digits = (negative ? -value : value).toString(base);
  let precision = flags.precision ?? 0;
  if (flags.precision === null && flags.zero && !flags.minus && flags.width !== null) {
    precision = flags.width - sign.length;
  }
  digits = digits.padStart(precision, "0");
  if (flags.sharp && base === 2) digits = `0b${digits}`;
  if (flags.sharp && base === 8 && !digits.startsWith("0")) digits = `0${digits}`;
  if (flags.sharp && base === 16) digits = `0x${digits}`;
  if (verb === "X") digits = digits.toUpperCase();
  if (verb === "O") digits = `0o${digits}`;
  return padText(sign + digits, spaced);
}

/** %e %f %g %b %x and capitals: `precision` is the verb's default, −1 for the shortest form. */
export function formatFloating(
  value: number,
  verb: string,
  defaultPrecision: number,
  flags: Flags,
): Uint8Array {
  const precision = flags.precision ?? defaultPrecision;
  const plain = formatFloat(value, verb, precision);
  const signed = /^[+-]/.test(plain) ? plain : `+${plain}`;
  let sign = signed.charAt(0);
  if (flags.space && sign === "+" && !flags.plus) sign = " ";
  let number = signed.slice(1);
  if (!Number.isFinite(value)) {
    const hidden = Number.isNaN(value) && !flags.space && !flags.plus;
    const shown = hidden || (sign === "+" && !flags.plus) ? number : sign + number;
    return padText(shown, { ...flags, zero: false });
  }
  if (flags.sharp && verb !== "b") number = withPoint(number, verb, precision);
  if (!flags.plus && sign === "+") return padText(number, flags);
  const width = flags.width ?? 0;
  if (flags.zero && !flags.minus && width > number.length + 1) {
    return toBytes(sign + padding(width - number.length - 1, flags) + number);
  }
  return padText(sign + number, flags);
}

/** The flag #: always a decimal point, and for %g the trailing zeros. */
function withPoint(number: string, verb: string, precision: number): string {
  let digits = "gGx".includes(verb) ? (precision === -1 ? 6 : precision) : 0;
  const exponent = /[xX]/.test(verb) ? /[pP].*$/ : /[eEpP].*$/;
  const tail = exponent.exec(number)?.[0] ?? "";
  let head = number.slice(0, number.length - tail.length);
  let significant = false;
  for (const character of head) {
    if (character === ".") continue;
    if (character !== "0") significant = true;
    if (significant) digits--;
  }
  if (!head.includes(".")) {
    if (head === "0") digits--;
    head += ".";
  }
  return head + "0".repeat(Math.max(digits, 0)) + tail;
}
