/** Python's character classes and `repr`, as far as templates and error messages need them. */

/** The members of Python's `\s` in a `str` pattern, which are those of `str.isspace` too. */
export const PYTHON_SPACE =
  "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

const UNPRINTABLE = /[\p{C}\p{Z}]/u;
const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Whether a UTF-16 unit is a member of {@link PYTHON_SPACE}, without a pattern, which a process would compile first. */
function isSpaceCode(code: number): boolean {
  if (code <= 0x20) return (code >= 9 && code <= 13) || code >= 0x1c;
  if (code < 0x1680) return code === 0x85 || code === 0xa0;
  if (code >= 0x2000 && code <= 0x200a) return true;
  return (
    code === 0x1680 ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** Where the white space ends that begins here, if any does. */
export function spaceEnd(text: string, start: number): number {
  let end = start;
  while (isSpaceCode(text.charCodeAt(end))) end++;
  return end;
}

/** Python's `str.isspace`. */
export function isSpace(text: string): boolean {
  return text !== "" && spaceEnd(text, 0) === text.length;
}

/** Python's `str.rstrip()`. */
export function stripEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isSpaceCode(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Python's `repr` of a string. */
export function reprOf(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let body = "";
  for (const char of text) body += char === quote || char === "\\" ? `\\${char}` : escapeOf(char);
  return quote + body + quote;
}

function escapeOf(char: string): string {
  const short = SHORT_ESCAPES[char];
  if (short !== undefined) return short;
  if (char === " " || !UNPRINTABLE.test(char)) return char;
  return numericEscape(char.codePointAt(0) ?? 0);
}

/** The escape that `backslashreplace` and `repr` write for a code point. */
export function numericEscape(code: number): string {
  const digits = code.toString(16);
  if (code <= 0xff) return `\\x${digits.padStart(2, "0")}`;
  if (code <= 0xffff) return `\\u${digits.padStart(4, "0")}`;
  return `\\U${digits.padStart(8, "0")}`;
}
