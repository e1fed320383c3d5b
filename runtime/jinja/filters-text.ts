/** Jinja2's filters on text (filters.py), without autoescape. */
import { fail } from "../errors.js";
import { meter } from "../meter.js";
import { isDict, value, type Value } from "../values.js";
import { slice } from "./access.js";
import { add, mod } from "./arithmetic.js";
import { comparedArgument, integerArgument } from "./arguments.js";
import { dictEntries, dictOf, keywordEntries } from "./dict.js";
import { escapeText } from "./escape.js";
import { iteratorOf, lengthOf, list, unpack } from "./iterate.js";
import { escape, Markup, markup } from "./markup.js";
import { str, truth } from "./print.js";
import { PythonObject, wrapped } from "./protocol.js";
import type { Keywords } from "./protocol.js";
import { isProxy } from "./proxy.js";
import { quote } from "./quote.js";
import { repeatText } from "./repeat.js";
import { striptags } from "./striptags.js";
import { capitalize } from "./text-case.js";
import { replaceCount, splitLines } from "./text-methods.js";
import { strCenter } from "./text-shapes.js";
import { lower, strip, stripChars, upper } from "./text.js";
import { Tuple } from "./tuple.js";
import { isInt, qualifiedType, textOf, typeName } from "./types.js";
import { failUndefined, isUndefined } from "./required.js";
import { urlQuote } from "./url-quote.js";

/** A change of text: str() of the value, Markup stays Markup. */
function change(v: unknown, how: (s: string) => string): Value {
  if (typeof v === "string") {
    return value(how(v));
  }
  const text = textOf(v);
  return value(text === null || !(v instanceof PythonObject) ? how(str(v)) : wrapped(v, how(text)));
}

/** `v | string`: Markup stays Markup. */
export function stringFilter(v: unknown, _place?: string): Value {
  return value(textOf(v) === null ? str(v) : v);
}

/** `v | safe`. */
export function safeFilter(v: unknown, _place?: string): Value {
  return markup(v);
}

/** `v | escape`. */
export function escapeFilter(v: unknown, _place?: string): Value {
  return escape(v);
}

/** `v | forceescape`. */
export function forceescapeFilter(v: unknown, _place?: string): Value {
  return value(new Markup(escapeText(str(v))));
}

/** `v | upper`. */
export function upperFilter(v: unknown, _place: string): Value {
  return change(v, upper);
}

/** `v | lower`. */
export function lowerFilter(v: unknown, _place: string): Value {
  return change(v, lower);
}

/** `v | capitalize`. */
export function capitalizeFilter(v: unknown, _place: string): Value {
  return change(v, capitalize);
}

const WORD_START =
  /([-\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000({[<]+)/;

/** `v | title`: words begin after white space, a hyphen or a bracket; not Python's title(). */
export function titleFilter(v: unknown, _place: string): string {
  const words = str(v).split(WORD_START);
  return words
    .map((word) => {
      const [first = ""] = word;
      return upper(first) + lower(word.slice(first.length));
    })
    .join("");
}

/** `v | trim(chars)`. */
export function trimFilter(v: unknown, chars: unknown, place: string): Value {
  if (chars === null) {
    return change(v, strip);
  }
  const set = textOf(chars) ?? fail("TypeError", "strip arg must be None or str", place);
  return change(v, (s) => stripChars(s, set));
}

/** `v | center(width)`. */
export function centerFilter(v: unknown, width: unknown, place: string): Value {
  integerArgument(width, place);
  return change(v, (s) => str(strCenter(s, [width], null, place)));
}

/** `v | replace(old, new, count)`. */
export function replaceFilter(
  v: unknown,
  old: unknown,
  text: unknown,
  count: unknown,
  place: string,
): string {
  const most = count === null ? -1 : integerArgument(count, place);
  return replaceCount(str(v), str(old), str(text), most);
}

/** `v | format(*args, **kwargs)`. */
export function formatFilter(
  v: unknown,
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
): Value {
  const named = keywordEntries(kwargs);
  if (args.length > 0 && named.length > 0) {
    const message = "can't handle positional and keyword arguments at the same time";
    return fail("FilterArgumentError", message, place);
  }
  const values = named.length > 0 ? dictOf(named, place) : new Tuple(args);
  return mod(stringFilter(v), values, place);
}

/** `v | indent(width, first, blank)`. */
export function indentFilter(
  v: unknown,
  width: unknown,
  first: unknown,
  blank: unknown,
  place: string,
): Value {
  const margin = textOf(width) ?? repeatText(" ", Math.max(0, marginWidth(width, place)), place);
  const text = textOf(v);
  if (text === null) {
    return failIndent(v, place);
  }
  const lines = splitLines(text + "\n", false);
  meter?.spendText(margin.length * lines.length, place);
  const indented = lines.map((line, i) =>
    i > 0 && (truth(blank) || line !== "") ? margin + line : line,
  );
  const result = (truth(first) ? margin : "") + indented.join("\n");
  return value(v instanceof PythonObject ? wrapped(v, result) : result);
}

function marginWidth(width: unknown, place: string): number {
  if (isUndefined(width)) return failUndefined(width, place);
  const message = `can't multiply sequence by non-int of type '${typeName(width)}'`;
  return isInt(width) ? integerArgument(width, place) : fail("TypeError", message, place);
}

function failIndent(v: unknown, place: string): never {
  if (isUndefined(v)) {
    return failUndefined(v, place);
  }
  if (Array.isArray(v)) {
    return fail("AttributeError", "'list' object has no attribute 'splitlines'", place);
  }
  const message =
    v instanceof Tuple
      ? 'can only concatenate tuple (not "str") to tuple'
      : `unsupported operand type(s) for +=: '${typeName(v)}' and 'str'`;
  return fail("TypeError", message, place);
}

/** `v | truncate(length, killwords, end, leeway)`. */
export function truncateFilter(
  v: unknown,
  length: unknown,
  killwords: unknown,
  end: unknown,
  leeway: unknown,
  place: string,
): Value {
  const tail = lengthOf(end, place);
  const most = comparedArgument(length, place);
  const slack = leeway === null ? 5 : comparedArgument(leeway, place);
  if (most < tail) {
    return fail("AssertionError", `expected length >= ${tail}, got ${most}`, place);
  }
  if (slack < 0) {
    return fail("AssertionError", `expected leeway >= 0, got ${slack}`, place);
  }
  if (lengthOf(v, place) <= most + slack) {
    return value(v);
  }
  const kept = slice(v, null, most - tail, null, place);
  return add(truth(killwords) ? kept : wholeWords(kept, place), end, place);
}

function wholeWords(v: unknown, place: string): Value {
  const text = textOf(v);
  if (text === null) {
    const isBytes = typeName(v) === "bytes";
    return isBytes
      ? fail("TypeError", "a bytes-like object is required, not 'str'", place)
      : fail("AttributeError", `'${typeName(v)}' object has no attribute 'rsplit'`, place);
  }
  const blank = text.lastIndexOf(" ");
  return change(v, (s) => (blank < 0 ? s : s.slice(0, blank)));
}

/** `v | wordcount`. */
export function wordcountFilter(v: unknown, _place: string): number {
  return str(v).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0;
}

/** `v | striptags`. */
export function striptagsFilter(v: unknown, _place: string): string {
  return striptags(str(v));
}

/** `v | urlencode`: text, or the pairs of a query. */
export function urlencodeFilter(v: unknown, place: string): string {
  // `self` has items but no __iter__: Python iterates it, and does not take it for an Iterable.
  const isSelf = qualifiedType(v) === "jinja2.runtime.TemplateReference";
  if (textOf(v) !== null || isSelf || iteratorOf(v, place) === null) {
    return urlQuote(str(v), false, place);
  }
  const pairs =
    isDict(v) && !isProxy(v)
      ? dictEntries(v)
      : list(v, place).map((pair) => unpack(pair, 2, place));
  const quoted = pairs.map((pair) =>
    pair.map((part) => urlQuote(str(part), true, place)).join("="),
  );
  return quoted.join("&");
}

/** `v | xmlattr(autospace)`. */
export function xmlattrFilter(v: unknown, autospace: unknown, place: string): string {
  const attributes: string[] = [];
  for (const [key, item] of pairsOf(v, place)) {
    if (item === null || isUndefined(item)) {
      continue;
    }
    const name = textOf(key);
    if (name === null) {
      return fail("TypeError", "expected string or bytes-like object", place);
    }
    if (/[\t-\r />=]/.test(name)) {
      return fail("ValueError", `Invalid character in attribute name: ${quote(name)}`, place);
    }
    attributes.push(`${str(escape(key))}="${str(escape(item))}"`);
  }
  return (truth(autospace) && attributes.length > 0 ? " " : "") + attributes.join(" ");
}

/** `v.items()` as Python code calls it: an AttributeError where there is none. */
export function pairsOf(v: unknown, place: string): [unknown, unknown][] {
  if (isUndefined(v)) {
    return failUndefined(v, place);
  }
  return isDict(v)
    ? dictEntries(v)
    : fail("AttributeError", `'${typeName(v)}' object has no attribute 'items'`, place);
}
