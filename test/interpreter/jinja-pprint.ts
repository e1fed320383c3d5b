/** Python's `pprint.pformat` with its defaults: 80 columns, sorted dicts. */
import { sorted } from "./jinja-operators.js";
import { repr, textRepr } from "./jinja-text.js";
import { splitLines } from "./jinja-unicode.js";
import {
  chars,
  isError,
  Markup,
  MappingProxy,
  PyDict,
  PyList,
  PyStr,
  PyTuple,
} from "./jinja-values.js";
import type { Value } from "./jinja-values.js";

const WIDTH = 80;

interface Entry {
  readonly key: Value;
  readonly value: Value;
}

/** Keys that do not compare keep their order. */
function sortedEntries(dict: PyDict): Entry[] {
  const entries = [...dict.entries.values()];
  try {
    return sorted(entries, (entry) => entry.key, false);
  } catch (error) {
    if (!isError(error, "TypeError")) throw error;
    return sorted(entries, (entry) => new PyStr(entry.key.typeName), false);
  }
}

/** `repr` with every dict sorted. */
function flat(value: Value): string {
  if (value instanceof PyDict && !(value instanceof MappingProxy)) {
    const pairs = sortedEntries(value).map((entry) => `${flat(entry.key)}: ${flat(entry.value)}`);
    return `{${pairs.join(", ")}}`;
  }
  if (value instanceof PyList) return `[${value.items.map((item) => flat(item)).join(", ")}]`;
  if (!(value instanceof PyTuple) || value.typeName !== "tuple") return repr(value);
  const items = value.items.map((item) => flat(item)).join(", ");
  return value.items.length === 1 ? `(${items},)` : `(${items})`;
}

function width(text: string): number {
  return chars(text).length;
}

function formatItems(
  items: readonly Value[],
  indent: number,
  allowance: number,
  level: number,
): string {
  return items
    .map((item, at) => layout(item, indent + 1, at === items.length - 1 ? allowance : 1, level))
    .join(`,\n${" ".repeat(indent + 1)}`);
}

function formatDict(dict: PyDict, indent: number, allowance: number, level: number): string {
  const entries = sortedEntries(dict);
  const lines = entries.map((entry, at) => {
    const key = flat(entry.key);
    const after = at === entries.length - 1 ? allowance : 1;
    return `${key}: ${layout(entry.value, indent + 1 + width(key) + 2, after, level)}`;
  });
  return `{${lines.join(`,\n${" ".repeat(indent + 1)}`)}}`;
}

/** Words of a long line, as many as fit, each piece with the blanks after it. */
function breakLine(line: string, room: number, roomAtEnd: number): string[] {
  const parts = line.match(/\S+\s*|\s+/gu) ?? [];
  const chunks: string[] = [];
  let current = "";
  parts.forEach((part, at) => {
    const limit = at === parts.length - 1 ? roomAtEnd : room;
    if (width(textRepr(current + part)) > limit) {
      if (current !== "") chunks.push(textRepr(current));
      current = part;
    } else current += part;
  });
  if (current !== "") chunks.push(textRepr(current));
  return chunks;
}

function formatText(text: string, at: number, after: number, level: number): string {
  const indent = level === 1 ? at + 1 : at;
  const allowance = level === 1 ? after + 1 : after;
  const room = WIDTH - indent;
  const lines = splitLines(text, true);
  const chunks = lines.flatMap((line, index) => {
    const last = index === lines.length - 1 ? allowance : 0;
    const whole = textRepr(line);
    return width(whole) <= room - last ? [whole] : breakLine(line, room, room - last);
  });
  if (chunks.length === 1) return textRepr(lines[0] ?? "");
  const body = chunks.join(`\n${" ".repeat(indent)}`);
  return level === 1 ? `(${body})` : body;
}

function layout(value: Value, indent: number, allowance: number, level: number): string {
  const line = flat(value);
  if (width(line) <= WIDTH - indent - allowance) return line;
  const inner = level + 1;
  if (value instanceof MappingProxy) {
    const dict = new PyDict();
    for (const { key, value: item } of value.entries.values()) dict.set(key, item);
    return `mappingproxy(${layout(dict, indent + "mappingproxy(".length, allowance + 1, inner)})`;
  }
  if (value instanceof PyDict) return formatDict(value, indent, allowance + 1, inner);
  if (value instanceof PyList) return `[${formatItems(value.items, indent, allowance + 1, inner)}]`;
  if (value instanceof PyTuple && value.typeName === "tuple") {
    const end = value.items.length === 1 ? ",)" : ")";
    return `(${formatItems(value.items, indent, allowance + end.length, inner)}${end}`;
  }
  if (value instanceof PyStr && !(value instanceof Markup) && value.text !== "") {
    return formatText(value.text, indent, allowance, inner);
  }
  return line;
}

export function pformat(value: Value): string {
  return layout(value, 0, 0, 0);
}
