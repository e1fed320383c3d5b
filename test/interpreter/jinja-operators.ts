/** Truth, equality, order, membership, iteration and length, as CPython defines them. */
import { Loop } from "./jinja-loop.js";
import { failUndefined } from "./jinja-text.js";
import {
  chars,
  DictView,
  hashKey,
  Instance,
  Markup,
  PyDict,
  PyFloat,
  PyInt,
  PyIterator,
  PyList,
  PyNone,
  PyRange,
  PySlice,
  PyStr,
  PyTuple,
  raise,
  str,
  Undefined,
} from "./jinja-values.js";
import type { Value } from "./jinja-values.js";

export function isMapping(value: Value): value is PyDict {
  return value instanceof PyDict;
}

/** An int, a bool or a float as a JavaScript number or bigint, which compare exactly with each other. */
export function numberOf(value: Value): bigint | number | null {
  if (value instanceof PyInt) return value.value;
  return value instanceof PyFloat ? value.value : null;
}

/** `len()`, or null where the type has none. */
export function lengthOrNull(value: Value): number | null {
  if (value instanceof PyStr) return chars(value.text).length;
  if (value instanceof PyList || value instanceof PyTuple) return value.items.length;
  if (value instanceof PyDict) return value.entries.size;
  if (value instanceof DictView) return value.dict.entries.size;
  if (value instanceof PyRange) return Number(value.length);
  if (value instanceof Undefined) return 0;
  return value instanceof Loop ? value.length : null;
}

/** Python's `len()`. */
export function length(value: Value): number {
  const found = lengthOrNull(value);
  return found ?? raise("TypeError", `object of type '${value.typeName}' has no len()`);
}

/** Python's truth: zero, nothing and the empty are false. */
export function truth(value: Value): boolean {
  if (value instanceof PyNone) return false;
  if (value instanceof PyInt) return value.value !== 0n;
  if (value instanceof PyFloat) return value.value !== 0;
  return lengthOrNull(value) !== 0;
}

// ---------------------------------------------------------------- iteration

function* rangeItems(range: PyRange): Generator<Value> {
  for (let index = 0n; index < range.length; index++) yield range.at(index);
}

function* loopItems(loop: Loop): Generator<Value> {
  for (let item = loop.advance(); item !== null; item = loop.advance()) {
    yield new PyTuple([item, loop]);
  }
}

/** What has only `__getitem__` is asked for 0, 1, 2 … */
function* subscripted(item: (key: Value) => Value): Generator<Value> {
  for (let index = 0n; ; index++) yield item(new PyInt(index));
}

/** Python's `iter()`, or null where the type is not iterable. */
export function iterateOrNull(value: Value): Iterator<Value> | null {
  if (value instanceof PyStr) return chars(value.text).map(str)[Symbol.iterator]();
  if (value instanceof PyList || value instanceof PyTuple) return value.items[Symbol.iterator]();
  if (value instanceof PyDict) return value.keys()[Symbol.iterator]();
  if (value instanceof DictView) return value.items()[Symbol.iterator]();
  if (value instanceof PyRange) return rangeItems(value);
  if (value instanceof PyIterator) return value.iterator;
  if (value instanceof Undefined) return [][Symbol.iterator]();
  if (value instanceof Loop) return loopItems(value);
  if (value instanceof Instance && value.item !== null) return subscripted(value.item);
  return null;
}

export function iterate(value: Value): Iterator<Value> {
  const found = iterateOrNull(value);
  return found ?? raise("TypeError", `'${value.typeName}' object is not iterable`);
}

/** Python's `list()`. */
export function listOf(value: Value): Value[] {
  const iterator = iterate(value);
  const items: Value[] = [];
  for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
    items.push(step.value);
  }
  return items;
}

/** Tuple unpacking: `a, b = value`. */
export function unpack(value: Value, count: number): Value[] {
  const iterator = iterateOrNull(value);
  if (iterator === null) {
    raise("TypeError", `cannot unpack non-iterable ${value.typeName} object`);
  }
  const items: Value[] = [];
  for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
    if (items.length === count) {
      raise("ValueError", `too many values to unpack (expected ${count})`);
    }
    items.push(step.value);
  }
  if (items.length < count) {
    raise("ValueError", `not enough values to unpack (expected ${count}, got ${items.length})`);
  }
  return items;
}

// ---------------------------------------------------------------- equality

function equalItems(a: readonly Value[], b: readonly Value[]): boolean {
  return a.length === b.length && a.every((item, at) => same(item, b[at] ?? item));
}

function equalDicts(a: PyDict, b: PyDict): boolean {
  if (a.entries.size !== b.entries.size) return false;
  return [...a.entries].every(([hash, entry]) => {
    const other = b.entries.get(hash);
    return other !== undefined && same(entry.value, other.value);
  });
}

/** Containers hold an item for equal to itself without asking it. */
function same(a: Value, b: Value): boolean {
  return a === b || equal(a, b);
}

function isSetLike(value: Value): value is DictView {
  return value instanceof DictView && value.typeName !== "dict_values";
}

function isSubset(a: DictView, b: DictView): boolean {
  return a.items().every((item) => contains(item, b));
}

/** Python's `==`. */
export function equal(a: Value, b: Value): boolean {
  if (a instanceof Undefined || b instanceof Undefined) {
    return a instanceof Undefined && b instanceof Undefined;
  }
  const left = numberOf(a);
  const right = numberOf(b);
  if (left !== null && right !== null) return left == right;
  if (a instanceof PyStr && b instanceof PyStr) return a.text === b.text;
  if (a instanceof PyList && b instanceof PyList) return equalItems(a.items, b.items);
  if (a instanceof PyTuple && b instanceof PyTuple) return equalItems(a.items, b.items);
  if (a instanceof PyDict && b instanceof PyDict) return equalDicts(a, b);
  if (a instanceof PyRange && b instanceof PyRange) return hashKey(a) === hashKey(b);
  if (isSetLike(a) && isSetLike(b)) {
    return a.dict.entries.size === b.dict.entries.size && isSubset(a, b);
  }
  if (a instanceof PySlice && b instanceof PySlice) {
    return equalItems([a.start, a.stop, a.step], [b.start, b.stop, b.step]);
  }
  return a === b;
}

// ---------------------------------------------------------------- order

export type OrderOp = "<" | "<=" | ">" | ">=";

function holds(op: OrderOp, order: number): boolean {
  if (op === "<") return order < 0;
  if (op === "<=") return order <= 0;
  return op === ">" ? order > 0 : order >= 0;
}

/** By code points, not by UTF-16 units. */
function textOrder(a: string, b: string): number {
  const left = chars(a);
  const right = chars(b);
  const at = left.findIndex((char, index) => char !== right[index]);
  const first = left[at];
  const second = right[at];
  if (first === undefined || second === undefined) return left.length - right.length;
  return (first.codePointAt(0) ?? 0) - (second.codePointAt(0) ?? 0);
}

function compareNumbers(op: OrderOp, a: bigint | number, b: bigint | number): boolean {
  if (op === "<") return a < b;
  if (op === "<=") return a <= b;
  return op === ">" ? a > b : a >= b;
}

/** The first items that differ decide; else the lengths. */
function compareItems(op: OrderOp, a: readonly Value[], b: readonly Value[]): boolean {
  const at = a.findIndex((item, index) => {
    const other = b[index];
    return other === undefined || !same(item, other);
  });
  const left = a[at];
  const right = b[at];
  if (left !== undefined && right !== undefined) return compare(op, left, right);
  return holds(op, a.length - b.length);
}

function compareSets(op: OrderOp, a: DictView, b: DictView): boolean {
  if (op === ">" || op === ">=") return compareSets(op === ">" ? "<" : "<=", b, a);
  const smaller = a.dict.entries.size < b.dict.entries.size;
  return isSubset(a, b) && (op === "<=" || smaller);
}

/** Python's `<`, `<=`, `>` and `>=`. */
export function compare(op: OrderOp, a: Value, b: Value): boolean {
  if (a instanceof Undefined) failUndefined(a);
  if (b instanceof Undefined) failUndefined(b);
  const left = numberOf(a);
  const right = numberOf(b);
  if (left !== null && right !== null) return compareNumbers(op, left, right);
  if (a instanceof PyStr && b instanceof PyStr) return holds(op, textOrder(a.text, b.text));
  if (a instanceof PyList && b instanceof PyList) return compareItems(op, a.items, b.items);
  if (a instanceof PyTuple && b instanceof PyTuple) return compareItems(op, a.items, b.items);
  if (isSetLike(a) && isSetLike(b)) return compareSets(op, a, b);
  const kinds = `'${a.typeName}' and '${b.typeName}'`;
  return raise("TypeError", `'${op}' not supported between instances of ${kinds}`);
}

/** Python's `sorted`: stable, and only ever asks `<`. A reversed sort keeps equal items in order too. */
export function sorted<T>(items: readonly T[], key: (item: T) => Value, reverse: boolean): T[] {
  const keyed = items.map((item) => ({ item, key: key(item) }));
  if (reverse) keyed.reverse();
  const result: typeof keyed = [];
  for (const entry of keyed) {
    let at = result.length;
    for (; at > 0; at--) {
      const before = result[at - 1];
      if (before === undefined || !compare("<", entry.key, before.key)) break;
    }
    result.splice(at, 0, entry);
  }
  if (reverse) result.reverse();
  return result.map((entry) => entry.item);
}

// ---------------------------------------------------------------- membership

function inItems(needle: Value, iterator: Iterator<Value>): boolean {
  for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
    if (same(step.value, needle)) return true;
  }
  return false;
}

function inView(needle: Value, view: DictView): boolean {
  if (view.typeName === "dict_keys") return view.dict.get(needle) !== undefined;
  if (view.typeName === "dict_values") return view.dict.values().some((item) => same(item, needle));
  if (!(needle instanceof PyTuple)) return false;
  const [key, value] = needle.items;
  if (needle.items.length !== 2 || key === undefined || value === undefined) return false;
  const found = view.dict.get(key);
  return found !== undefined && same(found, value);
}

/** Python's `in`. */
export function contains(needle: Value, container: Value): boolean {
  if (container instanceof PyStr) {
    if (needle instanceof PyStr) return container.text.includes(needle.text);
    const found = needle.typeName;
    raise("TypeError", `'in <string>' requires string as left operand, not ${found}`);
  }
  if (container instanceof PyDict) return container.get(needle) !== undefined;
  if (container instanceof DictView) return inView(needle, container);
  const iterator = iterateOrNull(container);
  if (iterator === null) {
    raise("TypeError", `argument of type '${container.typeName}' is not iterable`);
  }
  return inItems(needle, iterator);
}

// ---------------------------------------------------------------- subscripts

/** What can stand as an index: ints and bools. */
export function indexOf(value: Value): bigint | null {
  return value instanceof PyInt ? value.value : null;
}

/** A whole number argument, with CPython's refusal. */
export function requireIndex(value: Value): bigint {
  const found = indexOf(value);
  const refusal = `'${value.typeName}' object cannot be interpreted as an integer`;
  return found ?? raise("TypeError", refusal);
}

function at<T>(items: readonly T[], key: Value, kind: string): T {
  const index = indexOf(key);
  if (index === null) {
    const subject = kind === "string" ? "string indices must be integers" : "";
    const named = subject === "" ? `${kind} indices must be integers or slices` : subject;
    raise("TypeError", `${named}, not ${key.typeName === "str" ? "'str'" : key.typeName}`);
  }
  const item = items[Number(index < 0n ? index + BigInt(items.length) : index)];
  return item ?? raise("IndexError", `${kind} index out of range`);
}

/** Python's `object[key]`, where `key` is no slice of a slice expression. */
export function subscript(object: Value, key: Value): Value {
  if (object instanceof Undefined) failUndefined(object);
  if (key instanceof PySlice) return slice(object, key.start, key.stop, key.step);
  if (object instanceof Markup) return new Markup(at(chars(object.text), key, "string"));
  if (object instanceof PyStr) return str(at(chars(object.text), key, "string"));
  if (object instanceof PyList) return at(object.items, key, "list");
  if (object instanceof PyTuple) return at(object.items, key, "tuple");
  if (object instanceof PyRange) return at(listOf(object), key, "range object");
  if (object instanceof PyDict) return object.get(key) ?? raise("KeyError", "");
  if (object instanceof Instance && object.item !== null) return object.item(key);
  return raise("TypeError", `'${object.typeName}' object is not subscriptable`);
}

function sliceIndex(value: Value): bigint | null {
  if (value instanceof PyNone) return null;
  const refusal = "slice indices must be integers or None or have an __index__ method";
  return indexOf(value) ?? raise("TypeError", refusal);
}

/** The indexes that `start:stop:step` selects from a sequence of this length (CPython's `PySlice_AdjustIndices`). */
function sliceIndexes(count: number, start: Value, stop: Value, step: Value): number[] {
  const by = Number(sliceIndex(step) ?? 1n);
  if (by === 0) raise("ValueError", "slice step cannot be zero");
  const lowest = by < 0 ? -1 : 0;
  const highest = by < 0 ? count - 1 : count;
  const bound = (value: Value, otherwise: number): number => {
    const index = sliceIndex(value);
    if (index === null) return otherwise;
    const wrapped = Number(index) < 0 ? Number(index) + count : Number(index);
    return Math.min(Math.max(wrapped, lowest), highest);
  };
  const first = bound(start, by < 0 ? highest : lowest);
  const last = bound(stop, by < 0 ? lowest : highest);
  const indexes: number[] = [];
  for (let index = first; by > 0 ? index < last : index > last; index += by) indexes.push(index);
  return indexes;
}

function sliceRange(range: PyRange, start: Value, stop: Value, step: Value): PyRange {
  const indexes = sliceIndexes(Number(range.length), start, stop, step);
  const by = (sliceIndex(step) ?? 1n) * range.step;
  const count = Number(range.length);
  const first = indexes[0];
  if (first !== undefined) {
    const from = range.at(BigInt(first)).value;
    return new PyRange(from, from + BigInt(indexes.length) * by, by);
  }
  const clamp = (value: Value, otherwise: number): bigint => {
    const index = sliceIndex(value);
    const wrapped = index === null ? otherwise : Number(index) + (index < 0n ? count : 0);
    return range.at(BigInt(Math.min(Math.max(wrapped, 0), count))).value;
  };
  const from = clamp(start, 0);
  return new PyRange(from, clamp(stop, count), by);
}

/** Python's `object[start:stop:step]`. */
export function slice(object: Value, start: Value, stop: Value, step: Value): Value {
  if (object instanceof Undefined) failUndefined(object);
  if (object instanceof PyDict) raise("TypeError", "unhashable type: 'slice'");
  if (object instanceof PyRange) return sliceRange(object, start, stop, step);
  const pick = <T>(items: readonly T[]): T[] =>
    sliceIndexes(items.length, start, stop, step).flatMap((index) => items.slice(index, index + 1));
  if (object instanceof PyStr) {
    const picked = pick(chars(object.text)).join("");
    return object instanceof Markup ? new Markup(picked) : str(picked);
  }
  if (object instanceof PyList) return new PyList(pick(object.items));
  if (object instanceof PyTuple) return new PyTuple(pick(object.items));
  return raise("TypeError", `'${object.typeName}' object is not subscriptable`);
}
