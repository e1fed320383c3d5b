/** Reading and making dicts: plain objects, and OrderedDict where order or keys need it. */
import { meter } from "../meter.js";
import { isIndexKey, OrderedDict, setField, setOther, setText, value } from "../values.js";
import type { Value } from "../values.js";
import { canonical } from "./hash.js";
import type { Keywords } from "./protocol.js";
import { Undefined } from "./undefined.js";

type Dict = Readonly<Record<string, unknown>>;

/** The keys in Python's order; a key that holds `undefined` is absent. */
export function dictKeys(dict: Dict): unknown[] {
  return dictEntries(dict).map(([key]) => key);
}

/** The pairs in Python's order. */
export function dictEntries(dict: Dict): [unknown, unknown][] {
  const all = dict instanceof OrderedDict ? orderedEntries(dict) : Object.entries(dict);
  const entries = all.filter(([, item]) => item !== undefined);
  // Dicts take longer than lists.
  meter?.spendItems(4 * entries.length);
  return entries;
}

function orderedEntries(dict: OrderedDict): [unknown, unknown][] {
  return Array.from(OrderedDict.keys(dict), ([name, key]) => [key, lookup(dict, name)]);
}

/** Keyword arguments in the order in which they are given; one whose value is undefined is given too. */
export function keywordEntries(kwargs: Keywords): readonly (readonly [string, unknown])[] {
  if (kwargs === null) return [];
  return kwargs instanceof OrderedDict
    ? orderedEntries(kwargs).map(([name, item]) => [String(name), item] as const)
    : Object.entries(kwargs);
}

/** The values in Python's order. */
export function dictValues(dict: Dict): unknown[] {
  return dictEntries(dict).map(([, item]) => item);
}

/** How many keys there are. */
export function dictSize(dict: Dict): number {
  return dictEntries(dict).length;
}

/** The value of a text key, `undefined` where there is none; never what a prototype holds. */
export function field(dict: Dict, key: string): Value {
  const found = dict[key];
  return found !== undefined && Object.hasOwn(dict, key) ? value(found) : undefined;
}

/** The value of any key, `undefined` where there is none; a key that cannot be one raises. */
export function dictGet(dict: Dict, key: unknown, place: string): Value {
  return typeof key === "string" ? field(dict, key) : lookup(dict, canonical(key, place));
}

/** The value of a key in its canonical form. */
export function lookup(dict: Dict, key: unknown): Value {
  if (typeof key === "string") {
    return field(dict, key);
  }
  return dict instanceof OrderedDict ? value(OrderedDict.others(dict).get(key)) : undefined;
}

/** A dict of the pairs: later values win, the first of equal keys stays, as in Python. */
export function dictOf(pairs: readonly (readonly [unknown, unknown])[], place: string): object {
  const plain: Record<string, unknown> = {};
  for (const [key, item] of pairs) {
    if (typeof key !== "string" || isIndexKey(key)) {
      return fillDict(new OrderedDict(), pairs, place);
    }
    setField(plain, key, present(item));
  }
  return plain;
}

/** Sets the pairs of a new dict; a key that cannot be one raises. */
export function fillDict(
  dict: OrderedDict,
  pairs: readonly (readonly [unknown, unknown])[],
  place: string,
): OrderedDict {
  for (const [key, item] of pairs) {
    const name = canonical(key, place);
    if (typeof name === "string") {
      setText(dict, name, present(item), key);
    } else {
      setOther(dict, key, name, present(item));
    }
  }
  return dict;
}

/** A dict keeps a key whose value is undefined; a property that holds `undefined` would be none. */
export function present(item: unknown): unknown {
  return item === undefined ? new Undefined("the value is undefined") : item;
}

/** A dict literal. */
export function dict(pairs: readonly (readonly [unknown, unknown])[], place: string): Value {
  meter?.spendItems(pairs.length, place);
  return value(dictOf(pairs, place));
}
