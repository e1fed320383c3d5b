/** Python's printf-style formatting, `"…" % values`. */
import { toFloat } from "./jinja-arithmetic.js";
import { parseInt, toFloatValue, toInt, toIntFromFloat } from "./jinja-numbers.js";
import { floatDigits, isNegative } from "./jinja-digits.js";
import { requireIndex, requireInt, subscript } from "./jinja-operators.js";
import { escape, failUndefined, intText, isPrintable, repr, text } from "./jinja-text.js";
import {
  chars,
  Instance,
  Markup,
  PyBytes,
  PyDict,
  PyFloat,
  PyInt,
  PyList,
  PyRange,
  PyStr,
  PyTuple,
  raise,
  str,
  Undefined,
} from "./jinja-values.js";
import type { Value } from "./jinja-values.js";

interface Conversion {
  readonly key: string | null;
  readonly flags: string;
  width: number;
  precision: number | null;
  readonly type: string;
}

/** `ascii()`: repr with everything beyond ASCII escaped. */
export function asciiRepr(value: Value): string {
  return chars(repr(value))
    .map((char) => {
      const code = char.codePointAt(0) ?? 0;
      if (code < 0x80) return char;
      if (code < 0x100) return `\\x${code.toString(16)}`;
      const hex = code.toString(16);
      return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
    })
    .join("");
}

/** Whether CPython takes the right side for a mapping: whatever has a subscript and is no tuple or text. */
function isMappingArgument(value: Value): boolean {
  return (
    value instanceof PyDict ||
    value instanceof PyList ||
    value instanceof PyRange ||
    value instanceof PyBytes ||
    value instanceof Undefined ||
    (value instanceof Instance && value.item !== null)
  );
}

function plainBytes({ octets }: PyBytes): string {
  return octets;
}

class PercentFormatter {
  readonly #format: readonly string[];
  readonly #markup: boolean;
  readonly #bytes: boolean;
  readonly #mapping: Value | null;
  #values: readonly Value[];
  /** Whether the values are a single one that every key takes anew. */
  #next = 0;
  #at = 0;

  constructor(format: PyStr | PyBytes, argument: Value) {
    this.#bytes = format instanceof PyBytes;
    this.#format = chars(format instanceof PyBytes ? plainBytes(format) : format.text);
    this.#markup = format instanceof Markup;
    const mapping = isMappingArgument(argument) && !(this.#bytes && argument instanceof PyBytes);
    this.#mapping = mapping ? argument : null;
    this.#values = argument instanceof PyTuple ? argument.items : [argument];
  }

  run(): string {
    let out = "";
    while (this.#at < this.#format.length) {
      const char = this.#format[this.#at++] ?? "";
      out += char === "%" ? this.#conversion() : char;
    }
    if (this.#next < this.#values.length && this.#mapping === null) {
      raise("TypeError", "not all arguments converted during string formatting");
    }
    return out;
  }

  #peek(): string {
    return this.#format[this.#at] ?? raise("ValueError", "incomplete format");
  }

  #argument(): Value {
    const value = this.#values[this.#next++];
    return value ?? raise("TypeError", "not enough arguments for format string");
  }

  #conversion(): string {
    if (this.#peek() === "%") {
      this.#at++;
      return "%";
    }
    const key = this.#key();
    let flags = "";
    while ("-+ #0".includes(this.#peek())) flags += this.#format[this.#at++] ?? "";
    const width = this.#number("width", 2n ** 63n);
    let precision: number | null = null;
    if (this.#peek() === ".") {
      this.#at++;
      precision = this.#number(this.#bytes ? "prec" : "precision", 2n ** 31n) ?? 0;
    }
    if ("hlL".includes(this.#peek())) this.#at++;
    const type = this.#peek();
    this.#at++;
    const conversion = { key, flags, width: width ?? 0, precision, type };
    if (conversion.width < 0) {
      conversion.flags += "-";
      conversion.width = -conversion.width;
    }
    return this.#convert(conversion);
  }

  #key(): string | null {
    if (this.#peek() !== "(") return null;
    if (this.#mapping === null) raise("TypeError", "format requires a mapping");
    const start = ++this.#at;
    for (let depth = 1; depth > 0; this.#at++) {
      const char = this.#format[this.#at];
      if (char === undefined) raise("ValueError", "incomplete format key");
      depth += char === "(" ? 1 : char === ")" ? -1 : 0;
    }
    const key = this.#format.slice(start, this.#at - 1).join("");
    this.#values = [this.#lookup(this.#mapping, key)];
    this.#next = 0;
    return key;
  }

  #lookup(mapping: Value, key: string): Value {
    if (mapping instanceof PyDict) {
      const found = this.#bytes ? undefined : mapping.getText(key);
      return found ?? raise("KeyError", repr(str(key)));
    }
    return subscript(mapping, str(key));
  }

  #number(name: string, limit: bigint): number | null {
    if (this.#peek() === "*") {
      this.#at++;
      const value = this.#argument();
      if (this.#markup || !(value instanceof PyInt)) raise("TypeError", "* wants int");
      return Number(limit > 2n ** 31n ? requireIndex(value) : requireInt(value));
    }
    let digits = "";
    while (/[0-9]/.test(this.#peek())) digits += this.#format[this.#at++] ?? "";
    if (digits !== "" && BigInt(digits) >= limit) raise("ValueError", `${name} too big`);
    return digits === "" ? null : Number(digits);
  }

  #convert(conversion: Conversion): string {
    const { type } = conversion;
    const value = this.#argument();
    const known = this.#bytes ? "diuoxXeEfFgGcrsab" : "diuoxXeEfFgGcrsa";
    if (!known.includes(type)) {
      const code = (type.codePointAt(0) ?? 0).toString(16);
      const shown = isPrintable(type) && code.length < 3 ? type : "?";
      const place = `at index ${this.#at - 1}`;
      raise("ValueError", `unsupported format character '${shown}' (0x${code}) ${place}`);
    }
    if (this.#bytes && "sb".includes(type)) {
      if (!(value instanceof PyBytes)) {
        raise("TypeError", `%b requires a bytes-like object, not '${value.typeName}'`);
      }
      const { precision } = conversion;
      const shown = plainBytes(value).slice(0, precision ?? undefined);
      return pad(shown, conversion, false);
    }
    if (this.#bytes && type === "r")
      return pad(
        this.#textOf(str(asciiRepr(value)), { ...conversion, type: "s" }),
        conversion,
        false,
      );
    if ("sra".includes(type)) return pad(this.#textOf(value, conversion), conversion, false);
    if (type === "c") return pad(this.#character(value), conversion, false);
    const number = "eEfFgG".includes(type)
      ? floatText(this.#markup ? new PyFloat(toFloatValue(value)) : value, conversion)
      : this.#int(value, conversion);
    return pad(number, conversion, true);
  }

  #textOf(value: Value, conversion: Conversion): string {
    const plain =
      conversion.type === "s"
        ? value
        : str(conversion.type === "r" ? repr(value) : asciiRepr(value));
    const shown = this.#markup ? escape(plain).text : text(plain);
    const { precision } = conversion;
    return precision === null ? shown : chars(shown).slice(0, precision).join("");
  }

  #character(value: Value): string {
    if (this.#bytes) return byteCharacter(value);
    if (!this.#markup && value instanceof PyStr && chars(value.text).length === 1)
      return value.text;
    if (this.#markup || !(value instanceof PyInt)) raise("TypeError", "%c requires int or char");
    if (value.value < 0n || value.value >= 0x110000n) {
      raise("OverflowError", "%c arg not in range(0x110000)");
    }
    return String.fromCodePoint(Number(value.value));
  }

  #int(value: Value, conversion: Conversion): string {
    const { type } = conversion;
    const decimal = "diu".includes(type);
    const found = this.#whole(value, decimal, type);
    const radix = decimal ? 10 : type === "o" ? 8 : 16;
    const magnitude = found < 0n ? -found : found;
    let digits = radix === 10 ? intText(magnitude) : magnitude.toString(radix);
    if (conversion.precision !== null) digits = digits.padStart(conversion.precision, "0");
    const prefix = conversion.flags.includes("#") && !decimal ? (radix === 8 ? "0o" : "0x") : "";
    const body = prefix + digits;
    return (found < 0n ? "-" : "") + (type === "X" ? body.toUpperCase() : body);
  }

  #whole(value: Value, decimal: boolean, type: string): bigint {
    if (value instanceof Undefined && decimal) failUndefined(value);
    if (value instanceof PyInt && (decimal || !this.#markup)) return value.value;
    if (value instanceof PyFloat && decimal) return toIntFromFloat(value.value);
    if (this.#markup && decimal) {
      // The helper that escapes gives what int() makes of the value.
      if (value instanceof PyStr) return parseInt(value, 10n);
      if (value instanceof PyBytes) return toInt(value);
    }
    const wanted = decimal ? "a real number" : "an integer";
    const found = this.#markup ? "_MarkupEscapeHelper" : value.typeName;
    return raise("TypeError", `%${type} format: ${wanted} is required, not ${found}`);
  }
}

function byteCharacter(value: Value): string {
  if (value instanceof PyBytes && value.values.length === 1) return plainBytes(value);
  if (!(value instanceof PyInt)) {
    raise("TypeError", "%c requires an integer in range(256) or a single byte");
  }
  if (value.value < 0n || value.value > 255n) raise("OverflowError", "%c arg not in range(256)");
  return String.fromCharCode(Number(value.value));
}

function floatText(value: Value, conversion: Conversion): string {
  if (value instanceof Undefined) failUndefined(value);
  const number =
    value instanceof PyInt ? toFloat(value.value) : value instanceof PyFloat ? value.value : null;
  if (number === null) raise("TypeError", `must be real number, not ${value.typeName}`);
  const digits = floatDigits(number, {
    type: conversion.type.toLowerCase(),
    precision: conversion.precision ?? 6,
    alternate: conversion.flags.includes("#"),
  });
  const upper = conversion.type !== conversion.type.toLowerCase();
  return (isNegative(number) ? "-" : "") + (upper ? digits.toUpperCase() : digits);
}

/** Width, sign and zeros. */
function pad(body: string, conversion: Conversion, isNumber: boolean): string {
  const { flags, width } = conversion;
  let sign = "";
  let digits = body;
  if (isNumber) {
    if (body.startsWith("-")) [sign, digits] = ["-", body.slice(1)];
    else if (flags.includes("+")) sign = "+";
    else if (flags.includes(" ")) sign = " ";
  }
  const missing = Math.max(width - chars(sign + digits).length, 0);
  if (flags.includes("-")) return sign + digits + " ".repeat(missing);
  if (!isNumber || !flags.includes("0")) return " ".repeat(missing) + sign + digits;
  const prefix = /^0[xXo]/.test(digits) && flags.includes("#") ? digits.slice(0, 2) : "";
  return sign + prefix + "0".repeat(missing) + digits.slice(prefix.length);
}

/** `format % argument`; a Markup format escapes what it takes in. */
export function percentFormat(format: PyStr, argument: Value): Value {
  const formatted = new PercentFormatter(format, argument).run();
  return format instanceof Markup ? new Markup(formatted) : str(formatted);
}

/** `format % argument` of bytes. */
export function percentBytes(format: PyBytes, argument: Value): PyBytes {
  const formatted = new PercentFormatter(format, argument).run();
  return new PyBytes(Array.from(formatted, (char) => char.charCodeAt(0)));
}
