/** Python's `text % values`, printf-style formatting. */
import { fail } from "../errors.js";
import { meter } from "../meter.js";
import { isDict } from "../values.js";
import { integerArgument, smallArgument } from "./arguments.js";
import { floatOf, intOf } from "./conversions.js";
import { exponentText, fixedText, floatRepr, generalText } from "./decimal.js";
import { dictGet } from "./dict.js";
import { escapeText } from "./escape.js";
import { decimalText, toDouble, truncate } from "./numbers.js";
import { repr, str } from "./print.js";
import { ITEM, OCTETS, PythonObject, wrapped } from "./protocol.js";
import { asciiOnly } from "./quote.js";
import { itemAt, Tuple } from "./tuple.js";
import { sliceText, textLength } from "./text.js";
import { doubleOf, isFloatValue, isInt, textOf, typeName } from "./types.js";
import { failUndefined, isUndefined } from "./required.js";

interface Directive {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | null;
  readonly type: string;
  readonly index: number;
}

/** What a directive wrote, and where in the format it stands. */
export interface DirectiveText {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** The value that is shown: its place among the values, or its key; null for a percent sign. */
  readonly operand: number | string | null;
}

/** `format % values`; Markup escapes the values and gives Markup. */
export function percentFormat(format: unknown, values: unknown, place: string): unknown {
  const octets = octetsOf(format);
  const formatter = new Formatter(octets ?? textOf(format) ?? "", values, kindOf(format), place);
  const text = formatter.run();
  return format instanceof PythonObject ? wrapped(format, text) : text;
}

/** What each directive of a text that can be filled with the values writes, in order. */
export function percentTexts(format: string, values: unknown): readonly DirectiveText[] {
  const texts: DirectiveText[] = [];
  new Formatter(format, values, "text", "", (text) => texts.push(text)).run();
  return texts;
}

/** Whether the format is one of str, of Markup or of bytes. */
type FormatKind = "text" | "markup" | "bytes";

function kindOf(format: unknown): FormatKind {
  return typeof format === "string" ? "text" : octetsOf(format) === null ? "markup" : "bytes";
}

function octetsOf(v: unknown): string | null {
  return v instanceof PythonObject ? (v[OCTETS]?.() ?? null) : null;
}

const FLAGS = /[-+ #0]*/y;
const SIZE = /\*|\d*/y;
const POINT = /\.?/y;
const MOST_WIDTH = 2n ** 63n - 1n;
const MOST_PLACES = 2n ** 31n - 1n;
/** What C says of the size of an integer, which Python ignores. */
const LENGTH_MARK = /[hlL]?/y;

class Formatter {
  readonly #format: string;
  readonly #values: unknown;
  readonly #kind: FormatKind;
  readonly #place: string;
  readonly #note: ((text: DirectiveText) => void) | undefined;
  /** What directives take one after the other: the values, or the one value of the last key. */
  #list: readonly unknown[];
  #next = 0;
  #at = 0;

  constructor(
    format: string,
    values: unknown,
    kind: FormatKind,
    place: string,
    note?: (text: DirectiveText) => void,
  ) {
    this.#format = format;
    this.#values = values;
    this.#list = values instanceof Tuple ? Tuple.items(values) : [values];
    this.#kind = kind;
    this.#place = place;
    this.#note = note;
  }

  run(): string {
    const format = this.#format;
    let out = "";
    let end = 0;
    for (let mark = format.indexOf("%"); mark >= 0; mark = format.indexOf("%", end)) {
      out += format.slice(end, mark);
      this.#at = mark + 1;
      const isPercent = format[mark + 1] === "%";
      const key = isPercent ? null : this.#key();
      const text = isPercent ? "%" : this.#directive();
      if (isPercent) this.#at++;
      out += text;
      end = this.#at;
      const operand = isPercent ? null : (key ?? this.#next - 1);
      this.#note?.({ from: mark, to: end, text, operand });
    }
    this.#checkRest();
    return out + format.slice(end);
  }

  #fail(type: string, message: string): never {
    return fail(type, message, this.#place);
  }

  #checkRest(): void {
    if (this.#next < this.#list.length && !this.#isMapping()) {
      const what = this.#kind === "bytes" ? "bytes" : "string";
      this.#fail("TypeError", `not all arguments converted during ${what} formatting`);
    }
  }

  /** What CPython takes as a mapping here: anything with items but a tuple and text. */
  #isMapping(): boolean {
    const v = this.#values;
    if (this.#kind === "bytes" && octetsOf(v) !== null) {
      return false;
    }
    if (v instanceof PythonObject) {
      return (
        isUndefined(v) ||
        (textOf(v) === null && !(v instanceof Tuple) && v[ITEM] !== PythonObject.prototype[ITEM])
      );
    }
    return v === undefined || Array.isArray(v) || isDict(v);
  }

  /** What of the format matches from here on: the pattern is sticky, and matches nothing too. */
  #read(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#format)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  /** The key in brackets, null where there is none; directives take its value from here on. */
  #key(): string | null {
    if (this.#format[this.#at] !== "(") return null;
    if (!this.#isMapping()) {
      return this.#fail("TypeError", "format requires a mapping");
    }
    const start = this.#at + 1;
    let depth = 1;
    for (this.#at = start; depth > 0; this.#at++) {
      const char = this.#format[this.#at];
      if (char === undefined) return this.#fail("ValueError", "incomplete format key");
      depth += char === "(" ? 1 : char === ")" ? -1 : 0;
    }
    const key = this.#format.slice(start, this.#at - 1);
    this.#list = [this.#lookup(key)];
    this.#next = 0;
    return key;
  }

  /** Reads what stands between key and type in CPython's order: a `*` takes its value at once. */
  #directive(): string {
    const flags = this.#read(FLAGS);
    const width = this.#size("width", MOST_WIDTH, integerArgument) ?? 0;
    const places =
      this.#read(POINT) === ""
        ? null
        : (this.#size(this.#kind === "bytes" ? "prec" : "precision", MOST_PLACES, smallArgument) ??
          0);
    this.#read(LENGTH_MARK);
    const code = this.#format.codePointAt(this.#at);
    if (code === undefined) return this.#fail("ValueError", "incomplete format");
    const [type, index] = [String.fromCodePoint(code), this.#at];
    this.#at += type.length;
    return this.#convert({
      flags: width < 0 ? flags + "-" : flags,
      width: Math.abs(width),
      precision: places === null ? null : Math.max(0, places),
      type,
      index,
    });
  }

  #size(name: string, most: bigint, taken: typeof integerArgument): number | null {
    const text = this.#read(SIZE);
    if (text === "") return null;
    if (text !== "*") {
      return BigInt(text) > most ? this.#fail("ValueError", `${name} too big`) : Number(text);
    }
    const v = this.#take();
    return isInt(v) && this.#kind !== "markup"
      ? taken(v, this.#place)
      : this.#fail("TypeError", "* wants int");
  }

  #lookup(key: string): unknown {
    const v = this.#values;
    if (isUndefined(v)) {
      return failUndefined(v, this.#place);
    }
    if (!isDict(v)) {
      const name = octetsOf(v) === null ? typeName(v) : "byte";
      return this.#fail(
        "TypeError",
        `${name} indices must be integers or slices, not ${this.#kind === "bytes" ? "bytes" : "str"}`,
      );
    }
    // The keys of a bytes format are bytes, which no dict of ours has.
    if (this.#kind === "bytes") return this.#fail("KeyError", `b${repr(key)}`);
    const found = dictGet(v, key, this.#place);
    return found === undefined ? this.#fail("KeyError", repr(key)) : found;
  }

  #take(): unknown {
    if (this.#next >= this.#list.length) {
      return this.#fail("TypeError", "not enough arguments for format string");
    }
    return itemAt(this.#list, this.#next++);
  }

  #convert(d: Directive): string {
    switch (d.type) {
      case "s":
      case "r":
      case "a":
        return this.#text(d);
      case "b":
        return this.#kind === "bytes" ? this.#text(d) : this.#unsupported(d);
      case "c":
        return align("", this.#character(this.#take()), d, " ");
      case "d":
      case "i":
      case "u":
      case "o":
      case "x":
      case "X":
        return this.#integer(d);
      case "e":
      case "E":
      case "f":
      case "F":
      case "g":
      case "G":
        return this.#double(d);
      default:
        return this.#unsupported(d);
    }
  }

  #unsupported(d: Directive): never {
    this.#take();
    const code = d.type.codePointAt(0) ?? 0;
    if (this.#kind === "bytes" && code > 127) {
      // C's char has a sign there, and no character is negative.
      return this.#fail("OverflowError", "character argument not in range(0x110000)");
    }
    const isShown = this.#kind === "bytes" || (code >= 31 && code < 127);
    const index = textLength(this.#format.slice(0, d.index));
    const message = `unsupported format character '${isShown ? d.type : "?"}' (0x${code.toString(16)}) at index ${index}`;
    return this.#fail("ValueError", message);
  }

  #text(d: Directive): string {
    const v = this.#take();
    if (this.#kind === "bytes") {
      const octets = this.#octets(v, d);
      return align("", d.precision === null ? octets : octets.slice(0, d.precision), d, " ");
    }
    const text = d.type === "s" ? str(v) : d.type === "r" ? repr(v) : asciiOnly(repr(v));
    const safe =
      this.#kind === "markup" &&
      (d.type !== "s" || !(v instanceof PythonObject) || textOf(v) === null);
    const shown = safe ? escapeText(text) : text;
    return align("", d.precision === null ? shown : sliceText(shown, null, d.precision), d, " ");
  }

  #octets(v: unknown, d: Directive): string {
    if (d.type === "r" || d.type === "a") return asciiOnly(repr(v));
    const wanted = "a bytes-like object, or an object that implements __bytes__";
    const message = `%b requires ${wanted}, not '${typeName(v)}'`;
    return octetsOf(v) ?? this.#fail("TypeError", message);
  }

  #byte(v: unknown): string {
    const octets = octetsOf(v);
    if (octets?.length === 1) return octets;
    if (!isInt(v)) {
      return this.#fail("TypeError", "%c requires an integer in range(256) or a single byte");
    }
    const byte = Number(v);
    return byte >= 0 && byte < 256
      ? String.fromCharCode(byte)
      : this.#fail("OverflowError", "%c arg not in range(256)");
  }

  #character(v: unknown): string {
    if (this.#kind === "bytes") {
      return this.#byte(v);
    }
    if (this.#kind === "markup") {
      return this.#fail("TypeError", "%c requires int or char");
    }
    if (isInt(v)) {
      const code = Number(v);
      return code >= 0 && code < 0x110000
        ? String.fromCodePoint(code)
        : this.#fail("OverflowError", "%c arg not in range(0x110000)");
    }
    const text = textOf(v);
    return text !== null && textLength(text) === 1
      ? text
      : this.#fail("TypeError", "%c requires int or char");
  }

  #integer(d: Directive): string {
    const v = this.#take();
    const n = this.#toInt(v, d);
    const radix = d.type === "o" ? 8 : d.type === "x" || d.type === "X" ? 16 : 10;
    meter?.spendText(d.precision ?? 0, this.#place);
    const size = n < 0n ? -n : n;
    const text = radix === 10 ? decimalText(size, this.#place) : size.toString(radix);
    const digits = text.padStart(d.precision ?? 0, "0");
    const body = d.type === "X" ? digits.toUpperCase() : digits;
    const mark = d.flags.includes("#") && radix !== 10 ? `0${d.type}` : "";
    return number(sign(n < 0n, d) + mark, body, d);
  }

  #toInt(v: unknown, d: Directive): bigint {
    const decimal = "diu".includes(d.type);
    const isWrapped = this.#kind === "markup";
    if (decimal && isWrapped) {
      const n = intOf(v, this.#place);
      if (n !== null) return BigInt(n);
    } else if (isInt(v) && !isWrapped) {
      return BigInt(v);
    } else if (decimal && isFloatValue(v)) {
      return BigInt(truncate(doubleOf(v), this.#place));
    } else if (decimal && isUndefined(v)) {
      return failUndefined(v, this.#place);
    }
    const wanted = decimal ? "a real number" : "an integer";
    const given = isWrapped ? "_MarkupEscapeHelper" : typeName(v);
    return this.#fail("TypeError", `%${d.type} format: ${wanted} is required, not ${given}`);
  }

  #double(d: Directive): string {
    const v = this.#take();
    if (isUndefined(v)) {
      return failUndefined(v, this.#place);
    }
    const n = this.#kind === "markup" ? floatOf(v, this.#place) : this.#toDouble(v);
    const body = doubleText(n, d);
    const shown = d.type === d.type.toUpperCase() ? body.toUpperCase() : body;
    return number(sign(n < 0 || Object.is(n, -0), d), shown, d);
  }

  #toDouble(v: unknown): number {
    return (
      toDouble(v, this.#place) ?? this.#fail("TypeError", `must be real number, not ${typeName(v)}`)
    );
  }
}

function doubleText(n: number, d: Directive): string {
  if (!Number.isFinite(n)) {
    return floatRepr(Math.abs(n));
  }
  const places = d.precision ?? 6;
  const alternate = d.flags.includes("#");
  const kind = d.type.toLowerCase();
  if (kind === "g") {
    return generalText(n, places, alternate);
  }
  const text = kind === "e" ? exponentText(n, places) : fixedText(n, places);
  return alternate && places === 0 ? text.replace(/^\d+/, "$&.") : text;
}

function sign(negative: boolean, d: Directive): string {
  return negative ? "-" : d.flags.includes("+") ? "+" : d.flags.includes(" ") ? " " : "";
}

function number(prefix: string, body: string, d: Directive): string {
  return align(prefix, body, d, d.flags.includes("0") && !d.flags.includes("-") ? "0" : " ");
}

function align(prefix: string, body: string, d: Directive, fill: string): string {
  const missing = Math.max(0, d.width - prefix.length - textLength(body));
  meter?.spendText(missing);
  if (d.flags.includes("-")) {
    return prefix + body + " ".repeat(missing);
  }
  return fill === "0" ? prefix + "0".repeat(missing) + body : " ".repeat(missing) + prefix + body;
}
