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

/** The map's keys as Go's range, print and json visit them (internal/fmtsort: sorted by bytes). */
export function sortedKeys(map: Readonly<Record<string, unknown>>): string[] {
  const keys = Object.keys(map);
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

/** The map's entries as `range $k, $v` visits them: sorted by the keys' UTF-8 bytes; nothing for Go's nil map. */
export function sorted<T = Value>(
  map: Readonly<Record<string, T>> | null | undefined,
): (readonly [string, T])[] {
  const entries: (readonly [string, T])[] = [];
  let needsBytes = false;
  for (const key in map) {
    const item = map[key];
    if (item === undefined) {
      continue;
    }
    needsBytes ||= isAboveSurrogates(key);
    // The index is compared first: a read of entries[-1] is no index to V8, and three times as slow as all the rest.
    let i = entries.length;
    for (; i > 0; i--) {
      const last = entries[i - 1];
      if (last === undefined || last[0] <= key) {
        break;
      }
      entries[i] = last;
    }
    entries[i] = [key, item];
  }
  return needsBytes ? entries.sort((a, b) => compareBytes(a[0], b[0])) : entries;
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
