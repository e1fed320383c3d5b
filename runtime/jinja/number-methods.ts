/** The attributes of ints and floats. */
import { fail } from "../errors.js";
import { float } from "../values.js";
import { byName, integerArgument, textArgument } from "./arguments.js";
import { Bytes } from "./bytes.js";
import { Method } from "./method.js";
import type { Body } from "./method.js";
import { drain, iteratorOf } from "./iterate.js";
import { bitLength, divideInts, int } from "./numbers.js";
import { truth } from "./print.js";
import { strip } from "./text.js";
import { textOf, typeName } from "./types.js";
import { ABSENT } from "./protocol.js";
import type { Keywords } from "./protocol.js";
import { exactly } from "./sequence.js";
import { Tuple } from "./tuple.js";

function method(type: string, name: string, body: () => unknown): Method {
  const call: Body = (args, kwargs, place) => {
    exactly(0, `${type}.${name}`, args, kwargs, place);
    return body();
  };
  return new Method(`built-in method ${name} of ${type} object`, call);
}

/** The attribute of an int or bool, ABSENT if there is none. */
export function intAttribute(v: number | bigint | boolean, name: string): unknown {
  const n = BigInt(v);
  const type = typeof v === "boolean" ? "bool" : "int";
  switch (name) {
    case "real":
    case "numerator":
      return int(n);
    case "imag":
      return 0;
    case "denominator":
      return 1;
    case "bit_length":
      return method(type, name, () => bitLength(n));
    case "bit_count":
      return method(type, name, () => countBits(n));
    case "conjugate":
      return method(type, name, () => int(n));
    case "as_integer_ratio":
      return method(type, name, () => new Tuple([int(n), 1]));
    case "to_bytes":
      return new Method(`built-in method to_bytes of ${type} object`, (args, kwargs, place) =>
        toBytes(n, args, kwargs, place),
      );
    case "from_bytes":
      return new Method("built-in method from_bytes of type object", (args, kwargs, place) => {
        const found = fromBytes(args, kwargs, place);
        return typeof v === "boolean" ? found !== 0 : found;
      });
    default:
      return ABSENT;
  }
}

/** `n.to_bytes(length, byteorder, signed=…)`. */
function toBytes(n: bigint, args: readonly unknown[], kwargs: Keywords, place: string): unknown {
  const { signed = false, ...named } = kwargs ?? {};
  const names = ["length", "byteorder"];
  const [length, order] = byName("to_bytes", names, args, named, place);
  const count = length === undefined ? 1 : integerArgument(length, place);
  const byteOrder = byteOrderOf("to_bytes", order, place);
  if (count < 0) {
    return fail("ValueError", "length argument must be non-negative", place);
  }
  if (count > MOST_BYTES) {
    return fail("MemoryError", "", place);
  }
  const isSigned = truth(signed);
  if (n < 0n && !isSigned) {
    return fail("OverflowError", "can't convert negative int to unsigned", place);
  }
  const bits = BigInt(count * 8);
  const fits = isSigned ? BigInt.asIntN(count * 8, n) === n : n < 1n << bits;
  if (!fits) {
    return fail("OverflowError", "int too big to convert", place);
  }
  const bytes = Array.from({ length: count }, (_, i) => Number((n >> BigInt(i * 8)) & 0xffn));
  return new Bytes(byteOrder === "little" ? bytes : bytes.reverse());
}

/** More than any machine of a template holds. */
const MOST_BYTES = 1e8;

function byteOrderOf(method: string, order: unknown, place: string): "big" | "little" {
  if (order === undefined) return "big";
  const message = `${method}() argument 'byteorder' must be str, not`;
  const text = textArgument(order, message, place);
  return text === "big" || text === "little"
    ? text
    : fail("ValueError", "byteorder must be either 'little' or 'big'", place);
}

/** `int.from_bytes(bytes, byteorder, signed=…)`; a list of numbers does for bytes. */
function fromBytes(args: readonly unknown[], kwargs: Keywords, place: string): number | bigint {
  const { signed = false, ...named } = kwargs ?? {};
  const [given, order] = byName("from_bytes", ["bytes", "byteorder"], args, named, place);
  if (given === undefined) {
    const message = "from_bytes() missing required argument 'bytes' (pos 1)";
    return fail("TypeError", message, place);
  }
  const byteOrder = byteOrderOf("from_bytes", order, place);
  const message = `cannot convert '${typeName(given)}' object to bytes`;
  const source = textOf(given) === null ? iteratorOf(given, place) : null;
  if (source === null) return fail("TypeError", message, place);
  const bytes = drain(source).map((byte) => byteOf(byte, place));
  if (byteOrder === "little") bytes.reverse();
  const n = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return int(truth(signed) ? BigInt.asIntN(bytes.length * 8, n) : n);
}

function byteOf(v: unknown, place: string): number {
  const byte = integerArgument(v, place);
  return byte >= 0 && byte < 256
    ? byte
    : fail("ValueError", "bytes must be in range(0, 256)", place);
}

function countBits(n: bigint): number {
  return (n < 0n ? -n : n).toString(2).replaceAll("0", "").length;
}

/** The attribute of a float, ABSENT if there is none. */
export function floatAttribute(n: number, name: string): unknown {
  switch (name) {
    case "real":
      return float(n);
    case "imag":
      return float(0);
    case "conjugate":
      return method("float", name, () => float(n));
    case "is_integer":
      return method("float", name, () => Number.isInteger(n));
    case "as_integer_ratio":
      return ratioMethod(n);
    case "hex":
      return method("float", name, () => hexText(n));
    case "fromhex":
      return new Method("built-in method fromhex of type object", (args, kwargs, place) => {
        const given = exactly(1, "float.fromhex", args, kwargs, place);
        const text = textArgument(given, "bad argument type for built-in operation:", place);
        return float(hexDouble(text, place));
      });
    default:
      return ABSENT;
  }
}

function ratioMethod(n: number): Method {
  return new Method("built-in method as_integer_ratio of float object", (args, kwargs, place) => {
    exactly(0, "float.as_integer_ratio", args, kwargs, place);
    if (!Number.isFinite(n)) {
      return Number.isNaN(n)
        ? fail("ValueError", "cannot convert NaN to integer ratio", place)
        : fail("OverflowError", "cannot convert Infinity to integer ratio", place);
    }
    let [top, bottom] = [n, 1n];
    for (; !Number.isInteger(top); top *= 2) {
      bottom *= 2n;
    }
    return new Tuple([int(BigInt(top)), int(bottom)]);
  });
}

const HEX_DOUBLE = /^([-+]?)(?:0x)?(?:([0-9a-f]*)(?:\.([0-9a-f]*))?)(?:p([-+]?\d+))?$/i;

/** Python's float.fromhex(). */
function hexDouble(given: string, place: string): number {
  const text = strip(given);
  const special = /^([-+]?)(inf|infinity|nan)$/i.exec(text);
  if (special !== null) {
    const size = special[2]?.toLowerCase() === "nan" ? NaN : Infinity;
    return special[1] === "-" ? -size : size;
  }
  const [whole, sign, digits = "", fraction = "", exponent = "0"] = HEX_DOUBLE.exec(text) ?? [];
  if (whole === undefined || digits + fraction === "") {
    return fail("ValueError", "invalid hexadecimal floating-point string", place);
  }
  const top = BigInt(`0x${digits}${fraction}`);
  const shift = Number(exponent) - 4 * fraction.length;
  const size = scaledDouble(top, shift);
  if (!Number.isFinite(size)) {
    const message = "hexadecimal value too large to represent as a float";
    return fail("OverflowError", message, place);
  }
  return sign === "-" ? -size : size;
}

/** `n * 2 ** shift`, rounded once. */
function scaledDouble(n: bigint, shift: number): number {
  if (n === 0n) return 0;
  const bits = bitLength(n);
  if (bits + shift > 1024) return Infinity;
  if (bits + shift < -1080) return 0;
  return shift >= 0 ? Number(n << BigInt(shift)) : divideInts(n, 1n << BigInt(-shift), "");
}

/** Python's float.hex(). */
function hexText(n: number): string {
  if (!Number.isFinite(n)) {
    return Number.isNaN(n) ? "nan" : n < 0 ? "-inf" : "inf";
  }
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, n);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const mantissa = (bits & 0xfffffffffffffn).toString(16).padStart(13, "0");
  const sign = n < 0 || Object.is(n, -0) ? "-" : "";
  if (n === 0) {
    return `${sign}0x0.0p+0`;
  }
  const exponent = biased === 0 ? -1022 : biased - 1023;
  return `${sign}0x${biased === 0 ? 0 : 1}.${mantissa}p${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}
