/** Unicode's character names, which Python's string literals may use: `\N{BULLET}`. */

let rows: string | null = null;
let table: ReadonlyMap<string, string> | null = null;

/** Makes the names known: a first code point, then the names from there on, a row each. */
export function provideNames(given: string): void {
  if (rows !== given) table = null;
  rows = given;
}

/** Whether names are known at all: their table is large, and templates hardly ever have one. */
export function hasNames(): boolean {
  return rows !== null;
}

/**
 * The character of a name, in upper or lower case as in Python's unicodedata, or null. Held are Latin and Greek
 * letters, punctuation, symbols and emoji; ideographs are named by their code point.
 */
export function characterNamed(name: string): string | null {
  const upper = name.toUpperCase();
  const ideograph = /^CJK UNIFIED IDEOGRAPH-([4-9][0-9A-F]{3})$/.exec(upper)?.[1];
  if (ideograph !== undefined) {
    const char = String.fromCodePoint(parseInt(ideograph, 16));
    return char >= "\u4e00" && char <= "\u9fff" ? char : null;
  }
  table ??= readTable(rows ?? "");
  return table.get(upper) ?? null;
}

function readTable(text: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const row of text.split("\n")) {
    const [first, ...rest] = row.split("|");
    const start = parseInt(first ?? "", 16);
    rest.forEach((name, i) => {
      if (name !== "") names.set(name, String.fromCodePoint(start + i));
    });
  }
  return names;
}
