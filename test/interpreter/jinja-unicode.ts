/** Python's view of characters: white space, case, classes, lines. */
import { chars } from "./jinja-values.js";

/** `str.isspace`: white space by category, by direction, and the four separators U+001C to U+001F. */
function isSpace(char: string): boolean {
  return /^[\t-\r\u001c-\u001f \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/.test(
    char,
  );
}

export type Side = "left" | "right" | "both";

/** `strip`, `lstrip`, `rstrip`: of white space, or of a set of characters. */
export function strip(text: string, set: string | null, side: Side): string {
  const members = set === null ? null : new Set(chars(set));
  const drop = (char: string | undefined): boolean =>
    char !== undefined && (members === null ? isSpace(char) : members.has(char));
  const all = chars(text);
  let start = 0;
  let end = all.length;
  if (side !== "right") while (start < end && drop(all[start])) start++;
  if (side !== "left") while (end > start && drop(all[end - 1])) end--;
  return all.slice(start, end).join("");
}

/** `splitlines`: at \n, \r\n, \r and the other line boundaries of Unicode. */
export function splitLines(text: string, keepEnds: boolean): string[] {
  const lines: string[] = [];
  const pattern =
    /([^\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]*)(\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]|$)/gu;
  for (const [all = "", line = ""] of text.matchAll(pattern)) {
    if (all !== "") lines.push(keepEnds ? all : line);
  }
  return lines;
}

/** Splits at runs of white space; at most `limit` times when it is not negative. */
export function splitSpace(text: string, limit: number): string[] {
  const parts: string[] = [];
  let rest = strip(text, null, "left");
  while (rest !== "") {
    const all = chars(rest);
    const end = all.findIndex((char) => isSpace(char));
    // What is left at the limit keeps the white space at its end.
    if (end < 0 || parts.length === limit) return [...parts, rest];
    parts.push(all.slice(0, end).join(""));
    rest = strip(all.slice(end).join(""), null, "left");
  }
  return parts;
}

/** Splits at runs of white space from the right. */
export function splitSpaceRight(text: string, limit: number): string[] {
  const flipped = chars(text).reverse().join("");
  return splitSpace(flipped, limit)
    .map((part) => chars(part).reverse().join(""))
    .reverse();
}

// ---------------------------------------------------------------- case

/** Title case of one code point: a few letters have one that is neither upper nor lower. */
function titleChar(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  // DŽ, LJ, NJ and DZ in their three cases; the title case is the middle one.
  if (code >= 0x1c4 && code <= 0x1cc) return String.fromCharCode(code - ((code - 0x1c4) % 3) + 1);
  if (code >= 0x1f1 && code <= 0x1f3) return "\u01f2";
  // Georgian letters have no title case of their own.
  if ((code >= 0x10d0 && code <= 0x10fa) || (code >= 0x10fd && code <= 0x10ff)) return char;
  // Greek with iota subscript: the title case keeps the iota below.
  if (code >= 0x1f80 && code <= 0x1faf) return String.fromCharCode(code | 8);
  if (code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3) return String.fromCharCode(code + 9);
  if (code === 0x1fbc || code === 0x1fcc || code === 0x1ffc) return char;
  const upper = char.toUpperCase();
  const all = chars(upper);
  if (all.length === 1) return upper;
  // What expands keeps its first letter upper; an iota that was below goes back under.
  const head = all.findIndex((each) => isCased(each)) + 1;
  const tail = all.slice(head).join("").replaceAll("\u0399", "\u0345");
  return all.slice(0, head).join("") + tail.toLowerCase();
}

function isCased(char: string): boolean {
  return /^[\p{Lowercase}\p{Uppercase}\p{Lt}]$/u.test(char);
}

export function lower(text: string): string {
  return text.toLowerCase();
}

export function upper(text: string): string {
  return text.toUpperCase();
}

export function capitalize(text: string): string {
  const all = chars(text);
  const [first = ""] = all;
  // Lower-casing the whole keeps the context of a final sigma.
  const rest = chars(text.toLowerCase());
  const lowered = chars(first.toLowerCase()).length;
  return titleChar(first) + rest.slice(lowered).join("");
}

/** `str.title`: every letter after a letter is lower, every other is title. */
export function title(text: string): string {
  const lowered = chars(text);
  let afterCased = false;
  return lowered
    .map((char, at) => {
      const result = afterCased ? lowerAt(lowered, at) : titleChar(char);
      afterCased = isCased(char);
      return result;
    })
    .join("");
}

/** A capital sigma at the end of a word is lower-cased by its context. */
function lowerAt(all: readonly string[], at: number): string {
  const char = all[at] ?? "";
  if (char !== "\u03a3") return char.toLowerCase();
  const before = all.slice(0, at).join("");
  const after = all.slice(at + 1).join("");
  const whole = `${before}${char}${after}`.toLowerCase();
  return whole.charAt(before.toLowerCase().length);
}

export function swapCase(text: string): string {
  return chars(text)
    .map((char, at, all) => {
      if (/^\p{Uppercase}$/u.test(char)) return lowerAt(all, at);
      return /^\p{Lowercase}$/u.test(char) ? char.toUpperCase() : char;
    })
    .join("");
}

/** `str.casefold`, from the full upper case, which agrees with it for the letters that expand. */
export function caseFold(text: string): string {
  return chars(text)
    .map((char) => {
      if (char === "\u00df" || char === "\u1e9e") return "ss";
      if (char === "\u0130") return "i\u0307";
      if (char === "\u0131") return char;
      return /^[\u13a0-\u13f5]$/.test(char)
        ? char
        : char.toUpperCase().toLowerCase().replaceAll("\u03c2", "\u03c3");
    })
    .join("");
}

// ---------------------------------------------------------------- classes

/** At least one character, and all of them in the class. */
function every(text: string, pattern: RegExp): boolean {
  return text !== "" && chars(text).every((char) => pattern.test(char));
}

const digitValues =
  /^[\p{Nd}\u00b2\u00b3\u00b9\u1369-\u1371\u19da\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792\u{10a40}-\u{10a43}\u{10e60}-\u{10e68}\u{11052}-\u{1105a}\u{1f100}-\u{1f10a}]$/u;

export const classes: Readonly<Record<string, (text: string) => boolean>> = {
  isalpha: (text) => every(text, /^\p{L}$/u),
  isdecimal: (text) => every(text, /^\p{Nd}$/u),
  isdigit: (text) => every(text, digitValues),
  isnumeric: (text) => every(text, isNumeric),
  isalnum: (text) =>
    every(text, new RegExp(`^[\\p{L}]$|${digitValues.source}|${isNumeric.source}`, "u")),
  isascii: (text) => /^[\u0000-\u007f]*$/.test(text),
  isspace: (text) => text !== "" && chars(text).every((char) => isSpace(char)),
  isidentifier: (text) =>
    /^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(text) && !/[\u200c-\u200d\u30fb\uff65]/.test(text),
  isprintable: (text) => chars(text).every((char) => char === " " || !/^[\p{C}\p{Z}]$/u.test(char)),
  islower: (text) => isCase(text, /^\p{Lowercase}$/u, /^[\p{Uppercase}\p{Lt}]$/u),
  isupper: (text) => isCase(text, /^\p{Uppercase}$/u, /^[\p{Lowercase}\p{Lt}]$/u),
  istitle,
};

/** Numbers of category N, and the ideographs that stand for numbers. */
const isNumeric =
  /^[\p{N}\u3405\u3483\u382a\u3b4d\u4e00\u4e03\u4e07\u4e09\u4e24\u4e5d\u4e8c\u4e94\u4e96\u4ebf-\u4ec0\u4edf\u4ee8\u4f0d\u4f70\u5104\u5146\u5169\u516b\u516d\u5341-\u5345\u534c\u53c1-\u53c4\u56db\u58f1\u58f9\u5e7a\u5efe-\u5eff\u5f0c-\u5f0e\u5f10\u62fe\u634c\u67d2\u6f06\u7396\u767e\u8086\u842c\u8cae\u8cb3\u8d30\u9621\u9646\u964c\u9678\u96f6\uf96b\uf973\uf978\uf9b2\uf9d1\uf9d3\uf9fd]$/u;

function isCase(text: string, wanted: RegExp, other: RegExp): boolean {
  const all = chars(text);
  return all.some((char) => wanted.test(char)) && !all.some((char) => other.test(char));
}

function istitle(text: string): boolean {
  let cased = false;
  let afterCased = false;
  for (const char of chars(text)) {
    if (/^[\p{Uppercase}\p{Lt}]$/u.test(char)) {
      if (afterCased) return false;
      [cased, afterCased] = [true, true];
    } else if (/^\p{Lowercase}$/u.test(char)) {
      if (!afterCased) return false;
    } else afterCased = false;
  }
  return cased;
}

/** The decimal digit that a character is in some script, or null. */
export function decimalValue(char: string): string | null {
  if (/^[0-9]$/.test(char)) return char;
  if (!/^\p{Nd}$/u.test(char)) return null;
  // Decimal digits come in runs of ten that start at zero, except that some blocks adjoin.
  const code = char.codePointAt(0) ?? 0;
  if (code >= 0x1d7ce && code <= 0x1d7ff) return String((code - 0x1d7ce) % 10);
  let zero = code;
  while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}
