/** Python's bytes, as `encode` gives them. */
import { fail } from "../errors.js";
import { byName, textArgument } from "./arguments.js";
import { Method } from "./method.js";
import { smallInt } from "./numbers.js";
import {
  ABSENT,
  ATTRIBUTE,
  EQUALS,
  ITEM,
  ITERATE,
  LENGTH,
  PythonObject,
  REPR,
  SEQUENCE,
} from "./protocol.js";
import { exactly } from "./sequence.js";
import type { TextMethod } from "./text-methods.js";
import { itemAt } from "./tuple.js";

/** Bytes that a template may print, count and decode. */
export class Bytes extends PythonObject {
  readonly #bytes: readonly number[];

  constructor(bytes: readonly number[]) {
    super("bytes");
    this.#bytes = bytes;
  }

  override [LENGTH](): number {
    return this.#bytes.length;
  }

  override [REPR](): string {
    const inner = this.#bytes.map(printed).join("");
    return inner.includes("'") && !inner.includes('"')
      ? `b"${inner}"`
      : `b'${inner.replaceAll("'", "\\'")}'`;
  }

  override [ITERATE](): Iterator<unknown> {
    return this.#bytes.values();
  }

  override [EQUALS](other: unknown): boolean {
    return other instanceof Bytes && this.#bytes.join() === other.#bytes.join();
  }

  override [ITEM](key: unknown): unknown {
    const i = smallInt(key);
    return i === null ? ABSENT : itemAt(this.#bytes, i);
  }

  override [ATTRIBUTE](name: string): unknown {
    switch (name) {
      case "decode":
        return new Method("built-in method decode of bytes object", () =>
          new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(this.#bytes)),
        );
      case "hex":
        return new Method("built-in method hex of bytes object", (args, kwargs, place) => {
          exactly(0, "bytes.hex", args, kwargs, place);
          return this.#bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
        });
      default:
        return ABSENT;
    }
  }

  override [SEQUENCE](): boolean {
    return true;
  }
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

/** `s.encode(encoding)`: UTF-8, ASCII and Latin-1. */
export const strEncode: TextMethod = (s, args, kwargs, place) => {
  const [encoding] = byName("encode", ["encoding", "errors"], args, kwargs, place);
  const message = "encode() argument 'encoding' must be str, not";
  const name = encoding === undefined ? "utf-8" : textArgument(encoding, message, place);
  const plain = name.toLowerCase().replaceAll("_", "-");
  if (plain === "utf-8" || plain === "utf8") {
    return new Bytes([...new TextEncoder().encode(s)]);
  }
  const limit = ["ascii", "us-ascii"].includes(plain) ? 0x80 : 0x100;
  if (limit === 0x100 && !["latin-1", "latin1", "iso-8859-1"].includes(plain)) {
    return fail("LookupError", `unknown encoding: ${name}`, place);
  }
  const codes = [...s].map((c) => c.codePointAt(0) ?? 0);
  return codes.every((code) => code < limit)
    ? new Bytes(codes)
    : fail("UnicodeEncodeError", `'${plain}' codec can't encode the text`, place);
};
