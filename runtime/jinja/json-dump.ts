/** Python's json.dumps with the options of transformers' tojson. */
import { fail } from "../errors.js";
import { meter } from "../meter.js";
import { Float, isDict, OrderedDict } from "../values.js";
import { integerArgument } from "./arguments.js";
import { lt } from "./compare.js";
import { dictEntries } from "./dict.js";
import { unpack } from "./iterate.js";
import { failJson, jsonDouble, jsonKey, jsonNumber, jsonText, keyText } from "./json.js";
import { decimalText } from "./numbers.js";
import { truth } from "./print.js";
import { repeatText } from "./repeat.js";
import { Tuple } from "./tuple.js";
import { isInt, textOf, typeName } from "./types.js";
import { isProxy } from "./proxy.js";
import { failUndefined, isUndefined } from "./required.js";

interface Style {
  readonly ascii: boolean;
  /** What one level is indented by; null: everything on one line. */
  readonly indent: string | null;
  readonly comma: string;
  readonly colon: string;
  readonly sorts: boolean;
  readonly place: string;
}

/** `v | tojson(ensure_ascii, indent, separators, sort_keys)`. */
export function tojsonFilter(
  v: unknown,
  ensureAscii: unknown,
  indent: unknown,
  separators: unknown,
  sortKeys: unknown,
  place: string,
): string {
  // Python writes a text by itself before it looks at the rest.
  const text = textOf(v);
  const pair = separators === null ? null : unpack(separators, 2, place);
  const [comma, colon] =
    pair === null || text !== null
      ? [indent === null ? ", " : ",", ": "]
      : separatorsOf(pair, place);
  const margin = indent === null || text !== null ? null : marginOf(indent, place);
  const style = {
    ascii: truth(ensureAscii),
    indent: margin,
    comma,
    colon,
    sorts: truth(sortKeys),
    place,
  };
  return dump(v, "\n", style);
}

function marginOf(indent: unknown, place: string): string {
  const text = textOf(indent);
  if (text !== null) {
    return text;
  }
  if (isUndefined(indent)) return failUndefined(indent, place);
  const message = `can't multiply sequence by non-int of type '${typeName(indent)}'`;
  return isInt(indent)
    ? repeatText(" ", Math.max(0, integerArgument(indent, place)), place)
    : fail("TypeError", message, place);
}

function separatorsOf(
  [comma, colon]: readonly unknown[],
  place: string,
): readonly [comma: string, colon: string] {
  const between = separator(colon, 5, place);
  return [separator(comma, 6, place), between];
}

function separator(v: unknown, position: number, place: string): string {
  const message = `make_encoder() argument ${position} must be str, not ${typeName(v)}`;
  return textOf(v) ?? fail("TypeError", message, place);
}

/** `line` is the line break with the indentation around the value. */
function dump(v: unknown, line: string, style: Style): string {
  switch (typeof v) {
    case "string":
      return quoted(v, style);
    case "number":
      return jsonNumber(v);
    case "boolean":
      return String(v);
    case "bigint":
      return decimalText(v, style.place);
    case "object":
      return v === null ? "null" : dumpObject(v, line, style);
    default:
      return failJson(v, style.place);
  }
}

function dumpObject(v: object, line: string, style: Style): string {
  if (Array.isArray(v)) {
    return dumpItems(v, line, style);
  }
  if (isDict(v)) {
    return isProxy(v) ? failJson(v, style.place) : dumpFields(v, line, style);
  }
  if (v instanceof Float) {
    return jsonDouble(v.valueOf());
  }
  const text = textOf(v);
  if (text !== null) return quoted(text, style);
  return v instanceof Tuple ? dumpItems(Tuple.items(v), line, style) : failJson(v, style.place);
}

function quoted(s: string, style: Style): string {
  const text = jsonText(s);
  return style.ascii ? text.replace(/[\x7f-\uffff]/g, escapeUnit) : text;
}

function escapeUnit(c: string): string {
  return `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function dumpItems(items: readonly unknown[], line: string, style: Style): string {
  if (items.length === 0) return "[]";
  meter?.spendItems(items.length, style.place);
  const inner = line + (style.indent ?? "");
  if (style.indent !== null) meter?.spendText(inner.length * items.length, style.place);
  const between = style.indent === null ? style.comma : style.comma + inner;
  let out = style.indent === null ? "[" : "[" + inner;
  for (let i = 0; i < items.length; i++) {
    if (i > 0) out += between;
    out += dump(items[i], inner, style);
  }
  return out + (style.indent === null ? "]" : line + "]");
}

function dumpFields(dict: Readonly<Record<string, unknown>>, line: string, style: Style): string {
  const inner = line + (style.indent ?? "");
  const start = style.indent === null ? "{" : "{" + inner;
  const between = style.indent === null ? style.comma : style.comma + inner;
  let out = "";
  if (style.sorts || dict instanceof OrderedDict) {
    for (const [key, item] of entriesOf(dict, style)) {
      const name = quoted(keyText(key, style.place), style);
      out += (out === "" ? start : between) + name + style.colon + dump(item, inner, style);
    }
  } else {
    const keys = Object.keys(dict);
    meter?.spendItems(4 * keys.length);
    for (const key of keys) {
      const item = dict[key];
      if (item === undefined) continue;
      const name = style.ascii ? quoted(key, style) : jsonKey(key);
      out += (out === "" ? start : between) + name + style.colon + dump(item, inner, style);
    }
  }
  if (out === "") return "{}";
  return out + (style.indent === null ? "}" : line + "}");
}

function entriesOf(
  dict: Readonly<Record<string, unknown>>,
  { sorts, place }: Style,
): readonly (readonly [unknown, unknown])[] {
  const entries = dictEntries(dict);
  return sorts
    ? entries.sort(([a], [b]) => (lt(a, b, place) ? -1 : lt(b, a, place) ? 1 : 0))
    : entries;
}
