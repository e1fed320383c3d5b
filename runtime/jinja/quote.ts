/** Python's repr() of a str. */

const PLAIN = /^[ -&(-[\]-~]*$/;
/** What Python calls not printable: controls, formats, surrogates, unassigned, and separators but the space. */
const SPECIAL = /[\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
/** What has an escape of its own, which is JSON's. */
const SHORT = "\\\n\r\t";

/** The text as Python prints it in containers and messages. */
export function quote(text: string): string {
  if (PLAIN.test(text)) {
    return `'${text}'`;
  }
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(SPECIAL, escapeCharacter);
  return mark + (mark === "'" ? escaped.replaceAll("'", "\\'") : escaped) + mark;
}

/** What repr() gives as Python's ascii() prints it. */
export function asciiOnly(printed: string): string {
  return printed.replace(/[^\0-\x7f]/gu, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return SHORT.includes(character)
    ? JSON.stringify(character).slice(1, -1)
    : escapeCode(character.codePointAt(0) ?? 0);
}

function escapeCode(code: number): string {
  const [mark, width] = code > 0xffff ? ["U", 8] : code > 0xff ? ["u", 4] : ["x", 2];
  return `\\${mark}${code.toString(16).padStart(width, "0")}`;
}
