/** The methods of str by name, for receivers or names that are known only at run time. */
import { strEncode } from "./bytes.js";
import { fail } from "../errors.js";
import { keywordEntries } from "./dict.js";
import { escapeText } from "./escape.js";
import { formatMapMethod, formatMethod } from "./format-method.js";
import { drain, iterate } from "./iterate.js";
import { Markup } from "./markup.js";
import { str } from "./print.js";
import type { Keywords } from "./protocol.js";
import { striptags, unescape } from "./striptags.js";
import * as search from "./text-methods.js";
import type { TextMethod } from "./text-methods.js";
import * as shape from "./text-shapes.js";
import { Tuple } from "./tuple.js";
import { textOf } from "./types.js";
import { bind } from "./signature.js";
import type { ParameterRule, Signature } from "./signature.js";

const METHODS: Readonly<Record<string, TextMethod>> = {
  capitalize: shape.strCapitalize,
  casefold: shape.strCasefold,
  center: shape.strCenter,
  count: search.strCount,
  encode: strEncode,
  endswith: search.strEndswith,
  expandtabs: shape.strExpandtabs,
  find: search.strFind,
  format: (s, args, kwargs, place) => formatMethod(s, args, kwargs, false, place),
  format_map: (s, args, kwargs, place) => formatMapMethod(s, args, kwargs, false, place),
  index: search.strIndex,
  join: search.strJoin,
  ljust: shape.strLjust,
  lower: shape.strLower,
  lstrip: search.strLstrip,
  maketrans: shape.strMaketrans,
  partition: search.strPartition,
  removeprefix: search.strRemoveprefix,
  removesuffix: search.strRemovesuffix,
  replace: search.strReplace,
  rfind: search.strRfind,
  rindex: search.strRindex,
  rjust: shape.strRjust,
  rpartition: search.strRpartition,
  rsplit: search.strRsplit,
  rstrip: search.strRstrip,
  split: search.strSplit,
  splitlines: search.strSplitlines,
  startswith: search.strStartswith,
  strip: search.strStrip,
  swapcase: shape.strSwapcase,
  title: shape.strTitle,
  translate: shape.strTranslate,
  upper: shape.strUpper,
  zfill: shape.strZfill,
};

/** The method of str with that name, null if there is none. */
export function textMethod(name: string): TextMethod | null {
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  return method ?? shape.predicate(name);
}

/** The method of Markup with that name: it escapes what comes in, and gives Markup. */
export function markupMethod(name: string): TextMethod | null {
  switch (name) {
    case "format":
      return (s, args, kwargs, place) => new Markup(formatMethod(s, args, kwargs, true, place));
    case "format_map":
      return (s, args, kwargs, place) => new Markup(formatMapMethod(s, args, kwargs, true, place));
    case "striptags":
      return bare("striptags", striptags);
    case "unescape":
      return bare("unescape", unescape);
    case "escape":
      return (_s, args, kwargs, place) =>
        new Markup(escapeArgument(bind(ESCAPE, args, kwargs, place)[0]));
    case "encode":
    case "maketrans":
      return textMethod(name);
    default:
      return wrapped(name, textMethod(name));
  }
}

function bare(name: string, change: (s: string) => string): TextMethod {
  return (s, args, kwargs, place) => {
    bindMarkup(name, [], args, kwargs, place);
    return change(s);
  };
}

const ESCAPE: Signature = {
  name: "Markup.escape",
  subject: "cls",
  hidden: 0,
  parameters: [["s"]],
};

function escapeArgument(v: unknown): string {
  return v instanceof Markup ? str(v) : escapeText(str(v));
}

function wrapped(name: string, method: TextMethod | null): TextMethod | null {
  if (method === null) {
    return null;
  }
  const parameters = Object.hasOwn(MARKUP, name) ? MARKUP[name] : undefined;
  if (parameters === undefined) {
    return (s, args, kwargs, place) => wrap(method(s, args, kwargs, place));
  }
  return (s, args, kwargs, place) => {
    const bound = bindMarkup(name, parameters, args, kwargs, place);
    return wrap(method(s, escaped(name, bound, place), null, place));
  };
}

/** The parameters of the methods that markupsafe writes in Python. */
const MARKUP: Readonly<Record<string, readonly ParameterRule[]>> = {
  capitalize: [],
  casefold: [],
  center: [["width"], ["fillchar", " "]],
  expandtabs: [["tabsize", 8]],
  join: [["iterable"]],
  ljust: [["width"], ["fillchar", " "]],
  lower: [],
  lstrip: [["chars", null]],
  partition: [["sep"]],
  removeprefix: [["prefix"]],
  removesuffix: [["suffix"]],
  replace: [["old"], ["new"], ["count", -1]],
  rjust: [["width"], ["fillchar", " "]],
  rpartition: [["sep"]],
  rsplit: [
    ["sep", null],
    ["maxsplit", -1],
  ],
  rstrip: [["chars", null]],
  split: [
    ["sep", null],
    ["maxsplit", -1],
  ],
  splitlines: [["keepends", false]],
  strip: [["chars", null]],
  swapcase: [],
  title: [],
  translate: [["table"]],
  upper: [],
  zfill: [["width"]],
};

/** Those of them that take their arguments by name too. */
const BY_NAME = new Set(["expandtabs", "removesuffix", "rsplit", "split", "splitlines"]);

function bindMarkup(
  method: string,
  parameters: readonly ParameterRule[],
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
): readonly unknown[] {
  const name = `Markup.${method}`;
  const own = method === "removesuffix" ? [] : ["self"];
  const given = keywordEntries(kwargs).map(([key]) => key);
  const positional = [
    ...own,
    ...(BY_NAME.has(method) ? [] : parameters.map(([key]) => key)),
  ].filter((key) => given.includes(key));
  if (positional.length > 0) {
    const names = positional.join(", ");
    const message = `${name}() got some positional-only arguments passed as keyword arguments: '${names}'`;
    return fail("TypeError", message, place);
  }
  return bind({ name, subject: "self", hidden: 0, parameters }, args, kwargs, place);
}

/** The arguments with those escaped that become part of the result. */
function escaped(name: string, args: readonly unknown[], place: string): readonly unknown[] {
  if (name === "join") {
    return [drain(iterate(args[0], place)).map(escapeArgument)];
  }
  const fills = name === "replace" || name === "center" || name === "ljust" || name === "rjust";
  if (!fills || args.length < 2) {
    return args;
  }
  return args.map((arg, i) => (i === 1 ? escapeArgument(arg) : arg));
}

function wrap(result: unknown): unknown {
  if (Array.isArray(result)) {
    return result.map(wrap);
  }
  if (result instanceof Tuple) {
    return new Tuple(Tuple.items(result).map(wrap));
  }
  return typeof result === "string" ? new Markup(textOf(result) ?? "") : result;
}
