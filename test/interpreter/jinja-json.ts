/** JSON as Python's `json` module reads and writes it: numbers exact, keys in order, the last duplicate wins. */
import { isMapping, compare } from "./jinja-operators.js";
import { floatRepr, intText } from "./jinja-text.js";
import {
  FALSE,
  int,
  NONE,
  PyBool,
  MappingProxy,
  PyDict,
  PyFloat,
  PyInt,
  PyList,
  PyNone,
  PyStr,
  PyTuple,
  raise,
  str,
  TRUE,
} from "./jinja-values.js";
import type { Value } from "./jinja-values.js";

// ---------------------------------------------------------------- reading

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Value {
    const value = this.#value();
    this.#blank();
    if (this.#at < this.#text.length) this.#fail();
    return value;
  }

  #fail(): never {
    throw new SyntaxError(`not JSON at offset ${this.#at}`);
  }

  #blank(): void {
    while (" \t\n\r".includes(this.#text.charAt(this.#at)) && this.#at < this.#text.length)
      this.#at++;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return null;
    this.#at += found[0].length;
    return found[0];
  }

  #value(): Value {
    this.#blank();
    const first = this.#text.charAt(this.#at);
    if (first === "{") return this.#object();
    if (first === "[") return this.#array();
    if (first === '"') return str(this.#string());
    const word = this.#match(/true|false|null|NaN|-?Infinity/y);
    if (word !== null) return constant(word);
    const number = this.#match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y);
    if (number === null) this.#fail();
    return /[.eE]/.test(number) ? new PyFloat(Number(number)) : int(BigInt(number));
  }

  #string(): string {
    const token = this.#match(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y);
    if (token === null) this.#fail();
    const text: unknown = JSON.parse(token);
    return typeof text === "string" ? text : this.#fail();
  }

  #array(): PyList {
    this.#at++;
    const items: Value[] = [];
    this.#blank();
    if (this.#match(/\]/y) !== null) return new PyList(items);
    for (;;) {
      items.push(this.#value());
      this.#blank();
      if (this.#match(/\]/y) !== null) return new PyList(items);
      if (this.#match(/,/y) === null) this.#fail();
    }
  }

  #object(): PyDict {
    this.#at++;
    const dict = new PyDict();
    this.#blank();
    if (this.#match(/\}/y) !== null) return dict;
    for (;;) {
      this.#blank();
      const key = str(this.#string());
      this.#blank();
      if (this.#match(/:/y) === null) this.#fail();
      dict.set(key, this.#value());
      this.#blank();
      if (this.#match(/\}/y) !== null) return dict;
      if (this.#match(/,/y) === null) this.#fail();
    }
  }
}

function constant(word: string): Value {
  if (word === "true") return TRUE;
  if (word === "false") return FALSE;
  if (word === "null") return NONE;
  return new PyFloat(word === "NaN" ? NaN : word.startsWith("-") ? -Infinity : Infinity);
}

/** Python's `json.loads`. */
export function readJson(text: string): Value {
  return new Reader(text).document();
}

// ---------------------------------------------------------------- writing

export interface DumpOptions {
  readonly ensureAscii: boolean;
  /** The text of one level; null for the form on one line. */
  readonly indent: string | null;
  readonly itemSeparator: string;
  readonly keySeparator: string;
  readonly sortKeys: boolean;
}

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function quote(text: string, ensureAscii: boolean): string {
  const pattern = ensureAscii ? /["\\]|[^ -~]/g : /["\\\u0000-\u001f]/g;
  return `"${text.replace(pattern, (unit) => shortEscapes[unit] ?? unicodeEscape(unit))}"`;
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : "-Infinity";
  return floatRepr(value);
}

/** The text of a scalar, or null for what is none. */
function scalar(value: Value): string | null {
  if (value instanceof PyNone) return "null";
  if (value instanceof PyBool) return value === TRUE ? "true" : "false";
  if (value instanceof PyInt) return intText(value.value);
  return value instanceof PyFloat ? floatText(value.value) : null;
}

function keyText(key: Value): string {
  if (key instanceof PyStr) return key.text;
  const text = scalar(key);
  if (text !== null) return text;
  return raise("TypeError", `keys must be str, int, float, bool or None, not ${key.typeName}`);
}

function wrap(
  open: string,
  close: string,
  parts: string[],
  options: DumpOptions,
  depth: number,
): string {
  if (options.indent === null) return open + parts.join(options.itemSeparator) + close;
  const newline = `\n${options.indent.repeat(depth + 1)}`;
  const end = `\n${options.indent.repeat(depth)}`;
  return open + newline + parts.join(options.itemSeparator + newline) + end + close;
}

/** Python's `json.dumps`. */
export function dumpJson(value: Value, options: DumpOptions, depth = 0): string {
  if (value instanceof PyStr) return quote(value.text, options.ensureAscii);
  const text = scalar(value);
  if (text !== null) return text;
  if (value instanceof PyList || value instanceof PyTuple) {
    if (value.items.length === 0) return "[]";
    const parts = value.items.map((item) => dumpJson(item, options, depth + 1));
    return wrap("[", "]", parts, options, depth);
  }
  if (!isMapping(value) || value instanceof MappingProxy)
    raise("TypeError", `Object of type ${value.typeName} is not JSON serializable`);
  const entries = [...value.entries.values()];
  if (entries.length === 0) return "{}";
  if (options.sortKeys) entries.sort((a, b) => sortOrder(a.key, b.key));
  const parts = entries.map((entry) => {
    const key = quote(keyText(entry.key), options.ensureAscii);
    return key + options.keySeparator + dumpJson(entry.value, options, depth + 1);
  });
  return wrap("{", "}", parts, options, depth);
}

function sortOrder(a: Value, b: Value): number {
  if (compare("<", a, b)) return -1;
  return compare("<", b, a) ? 1 : 0;
}
