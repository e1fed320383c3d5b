/**
 * Go's string and character literals (strconv's Unquote and Quote). A byte that is no UTF-8 stands
 * in JavaScript strings as U+DC80 + (byte − 0x80).
 */

const simpleEscapes: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["b", 8],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
  ["v", 11],
  ["\\", 92],
]);

const hexLengths: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

/** One character of a literal: a code point, or a single byte written as `\x..` or `\...`. */
export interface LiteralCharacter {
  readonly value: number;
  readonly isByte: boolean;
  /** The offset after it. */
  readonly next: number;
}

/** The character of a quoted literal at an offset, null where strconv.UnquoteChar fails. */
export function unquoteChar(text: string, at: number, quoteMark: string): LiteralCharacter | null {
  const code = text.codePointAt(at);
  if (code === undefined || text[at] === quoteMark) return null;
  if (text[at] !== "\\") {
    const value = isLoneSurrogate(code) ? 0xfffd : code;
    return { value, isByte: false, next: at + (code > 0xffff ? 2 : 1) };
  }
  return unquoteEscape(text, at + 1, quoteMark);
}

function unquoteEscape(text: string, at: number, quoteMark: string): LiteralCharacter | null {
  const letter = text[at];
  if (letter === undefined) return null;
  const simple = letter === quoteMark ? letter.charCodeAt(0) : simpleEscapes.get(letter);
  if (simple !== undefined) return { value: simple, isByte: false, next: at + 1 };
  const length = hexLengths.get(letter);
  if (length !== undefined) return unquoteHex(text, at + 1, length);
  const octal = text.slice(at, at + 3);
  if (!/^[0-7]{3}$/.test(octal)) return null;
  const value = Number.parseInt(octal, 8);
  return value > 255 ? null : { value, isByte: true, next: at + 3 };
}

function unquoteHex(text: string, at: number, length: number): LiteralCharacter | null {
  const digits = text.slice(at, at + length);
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits)) return null;
  const value = Number.parseInt(digits, 16);
  const isByte = length === 2;
  if (!isByte && (value > 0x10ffff || isLoneSurrogate(value))) return null;
  return { value, isByte, next: at + length };
}

/** The value of a string literal with its quotes, null where strconv.Unquote says "invalid syntax". */
export function unquote(literal: string): string | null {
  const inner = literal.slice(1, -1);
  if (literal.startsWith("`")) return inner.replaceAll("\r", "");
  if (!inner.includes("\\")) return inner.includes("\n") ? null : inner.toWellFormed();
  const bytes: number[] = [];
  let at = 0;
  while (at < inner.length) {
    const character = inner[at] === "\n" ? null : unquoteChar(inner, at, '"');
    if (character === null) return null;
    if (character.isByte) bytes.push(character.value);
    else appendUtf8(bytes, character.value);
    at = character.next;
  }
  return decodeUtf8(bytes);
}

function isLoneSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function isEscapedByte(code: number): boolean {
  return code >= 0xdc80 && code <= 0xdcff;
}

function appendUtf8(bytes: number[], code: number): void {
  if (code < 0x80) bytes.push(code);
  else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
  else if (code < 0x10000)
    bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  else {
    bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63));
    bytes.push(0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
}

function decodeUtf8(bytes: readonly number[]): string {
  let text = "";
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    const lead = bytes[at] ?? 0;
    if (length === 0) {
      text += String.fromCharCode(0xdc00 + lead);
      at++;
      continue;
    }
    let code = length === 1 ? lead : lead & (0x7f >> length);
    for (let i = 1; i < length; i++) code = (code << 6) | ((bytes[at + i] ?? 0) & 63);
    text += String.fromCodePoint(code);
    at += length;
  }
  return text;
}

/** The length of the well-formed UTF-8 sequence at an offset, 0 if there is none. */
function sequenceLength(bytes: readonly number[], at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i] ?? 0;
    if (byte < 0x80 || byte > 0xbf) return 0;
  }
  const second = bytes[at + 1] ?? 0;
  if (lead === 0xe0 && second < 0xa0) return 0;
  if (lead === 0xed && second > 0x9f) return 0;
  if (lead === 0xf0 && second < 0x90) return 0;
  if (lead === 0xf4 && second > 0x8f) return 0;
  return length;
}

/** The number of UTF-8 bytes of a text. */
export function byteLength(text: string): number {
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80 || isEscapedByte(code)) length += 1;
    else length += code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}

const namedEscapes: ReadonlyMap<number, string> = new Map([
  [7, "\\a"],
  [8, "\\b"],
  [9, "\\t"],
  [10, "\\n"],
  [11, "\\v"],
  [12, "\\f"],
  [13, "\\r"],
  [34, '\\"'],
  [92, "\\\\"],
]);

/** A text as Go's `%q` prints it (strconv.Quote). */
export function quote(text: string): string {
  let quoted = '"';
  for (const character of text) quoted += quoteCharacter(character.codePointAt(0) ?? 0);
  return `${quoted}"`;
}

function quoteCharacter(code: number): string {
  const named = namedEscapes.get(code);
  if (named !== undefined) return named;
  if (isEscapedByte(code)) return `\\x${(code - 0xdc00).toString(16)}`;
  if (isLoneSurrogate(code)) return "\u{fffd}";
  if (isPrint(code)) return String.fromCodePoint(code);
  const hex = code.toString(16);
  if (code < 0x20 || code === 0x7f) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** Whether Go prints a code point as it is (strconv.IsPrint). */
function isPrint(code: number): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(String.fromCodePoint(code));
}

/** A code point as Go's `%#U` prints it: `U+0041 'A'`. */
export function unicodeNotation(code: number): string {
  const point = isLoneSurrogate(code) ? 0xfffd : code;
  const notation = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  return isPrint(point) ? `${notation} '${String.fromCodePoint(point)}'` : notation;
}

/** Go's unicode.IsLetter, IsDigit or the underscore: what identifiers are made of. */
export function isAlphaNumeric(code: number): boolean {
  if (code < 0x80) {
    return (
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      code === 95
    );
  }
  return !isLoneSurrogate(code) && /^[\p{L}\p{Nd}]$/u.test(String.fromCodePoint(code));
}
