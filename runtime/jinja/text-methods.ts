/** Python's str methods that search, split and join, with their argument errors. */
import { fail } from "../errors.js";
import {
  byName,
  counted,
  integerArgument,
  smallArgument,
  textArgument,
  textNamed,
} from "./arguments.js";
import { iteratorOf } from "./iterate.js";
import type { Keywords } from "./protocol.js";
import { checkCount, exactly, noKeywords, sliceIndices } from "./sequence.js";
import {
  characters,
  isSpace,
  lstrip,
  lstripChars,
  rstrip,
  rstripChars,
  sliceText,
  strip,
  stripChars,
  textLength,
} from "./text.js";
import { Tuple } from "./tuple.js";
import { textOf, typeName } from "./types.js";

/** A method of str: the text, and what the call gives. */
export type TextMethod = (
  s: string,
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
) => unknown;

/** The part of the text between the optional ends that are the second and third argument. */
function part(
  s: string,
  args: readonly unknown[],
  place: string,
): readonly [string, number] | null {
  if ((args[1] ?? null) === null && (args[2] ?? null) === null) {
    return [s, 0];
  }
  const length = textLength(s);
  const [from, to] = sliceIndices(length, args[1] ?? null, args[2] ?? null, null, place);
  const beyond = typeof args[1] === "number" && args[1] > length;
  return from > to || beyond ? null : [sliceText(s, from, to), from];
}

function finder(name: string, last: boolean, strict: boolean): TextMethod {
  return (s, args, kwargs, place) => {
    counted(name, args, kwargs, 1, 3, place);
    const wanted = textArgument(args[0], "must be str, not", place);
    const [inside, start] = part(s, args, place) ?? [null, 0];
    const at = inside === null ? -1 : last ? inside.lastIndexOf(wanted) : inside.indexOf(wanted);
    if (at < 0 || inside === null) {
      return strict ? fail("ValueError", "substring not found", place) : -1;
    }
    return start + textLength(inside.slice(0, at));
  };
}

export const strFind: TextMethod = (s, args, kwargs, place) =>
  finder("find", false, false)(s, args, kwargs, place);
export const strRfind: TextMethod = (s, args, kwargs, place) =>
  finder("rfind", true, false)(s, args, kwargs, place);
export const strIndex: TextMethod = (s, args, kwargs, place) =>
  finder("index", false, true)(s, args, kwargs, place);
export const strRindex: TextMethod = (s, args, kwargs, place) =>
  finder("rindex", true, true)(s, args, kwargs, place);

export const strCount: TextMethod = (s, args, kwargs, place) => {
  counted("count", args, kwargs, 1, 3, place);
  const wanted = textArgument(args[0], "must be str, not", place);
  const [inside] = part(s, args, place) ?? [null];
  if (inside === null) {
    return 0;
  }
  return wanted === "" ? textLength(inside) + 1 : inside.split(wanted).length - 1;
};

function affix(name: string, test: (s: string, wanted: string) => boolean): TextMethod {
  return (s, args, kwargs, place) => {
    counted(name, args, kwargs, 1, 3, place);
    const [wanted] = args;
    const [inside] = part(s, args, place) ?? [null];
    const matches = (v: unknown, message: string): boolean => {
      const text = textArgument(v, message, place);
      return inside !== null && test(inside, text);
    };
    return wanted instanceof Tuple
      ? Tuple.items(wanted).some((v) => matches(v, `tuple for ${name} must only contain str, not`))
      : matches(wanted, `${name} first arg must be str or a tuple of str, not`);
  };
}

export const strStartswith: TextMethod = (s, args, kwargs, place) =>
  affix("startswith", (text, wanted) => text.startsWith(wanted))(s, args, kwargs, place);
export const strEndswith: TextMethod = (s, args, kwargs, place) =>
  affix("endswith", (text, wanted) => text.endsWith(wanted))(s, args, kwargs, place);

export const strJoin: TextMethod = (s, args, kwargs, place) => {
  const iterator = iteratorOf(exactly(1, "str.join", args, kwargs, place), place);
  if (iterator === null) {
    return fail("TypeError", "can only join an iterable", place);
  }
  const parts: string[] = [];
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    const found = `expected str instance, ${typeName(next.value)} found`;
    const message = `sequence item ${parts.length}: ${found}`;
    parts.push(textOf(next.value) ?? fail("TypeError", message, place));
  }
  return parts.join(s);
};

interface Splitting {
  readonly separator: string | null;
  readonly most: number;
}

function splitting(
  name: string,
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
): Splitting {
  const [sep, maxsplit] = byName(name, ["sep", "maxsplit"], args, kwargs, place);
  const most = maxsplit === undefined ? -1 : integerArgument(maxsplit, place);
  const given = args.length > 0 || (kwargs !== null && Object.hasOwn(kwargs, "sep"));
  const separator =
    !given || sep === null ? null : textArgument(sep, "must be str or None, not", place);
  if (separator === "") {
    return fail("ValueError", "empty separator", place);
  }
  return { separator, most: most < 0 ? Infinity : most };
}

export const strSplit: TextMethod = (s, args, kwargs, place) => {
  const { separator, most } = splitting("split", args, kwargs, place);
  return separator === null ? splitWords(s, most) : splitLeft(s, separator, most);
};

function splitLeft(s: string, separator: string, most: number): string[] {
  if (most === Infinity) {
    return s.split(separator);
  }
  const parts: string[] = [];
  let from = 0;
  for (let at = s.indexOf(separator); at >= 0 && parts.length < most;) {
    parts.push(s.slice(from, at));
    from = at + separator.length;
    at = s.indexOf(separator, from);
  }
  parts.push(s.slice(from));
  return parts;
}

/** `s.split()`: words between runs of white space. */
function splitWords(s: string, most: number): string[] {
  const parts: string[] = [];
  let rest = lstrip(s);
  while (rest !== "" && parts.length < most) {
    let end = 0;
    while (end < rest.length && !isSpace(rest.charCodeAt(end))) {
      end++;
    }
    parts.push(rest.slice(0, end));
    rest = lstrip(rest.slice(end));
  }
  return rest === "" ? parts : [...parts, rest];
}

export const strRsplit: TextMethod = (s, args, kwargs, place) => {
  const { separator, most } = splitting("rsplit", args, kwargs, place);
  return separator === null ? splitWordsRight(s, most) : splitRight(s, separator, most);
};

function splitRight(s: string, separator: string, most: number): string[] {
  const parts: string[] = [];
  let end = s.length;
  while (parts.length < most && end >= separator.length) {
    const at = s.lastIndexOf(separator, end - separator.length);
    if (at < 0) {
      break;
    }
    parts.push(s.slice(at + separator.length, end));
    end = at;
  }
  parts.push(s.slice(0, end));
  return parts.reverse();
}

function splitWordsRight(s: string, most: number): string[] {
  const parts: string[] = [];
  let rest = rstrip(s);
  while (rest !== "" && parts.length < most) {
    let start = rest.length;
    while (start > 0 && !isSpace(rest.charCodeAt(start - 1))) {
      start--;
    }
    parts.push(rest.slice(start));
    rest = rstrip(rest.slice(0, start));
  }
  if (rest !== "") parts.push(rest);
  return parts.reverse();
}

const LINE = /[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*(?:\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]|$)/g;
const LINE_END = /(?:\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])$/;

/** `s.splitlines(keepends)`. */
export function splitLines(s: string, keepEnds: boolean): string[] {
  const lines = (s.match(LINE) ?? []).filter((line) => line !== "");
  return keepEnds ? lines : lines.map((line) => line.replace(LINE_END, ""));
}

export const strSplitlines: TextMethod = (s, args, kwargs, place) => {
  const [keepends] = byName("splitlines", ["keepends"], args, kwargs, place);
  return splitLines(s, keepends !== undefined && smallArgument(keepends, place) !== 0);
};

function stripper(
  name: string,
  bare: (s: string) => string,
  set: (s: string, chars: string) => string,
): TextMethod {
  return (s, args, kwargs, place) => {
    noKeywords(`str.${name}`, kwargs, place);
    checkCount(name, args, 0, 1, place);
    if (args.length === 0 || args[0] === null) {
      return bare(s);
    }
    return set(s, textOf(args[0]) ?? fail("TypeError", `${name} arg must be None or str`, place));
  };
}

export const strStrip: TextMethod = (s, args, kwargs, place) =>
  stripper("strip", strip, stripChars)(s, args, kwargs, place);
export const strLstrip: TextMethod = (s, args, kwargs, place) =>
  stripper("lstrip", lstrip, lstripChars)(s, args, kwargs, place);
export const strRstrip: TextMethod = (s, args, kwargs, place) =>
  stripper("rstrip", rstrip, rstripChars)(s, args, kwargs, place);

/** `s.replace(old, new, count)`, a negative count for all. */
export function replaceCount(s: string, old: string, text: string, count: number): string {
  if (count < 0) {
    count = Infinity;
  }
  if (old === "") {
    const parts = characters(s);
    const out = parts.map((c, i) => (i < count ? text + c : c)).join("");
    return parts.length < count ? out + text : out;
  }
  return splitLeft(s, old, count).join(text);
}

export const strReplace: TextMethod = (s, args, kwargs, place) => {
  noKeywords("str.replace", kwargs, place);
  checkCount("replace", args, 2, 3, place);
  const old = textNamed(args[0], "replace() argument 1", place);
  const text = textNamed(args[1], "replace() argument 2", place);
  return replaceCount(s, old, text, args.length < 3 ? -1 : integerArgument(args[2], place));
};

function partitioner(name: string, last: boolean): TextMethod {
  return (s, args, kwargs, place) => {
    const v = exactly(1, `str.${name}`, args, kwargs, place);
    const separator = textArgument(v, "must be str, not", place);
    if (separator === "") {
      return fail("ValueError", "empty separator", place);
    }
    const at = last ? s.lastIndexOf(separator) : s.indexOf(separator);
    if (at < 0) {
      return new Tuple(last ? ["", "", s] : [s, "", ""]);
    }
    return new Tuple([s.slice(0, at), separator, s.slice(at + separator.length)]);
  };
}

export const strPartition: TextMethod = (s, args, kwargs, place) =>
  partitioner("partition", false)(s, args, kwargs, place);
export const strRpartition: TextMethod = (s, args, kwargs, place) =>
  partitioner("rpartition", true)(s, args, kwargs, place);

export const strRemoveprefix: TextMethod = (s, args, kwargs, place) => {
  const v = exactly(1, "str.removeprefix", args, kwargs, place);
  const prefix = textNamed(v, "removeprefix() argument", place);
  return s.startsWith(prefix) ? s.slice(prefix.length) : s;
};

export const strRemovesuffix: TextMethod = (s, args, kwargs, place) => {
  const v = exactly(1, "str.removesuffix", args, kwargs, place);
  const suffix = textNamed(v, "removesuffix() argument", place);
  return suffix !== "" && s.endsWith(suffix) ? s.slice(0, -suffix.length) : s;
};
