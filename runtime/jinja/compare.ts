/** Python's comparisons and `in`. */
import { fail } from "../errors.js";
import { meter } from "../meter.js";
import { Float, isDict, isPlain, OrderedDict, type Value } from "../values.js";
import { dictGet, dictSize, field, lookup } from "./dict.js";
import { COMPARE, CONTAINS, EQUALS, ITEMS, MEMBERS, PythonObject, TEXT } from "./protocol.js";
import { failIn, textOf, typeName } from "./types.js";
import { failUndefined, isUndefined } from "./required.js";

/** `a == b`. */
export function eq(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "string" && typeof b === "string" ? false : eqSlow(a, b));
}

function eqSlow(a: unknown, b: unknown): boolean {
  if (a instanceof PythonObject) {
    return a[EQUALS](b);
  }
  if (b instanceof PythonObject) {
    return b[EQUALS](a);
  }
  const x = numberOf(a);
  if (x !== null) {
    const y = numberOf(b);
    // JavaScript compares a number with a bigint exactly.
    return y !== null && x == y;
  }
  if (Array.isArray(a)) {
    return Array.isArray(b) && eqItems(a, b);
  }
  return isDict(a) && isDict(b) && eqDicts(a, b);
}

/** The number of an int, bool or float. */
function numberOf(v: unknown): number | bigint | null {
  if (typeof v === "number" || typeof v === "bigint") {
    return v;
  }
  if (typeof v === "boolean") {
    return v ? 1 : 0;
  }
  return v instanceof Float ? v.valueOf() : null;
}

/** Whether two sequences have equal items. */
export function eqItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  meter?.spendItems(a.length);
  return a.length === b.length && a.every((item, i) => eq(item, b[i]));
}

type Dict = Readonly<Record<string, unknown>>;

/** Keys are compared as they are kept: texts by themselves, others by their canonical form. */
function eqDicts(a: Dict, b: Dict): boolean {
  const keys = a instanceof OrderedDict ? [...OrderedDict.keys(a).keys()] : Object.keys(a);
  return dictSize(a) === dictSize(b) && keys.every((key) => isSame(lookup(a, key), lookup(b, key)));
}

/** Whether a value that may be absent is that of the other dict, if there is one. */
function isSame(item: unknown, other: unknown): boolean {
  return item === undefined || (other !== undefined && eq(item, other));
}

type Order = "<" | "<=" | ">" | ">=";

/** `a < b`. */
export function lt(a: unknown, b: unknown, place: string): boolean {
  return typeof a === "number" && typeof b === "number" ? a < b : order(a, b, "<", place);
}

/** `a <= b`. */
export function le(a: unknown, b: unknown, place: string): boolean {
  return typeof a === "number" && typeof b === "number" ? a <= b : order(a, b, "<=", place);
}

/** `a > b`. */
export function gt(a: unknown, b: unknown, place: string): boolean {
  return typeof a === "number" && typeof b === "number" ? a > b : order(a, b, ">", place);
}

/** `a >= b`. */
export function ge(a: unknown, b: unknown, place: string): boolean {
  return typeof a === "number" && typeof b === "number" ? a >= b : order(a, b, ">=", place);
}

function order(a: unknown, b: unknown, operator: Order, place: string): boolean {
  if (typeof a === "string" && typeof b === "string") return decide(compareText(a, b), 0, operator);
  const x = numberOf(a);
  const y = numberOf(b);
  if (x !== null && y !== null) {
    return decide(x, y, operator);
  }
  const s = textOf(a);
  const t = textOf(b);
  if (s !== null && t !== null) {
    return decide(compareText(s, t), 0, operator);
  }
  const items = Array.isArray(a) && Array.isArray(b) ? a : comparable(a, b);
  const others = items === a ? b : comparable(b, a);
  if (items !== null && Array.isArray(others)) {
    return orderItems(items, others, operator, place);
  }
  const [members, rest] = [membersOf(a), membersOf(b)];
  return members !== null && rest !== null
    ? orderSets(members, rest, operator)
    : failOrder(a, b, operator, place);
}

function membersOf(v: unknown): readonly unknown[] | null {
  return v instanceof PythonObject ? (v[MEMBERS]?.() ?? null) : null;
}

/** Views of keys and of items are ordered as sets are: by what is part of what. */
function orderSets(a: readonly unknown[], b: readonly unknown[], operator: Order): boolean {
  const [part, whole] = operator.startsWith("<") ? [a, b] : [b, a];
  if (part.length > whole.length || (part.length === whole.length && operator.length === 1)) {
    return false;
  }
  return part.every((one) => whole.some((other) => eq(one, other)));
}

function comparable(a: unknown, b: unknown): readonly unknown[] | null {
  if (!(a instanceof PythonObject && b instanceof PythonObject)) return null;
  // What groupby gives is a tuple of its own class.
  const same = typeName(a) === typeName(b) || (a[ITEMS] !== undefined && b[ITEMS] !== undefined);
  return same ? (a[COMPARE]?.() ?? null) : null;
}

function failOrder(a: unknown, b: unknown, operator: Order, place: string): never {
  if (isUndefined(a)) {
    return failUndefined(a, place);
  }
  if (isUndefined(b)) {
    return failUndefined(b, place);
  }
  const types = `'${typeName(a)}' and '${typeName(b)}'`;
  const message = `'${operator}' not supported between instances of ${types}`;
  return fail("TypeError", message, place);
}

function orderItems(
  a: readonly unknown[],
  b: readonly unknown[],
  operator: Order,
  place: string,
): boolean {
  const count = Math.min(a.length, b.length);
  for (let i = 0; i < count; i++) {
    if (!eq(a[i], b[i])) {
      return order(a[i], b[i], operator, place);
    }
  }
  return decide(a.length, b.length, operator);
}

function decide(a: number | bigint, b: number | bigint, operator: Order): boolean {
  switch (operator) {
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    default:
      return a >= b;
  }
}

/** The order of two texts by code points, as a number below, at or above 0. */
export function compareText(a: string, b: string): number {
  const count = Math.min(a.length, b.length);
  meter?.spendText(count);
  for (let i = 0; i < count; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) {
      // A surrogate stands for a code point above all others.
      return rank(x) - rank(y);
    }
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** `name in container` for a text that the template spells out. */
export function has(container: Value, name: string, place: string): boolean {
  if (typeof container === "string") {
    return container.includes(name);
  }
  if (isPlain(container)) {
    return field(container, name) !== undefined;
  }
  return hasSlow(container, name, place);
}

function hasSlow(container: unknown, name: string, place: string): boolean {
  if (Array.isArray(container)) {
    return container.some((item) => eq(item, name));
  }
  if (container instanceof PythonObject) {
    return container[TEXT]()?.includes(name) ?? container[CONTAINS](name, place, eq);
  }
  return container !== undefined && isField(container, name, place);
}

/** `needle in container`. */
export function isIn(needle: unknown, container: unknown, place: string): boolean {
  const found = isInOther(needle, container, place);
  if (found !== null) {
    return found;
  }
  return typeof needle === "string"
    ? isField(container, needle, place)
    : dictGet(isDict(container) ? container : failIn(container, place), needle, place) !==
        undefined;
}

/** Whether the dict has the key; raises for what is no container. */
function isField(container: unknown, name: string, place: string): boolean {
  return isDict(container) ? field(container, name) !== undefined : failIn(container, place);
}

/** `needle in container` for containers that are no dict; null for dicts and what is no container. */
function isInOther(needle: unknown, container: unknown, place: string): boolean | null {
  if (Array.isArray(container)) {
    return container.some((item) => eq(item, needle));
  }
  const characters = textOf(container);
  if (characters !== null) {
    return isPart(needle, characters, place);
  }
  if (container instanceof PythonObject) {
    return container[CONTAINS](needle, place, eq);
  }
  return container === undefined ? false : null;
}

function isPart(needle: unknown, characters: string, place: string): boolean {
  const part = textOf(needle);
  if (part === null) {
    const message = `'in <string>' requires string as left operand, not ${typeName(needle)}`;
    return fail("TypeError", message, place);
  }
  return characters.includes(part);
}
