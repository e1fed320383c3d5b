/** The methods of Python's bytes, on a text with a character for each byte. */
import { fail } from "../errors.js";
import { byName, counted, integerArgument, smallArgument, textArgument } from "./arguments.js";
import { decodeBytes } from "./codecs.js";
import { iterate } from "./iterate.js";
import type { Body } from "./method.js";
import { OCTETS, PythonObject } from "./protocol.js";
import type { Keywords } from "./protocol.js";
import { checkCount, exactly, noKeywords } from "./sequence.js";
import * as search from "./text-methods.js";
import type { TextMethod } from "./text-methods.js";
import * as shape from "./text-shapes.js";
import { lstripChars, rstripChars } from "./text.js";
import { Tuple } from "./tuple.js";
import { isInt, textOf, typeName } from "./types.js";

/** Makes bytes of a text that has a character for each. */
type Make = (octets: string) => unknown;

const SPACES = " \t\n\r\v\f";

/** The bytes of a bytes-like object, each as one character; null for anything else. */
function octetsOf(v: unknown): string | null {
  return v instanceof PythonObject ? (v[OCTETS]?.() ?? null) : null;
}

function octetsArgument(v: unknown, place: string): string {
  const message = `a bytes-like object is required, not '${typeName(v)}'`;
  return octetsOf(v) ?? fail("TypeError", message, place);
}

/** What is searched for: bytes, or the number of one. */
function neededOctets(v: unknown, place: string): string {
  const octets = octetsOf(v);
  if (octets !== null) return octets;
  const message = `argument should be integer or bytes-like object, not '${typeName(v)}'`;
  if (!isInt(v)) return fail("TypeError", message, place);
  const byte = Number(v);
  return byte >= 0 && byte < 256
    ? String.fromCharCode(byte)
    : fail("ValueError", "byte must be in range(0, 256)", place);
}

function changed(octets: string, name: string, make: Make, change: (s: string) => string): Body {
  return (args, kwargs, place) => {
    exactly(0, `bytes.${name}`, args, kwargs, place);
    return make(change(octets));
  };
}

function asciiUpper(s: string): string {
  return s.replace(/[a-z]/g, (c) => c.toUpperCase());
}

function asciiLower(s: string): string {
  return s.replace(/[A-Z]/g, (c) => c.toLowerCase());
}

function asciiTitle(s: string): string {
  const word = (part: string): string => asciiUpper(part.slice(0, 1)) + asciiLower(part.slice(1));
  return s.replace(/[A-Za-z]+/g, word);
}

function swapped(s: string): string {
  return s.replace(/[A-Za-z]/g, (c) => (c < "a" ? c.toLowerCase() : c.toUpperCase()));
}

const CHANGES: Readonly<Record<string, (s: string) => string>> = {
  capitalize: (s) => asciiUpper(s.slice(0, 1)) + asciiLower(s.slice(1)),
  lower: asciiLower,
  swapcase: swapped,
  title: asciiTitle,
  upper: asciiUpper,
};

const PREDICATES: Readonly<Record<string, (s: string) => boolean>> = {
  isalnum: (s) => /^[0-9A-Za-z]+$/.test(s),
  isalpha: (s) => /^[A-Za-z]+$/.test(s),
  isascii: (s) => /^[\0-\x7f]*$/.test(s),
  isdigit: (s) => /^[0-9]+$/.test(s),
  islower: (s) => /[a-z]/.test(s) && !/[A-Z]/.test(s),
  isspace: (s) => /^[ \t\n\r\v\f]+$/.test(s),
  istitle: (s) => /[A-Za-z]/.test(s) && asciiTitle(s) === s,
  isupper: (s) => /[A-Z]/.test(s) && !/[a-z]/.test(s),
};

/** The method of bytes with that name, null if there is none. */
export function bytesMethod(octets: string, name: string, make: Make): Body | null {
  const change = Object.hasOwn(CHANGES, name) ? CHANGES[name] : undefined;
  if (change !== undefined) return changed(octets, name, make, change);
  const test = Object.hasOwn(PREDICATES, name) ? PREDICATES[name] : undefined;
  if (test !== undefined) {
    return (args, kwargs, place) => {
      exactly(0, `bytes.${name}`, args, kwargs, place);
      return test(octets);
    };
  }
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  return method === undefined
    ? null
    : (args, kwargs, place) => method(octets, args, kwargs, place, make);
}

type BytesMethod = (
  octets: string,
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
  make: Make,
) => unknown;

/** A search of str, with numbers of bytes allowed; its other arguments are the same. */
function searching(name: string, method: TextMethod): BytesMethod {
  return (octets, args, kwargs, place) => {
    counted(name, args, kwargs, 1, 3, place);
    return method(octets, [neededOctets(args[0], place), ...args.slice(1)], null, place);
  };
}

function affix(name: string, method: TextMethod): BytesMethod {
  return (octets, args, kwargs, place) => {
    counted(name, args, kwargs, 1, 3, place);
    const [wanted, ...rest] = args;
    if (wanted instanceof Tuple) {
      const parts = Tuple.items(wanted);
      return parts.some((v) => method(octets, [octetsArgument(v, place), ...rest], null, place));
    }
    const message = `${name} first arg must be bytes or a tuple of bytes, not ${typeName(wanted)}`;
    const prefix = octetsOf(wanted) ?? fail("TypeError", message, place);
    return method(octets, [prefix, ...rest], null, place);
  };
}

function made(v: unknown, make: Make): unknown {
  if (Array.isArray(v)) return v.map((part) => made(part, make));
  if (v instanceof Tuple) return new Tuple(Tuple.items(v).map((part) => made(part, make)));
  return typeof v === "string" ? make(v) : v;
}

function padding(name: string, method: TextMethod): BytesMethod {
  return (octets, args, kwargs, place, make) => {
    noKeywords(`bytes.${name}`, kwargs, place);
    checkCount(name, args, 1, 2, place);
    const width = integerArgument(args[0], place);
    const fill = args.length < 2 ? " " : octetsOf(args[1]);
    if (fill?.length !== 1) {
      const message = `${name}() argument 2 must be a byte string of length 1`;
      return fail("TypeError", message, place);
    }
    return made(method(octets, [width, fill], null, place), make);
  };
}

function splitting(name: string, method: TextMethod, fromRight: boolean): BytesMethod {
  return (octets, args, kwargs, place, make) => {
    const [sep, maxsplit] = byName(name, ["sep", "maxsplit"], args, kwargs, place);
    const most = maxsplit === undefined ? -1 : integerArgument(maxsplit, place);
    if (sep !== undefined && sep !== null) {
      const separator = octetsArgument(sep, place);
      return made(method(octets, [separator, most], null, place), make);
    }
    return made(splitWords(octets, most < 0 ? Infinity : most, fromRight), make);
  };
}

/** Words between ASCII white space, which is less than that of str; the last keeps what is left. */
function splitWords(octets: string, most: number, fromRight: boolean): string[] {
  const strip = fromRight ? rstripChars : lstripChars;
  const parts: string[] = [];
  let left = strip(octets, SPACES);
  while (left !== "" && parts.length < most) {
    const [word, rest] = fromRight ? lastWord(left) : firstWord(left);
    parts.push(word);
    left = strip(rest, SPACES);
  }
  if (left !== "") parts.push(left);
  return fromRight ? parts.reverse() : parts;
}

function firstWord(octets: string): readonly [word: string, rest: string] {
  let end = 0;
  while (end < octets.length && !SPACES.includes(octets.charAt(end))) end++;
  return [octets.slice(0, end), octets.slice(end)];
}

function lastWord(octets: string): readonly [word: string, rest: string] {
  let start = octets.length;
  while (start > 0 && !SPACES.includes(octets.charAt(start - 1))) start--;
  return [octets.slice(start), octets.slice(0, start)];
}

function stripping(name: string, strip: (s: string, chars: string) => string): BytesMethod {
  return (octets, args, kwargs, place, make) => {
    noKeywords(`bytes.${name}`, kwargs, place);
    checkCount(name, args, 0, 1, place);
    const [chars = null] = args;
    return make(strip(octets, chars === null ? SPACES : octetsArgument(chars, place)));
  };
}

function partitioning(name: string, method: TextMethod): BytesMethod {
  return (octets, args, kwargs, place, make) => {
    const v = exactly(1, `bytes.${name}`, args, kwargs, place);
    return made(method(octets, [octetsArgument(v, place)], null, place), make);
  };
}

const removing = partitioning;

const join: BytesMethod = (octets, args, kwargs, place, make) => {
  const iterator = iterate(exactly(1, "bytes.join", args, kwargs, place), place);
  const parts: string[] = [];
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    const found = `expected a bytes-like object, ${typeName(next.value)} found`;
    const message = `sequence item ${parts.length}: ${found}`;
    parts.push(octetsOf(next.value) ?? fail("TypeError", message, place));
  }
  return make(parts.join(octets));
};

const replace: BytesMethod = (octets, args, kwargs, place, make) => {
  noKeywords("bytes.replace", kwargs, place);
  checkCount("replace", args, 2, 3, place);
  const [old, fresh] = [octetsArgument(args[0], place), octetsArgument(args[1], place)];
  const count = args.length < 3 ? -1 : integerArgument(args[2], place);
  return make(search.replaceCount(octets, old, fresh, count));
};

const splitlines: BytesMethod = (octets, args, kwargs, place, make) => {
  const [keepends] = byName("splitlines", ["keepends"], args, kwargs, place);
  const keeps = keepends !== undefined && smallArgument(keepends, place) !== 0;
  const lines = (octets.match(/[^\n\r]*(?:\r\n|[\n\r]|$)/g) ?? []).filter((line) => line !== "");
  return lines.map((line) => make(keeps ? line : line.replace(/(?:\r\n|[\n\r])$/, "")));
};

const decode: BytesMethod = (octets, args, kwargs, place) => {
  const [encoding, errors] = byName("decode", ["encoding", "errors"], args, kwargs, place);
  const text = (v: unknown, otherwise: string, name: string): string =>
    v === undefined
      ? otherwise
      : textArgument(v, `decode() argument '${name}' must be str, not`, place);
  const codec = text(encoding, "utf-8", "encoding");
  const handler = text(errors, "strict", "errors");
  return decodeBytes(
    Array.from(octets, (c) => c.charCodeAt(0)),
    codec,
    handler,
    place,
  );
};

const hex: BytesMethod = (octets, args, kwargs, place) => {
  const [sep, size] = byName("hex", ["sep", "bytes_per_sep"], args, kwargs, place);
  const per = size === undefined ? 1 : smallArgument(size, place);
  const pairs = Array.from(octets, (c) => c.charCodeAt(0).toString(16).padStart(2, "0"));
  if (sep === undefined) return pairs.join("");
  const separator =
    textOf(sep) ?? octetsOf(sep) ?? fail("TypeError", "sep must be str or bytes.", place);
  if (separator.length !== 1) return fail("ValueError", "sep must be length 1.", place);
  if (separator > "\x7f") return fail("ValueError", "sep must be ASCII.", place);
  const isBefore = (i: number): boolean =>
    per > 0 ? (pairs.length - i) % per === 0 : per < 0 && i % -per === 0;
  return pairs.map((pair, i) => (i > 0 && isBefore(i) ? separator : "") + pair).join("");
};

const fromhex: BytesMethod = (_octets, args, kwargs, place, make) => {
  const v = exactly(1, "bytes.fromhex", args, kwargs, place);
  const text = textArgument(v, "fromhex() argument must be str, not", place);
  const digits = text.split(/[ \t\n\r\v\f]+/).filter((part) => part !== "");
  const isValid = digits.every((part) => /^(?:[0-9a-fA-F]{2})+$/.test(part));
  if (!isValid) {
    return fail("ValueError", "non-hexadecimal number found in fromhex() arg", place);
  }
  const pairs = digits.join("").match(/../g) ?? [];
  return make(pairs.map((pair) => String.fromCharCode(parseInt(pair, 16))).join(""));
};

const translate: BytesMethod = (octets, args, kwargs, place, make) => {
  const { delete: named, ...others } = kwargs ?? {};
  noKeywords("bytes.translate", others, place);
  checkCount("translate", args, 1, 2, place);
  const table = args[0] === null ? null : octetsArgument(args[0], place);
  if (table !== null && table.length !== 256) {
    return fail("ValueError", "translation table must be 256 characters long", place);
  }
  const removed = args.length > 1 ? args[1] : named;
  const gone = removed === undefined ? "" : octetsArgument(removed, place);
  const without = new Set(gone);
  const kept = [...octets].filter((c) => !without.has(c));
  return make(kept.map((c) => table?.charAt(c.charCodeAt(0)) ?? c).join(""));
};

const maketrans: BytesMethod = (_octets, args, kwargs, place, make) => {
  noKeywords("bytes.maketrans", kwargs, place);
  checkCount("maketrans", args, 2, 2, place);
  const [from, to] = [octetsArgument(args[0], place), octetsArgument(args[1], place)];
  if (from.length !== to.length) {
    return fail("ValueError", "maketrans arguments must have same length", place);
  }
  const table = Array.from({ length: 256 }, (_, i) => String.fromCharCode(i));
  [...from].forEach((c, i) => {
    table[c.charCodeAt(0)] = to.charAt(i);
  });
  return make(table.join(""));
};

const zfill: BytesMethod = (octets, args, kwargs, place, make) =>
  made(shape.strZfill(octets, args, kwargs, place), make);

const expandtabs: BytesMethod = (octets, args, kwargs, place, make) =>
  made(shape.strExpandtabs(octets, args, kwargs, place), make);

const METHODS: Readonly<Record<string, BytesMethod>> = {
  center: padding("center", (...call) => shape.strCenter(...call)),
  count: searching("count", (...call) => search.strCount(...call)),
  decode,
  endswith: affix("endswith", (...call) => search.strEndswith(...call)),
  expandtabs,
  find: searching("find", (...call) => search.strFind(...call)),
  fromhex,
  hex,
  index: searching("index", (...call) => search.strIndex(...call)),
  join,
  ljust: padding("ljust", (...call) => shape.strLjust(...call)),
  lstrip: stripping("lstrip", lstripChars),
  maketrans,
  partition: partitioning("partition", (...call) => search.strPartition(...call)),
  removeprefix: removing("removeprefix", (...call) => search.strRemoveprefix(...call)),
  removesuffix: removing("removesuffix", (...call) => search.strRemovesuffix(...call)),
  replace,
  rfind: searching("rfind", (...call) => search.strRfind(...call)),
  rindex: searching("rindex", (...call) => search.strRindex(...call)),
  rjust: padding("rjust", (...call) => shape.strRjust(...call)),
  rpartition: partitioning("rpartition", (...call) => search.strRpartition(...call)),
  rsplit: splitting("rsplit", (...call) => search.strRsplit(...call), true),
  rstrip: stripping("rstrip", rstripChars),
  split: splitting("split", (...call) => search.strSplit(...call), false),
  splitlines,
  startswith: affix("startswith", (...call) => search.strStartswith(...call)),
  strip: stripping("strip", (s, chars) => lstripChars(rstripChars(s, chars), chars)),
  translate,
  zfill,
};
