/**
 * Go's strings are bytes. A byte that is no part of valid UTF-8 stands in our texts as the lone surrogate
 * U+DC80 + (byte − 0x80); any other lone surrogate is the U+FFFD that Go would have decoded.
 */

import { fail } from "./errors.js";

const STRAY = 0xdc00;
const NOT_ASCII = /[\u0080-\uffff]/;
const TWO_STRAY = /[\udc80-\udcff]{2}/;

/** The text's bytes in UTF-8, stray bytes as themselves. */
export function toBytes(s: string): Uint8Array {
  if (s.isWellFormed()) {
    return new TextEncoder().encode(s);
  }
  const bytes: number[] = [];
  for (const sign of s) {
    const point = sign.codePointAt(0) ?? 0;
    if (point >= 0xdc80 && point <= 0xdcff) {
      bytes.push(point - STRAY);
    } else {
      bytes.push(...new TextEncoder().encode(sign));
    }
  }
  return Uint8Array.from(bytes);
}

/** The text of the bytes; each byte that Go's utf8.DecodeRune refuses becomes a stray one. */
export function fromBytes(bytes: Uint8Array): string {
  let out = "";
  for (let i = 0; i < bytes.length;) {
    const size = runeSize(bytes, i);
    const lead = bytes[i] ?? 0;
    if (size === 0) {
      out += String.fromCharCode(STRAY + lead);
      i++;
      continue;
    }
    let point = size === 1 ? lead : lead & (0x7f >> size);
    for (let k = 1; k < size; k++) {
      point = (point << 6) | ((bytes[i + k] ?? 0) & 63);
    }
    out += String.fromCodePoint(point);
    i += size;
  }
  return out;
}

/** How many bytes the valid character at `i` has, 0 where there is none. */
function runeSize(bytes: Uint8Array, i: number): number {
  const lead = bytes[i] ?? 0;
  if (lead < 0x80) {
    return 1;
  }
  const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) {
    return 0;
  }
  for (let k = 1; k < size; k++) {
    const byte = bytes[i + k] ?? 0;
    const [low, high] = k === 1 ? secondByte(lead) : [0x80, 0xbf];
    if (byte < low || byte > high) {
      return 0;
    }
  }
  return size;
}

/** The range of a second byte: no overlong forms, no surrogates, nothing past U+10FFFF. */
function secondByte(lead: number): readonly [number, number] {
  switch (lead) {
    case 0xe0:
      return [0xa0, 0xbf];
    case 0xed:
      return [0x80, 0x9f];
    case 0xf0:
      return [0x90, 0xbf];
    case 0xf4:
      return [0x80, 0x8f];
    default:
      return [0x80, 0xbf];
  }
}

/** The text after a concatenation: stray bytes that have come to form a character are that character. */
export function joinBytes(s: string): string {
  return TWO_STRAY.test(s) && !s.isWellFormed() ? fromBytes(toBytes(s)) : s;
}

/** Go's `len` of a string: its bytes. */
export function byteLength(s: string): number {
  if (!NOT_ASCII.test(s)) {
    return s.length;
  }
  let length = 0;
  for (let i = 0; i < s.length; i++) {
    const unit = s.charCodeAt(i);
    if (unit < 0x80) {
      length++;
    } else if (unit < 0x800) {
      length += 2;
    } else if (unit < 0xd800 || unit > 0xdfff) {
      length += 3;
    } else if (unit < 0xdc00 && isLow(s.charCodeAt(i + 1))) {
      length += 4;
      i++;
    } else {
      length += unit >= 0xdc80 && unit <= 0xdcff ? 1 : 3;
    }
  }
  return length;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The string's bytes from `i` to `j` (Go's s[i:j]), with text/template's words for an index out of range. */
export function sliceBytes(s: string, i: number, j: number | undefined, place: string): string {
  const ascii = !NOT_ASCII.test(s);
  const bytes = ascii ? undefined : toBytes(s);
  const length = bytes?.length ?? s.length;
  const end = j ?? length;
  for (const index of j === undefined ? [i] : [i, j]) {
    if (index < 0 || index > length) {
      return fail(`error calling slice: index out of range: ${String(index)}`, place);
    }
  }
  if (i > end) {
    return fail(`error calling slice: invalid slice index: ${String(i)} > ${String(end)}`, place);
  }
  return bytes === undefined ? s.slice(i, end) : fromBytes(bytes.subarray(i, end));
}

/** Go's runes of a text: its code points, a stray byte as one, as utf8.RuneCount counts. */
export function runeCount(s: string): number {
  let count = s.length;
  for (let i = 1; i < s.length; i++) {
    const before = s.charCodeAt(i - 1);
    if (isLow(s.charCodeAt(i)) && before >= 0xd800 && before < 0xdc00) {
      count--;
    }
  }
  return count;
}
