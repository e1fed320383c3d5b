/** The methods of Python's `str`, and what markupsafe's Markup changes about them. */
import { bind, bindNative } from "./jinja-arguments.js";
import type { NativeSignature } from "./jinja-arguments.js";
import {
  iterateOrNull,
  listOf,
  requireIndex,
  requireInt,
  slice,
  subscript,
} from "./jinja-operators.js";
import { escape, text } from "./jinja-text.js";
import * as unicode from "./jinja-unicode.js";
import {
  bool,
  chars,
  int,
  isError,
  Markup,
  NONE,
  PyBytes,
  MappingProxy,
  PyDict,
  PyInt,
  PyList,
  PyNone,
  PyStr,
  PyTuple,
  raise,
  str,
} from "./jinja-values.js";
import type { Kwargs, Value } from "./jinja-values.js";
import { encodeText } from "./jinja-codecs.js";
import { stripTags, unescapeHtml } from "./jinja-html.js";

type Bound = readonly (Value | undefined)[];

interface TextMethod {
  readonly signature: NativeSignature;
  readonly run: (self: string, args: Bound) => Value;
}

const none: NativeSignature = { kind: "none" };
const one: NativeSignature = { kind: "one" };

function fast(least: number, most: number): NativeSignature {
  return { kind: "fast", least, most };
}

function mustBeText(value: Value | undefined, refusal: (kind: string) => string): string {
  if (value instanceof PyStr) return value.text;
  return raise("TypeError", refusal(value === undefined ? "" : value.typeName));
}

function convert(change: (text: string) => string): TextMethod {
  return { signature: none, run: (self) => str(change(self)) };
}

// ---------------------------------------------------------------- searching

const searching: NativeSignature = { kind: "varargs", least: 1, most: 3 };

/** The part of the text between two optional indexes, and the offset at which it starts. */
function window(self: string, args: Bound): { part: string; offset: number; past: boolean } {
  const count = chars(self).length;
  const part = slice(str(self), args[1] ?? NONE, args[2] ?? NONE, NONE);
  const start = args[1] instanceof PyInt ? Number(args[1].value) : 0;
  const offset = start < 0 ? Math.max(start + count, 0) : start;
  return { part: text(part), offset, past: offset > count };
}

function find(self: string, args: Bound, last: boolean): number {
  const needle = mustBeText(args[0], (kind) => `must be str, not ${kind}`);
  const { part, offset, past } = window(self, args);
  const unit = last ? part.lastIndexOf(needle) : part.indexOf(needle);
  if (unit < 0 || past) return -1;
  return offset + chars(part.slice(0, unit)).length;
}

function finder(last: boolean, mustExist: boolean): TextMethod {
  return {
    signature: searching,
    run: (self, args) => {
      const at = find(self, args, last);
      return at < 0 && mustExist ? raise("ValueError", "substring not found") : int(at);
    },
  };
}

function count(self: string, args: Bound): Value {
  const needle = mustBeText(args[0], (kind) => `must be str, not ${kind}`);
  const { part, past } = window(self, args);
  if (past) return int(0);
  if (needle === "") return int(chars(part).length + 1);
  return int(part.split(needle).length - 1);
}

function affix(name: "startswith" | "endswith"): TextMethod {
  const test = (part: string, affix: string): boolean =>
    name === "startswith" ? part.startsWith(affix) : part.endsWith(affix);
  return {
    signature: searching,
    run: (self, args) => {
      const { part, past } = window(self, args);
      const [first] = args;
      if (!(first instanceof PyTuple)) {
        const wanted = `${name} first arg must be str or a tuple of str`;
        return bool(
          test(
            part,
            mustBeText(first, (kind) => `${wanted}, not ${kind}`),
          ) && !past,
        );
      }
      const found = first.items.some((item) => {
        const wanted = `tuple for ${name} must only contain str`;
        return test(
          part,
          mustBeText(item, (kind) => `${wanted}, not ${kind}`),
        );
      });
      return bool(found && !past);
    },
  };
}

// ---------------------------------------------------------------- splitting

function limitOf(value: Value | undefined): number {
  return value === undefined ? -1 : Number(requireIndex(value));
}

function splitAt(self: string, separator: string, limit: number, fromRight: boolean): string[] {
  const mirror = (part: string): string => chars(part).reverse().join("");
  // Separators that overlap are found from the side where the search begins.
  const parts = fromRight
    ? mirror(self).split(mirror(separator)).map(mirror).reverse()
    : self.split(separator);
  if (limit < 0 || parts.length <= limit + 1) return parts;
  if (fromRight) {
    const cut = parts.length - limit;
    return [parts.slice(0, cut).join(separator), ...parts.slice(cut)];
  }
  return [...parts.slice(0, limit), parts.slice(limit).join(separator)];
}

function splitter(fromRight: boolean): TextMethod {
  return {
    signature: { kind: "keywords", names: ["sep", "maxsplit"] },
    run: (self, [separator, maximum]) => {
      const limit = limitOf(maximum);
      if (separator === undefined || separator instanceof PyNone) {
        const split = fromRight ? unicode.splitSpaceRight : unicode.splitSpace;
        return new PyList(split(self, limit).map(str));
      }
      const at = mustBeText(separator, (kind) => `must be str or None, not ${kind}`);
      if (at === "") raise("ValueError", "empty separator");
      return new PyList(splitAt(self, at, limit, fromRight).map(str));
    },
  };
}

function partition(fromRight: boolean): TextMethod {
  return {
    signature: one,
    run: (self, [separator]) => {
      const at = mustBeText(separator, (kind) => `must be str, not ${kind}`);
      if (at === "") raise("ValueError", "empty separator");
      const unit = fromRight ? self.lastIndexOf(at) : self.indexOf(at);
      const whole = fromRight ? ["", "", self] : [self, "", ""];
      const parts = unit < 0 ? whole : [self.slice(0, unit), at, self.slice(unit + at.length)];
      return new PyTuple(parts.map(str));
    },
  };
}

function join(self: string, [items]: Bound): Value {
  if (items === undefined || iterateOrNull(items) === null) {
    raise("TypeError", "can only join an iterable");
  }
  const parts = listOf(items).map((item, at) =>
    mustBeText(item, (kind) => `sequence item ${at}: expected str instance, ${kind} found`),
  );
  return str(parts.join(self));
}

// ---------------------------------------------------------------- shaping

function stripper(name: string, side: unicode.Side): TextMethod {
  return {
    signature: fast(0, 1),
    run: (self, [set]) => {
      if (set === undefined || set instanceof PyNone) return str(unicode.strip(self, null, side));
      return str(
        unicode.strip(
          self,
          mustBeText(set, () => `${name} arg must be None or str`),
          side,
        ),
      );
    },
  };
}

/** CPython centres with the odd blank on the left when the width is odd. */
function filler(place: (missing: number, width: number) => number): TextMethod {
  return {
    signature: fast(1, 2),
    run: (self, [size, fill]) => {
      const width = Number(requireIndex(size ?? NONE));
      const refusal = "The fill character must be a unicode character";
      const char = fill === undefined ? " " : mustBeText(fill, (kind) => `${refusal}, not ${kind}`);
      if (chars(char).length !== 1) {
        raise("TypeError", "The fill character must be exactly one character long");
      }
      const missing = Math.max(width - chars(self).length, 0);
      const left = place(missing, width);
      return str(char.repeat(left) + self + char.repeat(missing - left));
    },
  };
}

function replace(self: string, [old, fresh, maximum]: Bound): Value {
  const from = mustBeText(old, (kind) => `replace() argument 1 must be str, not ${kind}`);
  const to = mustBeText(fresh, (kind) => `replace() argument 2 must be str, not ${kind}`);
  const limit = limitOf(maximum);
  if (from !== "") return str(splitAt(self, from, limit, false).join(to));
  const all = chars(self);
  const gaps = limit < 0 ? all.length + 1 : Math.min(limit, all.length + 1);
  const head = all.map((char, at) => (at < gaps ? to : "") + char).join("");
  return str(head + (gaps > all.length ? to : ""));
}

function zfill(self: string, [size]: Bound): Value {
  const missing = Math.max(Number(requireIndex(size ?? NONE)) - chars(self).length, 0);
  const sign = /^[-+]/.exec(self)?.[0] ?? "";
  return str(sign + "0".repeat(missing) + self.slice(sign.length));
}

function expandTabs(self: string, [size]: Bound): Value {
  const width = size === undefined ? 8 : Number(requireInt(size));
  let column = 0;
  let out = "";
  for (const char of chars(self)) {
    if (char === "\t") {
      const blanks = width > 0 ? width - (column % width) : 0;
      out += " ".repeat(blanks);
      column += blanks;
    } else {
      out += char;
      column = char === "\n" || char === "\r" ? 0 : column + 1;
    }
  }
  return str(out);
}

/** Any object with items does for a table; what it has no item for stays. */
function lookedUp(table: Value, char: string): Value | null {
  try {
    return subscript(table, int(char.codePointAt(0) ?? 0));
  } catch (error) {
    if (isError(error, "KeyError", "IndexError")) return null;
    throw error;
  }
}

function translate(self: string, [table]: Bound): Value {
  const out = chars(self).map((char) => {
    const found = lookedUp(table ?? NONE, char);
    if (found === null) return char;
    if (found instanceof PyNone) return "";
    if (found instanceof PyStr) return found.text;
    if (!(found instanceof PyInt)) {
      raise("TypeError", "character mapping must return integer, None or str");
    }
    if (found.value < 0n || found.value > 0x10ffffn) {
      raise("ValueError", "character mapping must be in range(0x110000)");
    }
    return String.fromCodePoint(Number(found.value));
  });
  return str(out.join(""));
}

function encode(self: string, [encoding, errors]: Bound): Value {
  if (encoding !== undefined) {
    mustBeText(encoding, (kind) => `encode() argument 'encoding' must be str, not ${kind}`);
  }
  if (errors !== undefined) {
    mustBeText(errors, (kind) => `encode() argument 'errors' must be str, not ${kind}`);
  }
  const [name, handler] = [encoding, errors].map((value, at) =>
    value === undefined ? (at === 0 ? "utf-8" : "strict") : text(value),
  );
  return new PyBytes(encodeText(self, name ?? "", handler ?? ""));
}

/** `str.maketrans`: a table from code points, for `translate`. */
function makeTranslation(_: string, [from = NONE, to, drop]: Bound): Value {
  const table = new PyDict();
  const ordinal = (char: string): Value => int(char.codePointAt(0) ?? 0);
  if (to === undefined) {
    if (!(from instanceof PyDict) || from instanceof MappingProxy) {
      raise("TypeError", "if you give only one argument to maketrans it must be a dict");
    }
    for (const { key, value } of from.entries.values()) {
      if (!(key instanceof PyStr || key instanceof PyInt)) {
        raise("TypeError", "keys in translate table must be strings or integers");
      }
      if (key instanceof PyStr && chars(key.text).length !== 1) {
        raise("ValueError", "string keys in translate table must be of length 1");
      }
      table.set(key instanceof PyStr ? ordinal(key.text) : key, value);
    }
    return table;
  }
  const refusal = "first maketrans argument must be a string if there is a second argument";
  const left = chars(mustBeText(from, () => refusal));
  const right = chars(mustBeText(to, (kind) => `maketrans() argument 2 must be str, not ${kind}`));
  if (left.length !== right.length) {
    raise("ValueError", "the first two maketrans arguments must have equal length");
  }
  left.forEach((char, at) => {
    table.set(ordinal(char), ordinal(right[at] ?? char));
  });
  const dropped =
    drop === undefined
      ? ""
      : mustBeText(drop, (kind) => `maketrans() argument 3 must be str, not ${kind}`);
  for (const char of chars(dropped)) table.set(ordinal(char), NONE);
  return table;
}

function remover(name: "removeprefix" | "removesuffix"): TextMethod {
  return {
    signature: one,
    run: (self, [affix]) => {
      const part = mustBeText(affix, (kind) => `${name}() argument must be str, not ${kind}`);
      if (name === "removeprefix")
        return str(self.startsWith(part) ? self.slice(part.length) : self);
      const ends = part !== "" && self.endsWith(part);
      return str(ends ? self.slice(0, -part.length) : self);
    },
  };
}

const classTests = Object.entries(unicode.classes).map(([name, test]): [string, TextMethod] => [
  name,
  { signature: none, run: (self) => bool(test(self)) },
]);

const methods = new Map<string, TextMethod>([
  ...classTests,
  ["capitalize", convert(unicode.capitalize)],
  ["casefold", convert(unicode.caseFold)],
  ["lower", convert(unicode.lower)],
  ["upper", convert(unicode.upper)],
  ["title", convert(unicode.title)],
  ["swapcase", convert(unicode.swapCase)],
  ["find", finder(false, false)],
  ["rfind", finder(true, false)],
  ["index", finder(false, true)],
  ["rindex", finder(true, true)],
  ["count", { signature: searching, run: count }],
  ["startswith", affix("startswith")],
  ["endswith", affix("endswith")],
  ["split", splitter(false)],
  ["rsplit", splitter(true)],
  ["partition", partition(false)],
  ["rpartition", partition(true)],
  ["join", { signature: one, run: join }],
  ["strip", stripper("strip", "both")],
  ["lstrip", stripper("lstrip", "left")],
  ["rstrip", stripper("rstrip", "right")],
  ["ljust", filler(() => 0)],
  ["rjust", filler((missing) => missing)],
  ["center", filler((missing, width) => Math.floor(missing / 2) + (missing & width & 1))],
  ["replace", { signature: fast(2, 3), run: replace }],
  ["zfill", { signature: one, run: zfill }],
  ["expandtabs", { signature: { kind: "keywords", names: ["tabsize"] }, run: expandTabs }],
  ["maketrans", { signature: fast(1, 3), run: makeTranslation }],
  ["translate", { signature: one, run: translate }],
  ["encode", { signature: { kind: "keywords", names: ["encoding", "errors"] }, run: encode }],
  ["removeprefix", remover("removeprefix")],
  ["removesuffix", remover("removesuffix")],
  [
    "splitlines",
    {
      signature: { kind: "keywords", names: ["keepends"] },
      run: (self, [keep]) =>
        new PyList(
          unicode.splitLines(self, keep !== undefined && requireInt(keep) !== 0n).map(str),
        ),
    },
  ],
]);

/** Which argument of a Markup's method is escaped before it goes in. */
const escaped: Readonly<Record<string, number>> = { replace: 1, ljust: 1, rjust: 1, center: 1 };

function toMarkup(value: Value): Value {
  if (value instanceof PyStr) return new Markup(value.text);
  if (value instanceof PyList) return new PyList(value.items.map((item) => toMarkup(item)));
  return value instanceof PyTuple ? new PyTuple(value.items.map((item) => toMarkup(item))) : value;
}

function markupArguments(name: string, args: readonly Value[]): readonly Value[] {
  const [first] = args;
  if (name === "join" && first !== undefined && args.length === 1) {
    return [new PyList(listOf(first).map((item) => escape(item)))];
  }
  return args.map((arg, at) => (escaped[name] === at ? escape(arg) : arg));
}

/** The method of a text, or null; `format` and `format_map` are the sandbox's. */
export function textMethod(
  self: PyStr,
  name: string,
): ((args: readonly Value[], kwargs: Kwargs) => Value) | null {
  const markup = self instanceof Markup;
  if (markup && (name === "unescape" || name === "striptags")) {
    return (args, kwargs) => {
      bind({ name: `Markup.${name}`, parameters: "", implicit: 1 }, args, kwargs);
      return str(name === "unescape" ? unescapeHtml(self.text) : stripTags(self.text));
    };
  }
  if (markup && name === "escape") {
    return (args, kwargs) => {
      const [given] = bind({ name: "Markup.escape", parameters: "s", implicit: 1 }, args, kwargs);
      return escape(given ?? NONE);
    };
  }
  const method = methods.get(name);
  if (method === undefined) return null;
  return (args, kwargs) => {
    const given = markup ? markupArguments(name, args) : args;
    const bound = bindNative("str", name, method.signature, given, kwargs);
    const result = method.run(self.text, bound);
    return markup ? toMarkup(result) : result;
  };
}
