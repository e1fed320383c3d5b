/** Python's str.format as Jinja2's sandbox runs it: string.Formatter with the template's own lookups. */
import { fail } from "../errors.js";
import { attr, item } from "./access.js";
import { dictGet } from "./dict.js";
import { escapeText } from "./escape.js";
import { formatValue } from "./format-spec.js";
import { asciiDigits } from "./number-text.js";
import { str, repr } from "./print.js";
import type { Keywords } from "./protocol.js";
import { asciiOnly, quote } from "./quote.js";
import { isDigitText } from "./text-case.js";
import { textOf, typeName } from "./types.js";
import { failUndefined, isUndefined } from "./required.js";
import { isDict } from "../values.js";
import { noKeywords } from "./sequence.js";

interface Field {
  readonly name: string;
  readonly conversion: string | null;
  readonly spec: string;
}

interface Piece {
  readonly literal: string;
  readonly field: Field | null;
}

/** Cuts a format text into literal texts and fields, as CPython's MarkupIterator. */
class Parser {
  readonly #text: string;
  readonly #place: string;
  #at = 0;

  constructor(text: string, place: string) {
    this.#text = text;
    this.#place = place;
  }

  #fail(message: string): never {
    return fail("ValueError", message, this.#place);
  }

  /** The next piece, null at the end. */
  next(): Piece | null {
    const start = this.#at;
    if (start >= this.#text.length) {
      return null;
    }
    const rest = this.#text.slice(start).search(/[{}]/);
    if (rest < 0) {
      this.#at = this.#text.length;
      return { literal: this.#text.slice(start), field: null };
    }
    const at = start + rest;
    const brace = this.#text.charAt(at);
    this.#at = at + 1;
    if (this.#text.charAt(at + 1) === brace) {
      this.#at = at + 2;
      return { literal: this.#text.slice(start, at + 1), field: null };
    }
    if (brace === "}" || this.#at >= this.#text.length) {
      return this.#fail(`Single '${brace}' encountered in format string`);
    }
    return { literal: this.#text.slice(start, at), field: this.#field() };
  }

  #field(): Field {
    const start = this.#at;
    const end = this.#nameEnd();
    const name = this.#text.slice(start, end);
    const mark = this.#text.charAt(end);
    this.#at = end + 1;
    if (mark === "}") {
      return { name, conversion: null, spec: "" };
    }
    if (mark === "") {
      return this.#fail("expected '}' before end of string");
    }
    const conversion = mark === "!" ? this.#conversion() : null;
    if (conversion !== null && this.#text.charAt(this.#at - 1) === "}") {
      return { name, conversion, spec: "" };
    }
    return { name, conversion, spec: this.#spec() };
  }

  #nameEnd(): number {
    for (let at = this.#at; at < this.#text.length; at++) {
      const c = this.#text.charAt(at);
      if (c === "{") {
        return this.#fail("unexpected '{' in field name");
      }
      if (c === "[") {
        const close = this.#text.indexOf("]", at);
        at = close < 0 ? this.#text.length : close;
      } else if (c === "}" || c === ":" || c === "!") {
        return at;
      }
    }
    return this.#text.length;
  }

  #conversion(): string {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) {
      return this.#fail("end of string while looking for conversion specifier");
    }
    const conversion = String.fromCodePoint(code);
    this.#at += conversion.length;
    const mark = this.#text.charAt(this.#at);
    this.#at++;
    if (mark === "") {
      return this.#fail("unmatched '{' in format spec");
    }
    return mark === "}" || mark === ":"
      ? conversion
      : this.#fail("expected ':' after conversion specifier");
  }

  #spec(): string {
    const start = this.#at;
    let depth = 1;
    for (; this.#at < this.#text.length; this.#at++) {
      const c = this.#text.charAt(this.#at);
      depth += c === "{" ? 1 : c === "}" ? -1 : 0;
      if (depth === 0) {
        this.#at++;
        return this.#text.slice(start, this.#at - 1);
      }
    }
    return this.#fail("unmatched '{' in format spec");
  }
}

class Formatter {
  readonly #args: readonly unknown[];
  readonly #kwargs: unknown;
  readonly #escapes: boolean;
  readonly #place: string;
  /** The next automatic number; null once fields are numbered by hand. */
  #automatic: number | null = 0;

  constructor(args: readonly unknown[], kwargs: unknown, escapes: boolean, place: string) {
    this.#args = args;
    this.#kwargs = kwargs;
    this.#escapes = escapes;
    this.#place = place;
  }

  run(text: string, depth: number): string {
    if (depth < 0) {
      return fail("ValueError", "Max string recursion exceeded", this.#place);
    }
    const parser = new Parser(text, this.#place);
    let out = "";
    for (let piece = parser.next(); piece !== null; piece = parser.next()) {
      out += piece.literal;
      if (piece.field !== null) {
        out += this.#field(piece.field, depth);
      }
    }
    return out;
  }

  #field(field: Field, depth: number): string {
    const v = this.#convert(this.#lookup(this.#numbered(field.name)), field.conversion);
    const spec = this.run(field.spec, depth - 1);
    return this.#escapes ? escapeField(v, spec, this.#place) : formatValue(v, spec, this.#place);
  }

  #numbered(name: string): string {
    const message = "cannot switch from manual field specification to automatic field numbering";
    if (name === "") {
      if (this.#automatic === null) {
        return fail("ValueError", message, this.#place);
      }
      return String(this.#automatic++);
    }
    if (isDigitText(name)) {
      if (this.#automatic !== null && this.#automatic > 0) {
        return fail("ValueError", message, this.#place);
      }
      this.#automatic = null;
    }
    return name;
  }

  #convert(v: unknown, conversion: string | null): unknown {
    switch (conversion) {
      case null:
        return v;
      case "s":
        return str(v);
      case "r":
        return repr(v);
      case "a":
        return asciiOnly(repr(v));
      default:
        return fail("ValueError", `Unknown conversion specifier ${conversion}`, this.#place);
    }
  }

  #lookup(name: string): unknown {
    const [first = ""] = /^[^.[]*/.exec(name) ?? [];
    let v = this.#first(first);
    let at = first.length;
    while (at < name.length) {
      const isAttribute = name.charAt(at) === ".";
      const [key, end] = isAttribute ? attributeKey(name, at) : this.#itemKey(name, at);
      if (key === "") {
        return fail("ValueError", "Empty attribute in format string", this.#place);
      }
      v = isAttribute ? attr(v, key, this.#place) : item(v, this.#indexOrName(key), this.#place);
      at = end;
    }
    return v;
  }

  #itemKey(name: string, at: number): readonly [string, number] {
    const close = name.indexOf("]", at);
    if (name.charAt(at) !== "[") {
      const message = "Only '.' or '[' may follow ']' in format field specifier";
      return fail("ValueError", message, this.#place);
    }
    return close < 0
      ? fail("ValueError", "Missing ']' in format string", this.#place)
      : [name.slice(at + 1, close), close + 1];
  }

  /** The number that the digits of any script make, else the name. */
  #indexOrName(key: string): string | number {
    if (!/^\p{Nd}+$/u.test(key)) return key;
    const index = BigInt(asciiDigits(key));
    return index < 2n ** 63n
      ? Number(index)
      : fail("ValueError", "Too many decimal digits in format string", this.#place);
  }

  #first(first: string): unknown {
    const index = this.#indexOrName(first);
    if (typeof index === "number") {
      return index < this.#args.length
        ? this.#args[index]
        : fail("IndexError", "tuple index out of range", this.#place);
    }
    if (isDict(this.#kwargs)) {
      const found = dictGet(this.#kwargs, first, this.#place);
      return found === undefined ? fail("KeyError", quote(first), this.#place) : found;
    }
    return unsubscriptable(this.#kwargs, this.#place);
  }
}

/** format_map asks its mapping with Python's own `[]`, which no sandbox softens. */
function unsubscriptable(v: unknown, place: string): never {
  if (isUndefined(v)) return failUndefined(v, place);
  const type = typeName(v);
  if (textOf(v) !== null) {
    return fail("TypeError", "string indices must be integers, not 'str'", place);
  }
  const isSequence = type === "list" || type === "tuple" || type === "range";
  const message = isSequence
    ? `${type} indices must be integers or slices, not str`
    : `'${type}' object is not subscriptable`;
  return fail("TypeError", message, place);
}

function attributeKey(name: string, at: number): readonly [string, number] {
  const rest = name.slice(at + 1).search(/[.[]/);
  const end = rest < 0 ? name.length : at + 1 + rest;
  return [name.slice(at + 1, end), end];
}

/** markupsafe's EscapeFormatter: fields are escaped unless they are Markup. */
function escapeField(v: unknown, spec: string, place: string): string {
  const isMarkup = typeof v !== "string" && textOf(v) !== null;
  if (isMarkup && spec !== "") {
    return fail("ValueError", "Unsupported format specification for Markup.", place);
  }
  return isMarkup ? str(v) : escapeText(formatValue(v, spec, place));
}

/** `s.format(…)`; `escapes` where s is Markup. */
export function formatMethod(
  s: string,
  args: readonly unknown[],
  kwargs: Keywords,
  escapes: boolean,
  place: string,
): string {
  return new Formatter(args, kwargs ?? {}, escapes, place).run(s, 2);
}

/** `s.format_map(mapping)`. */
export function formatMapMethod(
  s: string,
  args: readonly unknown[],
  kwargs: Keywords,
  escapes: boolean,
  place: string,
): string {
  noKeywords("format_map", kwargs, place);
  if (args.length !== 1) {
    const message = `format_map() takes exactly one argument (${args.length} given)`;
    return fail("TypeError", message, place);
  }
  return new Formatter([], args[0], escapes, place).run(s, 2);
}
