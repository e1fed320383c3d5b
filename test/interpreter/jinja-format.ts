/** Python's `format()` with its specification, and `str.format` as Jinja2's sandbox runs it. */
import { environmentAttribute, environmentItem } from "./jinja-attributes.js";
import { toFloat } from "./jinja-arithmetic.js";
import { floatDigits, isNegative } from "./jinja-digits.js";
import { subscript } from "./jinja-operators.js";
import { asciiRepr } from "./jinja-percent.js";
import { escape, floatRepr, intText, repr, text } from "./jinja-text.js";
import {
  chars,
  int,
  Markup,
  PyBool,
  PyComplex,
  PyDict,
  PyFloat,
  PyInt,
  PyStr,
  PyTuple,
  raise,
  str,
} from "./jinja-values.js";
import { decimalValue } from "./jinja-unicode.js";
import type { Value } from "./jinja-values.js";

interface Spec {
  fill: string;
  align: string;
  sign: string;
  coerceZero: boolean;
  alternate: boolean;
  width: number;
  grouping: string;
  precision: number | null;
  type: string;
}

/** Decimal digits of any script in ASCII. */
function asciiDigits(text: string): string {
  return chars(text)
    .map((char) => decimalValue(char) ?? char)
    .join("");
}

/** CPython reads the digits of a size into a size of C. */
function fieldSize(digits: string): number {
  const size = BigInt(asciiDigits(digits));
  if (size >= 2n ** 63n) raise("ValueError", "Too many decimal digits in format string");
  return Number(size);
}

const specPattern =
  /^(?:(.)?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\p{Nd}+)?([,_])?(?:\.(\p{Nd}+))?(.?)$/su;

function parseSpec(source: string, value: Value): Spec {
  const found = specPattern.exec(source);
  if (found === null) {
    const kind = `object of type '${value.typeName}'`;
    raise("ValueError", `Invalid format specifier '${source}' for ${kind}`);
  }
  const [, fill, align, sign, z, hash, zero, width, grouping, precision, type] = found;
  if (type === ".") raise("ValueError", "Format specifier missing precision");
  const isText = value instanceof PyStr;
  return {
    fill: fill ?? (zero === undefined ? " " : "0"),
    align: align ?? (isText ? "<" : zero === undefined ? ">" : "="),
    sign: sign ?? "",
    coerceZero: z !== undefined,
    alternate: hash !== undefined,
    width: fieldSize(width ?? "0"),
    grouping: grouping ?? "",
    precision: precision === undefined ? null : fieldSize(precision),
    type: type ?? "",
  };
}

function unknownCode(spec: Spec, value: Value): never {
  return raise(
    "ValueError",
    `Unknown format code '${spec.type}' for object of type '${value.typeName}'`,
  );
}

function align(sign: string, body: string, spec: Spec): string {
  const missing = Math.max(spec.width - chars(sign + body).length, 0);
  const left = spec.align === "^" ? Math.floor(missing / 2) : spec.align === "<" ? 0 : missing;
  if (spec.align === "=") return sign + spec.fill.repeat(missing) + body;
  return spec.fill.repeat(left) + sign + body + spec.fill.repeat(missing - left);
}

function formatText(value: PyStr, spec: Spec): string {
  const kind = "string format specifier";
  if (spec.sign === " ") raise("ValueError", `Space not allowed in ${kind}`);
  if (spec.sign !== "") raise("ValueError", `Sign not allowed in ${kind}`);
  if (spec.coerceZero) raise("ValueError", `Negative zero coercion (z) not allowed in ${kind}`);
  if (spec.alternate) raise("ValueError", `Alternate form (#) not allowed in ${kind}`);
  if (spec.type !== "" && spec.type !== "s") unknownCode(spec, value);
  if (spec.grouping !== "") raise("ValueError", `Cannot specify '${spec.grouping}' with 's'.`);
  if (spec.align === "=") raise("ValueError", `'=' alignment not allowed in ${kind}`);
  const shown = chars(value.text);
  const kept = spec.precision === null ? shown : shown.slice(0, spec.precision);
  return align("", kept.join(""), spec);
}

function group(digits: string, separator: string, size: number): string {
  if (separator === "") return digits;
  return digits.replace(new RegExp(`\\B(?=(?:.{${size}})+$)`, "g"), separator);
}

/** Zeros that fill up to the width are grouped with the digits, and never begin with a separator. */
function groupToWidth(whole: string, rest: string, sign: string, spec: Spec, size: number): string {
  const zeros = spec.fill === "0" && spec.align === "=" && spec.grouping !== "";
  const room = spec.width - sign.length - rest.length;
  let digits = whole;
  while (zeros && group(digits, spec.grouping, size).length < room) digits = `0${digits}`;
  return group(digits, spec.grouping, size) + rest;
}

function signOf(negative: boolean, spec: Spec): string {
  if (negative) return "-";
  return spec.sign === "-" ? "" : spec.sign;
}

function formatInt(value: PyInt, spec: Spec): string {
  if ("eEfFgG%".includes(spec.type) && spec.type !== "") {
    return formatFloat(toFloat(value.value), spec, value);
  }
  if (!"bcdnoxX".includes(spec.type)) unknownCode(spec, value);
  const kind = "integer format specifier";
  if (spec.precision !== null) raise("ValueError", `Precision not allowed in ${kind}`);
  if (spec.coerceZero) raise("ValueError", `Negative zero coercion (z) not allowed in ${kind}`);
  if (spec.grouping === "," && "bcnoxX".includes(spec.type) && spec.type !== "") {
    raise("ValueError", `Cannot specify ',' with '${spec.type}'.`);
  }
  if (spec.type === "c") return formatCharacter(value, spec);
  const radix = { b: 2, o: 8, x: 16, X: 16 }[spec.type] ?? 10;
  const magnitude = value.value < 0n ? -value.value : value.value;
  const digits = radix === 10 ? intText(magnitude) : magnitude.toString(radix);
  const prefix = spec.alternate && radix !== 10 ? `0${spec.type}` : "";
  const sign = signOf(value.value < 0n, spec) + prefix;
  const grouped = groupToWidth(digits, "", sign, spec, radix === 10 ? 3 : 4);
  return align(sign, spec.type === "X" ? grouped.toUpperCase() : grouped, spec);
}

function formatCharacter(value: PyInt, spec: Spec): string {
  if (spec.sign !== "") raise("ValueError", "Sign not allowed with integer format specifier 'c'");
  if (spec.alternate) {
    raise("ValueError", "Alternate form (#) not allowed with integer format specifier 'c'");
  }
  if (value.value < 0n || value.value >= 0x110000n) {
    raise("OverflowError", "%c arg not in range(0x110000)");
  }
  return align("", String.fromCodePoint(Number(value.value)), spec);
}

/** Both parts in the notation of the type; without one they stand in brackets, as `repr` has them. */
function formatComplex(value: PyComplex, spec: Spec): string {
  const kind = "not allowed in complex format specifier";
  if (spec.fill === "0") raise("ValueError", `Zero padding is ${kind}`);
  if (spec.align === "=") raise("ValueError", `'=' alignment flag is ${kind}`);
  if (spec.type === "%" || !"eEfFgGn".includes(spec.type)) unknownCode(spec, value);
  const free = spec.type === "";
  const type = free && spec.precision !== null ? "g" : spec.type;
  const part = (number: number, sign: string): string => {
    const plain = { ...spec, type, sign, width: 0, fill: " ", align: ">" };
    const shown = formatFloat(number, plain, value);
    return free ? shown.replace(/\.0$/, "") : shown;
  };
  const { real, imaginary } = value;
  if (!free) return align("", `${part(real, spec.sign)}${part(imaginary, "+")}j`, spec);
  if (Object.is(real, 0)) return align("", `${part(imaginary, spec.sign)}j`, spec);
  return align("", `(${part(real, spec.sign)}${part(imaginary, "+")}j)`, spec);
}

function formatFloat(value: number, spec: Spec, object: Value): string {
  if (!"eEfFgGn%".includes(spec.type)) unknownCode(spec, object);
  if (spec.type === "n" && spec.grouping !== "") {
    raise("ValueError", `Cannot specify '${spec.grouping}' with 'n'.`);
  }
  const percent = spec.type === "%";
  const scaled = percent ? value * 100 : value;
  const shown = floatBody(scaled, spec);
  const body =
    (spec.type === "E" || spec.type === "F" || spec.type === "G" ? shown.toUpperCase() : shown) +
    (percent ? "%" : "");
  const zero = spec.coerceZero && /^[0.]*(?:e.*)?%?$/.test(body);
  const sign = signOf(isNegative(scaled) && !zero, spec);
  const end = body.search(/[.eE%]/);
  const split = end < 0 || !Number.isFinite(value) ? body.length : end;
  if (!Number.isFinite(value)) return align(sign, body, spec);
  return align(sign, groupToWidth(body.slice(0, split), body.slice(split), sign, spec, 3), spec);
}

function floatBody(value: number, spec: Spec): string {
  if (spec.type === "" && spec.precision === null) {
    const shown = floatRepr(Math.abs(value));
    return spec.alternate && !shown.includes(".") ? shown.replace(/^\d+/, "$&.") : shown;
  }
  const type = spec.type === "%" ? "f" : spec.type === "n" ? "g" : spec.type.toLowerCase();
  return floatDigits(value, { type, precision: spec.precision ?? 6, alternate: spec.alternate });
}

/** Python's `format(value, specification)`. */
function format(value: Value, source: string): string {
  if (value instanceof PyStr) {
    return source === "" ? value.text : formatText(value, parseSpec(source, value));
  }
  if (source === "") return text(value);
  if (value instanceof PyInt) {
    return formatInt(value, parseSpec(source, value instanceof PyBool ? int(value.value) : value));
  }
  if (value instanceof PyFloat) return formatFloat(value.value, parseSpec(source, value), value);
  if (value instanceof PyComplex) return formatComplex(value, parseSpec(source, value));
  return raise("TypeError", `unsupported format string passed to ${value.typeName}.__format__`);
}

// ---------------------------------------------------------------- str.format

interface Field {
  readonly literal: string;
  /** Null after the last field. */
  readonly name: string | null;
  readonly conversion: string | null;
  readonly spec: string;
}

/** CPython's `formatter_parser`. */
class FieldReader {
  readonly #source: readonly string[];
  #at = 0;

  constructor(source: string) {
    this.#source = chars(source);
  }

  *fields(): Generator<Field> {
    while (this.#at < this.#source.length) {
      const start = this.#at;
      while (this.#at < this.#source.length && !"{}".includes(this.#source[this.#at] ?? ""))
        this.#at++;
      const literal = this.#source.slice(start, this.#at).join("");
      const brace = this.#source[this.#at];
      if (brace === undefined) {
        yield { literal, name: null, conversion: null, spec: "" };
        return;
      }
      this.#at++;
      const next = this.#source[this.#at];
      if (next === brace) {
        this.#at++;
        yield { literal: literal + brace, name: null, conversion: null, spec: "" };
        continue;
      }
      if (brace === "}" || next === undefined) {
        raise("ValueError", `Single '${brace}' encountered in format string`);
      }
      yield this.#field(literal);
    }
  }

  #field(literal: string): Field {
    const start = this.#at;
    let end: string | undefined;
    while (end === undefined) {
      const char = this.#source[this.#at++];
      if (char === undefined) raise("ValueError", "expected '}' before end of string");
      if (char === "{") raise("ValueError", "unexpected '{' in field name");
      if (char === "[") this.#skipBracket();
      if ("}:!".includes(char)) end = char;
    }
    const name = this.#source.slice(start, this.#at - 1).join("");
    if (end === "}") return { literal, name, conversion: null, spec: "" };
    let conversion: string | null = null;
    if (end === "!") {
      conversion = this.#source[this.#at++] ?? null;
      if (conversion === null) {
        raise("ValueError", "end of string while looking for conversion specifier");
      }
      const after = this.#source[this.#at++];
      if (after === "}") return { literal, name, conversion, spec: "" };
      if (after === undefined) raise("ValueError", "unmatched '{' in format spec");
      if (after !== ":") raise("ValueError", "expected ':' after conversion specifier");
    }
    return { literal, name, conversion, spec: this.#spec() };
  }

  #skipBracket(): void {
    while (this.#at < this.#source.length && this.#source[this.#at] !== "]") this.#at++;
  }

  #spec(): string {
    const start = this.#at;
    for (let depth = 1; depth > 0; this.#at++) {
      const char = this.#source[this.#at];
      if (char === undefined) raise("ValueError", "unmatched '{' in format spec");
      depth += char === "{" ? 1 : char === "}" ? -1 : 0;
    }
    return this.#source.slice(start, this.#at - 1).join("");
  }
}

/** The parts of a field name: `a.b[0]` is a, attribute b, item 0. */
function splitName(name: string): { first: string; rest: { attribute: boolean; key: string }[] } {
  const first = /^[^.[]*/.exec(name)?.[0] ?? "";
  const rest: { attribute: boolean; key: string }[] = [];
  let left = name.slice(first.length);
  while (left !== "") {
    const attribute = left.startsWith(".");
    if (!attribute && !left.startsWith("[")) {
      raise("ValueError", "Only '.' or '[' may follow ']' in format field specifier");
    }
    const found = (attribute ? /^\.([^.[]*)/ : /^\[([^\]]*)\]/).exec(left);
    if (found === null) raise("ValueError", "Missing ']' in format string");
    const key = found[1] ?? "";
    if (key === "") raise("ValueError", "Empty attribute in format string");
    rest.push({ attribute, key });
    left = left.slice(found[0].length);
  }
  return { first, rest };
}

function keyOf(key: string): Value {
  return /^\p{Nd}+$/u.test(key) ? int(BigInt(fieldSize(key))) : str(key);
}

/** `string.Formatter` with the sandbox's look-ups; for Markup each field is escaped. */
class TemplateFormatter {
  readonly #args: PyTuple;
  readonly #kwargs: Value;
  readonly #markup: boolean;
  #auto: number | null = 0;

  constructor(args: readonly Value[], kwargs: Value, markup: boolean) {
    this.#args = new PyTuple(args);
    this.#kwargs = kwargs;
    this.#markup = markup;
  }

  run(source: string, depth = 2): string {
    if (depth < 0) raise("ValueError", "Max string recursion exceeded");
    let out = "";
    for (const field of new FieldReader(source).fields()) {
      out += field.literal;
      if (field.name === null) continue;
      const value = convert(this.#lookup(this.#number(field.name)), field.conversion);
      out += this.#format(value, this.run(field.spec, depth - 1));
    }
    return out;
  }

  #number(name: string): string {
    const refusal = "cannot switch from manual field specification to automatic field numbering";
    if (name === "") {
      if (this.#auto === null) raise("ValueError", refusal);
      return String(this.#auto++);
    }
    if (/^\p{Nd}+$/u.test(name)) {
      if (this.#auto !== null && this.#auto > 0) raise("ValueError", refusal);
      this.#auto = null;
    }
    return name;
  }

  #lookup(name: string): Value {
    const { first, rest } = splitName(name);
    let value = this.#first(keyOf(first));
    for (const { attribute, key } of rest) {
      value = attribute ? environmentAttribute(value, key) : environmentItem(value, keyOf(key));
    }
    return value;
  }

  #first(key: Value): Value {
    if (key instanceof PyInt) {
      const value = this.#args.items[Number(key.value)];
      return value ?? raise("IndexError", "tuple index out of range");
    }
    if (!(this.#kwargs instanceof PyDict)) return subscript(this.#kwargs, key);
    return this.#kwargs.get(key) ?? raise("KeyError", repr(key));
  }

  #format(value: Value, spec: string): string {
    if (!this.#markup) return format(value, spec);
    if (value instanceof Markup) {
      if (spec !== "") raise("ValueError", "Unsupported format specification for Markup.");
      return value.text;
    }
    return escape(str(format(value, spec))).text;
  }
}

function convert(value: Value, conversion: string | null): Value {
  if (conversion === null) return value;
  if (conversion === "s") return value instanceof PyStr ? str(value.text) : str(text(value));
  if (conversion === "r") return str(repr(value));
  if (conversion === "a") return str(asciiRepr(value));
  return raise("ValueError", `Unknown conversion specifier ${conversion}`);
}

/** `template.format(*args, **kwargs)` in the sandbox. */
export function formatTemplate(template: PyStr, args: readonly Value[], kwargs: Value): PyStr {
  const markup = template instanceof Markup;
  const out = new TemplateFormatter(args, kwargs, markup).run(template.text);
  return markup ? new Markup(out) : str(out);
}
