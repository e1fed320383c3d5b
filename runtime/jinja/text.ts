/** Python's str methods on texts that are known: pure, and no path to the method tables. */
import { value, type Value } from "../values.js";

/** Python's white space: Unicode's, and \x1c to \x1f. */
export function isSpace(code: number): boolean {
  if (code < 0x80) {
    return code === 32 || (code >= 9 && code <= 13) || (code >= 28 && code <= 31);
  }
  return WIDE_SPACE.test(String.fromCharCode(code));
}

/** JavaScript's, but for the byte order mark, and \x85. */
const WIDE_SPACE = /[^\S\ufeff]|\x85/;

/** `s.strip()`. */
export function strip(s: string): string {
  let start = 0;
  let end = s.length;
  while (start < end && isSpace(s.charCodeAt(start))) {
    start++;
  }
  while (end > start && isSpace(s.charCodeAt(end - 1))) {
    end--;
  }
  return start === 0 && end === s.length ? s : s.slice(start, end);
}

/** `s.lstrip()`. */
export function lstrip(s: string): string {
  let start = 0;
  while (start < s.length && isSpace(s.charCodeAt(start))) {
    start++;
  }
  return s.slice(start);
}

/** `s.rstrip()`. */
export function rstrip(s: string): string {
  let end = s.length;
  while (end > 0 && isSpace(s.charCodeAt(end - 1))) {
    end--;
  }
  return s.slice(0, end);
}

/** `s.strip(chars)`: chars is a set of characters. */
export function stripChars(s: string, chars: string): string {
  return lstripChars(rstripChars(s, chars), chars);
}

/** `s.lstrip(chars)`. */
export function lstripChars(s: string, chars: string): string {
  let start = 0;
  while (start < s.length) {
    const size = isPairAt(s, start) ? 2 : 1;
    if (!hasCharacter(chars, s.slice(start, start + size))) {
      break;
    }
    start += size;
  }
  return s.slice(start);
}

/** `s.rstrip(chars)`. */
export function rstripChars(s: string, chars: string): string {
  let end = s.length;
  while (end > 0) {
    const size = isPairAt(s, end - 2) ? 2 : 1;
    if (!hasCharacter(chars, s.slice(end - size, end))) {
      break;
    }
    end -= size;
  }
  return s.slice(0, end);
}

/** Whether the character is one of the text's: half a surrogate pair is not. */
function hasCharacter(chars: string, character: string): boolean {
  for (let at = chars.indexOf(character); at >= 0; at = chars.indexOf(character, at + 1)) {
    if (character.length === 2 || (!isPairAt(chars, at) && !isPairAt(chars, at - 1))) {
      return true;
    }
  }
  return false;
}

function isPairAt(s: string, at: number): boolean {
  return (s.charCodeAt(at) & 0xfc00) === 0xd800 && (s.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

const SURROGATE = /[\ud800-\udfff]/;
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

/** The number of code points. */
export function textLength(s: string): number {
  return SURROGATE.test(s) ? s.length - (s.match(PAIR)?.length ?? 0) : s.length;
}

/** The code points as texts. */
export function characters(s: string): string[] {
  return SURROGATE.test(s) ? Array.from(s) : s.split("");
}

/** `s[start:stop]`, in code points; null is an end that is left out. */
export function sliceText(s: string, start: number | null, stop: number | null): string {
  const from = start === null ? 0 : offset(s, start);
  const to = stop === null ? s.length : offset(s, stop);
  return s.slice(from, to);
}

/** Where the code point with that index begins, in UTF-16 units; a negative index counts from the end. */
function offset(s: string, index: number): number {
  if (index >= 0) {
    let at = 0;
    for (let i = 0; i < index && at < s.length; i++) {
      at += isPairAt(s, at) ? 2 : 1;
    }
    return at;
  }
  let at = s.length;
  for (let i = 0; i > index && at > 0; i--) {
    at -= isPairAt(s, at - 2) ? 2 : 1;
  }
  return at;
}

/** The code point with that index, null outside the text. */
export function characterAt(s: string, index: number): string | null {
  const at = offset(s, index);
  if (at >= s.length || (index < 0 && -index > s.length) || (index < 0 && outside(s, index))) {
    return null;
  }
  return s.slice(at, at + (isPairAt(s, at) ? 2 : 1));
}

function outside(s: string, index: number): boolean {
  return -index > textLength(s);
}

/** `s.split(mark)[0]`. */
export function before(s: string, mark: string): string {
  const at = s.indexOf(mark);
  return at < 0 ? s : s.slice(0, at);
}

/** `s.split(mark)[-1]`. */
export function afterLast(s: string, mark: string): string {
  // split() finds matches from the left, which matters where the mark overlaps itself.
  let end = 0;
  for (let at = s.indexOf(mark); at >= 0; at = s.indexOf(mark, end)) {
    end = at + mark.length;
  }
  return end === 0 ? s : s.slice(end);
}

/** `s.split(sep)`. */
export function splitText(s: string, sep: string): readonly Value[] {
  return s.split(sep).map(value);
}

/** `s.replace(old, new)`. */
export function replaceText(s: string, old: string, replacement: string): string {
  if (old === "") {
    return (
      replacement +
      characters(s)
        .map((c) => c + replacement)
        .join("")
    );
  }
  return s.replaceAll(old, () => replacement);
}

/** `s.upper()`. */
export function upper(s: string): string {
  return s.toUpperCase();
}

/** `s.lower()`. */
export function lower(s: string): string {
  return s.toLowerCase();
}
