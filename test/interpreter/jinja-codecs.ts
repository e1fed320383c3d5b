/** Python's `str.encode` and `bytes.decode` for the encodings of Unicode, ASCII and Latin-1. */
import { chars, raise } from "./jinja-values.js";

type Encoding = "utf-8" | "utf-16" | "utf-32" | "ascii" | "latin-1";

interface Form {
  readonly encoding: Encoding;
  readonly little: boolean;
  /** Whether a byte order mark is written, and looked for. */
  readonly marked: boolean;
}

const aliases: readonly (readonly [RegExp, Encoding])[] = [
  [/^(utf_?8(_sig)?|u8|utf|cp65001)$/, "utf-8"],
  [/^(utf_?16(_?[lb]e)?|u16)$/, "utf-16"],
  [/^(utf_?32(_?[lb]e)?|u32)$/, "utf-32"],
  [/^(us_)?ascii$|^646$/, "ascii"],
  [/^(latin_?1|latin|l1|iso_8859_1|iso8859_1|iso8859|8859|cp819)$/, "latin-1"],
];

function formOf(name: string): Form {
  const plain = name.toLowerCase().replace(/[^a-z0-9.]+/g, "_");
  const found = aliases.find(([pattern]) => pattern.test(plain));
  if (found === undefined) raise("LookupError", `unknown encoding: ${name}`);
  const [, encoding] = found;
  const wide = encoding === "utf-16" || encoding === "utf-32";
  const marked = plain.endsWith("_sig") || (wide && !/[lb]e$/.test(plain));
  return { encoding, little: !plain.endsWith("be"), marked };
}

function word(value: number, size: number, little: boolean): number[] {
  const digits = [24, 16, 8, 0].slice(4 - size).map((shift) => (value >>> shift) & 255);
  return little ? digits.reverse() : digits;
}

/** The bytes of a character, or null. */
function encodeCharacter({ encoding, little }: Form, code: number): number[] | null {
  if (encoding === "ascii") return code < 128 ? [code] : null;
  if (encoding === "latin-1") return code < 256 ? [code] : null;
  if (code >= 0xd800 && code <= 0xdfff) return null;
  const character = String.fromCodePoint(code);
  if (encoding === "utf-8") return [...new TextEncoder().encode(character)];
  if (encoding === "utf-32") return word(code, 4, little);
  return [...character.split("")].flatMap((unit) => word(unit.charCodeAt(0), 2, little));
}

function mark({ encoding, little, marked }: Form): number[] {
  if (!marked) return [];
  return encodeCharacter({ encoding, little, marked }, 0xfeff) ?? [];
}

function written(code: number): string {
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

function unknownHandler(errors: string): never {
  return raise("LookupError", `unknown error handler name '${errors}'`);
}

function substitute(form: Form, code: number, errors: string): number[] {
  const plain = (text: string): number[] =>
    chars(text).flatMap((char) => encodeCharacter(form, char.codePointAt(0) ?? 0) ?? []);
  if (errors === "ignore") return [];
  if (errors === "replace") return plain("?");
  if (errors === "xmlcharrefreplace") return plain(`&#${code};`);
  if (errors === "backslashreplace") return plain(written(code));
  const escaped = errors === "surrogateescape" && code >= 0xdc80 && code <= 0xdcff;
  if (escaped) return [code - 0xdc00];
  if (errors === "surrogatepass" && form.encoding === "utf-8" && code >= 0xd800 && code < 0xe000)
    return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
  if (!["strict", "surrogateescape", "surrogatepass"].includes(errors)) unknownHandler(errors);
  return raise("UnicodeEncodeError", `'${form.encoding}' codec can't encode character`);
}

export function encodeText(text: string, name: string, errors: string): number[] {
  const form = formOf(name);
  const bytes = chars(text).flatMap((char) => {
    const code = char.codePointAt(0) ?? 0;
    return encodeCharacter(form, code) ?? substitute(form, code, errors);
  });
  return [...mark(form), ...bytes];
}

/** How the text goes on: its character and length in bytes, or how many bytes are no character. */
type Step = { readonly code: number; readonly size: number } | { readonly wrong: number };

const lengths: readonly (readonly [number, number, number])[] = [
  [0x00, 0x7f, 1],
  [0xc2, 0xdf, 2],
  [0xe0, 0xef, 3],
  [0xf0, 0xf4, 4],
];

/** Every byte is taken that could still begin a character. */
function utf8Step(bytes: readonly number[]): Step {
  const first = bytes[0] ?? 0;
  const size = lengths.find(([low, high]) => first >= low && first <= high)?.[2];
  if (size === undefined) return { wrong: 1 };
  if (size === 1) return { code: first, size };
  const whole = (tail: readonly number[]): string | null => {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
        Uint8Array.from([first, ...tail]),
      );
    } catch {
      return null;
    }
  };
  const text = bytes.length < size ? null : whole(bytes.slice(1, size));
  if (text !== null) return { code: text.codePointAt(0) ?? 0, size };
  for (let kept = Math.min(size - 1, bytes.length); kept > 1; kept--) {
    const start = bytes.slice(1, kept);
    const tails = [0x80, 0x90, 0x9f, 0xa0, 0x8f, 0xbf].map((byte) => {
      const rest = Array.from({ length: size - 1 - start.length }, () => byte);
      return whole([...start, ...rest]);
    });
    if (tails.some((tail) => tail !== null)) return { wrong: kept };
  }
  return { wrong: 1 };
}

function wideStep(bytes: readonly number[], size: number, little: boolean): Step {
  if (bytes.length < size) return { wrong: bytes.length };
  const unit = (from: number): number => {
    const part = bytes.slice(from, from + size);
    return (little ? part.reverse() : part).reduce((sum, byte) => sum * 256 + byte, 0);
  };
  const first = unit(0);
  const surrogate = first >= 0xd800 && first <= 0xdfff;
  if (size === 4) return surrogate || first > 0x10ffff ? { wrong: 4 } : { code: first, size };
  if (!surrogate) return { code: first, size };
  if (first >= 0xdc00) return { wrong: 2 };
  if (bytes.length < 4) return { wrong: bytes.length };
  const second = unit(2);
  if (second < 0xdc00 || second > 0xdfff) return { wrong: 2 };
  return { code: 0x10000 + (first - 0xd800) * 0x400 + (second - 0xdc00), size: 4 };
}

function stepOf({ encoding, little }: Form, bytes: readonly number[]): Step {
  if (encoding === "utf-8") return utf8Step(bytes);
  if (encoding === "utf-16") return wideStep(bytes, 2, little);
  if (encoding === "utf-32") return wideStep(bytes, 4, little);
  const [first = 0] = bytes;
  return encoding === "ascii" && first > 127 ? { wrong: 1 } : { code: first, size: 1 };
}

function undecodable(form: Form, bytes: readonly number[], errors: string): string {
  if (errors === "ignore") return "";
  if (errors === "replace") return "\ufffd";
  if (errors === "backslashreplace") return bytes.map(written).join("");
  if (errors === "surrogateescape" && bytes.every((byte) => byte > 127)) {
    return bytes.map((byte) => String.fromCharCode(0xdc00 + byte)).join("");
  }
  if (errors === "xmlcharrefreplace") {
    raise("TypeError", "don't know how to handle UnicodeDecodeError in error callback");
  }
  if (!["strict", "surrogateescape", "surrogatepass"].includes(errors)) unknownHandler(errors);
  return raise("UnicodeDecodeError", `'${form.encoding}' codec can't decode byte`);
}

export function decodeBytes(bytes: readonly number[], name: string, errors: string): string {
  // CPython looks for no codec then.
  if (bytes.length === 0) return "";
  let form = formOf(name);
  let rest = bytes;
  for (const little of form.marked ? [true, false] : []) {
    const expected = mark({ ...form, little });
    if (!expected.every((byte, at) => rest[at] === byte)) continue;
    form = { ...form, little, marked: false };
    rest = rest.slice(expected.length);
    break;
  }
  let text = "";
  while (rest.length > 0) {
    const step = stepOf(form, rest);
    if ("code" in step) text += String.fromCodePoint(step.code);
    else text += undecodable(form, rest.slice(0, step.wrong), errors);
    rest = rest.slice("code" in step ? step.size : step.wrong);
  }
  return text;
}
