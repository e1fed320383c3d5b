/** A JSON reader that keeps what Go's sees: number texts, the order and repetition of keys, and keys as written. */
import { toBytes } from "./go-utf8.js";

export interface Member {
  readonly key: string;
  /** The key between its quotes, escapes untouched: the ordered map decodes it by rules of its own. */
  readonly raw: string;
  readonly value: Json;
}
export type Json =
  | { readonly kind: "null" }
  | { readonly kind: "bool"; readonly bool: boolean }
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "string"; readonly text: string }
  | { readonly kind: "array"; readonly items: readonly Json[] }
  | { readonly kind: "object"; readonly members: readonly Member[] };

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Any character from the space on but the quote and the backslash, or an escape. */
const STRING = /"((?:[ !#-[\]-\u{10ffff}]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"/uy;
const SPACE = /[ \t\r\n]*/y;
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(.))/g;
const SIMPLE: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** The text is no JSON. */
export class JsonSyntaxError extends Error {}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Json {
    const value = this.#value();
    this.#match(SPACE);
    if (this.#at < this.#text.length) this.#fail();
    return value;
  }

  #fail(): never {
    throw new JsonSyntaxError(`invalid JSON at offset ${String(this.#at)}`);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }

  #take(token: string): boolean {
    this.#match(SPACE);
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #value(): Json {
    if (this.#take("{")) return { kind: "object", members: this.#members() };
    if (this.#take("[")) return { kind: "array", items: this.#items() };
    if (this.#take("null")) return { kind: "null" };
    if (this.#take("true")) return { kind: "bool", bool: true };
    if (this.#take("false")) return { kind: "bool", bool: false };
    const raw = this.#match(STRING)?.[1];
    if (raw !== undefined) return { kind: "string", text: unescaped(raw) };
    const number = this.#match(NUMBER)?.[0];
    return number === undefined ? this.#fail() : { kind: "number", text: number };
  }

  #items(): Json[] {
    const items: Json[] = [];
    if (this.#take("]")) return items;
    for (;;) {
      items.push(this.#value());
      if (this.#take("]")) return items;
      if (!this.#take(",")) this.#fail();
    }
  }

  #members(): Member[] {
    const members: Member[] = [];
    if (this.#take("}")) return members;
    for (;;) {
      this.#match(SPACE);
      const raw = this.#match(STRING)?.[1];
      if (raw === undefined || !this.#take(":")) this.#fail();
      members.push({ key: unescaped(raw), raw, value: this.#value() });
      if (this.#take("}")) return members;
      if (!this.#take(",")) this.#fail();
    }
  }
}

/** The text of a JSON string; a lone surrogate becomes U+FFFD. */
function unescaped(raw: string): string {
  const text = raw.replace(ESCAPE, (_, hex: string | undefined, letter: string | undefined) => {
    if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
    return SIMPLE.get(letter ?? "") ?? letter ?? "";
  });
  return text.toWellFormed();
}

export function parseJson(text: string): Json {
  return new Reader(text.toWellFormed()).document();
}

/**
 * A key as the ordered map's JSON library reads it (buger/jsonparser's Unescape); null where it refuses an escape.
 * It pairs any surrogate with the four hexadecimal digits two bytes further on.
 */
export function orderedKey(raw: string): string | null {
  let out = "";
  for (let at = 0; at < raw.length;) {
    if (raw.charAt(at) !== "\\") {
      const character = String.fromCodePoint(raw.codePointAt(at) ?? 0);
      out += character;
      at += character.length;
      continue;
    }
    const letter = raw.charAt(at + 1);
    if (letter !== "u") {
      out += SIMPLE.get(letter) ?? letter;
      at += 2;
      continue;
    }
    const first = parseInt(raw.slice(at + 2, at + 6), 16);
    if (first < 0xd800 || first > 0xdfff) {
      out += String.fromCharCode(first);
      at += 6;
      continue;
    }
    const second = secondHalf(raw.slice(at + 6));
    if (second === null) return null;
    const rune = 0x10000 + ((first - 0xd800) << 10) + (second.unit - 0xdc00);
    out += rune > 0x10ffff ? "\ufffd" : String.fromCodePoint(rune);
    at += 6 + second.length;
  }
  return out;
}

/** The unit in bytes 2–5 of what follows, and how many UTF-16 units those six bytes are. */
function secondHalf(rest: string): { unit: number; length: number } | null {
  const lead = Array.from(rest.slice(0, 2), (c) => c);
  let length = 0;
  let bytes = 0;
  for (const character of lead) {
    if (bytes >= 2) break;
    bytes += toBytes(character).length;
    length += character.length;
  }
  const hex = rest.slice(length, length + 4);
  if (bytes !== 2 || !/^[0-9a-fA-F]{4}$/.test(hex)) return null;
  const unit = parseInt(hex, 16);
  return unit < 0xdc00 ? null : { unit, length: length + 4 };
}
