/** Reads the string literals of Go source, by the rules of Go's specification. */

const LITERAL = /\/\/[^\n]*|\/\*[^]*?\*\/|'(?:[^'\\\n]|\\.)+'|`[^`]*`|"(?:[^"\\\n]|\\.)*"/g;
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))/g;
const SIMPLE: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Every string literal's value; those that hold bytes of their own (`"\xff"`) are left out. */
export function stringLiterals(source: string): string[] {
  const texts: string[] = [];
  for (const [literal] of source.matchAll(LITERAL)) {
    if (literal.startsWith("`")) texts.push(literal.slice(1, -1).replaceAll("\r", ""));
    else if (literal.startsWith('"') && !/\\(?:x[89a-fA-F]|[0-7]{3})/.test(literal))
      texts.push(literal.slice(1, -1).replaceAll(ESCAPE, unescaped));
  }
  return texts;
}

function unescaped(
  _whole: string,
  byte: string | undefined,
  short: string | undefined,
  long: string | undefined,
  _octal: string | undefined,
  simple: string | undefined,
): string {
  const hexadecimal = byte ?? short ?? long;
  if (hexadecimal !== undefined) return String.fromCodePoint(parseInt(hexadecimal, 16));
  return SIMPLE[simple ?? ""] ?? simple ?? "";
}
