/** Python's str methods that change case, pad, classify and translate. */
import { fail } from "../errors.js";
import { meter } from "../meter.js";
import { byName, integerArgument, smallArgument, textArgument, textNamed } from "./arguments.js";
import { dictEntries, dictGet, dictOf } from "./dict.js";
import { isDict } from "../values.js";
import { checkCount, exactly, noKeywords } from "./sequence.js";
import {
  capitalize,
  casefold,
  isAlnumText,
  isDigitText,
  isLowerText,
  isNumericText,
  isTitleText,
  isUpperText,
  swapcase,
  title,
} from "./text-case.js";
import { characters, isSpace, lower, textLength, upper } from "./text.js";
import type { TextMethod } from "./text-methods.js";
import { isInt, textOf, typeName } from "./types.js";
import { ABSENT, itemOfObject, PythonObject, SEQUENCE } from "./protocol.js";
import { isProxy } from "./proxy.js";
import { quote } from "./quote.js";
import { failUndefined, isUndefined } from "./required.js";

function bare(name: string, change: (s: string) => string | boolean): TextMethod {
  return (s, args, kwargs, place) => {
    exactly(0, `str.${name}`, args, kwargs, place);
    return change(s);
  };
}

export const strUpper: TextMethod = (...call) => bare("upper", upper)(...call);
export const strLower: TextMethod = (...call) => bare("lower", lower)(...call);
export const strTitle: TextMethod = (...call) => bare("title", title)(...call);
export const strCapitalize: TextMethod = (...call) => bare("capitalize", capitalize)(...call);
export const strSwapcase: TextMethod = (...call) => bare("swapcase", swapcase)(...call);
export const strCasefold: TextMethod = (...call) => bare("casefold", casefold)(...call);

/** The predicates: each is false for the empty text, but for isascii and isprintable. */
const PREDICATES: Readonly<Record<string, (s: string) => boolean>> = {
  isalnum: isAlnumText,
  isalpha: (s) => /^\p{L}+$/u.test(s),
  isascii: (s) => /^[\0-\x7f]*$/.test(s),
  isdecimal: (s) => /^\p{Nd}+$/u.test(s),
  isdigit: isDigitText,
  // Four characters that continue names in Unicode 15.1 do not in CPython's.
  isidentifier: (s) =>
    /^[\p{XID_Start}_](?:(?![\u200c-\u200d\u30fb\uff65])\p{XID_Continue})*$/u.test(s),
  islower: isLowerText,
  isnumeric: isNumericText,
  isprintable: isPrintableText,
  isspace: (s) => s !== "" && [...s].every((c) => isSpace(c.charCodeAt(0))),
  istitle: isTitleText,
  isupper: isUpperText,
};

/** Whether repr() changes nothing but quotation marks and backslashes. */
function isPrintableText(s: string): boolean {
  const hasDouble = s.includes('"');
  const shown = s.replace(/[\\']/g, (c) => (c === "'" && !hasDouble ? c : `\\${c}`));
  return quote(s).slice(1, -1) === shown;
}

/** A predicate method of str, by its name; null for another name. */
export function predicate(name: string): TextMethod | null {
  const test = Object.hasOwn(PREDICATES, name) ? PREDICATES[name] : undefined;
  return test === undefined ? null : bare(name, test);
}

function padder(name: string, before: (missing: number, width: number) => number): TextMethod {
  return (s, args, kwargs, place) => {
    noKeywords(`str.${name}`, kwargs, place);
    checkCount(name, args, 1, 2, place);
    const width = integerArgument(args[0], place);
    const fill = args.length < 2 ? " " : fillCharacter(args[1], place);
    const missing = Math.max(0, width - textLength(s));
    meter?.spendText(missing, place);
    const left = before(missing, width);
    return fill.repeat(left) + s + fill.repeat(missing - left);
  };
}

function fillCharacter(v: unknown, place: string): string {
  const fill = textOf(v);
  if (fill === null) {
    const message = `The fill character must be a unicode character, not ${typeName(v)}`;
    return fail("TypeError", message, place);
  }
  return textLength(fill) === 1
    ? fill
    : fail("TypeError", "The fill character must be exactly one character long", place);
}

/** CPython puts the odd blank to the left where the width is odd. */
function centre(missing: number, width: number): number {
  return Math.floor(missing / 2) + (missing & width & 1);
}

export const strCenter: TextMethod = (...call) => padder("center", centre)(...call);
export const strLjust: TextMethod = (...call) => padder("ljust", () => 0)(...call);
export const strRjust: TextMethod = (...call) => padder("rjust", (missing) => missing)(...call);

export const strZfill: TextMethod = (s, args, kwargs, place) => {
  const width = integerArgument(exactly(1, "str.zfill", args, kwargs, place), place);
  const missing = Math.max(0, width - textLength(s));
  meter?.spendText(missing, place);
  const zeros = "0".repeat(missing);
  return /^[+-]/.test(s) ? s.slice(0, 1) + zeros + s.slice(1) : zeros + s;
};

export const strExpandtabs: TextMethod = (s, args, kwargs, place) => {
  const [tabsize] = byName("expandtabs", ["tabsize"], args, kwargs, place);
  const size = tabsize === undefined ? 8 : smallArgument(tabsize, place);
  let out = "";
  let column = 0;
  for (const c of s) {
    const blanks = c === "\t" && size > 0 ? size - (column % size) : 0;
    meter?.spendText(blanks, place);
    out += c === "\t" ? " ".repeat(blanks) : c;
    column = c === "\n" || c === "\r" ? 0 : column + (c === "\t" ? blanks : 1);
  }
  return out;
};

export const strTranslate: TextMethod = (s, args, kwargs, place) => {
  const given = exactly(1, "str.translate", args, kwargs, place);
  const text = textOf(given);
  const table = text === null ? given : characters(text);
  return characters(s)
    .map((c) => translated(c, looked(table, code(c), place), place))
    .join("");
};

/** What the table has for a character: an index that it lacks is a LookupError, which leaves the character. */
function looked(table: unknown, key: number, place: string): unknown {
  if (isDict(table)) {
    return dictGet(table, key, place);
  }
  if (isUndefined(table)) {
    return failUndefined(table, place);
  }
  if (Array.isArray(table)) {
    const items: readonly unknown[] = table;
    return items[key];
  }
  const isIndexed = table instanceof PythonObject && table[SEQUENCE]();
  const found = isIndexed ? itemOfObject(table, key, place) : ABSENT;
  if (!isIndexed) {
    return fail("TypeError", `'${typeName(table)}' object is not subscriptable`, place);
  }
  return found === ABSENT ? undefined : found;
}

function translated(c: string, target: unknown, place: string): string {
  if (target === undefined) {
    return c;
  }
  if (target === null) {
    return "";
  }
  if (isInt(target)) {
    const code = Number(target);
    return code >= 0 && code < 0x110000
      ? String.fromCodePoint(code)
      : fail("ValueError", "character mapping must be in range(0x110000)", place);
  }
  const message = "character mapping must return integer, None or str";
  return textOf(target) ?? fail("TypeError", message, place);
}

export const strMaketrans: TextMethod = (_s, args, kwargs, place) => {
  noKeywords("str.maketrans", kwargs, place);
  checkCount("maketrans", args, 1, 3, place);
  const [from, to, remove] = args;
  if (args.length === 1) {
    const message = "if you give only one argument to maketrans it must be a dict";
    return isDict(from) && !isProxy(from)
      ? codeTable(from, place)
      : fail("TypeError", message, place);
  }
  const source = textArgument(from, "first maketrans argument must be a string, not", place);
  const [keys, values] = [
    characters(source),
    characters(textNamed(to, "maketrans() argument 2", place)),
  ];
  const gone = args.length < 3 ? "" : textNamed(remove, "maketrans() argument 3", place);
  if (keys.length !== values.length) {
    const message = "the first two maketrans arguments must have equal length";
    return fail("ValueError", message, place);
  }
  const pairs: [unknown, unknown][] = keys.map((key, i) => [code(key), code(values[i] ?? "")]);
  const removed = characters(gone).map((c): [unknown, unknown] => [code(c), null]);
  return dictOf([...pairs, ...removed], place);
};

function code(c: string): number {
  return c.codePointAt(0) ?? 0;
}

function codeTable(table: Readonly<Record<string, unknown>>, place: string): object {
  return dictOf(
    dictEntries(table).map(([key, v]): [unknown, unknown] => [codeOf(key, place), v]),
    place,
  );
}

function codeOf(key: unknown, place: string): unknown {
  const text = textOf(key);
  if (text !== null) {
    const message = "string keys in translate table must be of length 1";
    return textLength(text) === 1 ? code(text) : fail("ValueError", message, place);
  }
  const message = "keys in translate table must be strings or integers";
  return isInt(key) ? key : fail("TypeError", message, place);
}
