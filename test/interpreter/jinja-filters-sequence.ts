/** Jinja2's filters on sequences that are done at once: sorting, grouping, joining, picking. */
import { arithmetic } from "./jinja-arithmetic.js";
import type { FilterArguments, FilterDefinition } from "./jinja-filters.js";
import { environmentAttribute } from "./jinja-attributes.js";
import { getter, ignoreCase, sortKey } from "./jinja-lookup.js";
import {
  compare,
  equal,
  iterate,
  iterateOrNull,
  length,
  listOf,
  requireInt,
  sorted,
  subscript,
  truth,
} from "./jinja-operators.js";
import { escape, softStr, text } from "./jinja-text.js";
import { textMethod } from "./jinja-str-methods.js";
import {
  chars,
  DictView,
  GroupTuple,
  int,
  Markup,
  NONE,
  PyBytes,
  PyDict,
  PyIterator,
  PyList,
  PyNone,
  PyRange,
  PyStr,
  PyTuple,
  raise,
  str,
  Undefined,
} from "./jinja-values.js";
import type { CallContext, Value } from "./jinja-values.js";

function isTrue(value: Value | undefined): boolean {
  return value !== undefined && truth(value);
}

function first([sequence = NONE]: FilterArguments): Value {
  const step = iterate(sequence).next();
  if (step.done !== true) return step.value;
  return new Undefined({ hint: "No first item, sequence was empty." });
}

const reverseKinds: Readonly<Record<string, string>> = {
  list: "list_reverseiterator",
  dict: "dict_reversekeyiterator",
  dict_keys: "dict_reversekeyiterator",
  dict_values: "dict_reversevalueiterator",
  dict_items: "dict_reverseitemiterator",
  range: "range_iterator",
};

/** Python's `reversed()`, or null where the type has none. */
function reversedOrNull(value: Value): PyIterator | null {
  const reversible =
    value instanceof PyStr ||
    value instanceof PyList ||
    value instanceof PyTuple ||
    value instanceof PyBytes ||
    value instanceof PyDict ||
    value instanceof DictView ||
    value instanceof PyRange ||
    value instanceof Undefined;
  if (!reversible) return null;
  const kind = reverseKinds[value.typeName] ?? "reversed";
  return new PyIterator(kind, "", listOf(value).reverse()[Symbol.iterator]());
}

function last([sequence = NONE]: FilterArguments): Value {
  const backwards = reversedOrNull(sequence);
  if (backwards === null) {
    raise("TypeError", `'${sequence.typeName}' object is not reversible`);
  }
  const step = backwards.iterator.next();
  if (step.done !== true) return step.value;
  return new Undefined({ hint: "No last item, sequence was empty." });
}

function reverse([value = NONE]: FilterArguments): Value {
  if (value instanceof PyStr) {
    const flipped = chars(value.text).reverse().join("");
    return value instanceof Markup ? new Markup(flipped) : str(flipped);
  }
  const backwards = reversedOrNull(value);
  if (backwards !== null) return backwards;
  if (iterateOrNull(value) === null) raise("FilterArgumentError", "argument must be iterable");
  return new PyList(listOf(value).reverse());
}

/** CPython's `random.choice`. */
function random([sequence = NONE]: FilterArguments): Value {
  const count = length(sequence);
  if (count === 0) return new Undefined({ hint: "No random item, sequence was empty." });
  return subscript(sequence, int(Math.floor(Math.random() * count)));
}

function dictSort(args: FilterArguments): Value {
  const [dict = NONE, caseSensitive, by = str("key"), reversed] = args;
  const part = by instanceof PyStr ? ["key", "value"].indexOf(by.text) : -1;
  if (part < 0) raise("FilterArgumentError", 'You can only sort by either "key" or "value"');
  if (dict instanceof Undefined) environmentAttribute(dict, "items");
  if (!(dict instanceof PyDict)) {
    raise("AttributeError", `'${dict.typeName}' object has no attribute 'items'`);
  }
  const key = (pair: PyTuple): Value => {
    const item = pair.items[part] ?? NONE;
    return isTrue(caseSensitive) ? item : ignoreCase(item);
  };
  return new PyList(sorted(dict.pairs(), key, isReversed(reversed)));
}

/** `sorted(…, reverse=…)` takes an integer. */
function isReversed(reversed: Value | undefined): boolean {
  return reversed !== undefined && requireInt(reversed) !== 0n;
}

/** Several attributes with commas between them are compared one after the other. */
function sort([value = NONE, reversed, caseSensitive, attribute = NONE]: FilterArguments): Value {
  const paths = attribute instanceof PyStr ? attribute.text.split(",").map(str) : [attribute];
  const keys = paths.map((path) => sortKey(path, isTrue(caseSensitive)));
  const key = (item: Value): Value => new PyList(keys.map((get) => get(item)));
  return new PyList(sorted(listOf(value), key, isReversed(reversed)));
}

function extreme(op: "<" | ">"): (args: FilterArguments) => Value {
  return ([value = NONE, caseSensitive, attribute = NONE]) => {
    const items = listOf(value);
    const [head] = items;
    if (head === undefined) {
      return new Undefined({ hint: "No aggregated item, sequence was empty." });
    }
    const key = sortKey(attribute, isTrue(caseSensitive));
    let best = { item: head, key: key(head) };
    for (const item of items.slice(1)) {
      const candidate = { item, key: key(item) };
      if (compare(op, candidate.key, best.key)) best = candidate;
    }
    return best.item;
  };
}

function sum([value = NONE, attribute = NONE, start = int(0)]: FilterArguments): Value {
  if (start instanceof PyStr)
    raise("TypeError", "sum() can't sum strings [use ''.join(seq) instead]");
  const get = getter(attribute);
  const items = iterate(value);
  let total = start;
  for (let step = items.next(); step.done !== true; step = items.next()) {
    total = arithmetic("+", total, get(step.value));
  }
  return total;
}

function groupBy(args: FilterArguments): Value {
  const [value = NONE, attribute = NONE, otherwise, caseSensitive] = args;
  const key = sortKey(attribute, isTrue(caseSensitive), otherwise);
  const shown = getter(attribute, otherwise);
  const groups: { key: Value; items: Value[] }[] = [];
  for (const item of sorted(listOf(value), key, false)) {
    const its = key(item);
    const group = groups.at(-1);
    if (group !== undefined && (group.key === its || equal(group.key, its))) group.items.push(item);
    else groups.push({ key: its, items: [item] });
  }
  const pairs = groups.map((group) => {
    const [head] = group.items;
    const name = isTrue(caseSensitive) || head === undefined ? group.key : shown(head);
    return new GroupTuple([name, new PyList(group.items)]);
  });
  return new PyList(pairs);
}

// ---------------------------------------------------------------- join

/** With autoescape, one item that is safe makes the others escaped. */
function joinEscaped(items: readonly Value[], separator: Value): Value {
  const safe = separator instanceof Markup || items.some((item) => item instanceof Markup);
  const parts = items.map((item) => softStr(item));
  const glue = safe && !(separator instanceof Markup) ? escape(separator) : softStr(separator);
  const join = textMethod(glue, "join");
  return join === null ? NONE : join([new PyList(parts)], new Map());
}

function join(args: FilterArguments, context: CallContext): Value {
  const [value = NONE, separator = str(""), attribute = NONE] = args;
  const get = attribute instanceof PyNone ? (item: Value) => item : getter(attribute);
  const items = iterate(value);
  const parts: Value[] = [];
  for (let step = items.next(); step.done !== true; step = items.next())
    parts.push(get(step.value));
  if (context.autoescape) return joinEscaped(parts, separator);
  return str(parts.map((part) => text(part)).join(text(separator)));
}

// ---------------------------------------------------------------- the table

const extremes = "value case_sensitive? attribute?";

export const sequenceFilters: readonly (readonly [string, FilterDefinition])[] = [
  ["first", { name: "sync_do_first", parameters: "seq", implicit: 1, run: first }],
  ["last", { name: "do_last", parameters: "seq", implicit: 1, run: last }],
  ["reverse", { name: "do_reverse", run: reverse }],
  ["list", { name: "sync_do_list", run: ([value = NONE]) => new PyList(listOf(value)) }],
  [
    "random",
    { name: "do_random", parameters: "seq", implicit: 1, needsContext: true, run: random },
  ],
  [
    "dictsort",
    { name: "do_dictsort", parameters: "value case_sensitive? by? reverse?", run: dictSort },
  ],
  [
    "sort",
    {
      name: "do_sort",
      parameters: "value reverse? case_sensitive? attribute?",
      implicit: 1,
      run: sort,
    },
  ],
  ["min", { name: "do_min", parameters: extremes, implicit: 1, run: extreme("<") }],
  ["max", { name: "do_max", parameters: extremes, implicit: 1, run: extreme(">") }],
  ["sum", { name: "sync_do_sum", parameters: "iterable attribute? start?", implicit: 1, run: sum }],
  [
    "groupby",
    {
      name: "sync_do_groupby",
      parameters: "value attribute default? case_sensitive?",
      implicit: 1,
      run: groupBy,
    },
  ],
  ["join", { name: "sync_do_join", parameters: "value d? attribute?", implicit: 1, run: join }],
];
