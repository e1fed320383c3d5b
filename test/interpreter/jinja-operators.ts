/** Truth, equality, order, membership, iteration and length, as CPython defines them. */
import { Loop } from "./jinja-loop.js";
import { inOrder } from "./jinja-set-order.js";
import { failUndefined } from "./jinja-text.js";
import {
  chars,
  DictView,
  hashKey,
  Instance,
  Markup,
  PyBytes,
  PyComplex,
  PyDict,
  PyFloat,
  PyFunction,
  PyInt,
  PyIterator,
  PyList,
  PyNone,
  PyRange,
  PySet,
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
  if (value instanceof PyBytes) return value.values.length;
  if (value instanceof PySet) return value.members.size;
  if (value instanceof PyComplex) return null;
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
  if (value instanceof PyComplex) return value.real !== 0 || value.imaginary !== 0;
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
  if (value instanceof PyBytes)
    return value.values.map((byte) => new PyInt(byte))[Symbol.iterator]();
  if (value instanceof PySet) return inOrder([...value.members.values()])[Symbol.iterator]();
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

/** A set, or a view that acts as one. */
function isSetLike(value: Value): value is DictView | PySet {
  return value instanceof PySet || (value instanceof DictView && value.typeName !== "dict_values");
}

function isSubset(a: Value, b: Value): boolean {
  return listOf(a).every((item) => contains(item, b));
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
  if (a instanceof PyBytes && b instanceof PyBytes) return hashKey(a) === hashKey(b);
  if (a instanceof PyComplex || b instanceof PyComplex) return equalComplex(a, b);
  if (a instanceof PyFunction && b instanceof PyFunction) return isSameMethod(a, b);
  if (isSetLike(a) && isSetLike(b)) {
    return length(a) === length(b) && isSubset(a, b);
  }
  if (a instanceof PySlice && b instanceof PySlice) {
    return equalItems([a.start, a.stop, a.step], [b.start, b.stop, b.step]);
  }
  return a === b;
}

function equalComplex(a: Value, b: Value): boolean {
  const parts = (value: Value): readonly [bigint | number | null, number] =>
    value instanceof PyComplex ? [value.real, value.imaginary] : [numberOf(value), 0];
  const [[real, imaginary], [other, otherImaginary]] = [parts(a), parts(b)];
  return real !== null && other !== null && real == other && imaginary === otherImaginary;
}

/** Bound methods are made anew for each access; those of one name and one object are equal. */
function isSameMethod(a: PyFunction, b: PyFunction): boolean {
  if (a === b) return true;
  if (a.self === null || b.self === null || a.name !== b.name) return false;
  if (a.self === b.self) return true;
  // Which texts and numbers are one object is not known here: those that are equal count as one.
  const plain = (value: Value): boolean =>
    (value instanceof PyStr && !(value instanceof Markup)) || numberOf(value) !== null;
  return plain(a.self) && plain(b.self) && equal(a.self, b.self);
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

function compareSets(op: OrderOp, a: Value, b: Value): boolean {
  if (op === ">" || op === ">=") return compareSets(op === ">" ? "<" : "<=", b, a);
  const smaller = length(a) < length(b);
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
  if (a instanceof PyBytes && b instanceof PyBytes) {
    const [left, right] = [listOf(a), listOf(b)];
    return compareItems(op, left, right);
  }
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

function inBytes(needle: Value, container: PyBytes): boolean {
  if (needle instanceof PyBytes) {
    const [part, whole] = [needle, container].map(({ octets }) => octets);
    return whole?.includes(part ?? "") === true;
  }
  if (!(needle instanceof PyInt)) {
    raise("TypeError", `a bytes-like object is required, not '${needle.typeName}'`);
  }
  if (needle.value < 0n || needle.value > 255n)
    raise("ValueError", "byte must be in range(0, 256)");
  return container.values.includes(Number(needle.value));
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
  if (container instanceof PySet) {
    return !(needle instanceof PySet) && container.members.has(hashKey(needle));
  }
  if (container instanceof PyBytes) return inBytes(needle, container);
  const iterator = iterateOrNull(container);
  if (iterator === null) {
    raise("TypeError", `argument of type '${container.typeName}' is not iterable`);
  }
  return inItems(needle, iterator);
}

// ---------------------------------------------------------------- subscripts

/** What can stand as an index: ints and bools. */
function indexOf(value: Value): bigint | null {
  return value instanceof PyInt ? value.value : null;
}

/** A whole number argument, with CPython's refusal. */
export function requireWhole(value: Value): bigint {
  const found = indexOf(value);
  const refusal = `'${value.typeName}' object cannot be interpreted as an integer`;
  return found ?? raise("TypeError", refusal);
}

function fitting(value: Value, bits: bigint, type: string): bigint {
  const found = requireWhole(value);
  const bound = 2n ** (bits - 1n);
  if (found >= -bound && found < bound) return found;
  return raise("OverflowError", `Python int too large to convert to C ${type}`);
}

/** A whole number argument that C takes as a size. */
export function requireIndex(value: Value): bigint {
  return fitting(value, 64n, "ssize_t");
}

/** A whole number argument that C takes as an int. */
export function requireInt(value: Value): bigint {
  return fitting(value, 32n, "int");
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
  if (object instanceof PyBytes) return at(listOf(object), key, "byte");
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

/** A slice of a range is a range: its ends are those of the slice, also where they lie past the last item. */
function sliceRange(range: PyRange, start: Value, stop: Value, step: Value): PyRange {
  const by = sliceIndex(step) ?? 1n;
  if (by === 0n) raise("ValueError", "slice step cannot be zero");
  const count = range.length;
  const [lowest, highest] = by > 0n ? [0n, count] : [-1n, count - 1n];
  const bound = (value: Value, otherwise: bigint): bigint => {
    const index = sliceIndex(value);
    if (index === null) return otherwise;
    const wrapped = index < 0n ? index + count : index;
    if (wrapped < lowest) return lowest;
    return wrapped > highest ? highest : wrapped;
  };
  const from = range.at(bound(start, by > 0n ? lowest : highest)).value;
  const to = range.at(bound(stop, by > 0n ? highest : lowest)).value;
  return new PyRange(from, to, by * range.step);
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
  if (object instanceof PyBytes) return new PyBytes(pick(object.values));
  if (object instanceof PyList) return new PyList(pick(object.items));
  if (object instanceof PyTuple) return new PyTuple(pick(object.items));
  return raise("TypeError", `'${object.typeName}' object is not subscriptable`);
}
