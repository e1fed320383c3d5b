/** Python's repr() of a str. */

const PLAIN = /^[ -&(-[\]-~]*$/;
/** What Python calls not printable: controls, formats, surrogates, unassigned, and separators but the space. */
const SPECIAL = /[\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** The text as Python prints it in containers and messages. */
export function quote(text: string): string {
  if (PLAIN.test(text)) {
    return `'${text}'`;
  }
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(SPECIAL, escapeCharacter);
  return mark + (mark === "'" ? escaped.replaceAll("'", "\\'") : escaped) + mark;
}

/** The text as Python's ascii() prints it. */
export function quoteAscii(text: string): string {
  return quote(text).replace(/[^\0-\x7f]/gu, escapeCharacter);
}

function escapeCharacter(character: string): string {
  switch (character) {
    case "\\":
      return "\\\\";
    case "\n":
      return "\\n";
    case "\r":
      return "\\r";
    case "\t":
      return "\\t";
    default:
      return escapeCode(character.codePointAt(0) ?? 0);
  }
}

function escapeCode(code: number): string {
  const hex = code.toString(16);
  if (code <= 0xff) {
    return "\\x" + hex.padStart(2, "0");
  }
  return code <= 0xffff ? "\\u" + hex.padStart(4, "0") : "\\U" + hex.padStart(8, "0");
}
