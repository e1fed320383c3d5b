/** The methods of str by name, for receivers or names that are known only at run time. */
import { strEncode } from "./bytes.js";
import { escapeText } from "./escape.js";
import { formatMapMethod, formatMethod } from "./format-method.js";
import { drain, iteratorOf } from "./iterate.js";
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
import type { Signature } from "./signature.js";

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
  const signature = { name: `Markup.${name}`, subject: "self", hidden: 0, parameters: [] };
  return (s, args, kwargs, place) => {
    bind(signature, args, kwargs, place);
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
  return (s, args, kwargs: Keywords, place) =>
    wrap(method(s, escaped(name, args, place), kwargs, place));
}

/** The arguments with those escaped that become part of the result. */
function escaped(name: string, args: readonly unknown[], place: string): readonly unknown[] {
  if (name === "join" && args.length === 1) {
    const iterator = iteratorOf(args[0], place);
    return iterator === null ? args : [drain(iterator).map(escapeArgument)];
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
