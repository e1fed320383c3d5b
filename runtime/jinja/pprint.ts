/** Python's pprint.pformat with its defaults: width 80, keys of dicts sorted. */
import { meter } from "../meter.js";
import { isDict } from "../values.js";
import { lt } from "./compare.js";
import { dictEntries, dictOf } from "./dict.js";
import { repr } from "./print.js";
import { isProxy } from "./proxy.js";
import { quote } from "./quote.js";
import { textLength } from "./text.js";
import { splitLines } from "./text-methods.js";
import { Tuple } from "./tuple.js";
import { typeName } from "./types.js";

const WIDTH = 80;
const PROXY = "mappingproxy";

/** `v | pprint`. */
export function pprintFilter(v: unknown, _place: string): string {
  return layOut(v, 0, 0, 1);
}

/** `indent`: the columns before the value; `allowance`: the characters that follow on its last line. */
function layOut(v: unknown, indent: number, allowance: number, level: number): string {
  const flat = flatText(v);
  if (textLength(flat) <= WIDTH - indent - allowance) {
    return flat;
  }
  if (Array.isArray(v)) {
    return `[${layOutItems(v, indent, allowance + 1, level)}]`;
  }
  if (isTuple(v)) {
    const items = Tuple.items(v);
    const end = items.length === 1 ? ",)" : ")";
    return `(${layOutItems(items, indent, allowance + end.length, level)}${end}`;
  }
  if (typeof v === "string" && v !== "") {
    return layOutText(v, indent, allowance, level);
  }
  if (!isDict(v)) {
    return flat;
  }
  if (!isProxy(v)) {
    return layOutDict(v, indent, allowance, level);
  }
  const dict = dictOf(dictEntries(v), "");
  return `${PROXY}(${layOut(dict, indent + PROXY.length + 1, allowance + 1, level + 1)})`;
}

function layOutItems(
  items: readonly unknown[],
  indent: number,
  allowance: number,
  level: number,
): string {
  const inner = indent + 1;
  const parts = items.map((item, i) =>
    layOut(item, inner, i === items.length - 1 ? allowance : 1, level + 1),
  );
  return parts.join(`,\n${" ".repeat(inner)}`);
}

function layOutDict(
  dict: Readonly<Record<string, unknown>>,
  indent: number,
  allowance: number,
  level: number,
): string {
  const inner = indent + 1;
  const entries = sortedEntries(dict);
  const parts = entries.map(([key, item], i) => {
    const name = flatText(key);
    const rest = i === entries.length - 1 ? allowance + 1 : 1;
    return `${name}: ${layOut(item, inner + textLength(name) + 2, rest, level + 1)}`;
  });
  return `{${parts.join(`,\n${" ".repeat(inner)}`)}}`;
}

/** Keys that cannot be compared are sorted by the names of their types. */
function sortedEntries(dict: Readonly<Record<string, unknown>>): [unknown, unknown][] {
  return dictEntries(dict).sort(([a], [b]) => (precedes(a, b) ? -1 : precedes(b, a) ? 1 : 0));
}

function precedes(a: unknown, b: unknown): boolean {
  try {
    return lt(a, b, "");
  } catch {
    return typeName(a) < typeName(b);
  }
}

/** Python's own: the pairs of groupby have a repr() of their own, in which pprint sorts nothing. */
function isTuple(v: unknown): v is Tuple {
  return v instanceof Tuple && typeName(v) === "tuple";
}

/** On one line: repr(), with dicts sorted. */
function flatText(v: unknown): string {
  if (Array.isArray(v)) {
    meter?.spendItems(v.length);
    return `[${v.map(flatText).join(", ")}]`;
  }
  if (isTuple(v)) {
    const inner = Tuple.items(v).map(flatText).join(", ");
    return Tuple.items(v).length === 1 ? `(${inner},)` : `(${inner})`;
  }
  if (!isDict(v) || isProxy(v)) {
    return repr(v);
  }
  const pairs = sortedEntries(v).map(([key, item]) => `${flatText(key)}: ${flatText(item)}`);
  return `{${pairs.join(", ")}}`;
}

/** A long text as several literals: by lines, and by words where a line is too long. */
function layOutText(s: string, indent: number, allowance: number, level: number): string {
  const lines = splitLines(s, true);
  const [column, rest] = level === 1 ? [indent + 1, allowance + 1] : [indent, allowance];
  const literals = lines.flatMap((line, i) =>
    literalsOf(line, WIDTH - column, i === lines.length - 1 ? rest : 0),
  );
  if (literals.length === 1) {
    return literals[0] ?? "";
  }
  const text = literals.join(`\n${" ".repeat(column)}`);
  return level === 1 ? `(${text})` : text;
}

function literalsOf(line: string, width: number, rest: number): string[] {
  const whole = quote(line);
  if (textLength(whole) <= width - rest) {
    return [whole];
  }
  const words = line.match(/\S*\s*/gu)?.filter((word) => word !== "") ?? [];
  const literals: string[] = [];
  let current = "";
  for (const [i, word] of words.entries()) {
    const candidate = current + word;
    const room = width - (i === words.length - 1 ? rest : 0);
    if (current !== "" && textLength(quote(candidate)) > room) {
      literals.push(quote(current));
      current = word;
    } else {
      current = candidate;
    }
  }
  return current === "" ? literals : [...literals, quote(current)];
}
