/** Python's text encodings: those of Unicode, ASCII and Latin-1, with the handlers for what they cannot hold. */
import { fail } from "../errors.js";

/** What encodes a code point, null where the encoding has no bytes for it. */
type EncodePoint = (code: number) => readonly number[] | null;

/** What a byte sequence begins with: the code point and its length, or how many bytes are wrong. */
type DecodeNext = (bytes: readonly number[], at: number) => readonly [code: number, size: number];

interface Codec {
  readonly name: string;
  readonly mark: readonly number[];
  readonly encode: EncodePoint;
  readonly decode: DecodeNext;
}

/** The code that DecodeNext gives for bytes that are wrong. */
const WRONG = -1;

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function utf8Bytes(code: number): readonly number[] {
  if (code < 0x80) return [code];
  if (code < 0x800) return [0xc0 | (code >> 6), 0x80 | (code & 0x3f)];
  const last = [0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)];
  return code < 0x10000
    ? [0xe0 | (code >> 12), ...last]
    : [0xf0 | (code >> 18), 0x80 | ((code >> 12) & 0x3f), ...last];
}

/** As Unicode recommends it: what cannot go on ends the sequence before it. */
const utf8Next: DecodeNext = (bytes, at) => {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return [first, 1];
  const count = first < 0xc2 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : 0;
  if (count === 0) return [WRONG, 1];
  let code = first & (0x3f >> count);
  for (let i = 1; i <= count; i++) {
    const [low, high] = i === 1 ? secondRange(first) : [0x80, 0xbf];
    const next = bytes[at + i];
    if (next === undefined || next < low || next > high) return [WRONG, i];
    code = (code << 6) | (next & 0x3f);
  }
  return [code, count + 1];
};

function secondRange(first: number): readonly [number, number] {
  if (first === 0xe0) return [0xa0, 0xbf];
  if (first === 0xed) return [0x80, 0x9f];
  if (first === 0xf0) return [0x90, 0xbf];
  return first === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf];
}

function units(value: number, size: number, isLittle: boolean): number[] {
  const bytes = Array.from({ length: size }, (_, i) => (value >>> (8 * i)) & 0xff);
  return isLittle ? bytes : bytes.reverse();
}

function unitAt(bytes: readonly number[], at: number, size: number, isLittle: boolean): number {
  const part = bytes.slice(at, at + size);
  if (part.length < size) return WRONG;
  return (isLittle ? part.reverse() : part).reduce((sum, byte) => sum * 256 + byte, 0);
}

function utf16(name: string, isLittle: boolean, mark: readonly number[] = []): Codec {
  const decode: DecodeNext = (bytes, at) => {
    const first = unitAt(bytes, at, 2, isLittle);
    if (first === WRONG) return [WRONG, bytes.length - at];
    if (!isSurrogate(first)) return [first, 2];
    const second = unitAt(bytes, at + 2, 2, isLittle);
    if (first >= 0xdc00) return [WRONG, 2];
    if (second === WRONG) return [WRONG, bytes.length - at];
    if (second < 0xdc00 || second > 0xdfff) return [WRONG, 2];
    return [0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00), 4];
  };
  const encode: EncodePoint = (code) => {
    if (isSurrogate(code)) return null;
    if (code < 0x10000) return units(code, 2, isLittle);
    const rest = code - 0x10000;
    const pair = [0xd800 + (rest >> 10), 0xdc00 + (rest & 0x3ff)];
    return pair.flatMap((unit) => units(unit, 2, isLittle));
  };
  return { name, mark, encode, decode };
}

function utf32(name: string, isLittle: boolean, mark: readonly number[] = []): Codec {
  return {
    name,
    mark,
    encode: (code) => (isSurrogate(code) ? null : units(code, 4, isLittle)),
    decode: (bytes, at) => {
      const code = unitAt(bytes, at, 4, isLittle);
      if (code === WRONG) return [WRONG, bytes.length - at];
      return code > 0x10ffff || isSurrogate(code) ? [WRONG, 4] : [code, 4];
    },
  };
}

function bytewise(name: string, limit: number): Codec {
  return {
    name,
    mark: [],
    encode: (code) => (code < limit ? [code] : null),
    decode: (bytes, at) => {
      const byte = bytes[at] ?? 0;
      return [byte < limit ? byte : WRONG, 1];
    },
  };
}

function utf8(name: string, mark: readonly number[]): Codec {
  const encode: EncodePoint = (code) => (isSurrogate(code) ? null : utf8Bytes(code));
  return { name, mark, encode, decode: utf8Next };
}

/** The codec of an encoding's name, as Python normalises it; null for one that is not known. */
function codecOf(encoding: string): Codec | null {
  switch (encoding.toLowerCase().replace(/[^a-z0-9.]+/g, "_")) {
    case "utf_8":
    case "utf8":
    case "u8":
    case "utf":
    case "cp65001":
      return utf8("utf-8", []);
    case "utf_8_sig":
      return utf8("utf-8-sig", [0xef, 0xbb, 0xbf]);
    case "ascii":
    case "us_ascii":
    case "646":
    case "ansi_x3.4_1968":
      return bytewise("ascii", 0x80);
    case "latin_1":
    case "latin1":
    case "latin":
    case "l1":
    case "iso_8859_1":
    case "iso8859_1":
    case "iso8859":
    case "8859":
    case "cp819":
      return bytewise("latin-1", 0x100);
    case "utf_16":
    case "utf16":
    case "u16":
      return utf16("utf-16", true, [0xff, 0xfe]);
    case "utf_16_le":
    case "utf_16le":
      return utf16("utf-16-le", true);
    case "utf_16_be":
    case "utf_16be":
      return utf16("utf-16-be", false);
    case "utf_32":
    case "utf32":
    case "u32":
      return utf32("utf-32", true, [0xff, 0xfe, 0, 0]);
    case "utf_32_le":
    case "utf_32le":
      return utf32("utf-32-le", true);
    case "utf_32_be":
    case "utf_32be":
      return utf32("utf-32-be", false);
    default:
      return null;
  }
}

function requireCodec(encoding: string, place: string): Codec {
  return codecOf(encoding) ?? fail("LookupError", `unknown encoding: ${encoding}`, place);
}

/** `text.encode(encoding, errors)`. */
export function encodeText(text: string, encoding: string, errors: string, place: string) {
  const codec = requireCodec(encoding, place);
  const bytes: number[] = [...codec.mark];
  let at = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const own = codec.encode(code);
    for (const byte of own ?? unencodable(code, at, codec, errors, place)) bytes.push(byte);
    at++;
  }
  return bytes;
}

function unencodable(
  code: number,
  at: number,
  codec: Codec,
  errors: string,
  place: string,
): readonly number[] {
  const written = (text: string): number[] =>
    [...text].flatMap((c) => codec.encode(c.codePointAt(0) ?? 0) ?? []);
  switch (errors) {
    case "ignore":
      return [];
    case "replace":
      return written("?");
    case "xmlcharrefreplace":
      return written(`&#${code};`);
    case "backslashreplace":
      return written(escapedCode(code));
    case "surrogateescape":
      if (code >= 0xdc80 && code <= 0xdcff) return [code - 0xdc00];
      break;
    case "surrogatepass":
      if (codec.name.startsWith("utf-8") && isSurrogate(code)) return utf8Bytes(code);
      break;
    case "strict":
      break;
    default:
      return fail("LookupError", `unknown error handler name '${errors}'`, place);
  }
  const message = `'${codec.name}' codec can't encode character '${escapedCode(code)}' in position ${at}`;
  return fail("UnicodeEncodeError", message, place);
}

function escapedCode(code: number): string {
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}

/** `bytes.decode(encoding, errors)`. */
export function decodeBytes(
  bytes: readonly number[],
  encoding: string,
  errors: string,
  place: string,
): string {
  // CPython looks for no codec then.
  if (bytes.length === 0) return "";
  const [codec, start] = marked(requireCodec(encoding, place), bytes);
  let text = "";
  for (let at = start; at < bytes.length;) {
    const [code, size] = codec.decode(bytes, at);
    text +=
      code === WRONG
        ? undecodable(bytes.slice(at, at + size), at, codec, errors, place)
        : String.fromCodePoint(code);
    at += size;
  }
  return text;
}

/** The codec that the byte order mark asks for, and where the text begins. */
function marked(codec: Codec, bytes: readonly number[]): readonly [Codec, number] {
  const { name, mark } = codec;
  if (mark.length === 0) return [codec, 0];
  if (mark.every((byte, i) => bytes[i] === byte)) return [codec, mark.length];
  const isReversed = mark.every((_, i) => bytes[i] === mark[mark.length - 1 - i]);
  if (name === "utf-8-sig" || !isReversed) return [codec, 0];
  return [name === "utf-16" ? utf16(name, false) : utf32(name, false), mark.length];
}

function undecodable(
  wrong: readonly number[],
  at: number,
  codec: Codec,
  errors: string,
  place: string,
): string {
  switch (errors) {
    case "ignore":
      return "";
    case "replace":
      return "\ufffd";
    case "backslashreplace":
      return wrong.map(escapedCode).join("");
    case "surrogateescape":
      if (wrong.every((byte) => byte >= 0x80)) {
        return wrong.map((byte) => String.fromCharCode(0xdc00 + byte)).join("");
      }
      break;
    case "strict":
    case "surrogatepass":
      break;
    case "xmlcharrefreplace": {
      const message = "don't know how to handle UnicodeDecodeError in error callback";
      return fail("TypeError", message, place);
    }
    default:
      return fail("LookupError", `unknown error handler name '${errors}'`, place);
  }
  const message = `'${codec.name}' codec can't decode bytes in position ${at}`;
  return fail("UnicodeDecodeError", message, place);
}
