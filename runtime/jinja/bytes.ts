/** Python's bytes, as `encode` gives them. */
import { meter } from "../meter.js";
import { byName, textArgument } from "./arguments.js";
import { bytesMethod } from "./bytes-methods.js";
import { encodeText } from "./codecs.js";
import { fail } from "../errors.js";
import { Method } from "./method.js";
import { smallInt } from "./numbers.js";
import { BaseObject } from "./object.js";
import {
  ABSENT,
  ADD,
  ATTRIBUTE,
  CANONICAL,
  COMPARE,
  CONTAINS,
  EQUALS,
  ITEM,
  ITERATE,
  LENGTH,
  OCTETS,
  PythonObject,
  REPEAT,
  REPR,
  REVERSE,
  SEQUENCE,
  SLICE,
  WRAP,
} from "./protocol.js";
import { repeatText } from "./repeat.js";
import { sliceItems } from "./sequence.js";
import type { TextMethod } from "./text-methods.js";
import { isInt, typeName } from "./types.js";

/** Bytes; they are kept as a text with a character for each byte. */
export class Bytes extends BaseObject {
  readonly #octets: string;

  constructor(bytes: readonly number[]) {
    super("bytes");
    meter?.spendItems(bytes.length);
    this.#octets = bytes.map((byte) => String.fromCharCode(byte)).join("");
  }

  static of(octets: string): Bytes {
    return new Bytes(numbersOf(octets));
  }

  #numbers(): number[] {
    return numbersOf(this.#octets);
  }

  override [OCTETS](): string {
    return this.#octets;
  }

  override [LENGTH](): number {
    return this.#octets.length;
  }

  override [REPR](): string {
    const inner = this.#numbers().map(printed).join("");
    return inner.includes("'") && !inner.includes('"')
      ? `b"${inner}"`
      : `b'${inner.replaceAll("'", "\\'")}'`;
  }

  override [WRAP](octets: string): Bytes {
    return Bytes.of(octets);
  }

  override [ITERATE](): Iterator<unknown> {
    return this.#numbers().values();
  }

  override [REVERSE](): Iterator<unknown> {
    return this.#numbers().reverse().values();
  }

  override [CONTAINS](needle: unknown, place: string): boolean {
    const part = needle instanceof PythonObject ? (needle[OCTETS]?.() ?? null) : null;
    if (part !== null) {
      return this.#octets.includes(part);
    }
    if (!isInt(needle)) {
      const message = `a bytes-like object is required, not '${typeName(needle)}'`;
      return fail("TypeError", message, place);
    }
    const byte = Number(needle);
    return byte >= 0 && byte < 256
      ? this.#octets.includes(String.fromCharCode(byte))
      : fail("ValueError", "byte must be in range(0, 256)", place);
  }

  override [EQUALS](other: unknown): boolean {
    return other instanceof Bytes && this.#octets === other.#octets;
  }

  override [CANONICAL](): unknown {
    return Symbol.for(`bytes ${this.#octets}`);
  }

  override [COMPARE](): readonly unknown[] {
    return this.#numbers();
  }

  override [ADD](other: unknown, reflected: boolean): unknown {
    return reflected || !(other instanceof Bytes) ? ABSENT : Bytes.of(this.#octets + other.#octets);
  }

  override [REPEAT](times: number, place: string): Bytes {
    return Bytes.of(repeatText(this.#octets, times, place));
  }

  override [ITEM](key: unknown): unknown {
    const i = smallInt(key);
    const byte = i === null ? NaN : this.#octets.charCodeAt(i < 0 ? i + this.#octets.length : i);
    return Number.isNaN(byte) ? ABSENT : byte;
  }

  override [SLICE](start: unknown, stop: unknown, step: unknown, place: string): Bytes {
    return Bytes.of(sliceItems(this.#octets.split(""), start, stop, step, place).join(""));
  }

  override [ATTRIBUTE](name: string): unknown {
    const body = bytesMethod(this.#octets, name, (octets) => Bytes.of(octets));
    if (body === null) return ABSENT;
    const owner = name === "fromhex" || name === "maketrans" ? "type" : "bytes";
    return new Method(`built-in method ${name} of ${owner} object`, body);
  }

  override [SEQUENCE](): boolean {
    return true;
  }
}

function numbersOf(octets: string): number[] {
  return Array.from(octets, (c) => c.charCodeAt(0));
}

function printed(byte: number): string {
  switch (byte) {
    case 9:
      return "\\t";
    case 10:
      return "\\n";
    case 13:
      return "\\r";
    case 92:
      return "\\\\";
    default:
      return byte < 32 || byte > 126
        ? `\\x${byte.toString(16).padStart(2, "0")}`
        : String.fromCharCode(byte);
  }
}

/** `s.encode(encoding, errors)`. */
export const strEncode: TextMethod = (s, args, kwargs, place) => {
  const [encoding, errors] = byName("encode", ["encoding", "errors"], args, kwargs, place);
  const name = textOr(encoding, "utf-8", "encode() argument 'encoding'", place);
  const handler = textOr(errors, "strict", "encode() argument 'errors'", place);
  return new Bytes(encodeText(s, name, handler, place));
};

function textOr(v: unknown, otherwise: string, argument: string, place: string): string {
  return v === undefined ? otherwise : textArgument(v, `${argument} must be str, not`, place);
}
