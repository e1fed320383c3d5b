/** Jinja2's filters on sequences and mappings (filters.py). */
import { fail } from "../errors.js";
import { meter } from "../meter.js";
import { isDict, value, type Value } from "../values.js";
import { absentNamed, attribute as attributeOf, item } from "./access.js";
import { add, floordiv, mod } from "./arithmetic.js";
import { integerArgument, smallArgument } from "./arguments.js";
import { eq, lt } from "./compare.js";
import { dictKeys } from "./dict.js";
import { pairsOf } from "./filters-text.js";
import { Generator } from "./generator.js";
import { canonical } from "./hash.js";
import { itemPairs, iterate, iteratorOf, lengthOf, list } from "./iterate.js";
import { str, truth } from "./print.js";
import { ABSENT, PythonObject, REVERSE, wrapped } from "./protocol.js";
import { attributeGetter, attributesGetter, extreme, foldCase, GroupTuple } from "./sorting.js";
import { keyGetter, sorted } from "./sorting.js";
import { characters } from "./text.js";
import { Tuple } from "./tuple.js";
import { isInt, textOf, typeName } from "./types.js";
import { failUndefined, isUndefined } from "./required.js";
import { Undefined } from "./undefined.js";

/** `v | length`. */
export function lengthFilter(v: unknown, place: string): number {
  return lengthOf(v, place);
}

/** `v | list`: always a new list. */
export function listFilter(v: unknown, place: string): readonly Value[] {
  return [...list(v, place)];
}

/** `v | first`. */
export function firstFilter(v: unknown, place: string): Value {
  const next = iterate(v, place).next();
  return next.done === true
    ? value(new Undefined("No first item, sequence was empty."))
    : value(next.value);
}

/** `v | last`. */
export function lastFilter(v: unknown, place: string): Value {
  const iterator = reverseOf(v) ?? failReverse(v, place);
  const next = iterator.next();
  return next.done === true
    ? value(new Undefined("No last item, sequence was empty."))
    : value(next.value);
}

/** Python's reversed(), null where the value is not reversible. */
function reverseOf(v: unknown): Iterator<unknown> | null {
  if (Array.isArray(v)) {
    return v.toReversed().values();
  }
  if (typeof v === "string") {
    return characters(v).reverse().values();
  }
  if (isUndefined(v)) {
    return [].values();
  }
  if (v instanceof PythonObject) {
    return v[REVERSE]?.() ?? null;
  }
  return isDict(v) ? dictKeys(v).reverse().values() : null;
}

function failReverse(v: unknown, place: string): never {
  return fail("TypeError", `'${typeName(v)}' object is not reversible`, place);
}

/** `v | reverse`: text as text, else an iterator. */
export function reverseFilter(v: unknown, place: string): Value {
  const text = textOf(v);
  if (text !== null) {
    const reversed = characters(text).reverse().join("");
    return value(v instanceof PythonObject ? wrapped(v, reversed) : reversed);
  }
  const reversed = reverseOf(v);
  if (reversed !== null) {
    return value(new Generator(reversed, "", reverseType(v)));
  }
  const iterator = iteratorOf(v, place);
  return iterator === null
    ? fail("FilterArgumentError", "argument must be iterable", place)
    : value([...list(v, place)].reverse());
}

function reverseType(v: unknown): string {
  if (Array.isArray(v)) {
    return "list_reverseiterator";
  }
  const type = typeName(v);
  const name = /^dict_(key|value|item)s$/.exec(type)?.[1];
  if (name !== undefined || type === "dict") {
    return `dict_reverse${name ?? "key"}iterator`;
  }
  return type === "range" ? "range_iterator" : "reversed";
}

/** `v | random`. */
export function randomFilter(v: unknown, place: string): Value {
  const length = lengthOf(v, place);
  if (length === 0) {
    return value(new Undefined("No random item, sequence was empty."));
  }
  const i = Math.floor(Math.random() * length);
  return isDict(v) ? fail("KeyError", String(i), place) : item(v, i, place);
}

/** `v | join(d, attribute)`. */
export function joinFilter(v: unknown, d: unknown, attribute: unknown, place: string): string {
  const items = list(v, place);
  const get = attribute === null ? null : attributeGetter(attribute, null, place);
  return items.map((one) => str(get === null ? one : get(one))).join(str(d));
}

/** `v | default(default_value, boolean)`. */
export function defaultFilter(
  v: unknown,
  fallback: unknown,
  boolean: unknown,
  _place: string,
): Value {
  return value(isUndefined(v) || (truth(boolean) && !truth(v)) ? fallback : v);
}

/** `v | items`: lazy pairs; nothing for an Undefined. */
export function itemsFilter(v: unknown, place: string): Value {
  return value(new Generator(lazyPairs(v, place), "do_items"));
}

function* lazyPairs(v: unknown, place: string): Lazy {
  for (const pair of itemPairs(v, place)) {
    yield new Tuple(pair);
  }
}

type Lazy = IterableIterator<unknown>;

/** `v | batch(linecount, fill_with)`. */
export function batchFilter(v: unknown, count: unknown, fill: unknown, place: string): Value {
  return value(new Generator(batches(v, count, fill, place), "do_batch"));
}

function* batches(v: unknown, count: unknown, fill: unknown, place: string): Lazy {
  let batch: unknown[] = [];
  for (const one of list(v, place)) {
    if (eq(batch.length, count)) {
      yield batch;
      batch = [];
    }
    batch.push(one);
  }
  if (batch.length > 0) {
    // Only what is compared as larger has to be an integer.
    const isShort = fill !== null && lt(batch.length, count, place);
    const missing = isShort ? integerArgument(count, place) - batch.length : 0;
    meter?.spendItems(missing, place);
    yield [...batch, ...Array.from({ length: missing }, () => fill)];
  }
}

/** `v | slice(slices, fill_with)`. */
export function sliceFilter(v: unknown, slices: unknown, fill: unknown, place: string): Value {
  return value(new Generator(slicesOf(v, slices, fill, place), "sync_do_slice"));
}

function* slicesOf(v: unknown, slices: unknown, fill: unknown, place: string): Lazy {
  const items = list(v, place);
  const each = Number(floordiv(items.length, slices, place));
  const extra = Number(mod(items.length, slices, place));
  const count = isInt(slices) && Number(slices) < 0 ? 0 : integerArgument(slices, place);
  meter?.spendItems(count, place);
  let offset = 0;
  for (let i = 0; i < count; i++) {
    const start = offset + i * each;
    offset += i < extra ? 1 : 0;
    const part: unknown[] = items.slice(start, offset + (i + 1) * each);
    if (fill !== null && i >= extra) {
      part.push(fill);
    }
    yield part;
  }
}

/** `v | sum(attribute, start)`. */
export function sumFilter(v: unknown, attribute: unknown, start: unknown, place: string): Value {
  const items = list(v, place);
  if (textOf(start) !== null) {
    return fail("TypeError", "sum() can't sum strings [use ''.join(seq) instead]", place);
  }
  const get = attribute === null ? null : attributeGetter(attribute, null, place);
  let total = value(start);
  for (const one of items) {
    total = add(total, get === null ? one : get(one), place);
  }
  return total;
}

/** `v | min(case_sensitive, attribute)`. */
export function minFilter(v: unknown, cased: unknown, attribute: unknown, place: string): Value {
  return extremeOf(v, cased, attribute, false, place);
}

/** `v | max(case_sensitive, attribute)`. */
export function maxFilter(v: unknown, cased: unknown, attribute: unknown, place: string): Value {
  return extremeOf(v, cased, attribute, true, place);
}

function extremeOf(
  v: unknown,
  cased: unknown,
  attribute: unknown,
  isMaximum: boolean,
  place: string,
): Value {
  const items = list(v, place);
  if (items.length === 0) {
    return value(new Undefined("No aggregated item, sequence was empty."));
  }
  const keyOf = keyGetter(attribute, truth(cased), null, place);
  return value(extreme(items, keyOf, isMaximum, place));
}

/** `v | sort(reverse, case_sensitive, attribute)`. */
export function sortFilter(
  v: unknown,
  reverse: unknown,
  cased: unknown,
  attribute: unknown,
  place: string,
): readonly Value[] {
  const keyOf = attributesGetter(attribute, !truth(cased), place);
  return list(sorted(list(v, place), keyOf, isReverse(reverse, place), place), place);
}

/** The argument `reverse` of sorted() must be a number. */
function isReverse(v: unknown, place: string): boolean {
  return typeof v === "boolean" ? v : smallArgument(v, place) !== 0;
}

/** `v | dictsort(case_sensitive, by, reverse)`. */
export function dictsortFilter(
  v: unknown,
  cased: unknown,
  by: unknown,
  reverse: unknown,
  place: string,
): readonly Value[] {
  const which = textOf(by);
  if (which !== "key" && which !== "value") {
    const message = 'You can only sort by either "key" or "value"';
    return fail("FilterArgumentError", message, place);
  }
  const pairs = pairsOf(v, place).map((pair) => new Tuple(pair));
  const keyOf = (pair: unknown): unknown => {
    const part = pair instanceof Tuple ? Tuple.items(pair)[which === "key" ? 0 : 1] : pair;
    return truth(cased) ? part : foldCase(part);
  };
  return list(sorted(pairs, keyOf, isReverse(reverse, place), place), place);
}

/** `v | unique(case_sensitive, attribute)`. */
export function uniqueFilter(v: unknown, cased: unknown, attribute: unknown, place: string): Value {
  return value(new Generator(distinct(v, cased, attribute, place), "sync_do_unique"));
}

function* distinct(v: unknown, cased: unknown, attribute: unknown, place: string): Lazy {
  const keyOf = keyGetter(attribute, truth(cased), null, place);
  const seen = new Set<unknown>();
  const iterator = iterate(v, place);
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    const key = canonical(keyOf(next.value), place);
    if (!seen.has(key)) {
      seen.add(key);
      yield next.value;
    }
  }
}

/** `v | groupby(attribute, default, case_sensitive)`. */
export function groupbyFilter(
  v: unknown,
  attribute: unknown,
  fallback: unknown,
  cased: unknown,
  place: string,
): Value {
  const keyOf = keyGetter(attribute, truth(cased), fallback, place);
  const groups: { readonly key: unknown; readonly items: unknown[] }[] = [];
  for (const one of sorted(list(v, place), keyOf, false, place)) {
    const key = keyOf(one);
    const last = groups.at(-1);
    if (last !== undefined && eq(last.key, key)) {
      last.items.push(one);
    } else {
      groups.push({ key, items: [one] });
    }
  }
  const shown = attributeGetter(attribute, fallback, place);
  return value(
    groups.map(({ key, items }) => new GroupTuple(truth(cased) ? key : shown(items[0]), items)),
  );
}

/** `v | attr(name)`: the attribute only, never the item. */
export function attrFilter(v: unknown, name: unknown, place: string): Value {
  const key = textOf(name);
  if (key === null) {
    const message = `attribute name must be string, not '${typeName(name)}'`;
    return fail("TypeError", message, place);
  }
  const found = attributeOf(v, key, place, name);
  if (found !== ABSENT) {
    return value(found);
  }
  return isUndefined(v) ? failUndefined(v, place) : absentNamed(v, name);
}
