/** Go strings are bytes: UTF-8 in and out, with stray bytes as U+DC80 + (byte − 0x80) on the JavaScript side. */
import { LATER_THAN_UNICODE_15 } from "./go-unicode.js";

export const REPLACEMENT = 0xfffd;

/** The rune at a byte offset; a stray byte is U+FFFD of size 1 (unicode/utf8.DecodeRune). */
export function decodeRune(bytes: Uint8Array, at: number): { rune: number; size: number } {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return { rune: first, size: 1 };
  const bad = { rune: REPLACEMENT, size: 1 };
  const size = first >= 0xf0 && first <= 0xf4 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return bad;
  let rune = first & (0xff >> (size + 1));
  for (let i = 1; i < size; i++) {
    const next = bytes[at + i];
    if (next === undefined || (next & 0xc0) !== 0x80) return bad;
    rune = (rune << 6) | (next & 0x3f);
  }
  const smallest = size === 2 ? 0x80 : size === 3 ? 0x800 : 0x10000;
  if (rune < smallest || rune > 0x10ffff || isSurrogate(rune)) return bad;
  return { rune, size };
}

function isSurrogate(rune: number): boolean {
  return rune >= 0xd800 && rune <= 0xdfff;
}

/** A rune of a string, with the bytes it stands on. */
export interface Rune {
  readonly rune: number;
  readonly at: number;
  readonly size: number;
  /** A byte that is no UTF-8 (Go's RuneError of width 1). */
  readonly stray: boolean;
}

/** `for i, r := range s`. */
export function runes(bytes: Uint8Array): Rune[] {
  const list: Rune[] = [];
  for (let at = 0; at < bytes.length;) {
    const { rune, size } = decodeRune(bytes, at);
    list.push({ rune, at, size, stray: rune === REPLACEMENT && size === 1 });
    at += size;
  }
  return list;
}

/** The bytes of one rune; an impossible one becomes U+FFFD (utf8.AppendRune). */
export function encodeRune(rune: number): number[] {
  if (rune < 0 || rune > 0x10ffff || isSurrogate(rune)) return encodeRune(REPLACEMENT);
  if (rune < 0x80) return [rune];
  if (rune < 0x800) return [0xc0 | (rune >> 6), 0x80 | (rune & 0x3f)];
  if (rune < 0x10000) {
    return [0xe0 | (rune >> 12), 0x80 | ((rune >> 6) & 0x3f), 0x80 | (rune & 0x3f)];
  }
  const low = [0x80 | ((rune >> 12) & 0x3f), 0x80 | ((rune >> 6) & 0x3f), 0x80 | (rune & 0x3f)];
  return [0xf0 | (rune >> 18), ...low];
}

/** JavaScript text to bytes; U+DC80…U+DCFF alone are stray bytes, other lone surrogates U+FFFD. */
export function toBytes(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xdc80 && code <= 0xdcff) bytes.push(code - 0xdc00);
    else bytes.push(...encodeRune(code));
  }
  return Uint8Array.from(bytes);
}

/** Bytes to JavaScript text, the convention of {@link toBytes}. */
export function toText(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (const { rune, at, stray } of runes(bytes)) {
    parts.push(stray ? String.fromCharCode(0xdc00 + (bytes[at] ?? 0)) : String.fromCodePoint(rune));
  }
  return parts.join("");
}

/** Bytes as a string of one character each: a map key, and sorted as Go sorts strings. */
export function toBinary(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (const byte of bytes) parts.push(String.fromCharCode(byte));
  return parts.join("");
}

export function fromBinary(binary: string): Uint8Array {
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** unicode.IsPrint: letters, marks, numbers, punctuation, symbols and the ASCII space, of Unicode 15. */
export function isPrint(rune: number): boolean {
  if (rune === 0x20) return true;
  if (rune > 0x10ffff || isSurrogate(rune)) return false;
  if (LATER_THAN_UNICODE_15.some(([from, to]) => rune >= from && rune <= to)) return false;
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(String.fromCodePoint(rune));
}

/** strings.ToLower: rune by rune, without JavaScript's special cases. */
export function toLower(text: string): string {
  const lower = (character: string): string => {
    if (character === "\u0130") return "i";
    const mapped = character.toLowerCase();
    return Array.from(mapped).length === 1 ? mapped : character;
  };
  return Array.from(text, lower).join("");
}
