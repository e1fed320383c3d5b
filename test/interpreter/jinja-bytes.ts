/** Python's bytes: what `encode` and `to_bytes` give, and the methods that the sandbox lets a template call. */
import { bindNative } from "./jinja-arguments.js";
import type { NativeSignature } from "./jinja-arguments.js";
import { decodeBytes } from "./jinja-codecs.js";
import { listOf, requireInt, requireIndex, slice, truth } from "./jinja-operators.js";
import {
  bool,
  int,
  NONE,
  PyBytes,
  PyInt,
  PyList,
  PyNone,
  PyStr,
  PyTuple,
  raise,
  str,
} from "./jinja-values.js";
import type { Kwargs, Value } from "./jinja-values.js";

type Bound = readonly (Value | undefined)[];
type Run = (self: string, args: Bound) => Value;
type Method = readonly [signature: NativeSignature, run: Run];

const none: NativeSignature = { kind: "none" };
const one: NativeSignature = { kind: "one" };
const searching: NativeSignature = { kind: "varargs", least: 1, most: 3 };

/** Bytes as a text with a character for each, in which they are searched and cut. */
function octets(value: PyBytes): string {
  return value.octets;
}

function bytes(text: string): PyBytes {
  return new PyBytes(Array.from(text, (char) => char.charCodeAt(0)));
}

function needBytes(value: Value | undefined): string {
  if (value instanceof PyBytes) return octets(value);
  const kind = value?.typeName ?? "NoneType";
  return raise("TypeError", `a bytes-like object is required, not '${kind}'`);
}

function needle(value: Value | undefined): string {
  if (!(value instanceof PyInt)) {
    if (value instanceof PyBytes) return octets(value);
    const kind = value?.typeName ?? "";
    raise("TypeError", `argument should be integer or bytes-like object, not '${kind}'`);
  }
  if (value.value < 0n || value.value > 255n) raise("ValueError", "byte must be in range(0, 256)");
  return String.fromCharCode(Number(value.value));
}

interface Part {
  readonly text: string;
  readonly offset: number;
  readonly past: boolean;
}

function window(self: string, args: Bound): Part {
  const part = slice(bytes(self), args[1] ?? NONE, args[2] ?? NONE, NONE);
  const start = args[1] instanceof PyInt ? Number(args[1].value) : 0;
  const offset = start < 0 ? Math.max(start + self.length, 0) : start;
  return { text: needBytes(part), offset, past: offset > self.length };
}

function finder(last: boolean, must: boolean): Method {
  return [
    searching,
    (self, args) => {
      const wanted = needle(args[0]);
      const { text, offset, past } = window(self, args);
      const at = past ? -1 : last ? text.lastIndexOf(wanted) : text.indexOf(wanted);
      if (at < 0) return must ? raise("ValueError", "subsection not found") : int(-1);
      return int(at + offset);
    },
  ];
}

function count(self: string, args: Bound): Value {
  const wanted = needle(args[0]);
  const { text, past } = window(self, args);
  if (past) return int(0);
  return int(wanted === "" ? text.length + 1 : text.split(wanted).length - 1);
}

function affix(name: "startswith" | "endswith"): Method {
  return [
    searching,
    (self, args) => {
      const { text, past } = window(self, args);
      const holds = (value: Value | undefined): boolean => {
        const wanted = needBytes(value);
        return !past && (name === "startswith" ? text.startsWith(wanted) : text.endsWith(wanted));
      };
      const [first] = args;
      return bool(first instanceof PyTuple ? first.items.some(holds) : holds(first));
    },
  ];
}

const white = " \t\n\r\v\f";

function stripLeft(text: string, set: string): string {
  let at = 0;
  while (at < text.length && set.includes(text.charAt(at))) at++;
  return text.slice(at);
}

function stripRight(text: string, set: string): string {
  let end = text.length;
  while (end > 0 && set.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

function stripper(strip: (text: string, set: string) => string): Method {
  return [
    { kind: "fast", least: 0, most: 1 },
    (self, [set]) => {
      const everything = set === undefined || set instanceof PyNone;
      return bytes(strip(self, everything ? white : needBytes(set)));
    },
  ];
}

/** Words between white space; after the limit comes all the rest. */
function words(text: string, limit: number, right: boolean): string[] {
  const found: string[] = [];
  let rest = right ? stripRight(text, white) : stripLeft(text, white);
  while (rest !== "") {
    if (limit >= 0 && found.length === limit) return [...found, rest];
    const word = (right ? /[^ \t\n\r\v\f]+$/ : /^[^ \t\n\r\v\f]+/).exec(rest)?.[0] ?? "";
    found.push(word);
    rest = right
      ? stripRight(rest.slice(0, rest.length - word.length), white)
      : stripLeft(rest.slice(word.length), white);
  }
  return found;
}

function splitter(right: boolean): Method {
  return [
    { kind: "keywords", names: ["sep", "maxsplit"] },
    (self, [separator, maximum]) => {
      const limit = maximum === undefined ? -1 : Number(requireIndex(maximum));
      if (separator === undefined || separator instanceof PyNone) {
        const found = words(self, limit, right);
        return new PyList((right ? found.reverse() : found).map(bytes));
      }
      const at = needBytes(separator);
      if (at === "") raise("ValueError", "empty separator");
      const parts = splitOn(self, at, right);
      const spare = limit < 0 ? 0 : Math.max(parts.length - 1 - limit, 0);
      const cut = parts.length - spare - 1;
      const joined = right
        ? [parts.slice(0, spare + 1).join(at), ...parts.slice(spare + 1)]
        : [...parts.slice(0, cut), parts.slice(cut).join(at)];
      return new PyList(joined.map(bytes));
    },
  ];
}

/** Separators that overlap are found from the side where the search begins. */
function splitOn(text: string, separator: string, right: boolean): string[] {
  if (!right) return text.split(separator);
  const mirror = (part: string): string => part.split("").reverse().join("");
  return mirror(text).split(mirror(separator)).map(mirror).reverse();
}

function partition(right: boolean): Method {
  return [
    one,
    (self, [separator]) => {
      const at = needBytes(separator);
      if (at === "") raise("ValueError", "empty separator");
      const found = right ? self.lastIndexOf(at) : self.indexOf(at);
      const whole = right ? ["", "", self] : [self, "", ""];
      const parts = [self.slice(0, found), at, self.slice(found + at.length)];
      return new PyTuple((found < 0 ? whole : parts).map(bytes));
    },
  ];
}

function filler(name: string, left: (missing: number, width: number) => number): Method {
  return [
    { kind: "fast", least: 1, most: 2 },
    (self, [size, fill]) => {
      const width = Number(requireIndex(size ?? NONE));
      const char = fill === undefined ? " " : fill instanceof PyBytes ? octets(fill) : "";
      if (char.length !== 1) {
        raise("TypeError", `${name}() argument 2 must be a byte string of length 1`);
      }
      const missing = Math.max(width - self.length, 0);
      const before = left(missing, width);
      return bytes(char.repeat(before) + self + char.repeat(missing - before));
    },
  ];
}

function replace(self: string, [old, fresh, maximum]: Bound): Value {
  const [from, to] = [needBytes(old), needBytes(fresh)];
  const limit = maximum === undefined ? -1 : Number(requireIndex(maximum));
  const parts = from === "" ? ["", ...self.split(""), ""] : self.split(from);
  const gaps = limit < 0 ? parts.length - 1 : Math.min(limit, parts.length - 1);
  const joined = parts.map((part, at) => {
    if (at === parts.length - 1) return part;
    return part + (at < gaps ? to : from);
  });
  return bytes(joined.join(""));
}

function splitLines(self: string, [keep]: Bound): Value {
  const keeps = keep !== undefined && requireInt(keep) !== 0n;
  const lines = self.match(/[^\r\n]*(\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  return new PyList(lines.map((line) => bytes(keeps ? line : line.replace(/[\r\n]+$/, ""))));
}

function decode(self: string, [encoding = str("utf-8"), errors = str("strict")]: Bound): Value {
  const [name, handler] = [encoding, errors].map((value, at) => {
    if (value instanceof PyStr) return value.text;
    const argument = at === 0 ? "encoding" : "errors";
    return raise("TypeError", `decode() argument '${argument}' must be str`);
  });
  const values = Array.from(self, (char) => char.charCodeAt(0));
  return str(decodeBytes(values, name ?? "", handler ?? ""));
}

/** `bytes.hex(sep, bytes_per_sep)`: groups are counted from the right where the size is positive. */
function hex(self: string, [separator, size = int(1)]: Bound): Value {
  const group = Number(requireInt(size));
  const pairs = Array.from(self, (char) => char.charCodeAt(0).toString(16).padStart(2, "0"));
  if (separator === undefined) return str(pairs.join(""));
  const known = separator instanceof PyStr || separator instanceof PyBytes;
  if (!known) raise("TypeError", "sep must be str or bytes.");
  const mark = separator instanceof PyStr ? separator.text : octets(separator);
  if (mark.length !== 1) raise("ValueError", "sep must be length 1.");
  if (mark > "\u007f") raise("ValueError", "sep must be ASCII.");
  if (group === 0) return str(pairs.join(""));
  const parts: string[] = [];
  const step = Math.abs(group);
  const first = group > 0 ? pairs.length % step : 0;
  if (first > 0) parts.push(pairs.slice(0, first).join(""));
  for (let at = first; at < pairs.length; at += step) {
    parts.push(pairs.slice(at, at + step).join(""));
  }
  return str(parts.join(mark));
}

function fromHex(_: string, [digits]: Bound): Value {
  if (!(digits instanceof PyStr)) return raise("TypeError", "fromhex() argument must be str");
  const valid = /^[ \t\n\r\v\f]*([0-9a-fA-F]{2}[ \t\n\r\v\f]*)*$/.test(digits.text);
  if (!valid) raise("ValueError", "non-hexadecimal number found in fromhex() arg");
  const pairs = digits.text.replace(/[ \t\n\r\v\f]/g, "").match(/../g) ?? [];
  return new PyBytes(pairs.map((pair) => Number.parseInt(pair, 16)));
}

function join(self: string, [items = NONE]: Bound): Value {
  return bytes(
    listOf(items)
      .map((item) => needBytes(item))
      .join(self),
  );
}

function makeTranslation(_: string, [from, to]: Bound): Value {
  const [left, right] = [needBytes(from), needBytes(to)];
  if (left.length !== right.length) {
    raise("ValueError", "maketrans arguments must have same length");
  }
  const table = Array.from({ length: 256 }, (_code, code) => code);
  Array.from(left).forEach((char, at) => {
    table[char.charCodeAt(0)] = right.charCodeAt(at);
  });
  return new PyBytes(table);
}

function zfill(self: string, [size = NONE]: Bound): Value {
  const missing = Math.max(Number(requireIndex(size)) - self.length, 0);
  const sign = /^[-+]/.exec(self)?.[0] ?? "";
  return bytes(sign + "0".repeat(missing) + self.slice(sign.length));
}

function expandTabs(self: string, [size = int(8)]: Bound): Value {
  const width = Number(requireInt(size));
  let line = "";
  let out = "";
  for (const char of self) {
    const blanks = width > 0 ? width - (line.length % width) : 0;
    const added = char === "\t" ? " ".repeat(blanks) : char;
    out += added;
    line = char === "\n" || char === "\r" ? "" : line + added;
  }
  return bytes(out);
}

function remover(prefix: boolean): Method {
  return [
    one,
    (self, [affix]) => {
      const part = needBytes(affix);
      if (prefix) return bytes(self.startsWith(part) ? self.slice(part.length) : self);
      return bytes(self.endsWith(part) ? self.slice(0, self.length - part.length) : self);
    },
  ];
}

const upper = (text: string): string => text.replace(/[a-z]/g, (char) => char.toUpperCase());
const lower = (text: string): string => text.replace(/[A-Z]/g, (char) => char.toLowerCase());
const title = (text: string): string =>
  lower(text).replace(/[a-z]+/g, (word) => upper(word.charAt(0)) + word.slice(1));
const swap = (text: string): string =>
  text.replace(/[A-Za-z]/g, (char) => (/[a-z]/.test(char) ? upper(char) : lower(char)));

function change(to: (text: string) => string): Method {
  return [none, (self) => bytes(to(self))];
}

function test(holds: (text: string) => boolean): Method {
  return [none, (self) => bool(holds(self))];
}

const methods: Readonly<Record<string, Method>> = {
  find: finder(false, false),
  rfind: finder(true, false),
  index: finder(false, true),
  rindex: finder(true, true),
  count: [searching, count],
  startswith: affix("startswith"),
  endswith: affix("endswith"),
  strip: stripper((text, set) => stripLeft(stripRight(text, set), set)),
  lstrip: stripper(stripLeft),
  rstrip: stripper(stripRight),
  split: splitter(false),
  rsplit: splitter(true),
  splitlines: [{ kind: "keywords", names: ["keepends"] }, splitLines],
  partition: partition(false),
  rpartition: partition(true),
  ljust: filler("ljust", () => 0),
  rjust: filler("rjust", (missing) => missing),
  center: filler("center", (missing, width) => Math.floor(missing / 2) + (missing & width & 1)),
  replace: [{ kind: "fast", least: 2, most: 3 }, replace],
  join: [one, join],
  decode: [{ kind: "keywords", names: ["encoding", "errors"] }, decode],
  hex: [{ kind: "keywords", names: ["sep", "bytes_per_sep"] }, hex],
  fromhex: [one, fromHex],
  maketrans: [{ kind: "fast", least: 2, most: 2 }, makeTranslation],
  zfill: [one, zfill],
  expandtabs: [{ kind: "keywords", names: ["tabsize"] }, expandTabs],
  removeprefix: remover(true),
  removesuffix: remover(false),
  upper: change(upper),
  lower: change(lower),
  title: change(title),
  swapcase: change(swap),
  capitalize: change((text) => upper(text.charAt(0)) + lower(text.slice(1))),
  isalnum: test((text) => /^[0-9A-Za-z]+$/.test(text)),
  isalpha: test((text) => /^[A-Za-z]+$/.test(text)),
  isascii: test((text) => Array.from(text).every((char) => char < "\u0080")),
  isdigit: test((text) => /^[0-9]+$/.test(text)),
  islower: test((text) => upper(text) !== text && lower(text) === text),
  isupper: test((text) => lower(text) !== text && upper(text) === text),
  isspace: test((text) => text !== "" && stripLeft(text, white) === ""),
  istitle: test((text) => /[A-Za-z]/.test(text) && title(text) === text),
};

/** `bytes.translate(table, /, delete=b'')`. */
function translate(self: string, args: readonly Value[], kwargs: Kwargs): Value {
  const named = kwargs.get("delete");
  for (const key of kwargs.keys()) {
    if (key !== "delete") raise("TypeError", `'${key}' is an invalid keyword argument`);
  }
  const given = named === undefined ? args : [...args, named];
  bindNative("bytes", "translate", { kind: "fast", least: 1, most: 2 }, given, new Map());
  const [table = NONE, drop] = given;
  const map = table instanceof PyNone ? null : needBytes(table);
  if (map !== null && map.length !== 256) {
    raise("ValueError", "translation table must be 256 characters long");
  }
  const gone = drop === undefined ? "" : needBytes(drop);
  const kept = Array.from(self).filter((char) => !gone.includes(char));
  return bytes(kept.map((char) => map?.charAt(char.charCodeAt(0)) ?? char).join(""));
}

/** The method of bytes, or null. */
export function bytesMethod(
  object: PyBytes,
  name: string,
): ((args: readonly Value[], kwargs: Kwargs) => Value) | null {
  const self = octets(object);
  if (name === "translate") return (args, kwargs) => translate(self, args, kwargs);
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (method === undefined) return null;
  const [signature, run] = method;
  return (args, kwargs) => run(self, bindNative("bytes", name, signature, args, kwargs));
}

function byteOrder(order: Value | undefined): "big" | "little" {
  if (order === undefined) return "big";
  if (!(order instanceof PyStr)) return raise("TypeError", "argument 'byteorder' must be str");
  if (order.text === "big" || order.text === "little") return order.text;
  return raise("ValueError", "byteorder must be either 'little' or 'big'");
}

/** `int.to_bytes(length, byteorder, *, signed)`. */
export function intToBytes(value: bigint, [length, order, signed]: Bound): Value {
  const count = length === undefined ? 1 : Number(requireIndex(length));
  const big = byteOrder(order) === "big";
  if (count < 0) raise("ValueError", "length argument must be non-negative");
  if (count > 1e8) raise("MemoryError", "");
  const negative = signed !== undefined && truth(signed);
  if (value < 0n && !negative) raise("OverflowError", "can't convert negative int to unsigned");
  const range = 1n << BigInt(8 * count);
  const fits = negative ? value >= -range / 2n && value < range / 2n : value < range;
  if (!fits && !(count === 0 && value === 0n)) raise("OverflowError", "int too big to convert");
  const digits: number[] = [];
  let rest = value < 0n ? value + range : value;
  for (let at = 0; at < count; at++, rest >>= 8n) digits.push(Number(rest & 255n));
  return new PyBytes(big ? digits.reverse() : digits);
}

/** `int.from_bytes(bytes, byteorder, *, signed)`. */
export function intFromBytes([source, order, signed]: Bound): PyInt {
  const big = byteOrder(order) === "big";
  if (source === undefined) {
    raise("TypeError", "from_bytes() missing required argument 'bytes' (pos 1)");
  }
  if (source instanceof PyStr) raise("TypeError", "cannot convert 'str' object to bytes");
  const values = listOf(source).map((item) => {
    const byte = requireIndex(item);
    if (byte < 0n || byte > 255n) raise("ValueError", "bytes must be in range(0, 256)");
    return byte;
  });
  const ordered = big ? values : values.reverse();
  const total = ordered.reduce((sum, byte) => sum * 256n + byte, 0n);
  const range = 1n << BigInt(8 * values.length);
  const wraps = signed !== undefined && truth(signed) && total >= range / 2n && total > 0n;
  return int(wraps ? total - range : total);
}
