/** Text of strangers where people read it: in errors, and in a terminal, which obeys control characters. */

/** Control characters but tabs and line breaks, and signs that change the direction of text. */
const CONTROL = /(?![\t\n])[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The text with each such character as one that shows it: as many UTF-16 units as before. */
export function inertText(text: string): string {
  return text.replace(CONTROL, (sign) => {
    const code = sign.charCodeAt(0);
    if (code < 32) return String.fromCharCode(0x2400 + code);
    return code === 127 ? "␡" : "␦";
  });
}

const LONGEST = 300;

/** The text on one line, shortened where it is long. */
export function inertLine(text: string): string {
  const line = inertText(text.replace(/[\r\n\u2028\u2029]+/g, " "));
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
