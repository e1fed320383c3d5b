/** Jinja2's filters on text. Those that Python's str has as methods go through them, so Markup stays Markup. */
import { arithmetic } from "./jinja-arithmetic.js";
import type { FilterArguments, FilterDefinition } from "./jinja-filters.js";
import { environmentAttribute } from "./jinja-attributes.js";
import {
  iterateOrNull,
  length,
  listOf,
  compare,
  numberOf,
  slice,
  truth,
  unpack,
} from "./jinja-operators.js";
import { escape, failUndefined, repr, softStr, text, textRepr } from "./jinja-text.js";
import { textMethod } from "./jinja-str-methods.js";
import { stripTags } from "./jinja-html.js";
import { lower, splitLines, upper } from "./jinja-unicode.js";
import { urlize } from "./jinja-urlize.js";
import { wrap } from "./jinja-wrap.js";
import {
  chars,
  int,
  Instance,
  Markup,
  NONE,
  MappingProxy,
  PyDict,
  PyList,
  PyNone,
  PyStr,
  raise,
  str,
  Undefined,
} from "./jinja-values.js";
import type { CallContext, Value } from "./jinja-values.js";

/** Calls a method of a text. */
function call(self: PyStr, name: string, ...args: Value[]): Value {
  const method = textMethod(self, name);
  return method === null ? NONE : method(args, new Map());
}

/** A text as a text of the same kind. */
function like(model: Value, content: string): PyStr {
  return model instanceof Markup ? new Markup(content) : str(content);
}

function replace(args: FilterArguments, context: CallContext): Value {
  const [value = NONE, old = NONE, fresh = NONE, count = NONE] = args;
  const limit = count instanceof PyNone ? int(-1) : count;
  if (!context.autoescape) {
    return call(str(text(value)), "replace", str(text(old)), str(text(fresh)), limit);
  }
  const safe = old instanceof Markup || (fresh instanceof Markup && !(value instanceof Markup));
  const self = safe ? escape(value) : softStr(value);
  return call(self, "replace", softStr(old), softStr(fresh), limit);
}

/** Words begin after white space, hyphens and opening brackets. */
function title([value = NONE]: FilterArguments): Value {
  const words = softStr(value).text.split(/([-\s\u001c-\u001f\u0085({[<]+)/u);
  const shown = words.map((word) => {
    const [first = "", ...rest] = chars(word);
    return upper(first) + lower(rest.join(""));
  });
  return str(shown.join(""));
}

function trim([value = NONE, set = NONE]: FilterArguments): Value {
  return call(softStr(value), "strip", set);
}

/** The text that `s += "\n"` and `s.splitlines()` need. */
function mustBeText(value: Value, operation: string): PyStr {
  if (value instanceof PyStr) return value;
  if (value instanceof Undefined) return failUndefined(value);
  if (operation !== "+=" || value instanceof PyList) {
    const name = operation === "+=" ? "splitlines" : operation;
    raise("AttributeError", `'${value.typeName}' object has no attribute '${name}'`);
  }
  return raise("TypeError", `unsupported operand type(s) for +=: '${value.typeName}' and 'str'`);
}

function indent([value = NONE, width = int(4), first, blank]: FilterArguments): Value {
  const step = width instanceof PyStr ? width : arithmetic("*", str(" "), width);
  const source = mustBeText(value, "+=");
  const shown = text(step);
  const [head = "", ...rest] = splitLines(`${source.text}\n`, false);
  const everyLine = blank !== undefined && truth(blank);
  const lines = rest.map((line) => (line === "" && !everyLine ? line : shown + line));
  const body = [head, ...lines].join("\n");
  return like(source, (first !== undefined && truth(first) ? shown : "") + body);
}

/** A number that Python compares first: an undefined raises its own error there. */
function compared(value: Value): number {
  if (value instanceof Undefined) failUndefined(value);
  const kinds = `'${value.typeName}' and 'int'`;
  const refusal = `'<' not supported between instances of ${kinds}`;
  return Number(numberOf(value) ?? raise("TypeError", refusal));
}

function truncate(args: FilterArguments): Value {
  const [value = NONE, size = int(255), killWords, end = str("..."), leeway = int(5)] = args;
  const ending = length(end);
  const limit = compared(size);
  const slack = leeway instanceof PyNone ? 5 : compared(leeway);
  if (limit < ending) raise("AssertionError", `expected length >= ${ending}, got ${limit}`);
  if (slack < 0) raise("AssertionError", `expected leeway >= 0, got ${slack}`);
  if (length(value) <= limit + slack) return value;
  const kept = slice(value, NONE, arithmetic("-", size, int(ending)), NONE);
  if (killWords !== undefined && truth(killWords)) return arithmetic("+", kept, end);
  if (!(kept instanceof PyStr)) {
    raise("AttributeError", `'${kept.typeName}' object has no attribute 'rsplit'`);
  }
  const space = kept.text.lastIndexOf(" ");
  return arithmetic("+", like(kept, space < 0 ? kept.text : kept.text.slice(0, space)), end);
}

function wordWrap(args: FilterArguments): Value {
  const [value = NONE, width = int(79), longWords, separator = NONE, hyphens] = args;
  const source = mustBeText(value, "splitlines");
  const glue = separator instanceof PyNone ? str("\n") : mustBeText(separator, "join");
  const options = {
    width: source.text === "" ? 0 : compared(width),
    breakLongWords: longWords === undefined || truth(longWords),
    breakOnHyphens: hyphens === undefined || truth(hyphens),
  };
  const lines = splitLines(source.text, false).map((line) => {
    const parts = wrap(line, options).map((part) =>
      glue instanceof Markup ? escape(str(part)).text : part,
    );
    return parts.join(glue.text);
  });
  return like(glue, lines.join(glue.text));
}

function wordCount([value = NONE]: FilterArguments): Value {
  return int(softStr(value).text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0);
}

// ---------------------------------------------------------------- addresses and markup

function quoteUrl(value: Value, forQuery: boolean): string {
  const bytes = new TextEncoder().encode(text(value));
  const quoted = [...bytes].map((byte) => {
    const char = String.fromCharCode(byte);
    if (/[A-Za-z0-9_.~-]/.test(char) || (char === "/" && !forQuery)) return char;
    if (char === " " && forQuery) return "+";
    return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  });
  return quoted.join("");
}

function urlEncode([value = NONE]: FilterArguments): Value {
  // What has items only is iterated by Python, but is no Iterable.
  const iterable = !(value instanceof Instance) && iterateOrNull(value) !== null;
  if (value instanceof PyStr || !iterable) return str(quoteUrl(value, false));
  const isDict = value instanceof PyDict && !(value instanceof MappingProxy);
  const pairs = isDict ? value.pairs() : listOf(value);
  const parts = pairs.map((pair) => {
    const [key = NONE, item = NONE] = unpack(pair, 2);
    return `${quoteUrl(key, true)}=${quoteUrl(item, true)}`;
  });
  return str(parts.join("&"));
}

function xmlAttributes(args: FilterArguments, context: CallContext): Value {
  const [dict = NONE, autoSpace] = args;
  if (dict instanceof Undefined) environmentAttribute(dict, "items");
  if (!(dict instanceof PyDict)) {
    raise("AttributeError", `'${dict.typeName}' object has no attribute 'items'`);
  }
  const parts: string[] = [];
  for (const { key, value } of dict.entries.values()) {
    if (value instanceof PyNone || value instanceof Undefined) continue;
    if (!(key instanceof PyStr)) {
      raise("TypeError", `expected string or bytes-like object, got '${key.typeName}'`);
    }
    if (/[\s/>=]/.test(key.text.replace(/[^\u0000-\u007f]/g, "x"))) {
      raise("ValueError", `Invalid character in attribute name: ${repr(key)}`);
    }
    parts.push(`${escape(key).text}="${escape(value).text}"`);
  }
  const joined = parts.join(" ");
  const spaced = autoSpace === undefined || truth(autoSpace);
  const result = spaced && joined !== "" ? ` ${joined}` : joined;
  return context.autoescape ? new Markup(result) : str(result);
}

/** A scheme that `urlize` may be given: `tel:`, `ftp://`. */
const schemePattern = /^[\p{L}\p{N}_.+-]{2,}:(?:\/){0,2}$/u;

function trimmed(shown: string, limit: Value): string {
  if (limit instanceof PyNone || !compare(">", int(length(str(shown))), limit)) return shown;
  return `${text(slice(str(shown), NONE, limit, NONE))}...`;
}

function urlized(args: FilterArguments, context: CallContext): Value {
  const [value = NONE, limit = NONE, noFollow, target = NONE, rel = NONE, extra = NONE] = args;
  const given = truth(rel) ? mustBeText(rel, "split").text : "";
  const words = new Set(given.split(/\s+/).filter((word) => word));
  if (noFollow !== undefined && truth(noFollow)) words.add("nofollow");
  words.add("noopener");
  const schemes = extra instanceof PyNone ? [] : listOf(extra).map((scheme) => text(scheme));
  for (const scheme of schemes) {
    if (!schemePattern.test(scheme)) {
      raise("FilterArgumentError", `${textRepr(scheme)} is not a valid URI scheme prefix.`);
    }
  }
  const result = urlize(value, {
    trim: (shown) => trimmed(shown, limit),
    rel: [...words]
      .sort()
      .map((word) => escape(str(word)).text)
      .join(" "),
    target: target instanceof PyNone || !truth(target) ? null : target,
    schemes,
  });
  return context.autoescape ? new Markup(result) : str(result);
}

// ---------------------------------------------------------------- the table

function byMethod(name: string): (args: FilterArguments) => Value {
  return ([value = NONE]) => call(softStr(value), name);
}

export const textFilters: readonly (readonly [string, FilterDefinition])[] = [
  ["capitalize", { name: "do_capitalize", parameters: "s", run: byMethod("capitalize") }],
  ["lower", { name: "do_lower", parameters: "s", run: byMethod("lower") }],
  ["upper", { name: "do_upper", parameters: "s", run: byMethod("upper") }],
  ["title", { name: "do_title", parameters: "s", run: title }],
  ["trim", { name: "do_trim", parameters: "value chars?", run: trim }],
  [
    "center",
    {
      name: "do_center",
      parameters: "value width?",
      run: ([value = NONE, width = int(80)]) => call(softStr(value), "center", width),
    },
  ],
  ["replace", { name: "do_replace", parameters: "s old new count?", implicit: 1, run: replace }],
  ["indent", { name: "do_indent", parameters: "s width? first? blank?", run: indent }],
  [
    "truncate",
    {
      name: "do_truncate",
      parameters: "s length? killwords? end? leeway?",
      implicit: 1,
      run: truncate,
    },
  ],
  [
    "wordwrap",
    {
      name: "do_wordwrap",
      parameters: "s width? break_long_words? wrapstring? break_on_hyphens?",
      implicit: 1,
      run: wordWrap,
    },
  ],
  ["wordcount", { name: "do_wordcount", parameters: "s", run: wordCount }],
  ["striptags", { name: "do_striptags", run: ([value = NONE]) => str(stripTags(text(value))) }],
  ["urlencode", { name: "do_urlencode", run: urlEncode }],
  ["xmlattr", { name: "do_xmlattr", parameters: "d autospace?", implicit: 1, run: xmlAttributes }],
  [
    "urlize",
    {
      name: "do_urlize",
      parameters: "value trim_url_limit? nofollow? target? rel? extra_schemes?",
      implicit: 1,
      run: urlized,
    },
  ],
];
