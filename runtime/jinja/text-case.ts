/** Python's case mappings and character classes where JavaScript has none of its own. */
import { characters } from "./text.js";

const GEORGIAN = /^[\u10d0-\u10fa\u10fd-\u10ff]$/;
const DIGRAPHS: readonly string[] = [
  "\u01c4\u01c5\u01c6",
  "\u01c7\u01c8\u01c9",
  "\u01ca\u01cb\u01cc",
  "\u01f1\u01f2\u01f3",
];
const CASED = /[\p{Lowercase}\p{Uppercase}\p{Lt}]/u;

/** The title case of one character, by Unicode's full mapping. */
function titleCharacter(c: string): string {
  if (GEORGIAN.test(c)) {
    return c;
  }
  const digraph = DIGRAPHS.find((forms) => forms.includes(c));
  if (digraph !== undefined) {
    return digraph.charAt(1);
  }
  const upper = c.toUpperCase();
  return upper.length === c.length ? upper : titleExpansion(c, upper);
}

/** An upper case of several letters: only the first stays a capital; an iota goes below where it can. */
function titleExpansion(c: string, upper: string): string {
  if (c === "\u0149") {
    return upper;
  }
  const [first = "", ...rest] = characters(upper);
  if (rest.at(-1) === "\u0399" && /[\u1f80-\u1fff]/.test(c)) {
    const low = upper.slice(0, -1) + "\u0345";
    return low.length === 2 ? low.normalize("NFC") : low;
  }
  return first + rest.join("").toLowerCase();
}

/** `s.capitalize()`. */
export function capitalize(s: string): string {
  const [first] = s;
  if (first === undefined) {
    return s;
  }
  // The whole text is lowered, since a final sigma depends on what stands before it.
  return titleCharacter(first) + s.toLowerCase().slice(first.toLowerCase().length);
}

/** `s.title()`. */
export function title(s: string): string {
  let out = "";
  let word = false;
  const lowered = s.toLowerCase();
  let at = 0;
  for (const c of s) {
    const size = c.toLowerCase().length;
    out += word ? lowered.slice(at, at + size) : titleCharacter(c);
    word = CASED.test(c);
    at += size;
  }
  return out;
}

/** `s.swapcase()`. */
export function swapcase(s: string): string {
  const lowered = s.toLowerCase();
  let out = "";
  let at = 0;
  for (const c of s) {
    const size = c.toLowerCase().length;
    if (/\p{Uppercase}/u.test(c)) {
      out += lowered.slice(at, at + size);
    } else {
      out += /\p{Lowercase}/u.test(c) ? c.toUpperCase() : c;
    }
    at += size;
  }
  return out;
}

/** `s.casefold()`. */
export function casefold(s: string): string {
  return characters(s).map(foldCharacter).join("");
}

/** Folding goes through the upper case, but for dotless i, and for Cherokee, which folds to its capitals. */
function foldCharacter(c: string): string {
  if (c === "\u0131" || /[\u13a0-\u13f5]/.test(c)) {
    return c;
  }
  if (/[\u13f8-\u13fd\uab70-\uabbf]/.test(c)) {
    return c.toUpperCase();
  }
  const folded = c.toUpperCase().toLowerCase();
  return folded === "\u03c2" ? "\u03c3" : folded === "\u00df" ? "ss" : folded;
}

/** `s.isupper()`. */
export function isUpperText(s: string): boolean {
  return /\p{Uppercase}/u.test(s) && !/[\p{Lowercase}\p{Lt}]/u.test(s);
}

/** `s.islower()`. */
export function isLowerText(s: string): boolean {
  return /\p{Lowercase}/u.test(s) && !/[\p{Uppercase}\p{Lt}]/u.test(s);
}

/** `s.istitle()`. */
export function isTitleText(s: string): boolean {
  let word = false;
  let cased = false;
  for (const c of s) {
    const high = /[\p{Uppercase}\p{Lt}]/u.test(c);
    const low = !high && /\p{Lowercase}/u.test(c);
    if ((high && word) || (low && !word)) {
      return false;
    }
    word = high || low;
    cased ||= word;
  }
  return cased;
}

const DIGIT =
  /^[\p{Nd}\u00b2\u00b3\u00b9\u1369-\u1371\u19da\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792\u{10a40}-\u{10a43}\u{10e60}-\u{10e68}\u{11052}-\u{1105a}\u{1f100}-\u{1f10a}]+$/u;
const NUMERIC_IDEOGRAPH =
  /[\u3405\u3483\u382a\u3b4d\u4e00\u4e03\u4e07\u4e09\u4e5d\u4e8c\u4e94\u4e96\u4ebf-\u4ec0\u4edf\u4ee8\u4f0d\u4f70\u5104\u5146\u5169\u516b\u516d\u5341\u5343-\u5345\u534c\u53c1-\u53c4\u56db\u58f1\u58f9\u5e7a\u5efe-\u5eff\u5f0c-\u5f0e\u5f10\u62fe\u634c\u67d2\u6f06\u7396\u767e\u8086\u842c\u8cae\u8cb3\u8d30\u9621\u9646\u964c\u9678\u96f6\uf96b\uf973\uf978\uf9b2\uf9d1\uf9d3\uf9fd\u{20001}\u{20064}\u{200e2}\u{20121}\u{2092a}\u{20983}\u{2098c}\u{2099c}\u{20aea}\u{20afd}\u{20b19}\u{22390}\u{22998}\u{23b1b}\u{2626d}\u{2f890}]/u;

/** `s.isdigit()`. */
export function isDigitText(s: string): boolean {
  return DIGIT.test(s);
}

/** `s.isnumeric()`. */
export function isNumericText(s: string): boolean {
  return s !== "" && [...s].every(isNumericCharacter);
}

function isNumericCharacter(c: string): boolean {
  return /\p{N}/u.test(c) || NUMERIC_IDEOGRAPH.test(c);
}

/** `s.isalnum()`. */
export function isAlnumText(s: string): boolean {
  return s !== "" && [...s].every((c) => /\p{L}/u.test(c) || isNumericCharacter(c));
}
