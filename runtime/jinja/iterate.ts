/** Iteration as Python's `for` does it, and tuple unpacking. */
import { fail } from "../errors.js";
import { meter } from "../meter.js";
import { isDict, isPlain, value, type Fields, type Value } from "../values.js";
import { dictEntries, dictKeys, dictSize } from "./dict.js";
import { ITEMS, ITERATE, LENGTH, PythonObject } from "./protocol.js";
import { textLength } from "./text.js";
import { typeName } from "./types.js";
import { isUndefined, missing } from "./required.js";

/** A new iterator over the value, null if it is not iterable. */
export function iteratorOf(v: unknown, place: string): Iterator<unknown> | null {
  if (Array.isArray(v)) {
    return v.values();
  }
  if (v instanceof PythonObject) {
    return v[ITERATE](place);
  }
  if (typeof v === "string") {
    return v[Symbol.iterator]();
  }
  if (v === undefined) {
    return [].values();
  }
  return isDict(v) ? dictKeys(v).values() : null;
}

/** Jinja2's test `iterable`. */
export function isIterable(v: unknown): boolean {
  return typeof v === "string" || isDict(v) || iteratorOf(v, "") !== null;
}

/** An iterator over the value; raises Python's TypeError if there is none. */
export function iterate(v: unknown, place: string): Iterator<unknown> {
  return (
    iteratorOf(v, place) ?? fail("TypeError", `'${typeName(v)}' object is not iterable`, place)
  );
}

/** The items that `for` sees. A list is returned as it is. */
export function list(v: unknown, place: string): readonly Value[] {
  return Array.isArray(v) ? v : listSlow(v, place);
}

function listSlow(v: unknown, place: string): readonly Value[] {
  meter?.notePlace(place);
  return drain(iterate(v, place), place);
}

/** What the iterator still has. */
export function drain(iterator: Iterator<unknown>, place = ""): Value[] {
  const items = Array.from({ [Symbol.iterator]: () => iterator }, value);
  meter?.spendItems(items.length, place);
  return items;
}

function tupleItems(v: unknown): readonly Value[] | undefined {
  return v instanceof PythonObject ? asValues(v[ITEMS]?.()) : undefined;
}

function asValues(items: readonly unknown[] | undefined): readonly Value[] | undefined;
function asValues<T>(items: T): T {
  return items;
}

/** The items of a value that is unpacked into so many names. */
export function unpack(v: unknown, count: number, place: string): readonly Value[] {
  const held = Array.isArray(v) ? list(v, place) : tupleItems(v);
  if (held?.length === count) return held;
  const iterator = iteratorOf(v, place);
  if (iterator === null) {
    return fail("TypeError", `cannot unpack non-iterable ${typeName(v)} object`, place);
  }
  const items: Value[] = [];
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    if (items.length === count) {
      return fail("ValueError", `too many values to unpack (expected ${count})`, place);
    }
    items.push(value(next.value));
  }
  if (items.length < count) {
    const message = `not enough values to unpack (expected ${count}, got ${items.length})`;
    return fail("ValueError", message, place);
  }
  return items;
}

/** The call `v.items()` of JSON data as a loop sees it: the pairs of a dict, else what the call would raise. */
export function items(v: Value, place: string): readonly (readonly [string, Value])[] {
  if (isPlain(v)) return plainItems(v);
  if (isDict(v)) return asPairs(dictEntries(v));
  missing(v, "items", place);
  return [];
}

/** The same for `for…in`: a dict whose own fields give its pairs by themselves. */
export function fieldsOf(v: Value, place: string): Fields {
  if (isPlain(v) && isBare(v)) return v;
  if (isDict(v)) return inOrder(v);
  missing(v, "items", place);
  return {};
}

/** Whether all that `for…in` finds is a pair: no other object's field, and none that holds `undefined`. */
function isBare(fields: Fields): boolean {
  for (const key in fields) {
    // Of this call V8 knows the answer here, not of Object.hasOwn.
    if (fields[key] === undefined || !Object.prototype.hasOwnProperty.call(fields, key))
      return false;
  }
  return true;
}

/** Fields in Python's order, which an object of JavaScript's own may not have. */
function inOrder(dict: Readonly<Record<string, unknown>>): Fields {
  const entries = dictEntries(dict);
  return new Proxy<Fields>(Object.fromEntries(asPairs(entries)), {
    ownKeys: () => [...new Set(entries.map(([key]) => String(key)))],
    getPrototypeOf: () => null,
  });
}

/** V8 takes the entries of an object in a third of the time where a `for…in` has met its shape before. */
function plainItems(fields: Fields): readonly (readonly [string, Value])[] {
  for (const name in fields) {
    if (fields[name] === undefined) return Object.entries(fields).filter(isGiven);
  }
  return Object.entries(fields);
}

/** `v | items` as a loop sees it: the pairs of a dict, none where nothing is there. */
export function itemPairs(v: unknown, place: string): readonly (readonly [string, Value])[] {
  if (isUndefined(v)) return [];
  return isDict(v) ? items(value(v), place) : failPairs(place);
}

/** The same for `for…in`. */
export function fieldsIn(v: unknown, place: string): Fields {
  if (isUndefined(v)) return {};
  return isDict(v) ? fieldsOf(value(v), place) : failPairs(place);
}

function failPairs(place: string): never {
  return fail("TypeError", "Can only get item pairs from a mapping.", place);
}

function isGiven([, item]: readonly [string, Value]): boolean {
  return item !== undefined;
}

/** Keys that are no text pass too: the caller's type is that of JSON data. */
function asPairs(
  pairs: readonly (readonly [unknown, unknown])[],
): readonly (readonly [string, Value])[];
function asPairs<T>(pairs: T): T {
  return pairs;
}

/** Python's len(); raises its TypeError. */
export function lengthOf(v: unknown, place: string): number {
  return (
    lengthOrNull(v) ?? fail("TypeError", `object of type '${typeName(v)}' has no len()`, place)
  );
}

/** Python's len(), null where there is none. */
export function lengthOrNull(v: unknown): number | null {
  if (typeof v === "string") {
    return textLength(v);
  }
  if (Array.isArray(v)) {
    return v.length;
  }
  if (v === undefined) {
    return 0;
  }
  if (v instanceof PythonObject) {
    return v[LENGTH]();
  }
  return isDict(v) ? dictSize(v) : null;
}
