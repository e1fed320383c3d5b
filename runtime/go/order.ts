/** The order of a map's keys: Go sorts them by their UTF-8 bytes. */

import { OrderedDict, type Value } from "../values.js";

/** -1, 0 or 1 as Go compares strings: by UTF-8 bytes, a stray byte (U+DC80 to U+DCFF) as itself. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let i = 0;
  while (i < length && a.charCodeAt(i) === b.charCodeAt(i)) {
    i++;
  }
  if (i === a.length || i === b.length) {
    return Math.sign(a.length - b.length);
  }
  if (i > 0 && isLow(a.charCodeAt(i)) && isLow(b.charCodeAt(i)) && isHigh(a.charCodeAt(i - 1))) {
    i--;
  }
  return firstBytes(a, i) < firstBytes(b, i) ? -1 : 1;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** A number that orders the characters at `i` as the bytes of their UTF-8 form do. */
function firstBytes(text: string, i: number): number {
  const point = text.codePointAt(i) ?? 0;
  if (point >= 0xdc80 && point <= 0xdcff) {
    return (point - 0xdc00) * 0x1000000;
  }
  if (point < 0x80) {
    return point * 0x1000000;
  }
  if (point < 0x800) {
    return (0xc0 | (point >> 6)) * 0x1000000 + (0x80 | (point & 63)) * 0x10000;
  }
  if (point < 0x10000) {
    const known = isHigh(point) || isLow(point) ? 0xfffd : point;
    const tail = (0x80 | ((known >> 6) & 63)) * 0x10000 + (0x80 | (known & 63)) * 0x100;
    return (0xe0 | (known >> 12)) * 0x1000000 + tail;
  }
  const tail = (0x80 | ((point >> 6) & 63)) * 0x100 + (0x80 | (point & 63));
  return (0xf0 | (point >> 18)) * 0x1000000 + (0x80 | ((point >> 12) & 63)) * 0x10000 + tail;
}

/** The keys of a map as it has them, and in the order of Go. */
export interface KeyOrder {
  readonly hash: number;
  readonly given: readonly string[];
  readonly sorted: readonly string[];
  /** The sorted keys as JSON writes them, once it has. */
  quoted: readonly string[] | undefined;
}

/** How many orders are kept, of how many keys, and of how many units together. */
const SLOTS = 256;
const FEWEST_KEYS = 3;
const MOST_KEYS = 32;
const LONGEST = 512;

/** A pure memo, bounded: of keys that are known in their own order, comparing takes a third of the time of sorting. */
const orders: KeyOrder[] = [];

/** What each slot was last asked for in vain: an order is kept when it is asked for a second time. */
const missed: number[] = [];

function withKey(hash: number, key: string): number {
  return (31 * hash + key.length) & 0xffffff;
}

/** The hash of the lengths of all keys and of a sign of the last one. */
function hashOf(lengths: number, last: string): number {
  return (31 * lengths + last.charCodeAt(last.length >> 1)) & 0xffffff;
}

/** The order of keys that are each given once. */
export function orderOf(given: readonly string[]): KeyOrder {
  if (given.length < FEWEST_KEYS) {
    return makeOrder(0, given);
  }
  let lengths = 0;
  let last = "";
  for (const key of given) {
    lengths = withKey(lengths, key);
    last = key;
  }
  const hash = hashOf(lengths, last);
  const known = orders[hash % SLOTS];
  return known?.hash === hash && isSame(known.given, given) ? known : newOrder(hash, given);
}

function isSame(known: readonly string[], given: readonly string[]): boolean {
  if (known.length !== given.length) {
    return false;
  }
  for (let i = 0; i < given.length; i++) {
    if (known[i] !== given[i]) {
      return false;
    }
  }
  return true;
}

function newOrder(hash: number, given: readonly string[]): KeyOrder {
  const order = makeOrder(hash, given);
  if (isWanted(hash)) {
    keep(order);
  }
  return order;
}

function makeOrder(hash: number, given: readonly string[]): KeyOrder {
  return { hash, given, sorted: inOrder(given), quoted: undefined };
}

/** Whether this is the second time that such an order is missed. */
function isWanted(hash: number): boolean {
  const slot = hash % SLOTS;
  const isSecond = missed[slot] === hash;
  missed[slot] = hash;
  return isSecond;
}

function keep(order: KeyOrder): void {
  if (order.given.length <= MOST_KEYS && order.given.join("").length <= LONGEST) {
    orders[order.hash % SLOTS] = order;
  }
}

function inOrder(given: readonly string[]): readonly string[] {
  const keys = given.slice();
  if (keys.length > MOST_KEYS) {
    keys.sort();
  }
  let needsBytes = false;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? "";
    needsBytes ||= isAboveSurrogates(key);
    // The index is compared first: a read of keys[-1] is no index to V8, and slower than all the rest.
    let j = i;
    for (; j > 0; j--) {
      const last = keys[j - 1];
      if (last === undefined || last <= key) {
        break;
      }
      keys[j] = last;
    }
    keys[j] = key;
  }
  return needsBytes ? keys.sort(compareBytes) : keys;
}

/** Whether the key has a unit from U+D800 on: only there do UTF-16 and UTF-8 order differently. */
function isAboveSurrogates(key: string): boolean {
  for (let i = 0; i < key.length; i++) {
    if (key.charCodeAt(i) > 0xd7ff) {
      return true;
    }
  }
  return false;
}

/** A map of Go's: what holds `undefined` is absent. */
type GoMap<T> = Readonly<Record<string, T>> | null | undefined;

/** The map's keys as Go's range, print and json visit them (internal/fmtsort: sorted by bytes); none for Go's nil map. */
export function sortedKeys(map: GoMap<unknown>): readonly string[] {
  if (map === null || map === undefined) {
    return [];
  }
  for (const key in map) {
    if (map[key] === undefined) {
      return inOrder(Object.keys(map).filter((each) => map[each] !== undefined));
    }
  }
  return orderOf(Object.keys(map)).sorted;
}

/** The map's entries as `range $k, $v` visits them. */
export function sorted<T = Value>(map: GoMap<T>): readonly (readonly [string, T])[] {
  return map === null || map === undefined ? [] : entriesOf(map, sortedKeys(map));
}

function entriesOf<T>(
  map: Readonly<Record<string, T>>,
  keys: readonly string[],
): readonly (readonly [string, T])[] {
  const entries: (readonly [string, T])[] = [];
  for (const key of keys) {
    const item = map[key];
    if (item !== undefined) entries.push([key, item]);
  }
  return entries;
}

/** The keys in the order in which they were given, which Ollama keeps for the properties of a property. */
export function orderedKeys(map: Readonly<Record<string, unknown>>): string[] {
  const keys: string[] = [];
  const all = map instanceof OrderedDict ? [...OrderedDict.keys(map).values()] : Object.keys(map);
  for (const key of all) {
    if (typeof key === "string" && map[key] !== undefined) {
      keys.push(key);
    }
  }
  return keys;
}
