/** fmt/print.go: values of any type under any verb. */

import { Float } from "../values.js";
import { joinBytes } from "./bytes.js";
import { Complex } from "./complex.js";
import {
  formatFloatVerb,
  formatHex,
  formatInteger,
  formatQuoted,
  formatQuotedRune,
  formatRune,
  formatText,
  formatUnicode,
  noFlags,
  pad,
  type Flags,
} from "./format.js";
import { bytesText, concrete, fieldsOf, isNilOf, itemsOf, reflect } from "./gotypes.js";
import { sortedKeys } from "./order.js";
import type { GoType } from "./typed.js";

/** What Go prints as an address stands here as one that is always the same. */
const ADDRESS = 0xc000010000n;

/** One call of a print function: its output and the flags of the verb at work. */
export class Printer {
  out = "";
  flags: Flags = noFlags();
  /** While a bad verb is reported, methods are not called. */
  #erroring = false;

  text(): string {
    return joinBytes(this.out);
  }

  write(s: string): void {
    this.out += s;
  }

  /** printArg: a value as a template gives it. */
  argument(v: unknown, verb: string): void {
    const { type, value } = reflect(v);
    if (type === undefined) {
      if (verb === "T" || verb === "v") {
        this.write(pad(this.flags, "<nil>"));
      } else {
        this.#badVerb(undefined, undefined, verb);
      }
    } else if (verb === "T") {
      this.write(formatText(this.flags, type.name));
    } else if (verb === "p") {
      this.#pointer(type, value, verb);
    } else if (!this.#method(type, value, verb)) {
      this.#value(type, value, verb, 0);
    }
  }

  /** A reflect.Value as an operand of fmt: what it holds. */
  reflected(type: GoType, value: unknown, verb: string): void {
    if (!this.#method(type, value, verb)) {
      this.#value(type, value, verb, 0);
    }
  }

  /** printValue at a depth: an interface shows what is in it, a nil one `<nil>`. */
  #nested(type: GoType, value: unknown, verb: string, depth: number): void {
    const inner = concrete(type, value);
    if (inner.type === undefined) {
      this.write(this.flags.sharpV ? `${type.name}(nil)` : "<nil>");
    } else if (!this.#method(inner.type, inner.value, verb)) {
      this.#value(inner.type, inner.value, verb, depth);
    }
  }

  /** handleMethods: the String method, for verbs that take a text. */
  #method(type: GoType, value: unknown, verb: string): boolean {
    if (this.#erroring) {
      return false;
    }
    if (verb === "w") {
      this.#badVerb(type, value, verb);
      return true;
    }
    if (this.flags.sharpV || type.string === undefined || !"vsxXq".includes(verb)) {
      return false;
    }
    this.#string(type, type.string(value), verb);
    return true;
  }

  #badVerb(type: GoType | undefined, value: unknown, verb: string): void {
    this.#erroring = true;
    this.write(`%!${verb}(`);
    if (type === undefined) {
      this.write("<nil>");
    } else {
      this.write(type.name + "=");
      this.#value(type, value, "v", 0);
    }
    this.write(")");
    this.#erroring = false;
  }

  #value(type: GoType, value: unknown, verb: string, depth: number): void {
    switch (type.kind) {
      case "bool":
        this.#bool(type, value, verb);
        break;
      case "int":
      case "uint":
        this.#integer(type, value, verb);
        break;
      case "float":
        this.#float(type, value, numberOf(value), verb);
        break;
      case "complex":
        this.#complex(type, value, verb);
        break;
      case "string":
        this.#string(type, String(value), verb);
        break;
      case "slice":
        this.#slice(type, value, verb, depth);
        break;
      case "map":
        this.#map(type, value, verb, depth);
        break;
      case "struct":
        this.#struct(type, value, verb, depth);
        break;
      default:
        this.#pointerOrTarget(type, value, verb, depth);
    }
  }

  #bool(type: GoType, value: unknown, verb: string): void {
    if (verb === "t" || verb === "v") {
      this.write(pad(this.flags, value === true ? "true" : "false"));
    } else {
      this.#badVerb(type, value, verb);
    }
  }

  #integer(type: GoType, value: unknown, verb: string): void {
    const n = integerOf(value);
    const { flags } = this;
    if (verb === "v" && flags.sharpV && type.kind === "uint") {
      this.#hexadecimal(n, true);
    } else if ("vdboOxX".includes(verb)) {
      this.write(formatInteger(flags, n, verb));
    } else if (verb === "c") {
      this.write(formatRune(flags, n));
    } else if (verb === "q") {
      this.write(formatQuotedRune(flags, n));
    } else if (verb === "U") {
      this.write(formatUnicode(flags, n));
    } else {
      this.#badVerb(type, value, verb);
    }
  }

  /** fmt0x64. */
  #hexadecimal(n: bigint, prefix: boolean): void {
    this.write(formatInteger({ ...this.flags, sharp: prefix }, n, "x"));
  }

  #float(type: GoType, value: unknown, n: number, verb: string): void {
    if (verb === "v") {
      this.write(formatFloatVerb(this.flags, n, "g", -1));
    } else if ("bgGxX".includes(verb)) {
      this.write(formatFloatVerb(this.flags, n, verb, -1));
    } else if ("feEF".includes(verb)) {
      this.write(formatFloatVerb(this.flags, n, verb === "F" ? "f" : verb, 6));
    } else {
      this.#badVerb(type, value, verb);
    }
  }

  #complex(type: GoType, value: unknown, verb: string): void {
    if (!(value instanceof Complex) || !"vbgGxXfFeE".includes(verb)) {
      this.#badVerb(type, value, verb);
      return;
    }
    const [real, imaginary] = Complex.parts(value);
    const { plus } = this.flags;
    this.write("(");
    this.#float(type, value, real, verb);
    this.flags.plus = true;
    this.#float(type, value, imaginary, verb);
    this.write("i)");
    this.flags.plus = plus;
  }

  #string(type: GoType, s: string, verb: string): void {
    const { flags } = this;
    if (verb === "s" || (verb === "v" && !flags.sharpV)) {
      this.write(formatText(flags, s));
    } else if (verb === "q" || verb === "v") {
      this.write(formatQuoted(flags, s));
    } else if (verb === "x" || verb === "X") {
      this.write(formatHex(flags, s, verb === "X"));
    } else {
      this.#badVerb(type, s, verb);
    }
  }

  #slice(type: GoType, value: unknown, verb: string, depth: number): void {
    const element = type.element;
    if (element?.name === "uint8" && "sqxX".includes(verb)) {
      this.#string(type, bytesText(type, value), verb);
      return;
    }
    const { sharpV } = this.flags;
    if (sharpV && isNilOf(type, value)) {
      this.write(`${type.name}(nil)`);
      return;
    }
    this.write(sharpV ? `${type.name}{` : "[");
    let separator = "";
    for (const item of itemsOf(type, value)) {
      this.write(separator);
      if (element !== undefined) {
        this.#nested(element, item, verb, depth + 1);
      }
      separator = sharpV ? ", " : " ";
    }
    this.write(sharpV ? "}" : "]");
  }

  #map(type: GoType, value: unknown, verb: string, depth: number): void {
    const { sharpV } = this.flags;
    if (sharpV && isNilOf(type, value)) {
      this.write(`${type.name}(nil)`);
      return;
    }
    this.write(sharpV ? `${type.name}{` : "map[");
    const fields = fieldsOf(value);
    let separator = "";
    for (const key of sortedKeys(fields)) {
      this.write(separator);
      this.#string(KEY, key, verb);
      this.write(":");
      if (type.element !== undefined) {
        this.#nested(type.element, fields[key], verb, depth + 1);
      }
      separator = sharpV ? ", " : " ";
    }
    this.write(sharpV ? "}" : "]");
  }

  #struct(type: GoType, value: unknown, verb: string, depth: number): void {
    const { sharpV, plusV } = this.flags;
    const values = fieldsOf(value);
    this.write(sharpV ? `${type.name}{` : "{");
    let separator = "";
    for (const field of type.fields ?? []) {
      this.write(separator + (sharpV || plusV ? field.name + ":" : ""));
      this.#nested(field.type, values[field.key], verb, depth + 1);
      separator = sharpV ? ", " : " ";
    }
    this.write("}");
  }

  /** A pointer at the top shows its target behind `&`; elsewhere it is an address. */
  #pointerOrTarget(type: GoType, value: unknown, verb: string, depth: number): void {
    if (depth === 0 && type.kind === "pointer" && !isNilOf(type, value)) {
      this.write("&");
      if (type.element === undefined) {
        this.write("{");
        this.#pointer(type, value, verb);
        this.write("}");
      } else {
        this.#nested(type.element, value, verb, 1);
      }
      return;
    }
    this.#pointer(type, value, verb);
  }

  #pointer(type: GoType, value: unknown, verb: string): void {
    if (!["pointer", "func", "map", "slice"].includes(type.kind)) {
      this.#badVerb(type, value, verb);
      return;
    }
    const address = isNilOf(type, value) ? 0n : ADDRESS;
    const { sharp, sharpV } = this.flags;
    if (verb === "v" && sharpV) {
      this.write(`(${type.name})(`);
      if (address === 0n) {
        this.write("nil");
      } else {
        this.#hexadecimal(address, true);
      }
      this.write(")");
    } else if (verb === "v" && address === 0n) {
      this.write(pad(this.flags, "<nil>"));
    } else if (verb === "v" || verb === "p") {
      this.#hexadecimal(address, !sharp);
    } else if ("bodxX".includes(verb)) {
      this.write(formatInteger(this.flags, address, verb));
    } else {
      this.#badVerb(type, value, verb);
    }
  }
}

/** The type of a map's keys. */
const KEY: GoType = { name: "string", kind: "string", zero: "", json: String };

/** The number that a float64 holds. */
export function numberOf(v: unknown): number {
  if (v instanceof Float) {
    return v.valueOf();
  }
  return typeof v === "number" || typeof v === "bigint" ? Number(v) : 0;
}

/** The integer that an int or uint8 holds. */
export function integerOf(v: unknown): bigint {
  if (typeof v === "bigint") {
    return v;
  }
  return typeof v === "number" && Number.isInteger(v) ? BigInt(v) : 0n;
}
