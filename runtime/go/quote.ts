/** strconv's quoting. */

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** strconv.IsPrint: letters, marks, numbers, punctuation, symbols and the ASCII space. */
export function isPrint(point: number): boolean {
  return PRINTABLE.test(String.fromCodePoint(point));
}

/** strconv.CanBackquote: one line, no control character but tab, no backquote, no byte order mark, valid UTF-8. */
export function canBackquote(s: string): boolean {
  return s.isWellFormed() && /^[\t -_a-~\u0080-\ufefe\uff00-\uffff]*$/.test(s);
}

/** strconv.Quote, or QuoteToASCII. */
export function quote(s: string, ascii: boolean): string {
  let out = '"';
  for (const sign of s) {
    out += escapeRune(sign.codePointAt(0) ?? 0, '"', ascii);
  }
  return out + '"';
}

/** strconv.QuoteRune, or QuoteRuneToASCII. */
export function quoteRune(point: number, ascii: boolean): string {
  return "'" + escapeRune(validRune(point), "'", ascii) + "'";
}

/** The code point itself, U+FFFD where there is no such character. */
export function validRune(point: number): number {
  return point >= 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff) ? point : 0xfffd;
}

const SHORT_ESCAPES: Readonly<Record<number, string>> = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
};

function escapeRune(rune: number, quotation: string, ascii: boolean): string {
  if (rune >= 0xdc80 && rune <= 0xdcff) {
    return "\\x" + hex(rune - 0xdc00, 2);
  }
  const point = validRune(rune);
  const sign = String.fromCodePoint(point);
  if (sign === quotation || sign === "\\") {
    return "\\" + sign;
  }
  if ((point < 0x80 || !ascii) && isPrint(point)) {
    return sign;
  }
  const short = SHORT_ESCAPES[point];
  if (short !== undefined) {
    return short;
  }
  if (point < 0x20 || point === 0x7f) {
    return "\\x" + hex(point, 2);
  }
  return point < 0x10000 ? "\\u" + hex(point, 4) : "\\U" + hex(point, 8);
}

function hex(n: number, width: number): string {
  return n.toString(16).padStart(width, "0");
}
