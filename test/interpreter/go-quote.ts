/** strconv.Quote and its relatives, on bytes. */
import { REPLACEMENT, encodeRune, isPrint, runes, toBytes } from "./go-utf8.js";

const LETTERS = new Map([
  [7, "\\a"],
  [8, "\\b"],
  [9, "\\t"],
  [10, "\\n"],
  [11, "\\v"],
  [12, "\\f"],
  [13, "\\r"],
]);

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

/** strconv's appendEscapedRune. */
function escaped(rune: number, quote: number, ascii: boolean): readonly number[] {
  if (rune === quote || rune === 0x5c) return [0x5c, rune];
  if (isPrint(rune) && (rune < 0x80 || !ascii)) return encodeRune(rune);
  const letter = LETTERS.get(rune);
  if (letter !== undefined) return [...toBytes(letter)];
  if (rune < 0x20 || rune === 0x7f) return [...toBytes(`\\x${hex(rune, 2)}`)];
  return [...toBytes(rune < 0x10000 ? `\\u${hex(rune, 4)}` : `\\U${hex(rune, 8)}`)];
}

/** strconv.Quote; with `ascii` strconv.QuoteToASCII. */
export function quote(bytes: Uint8Array, ascii: boolean): Uint8Array {
  const out: number[] = [0x22];
  for (const { rune, at, stray } of runes(bytes)) {
    if (stray) out.push(...toBytes(`\\x${hex(bytes[at] ?? 0, 2)}`));
    else out.push(...escaped(rune, 0x22, ascii));
  }
  out.push(0x22);
  return Uint8Array.from(out);
}

/** strconv.QuoteRune; with `ascii` strconv.QuoteRuneToASCII. */
export function quoteRune(rune: number, ascii: boolean): Uint8Array {
  const valid = rune <= 0x10ffff && !(rune >= 0xd800 && rune <= 0xdfff) ? rune : REPLACEMENT;
  return Uint8Array.from([0x27, ...escaped(valid, 0x27, ascii), 0x27]);
}

/** strconv.CanBackquote: one line of text without a backquote. */
export function canBackquote(bytes: Uint8Array): boolean {
  return runes(bytes).every(({ rune, stray }) => {
    if (stray || rune === 0xfeff || rune === 0x60 || rune === 0x7f) return false;
    return rune >= 0x20 || rune === 9;
  });
}
