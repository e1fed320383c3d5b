/** The attributes of ints and floats. */
import { fail } from "../errors.js";
import { float } from "../values.js";
import { byName, integerArgument } from "./arguments.js";
import { Bytes } from "./bytes.js";
import { Method } from "./method.js";
import type { Body } from "./method.js";
import { bitLength, int } from "./numbers.js";
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
  switch (name) {
    case "real":
    case "numerator":
      return int(n);
    case "imag":
      return 0;
    case "denominator":
      return 1;
    case "bit_length":
      return method("int", name, () => bitLength(n));
    case "bit_count":
      return method("int", name, () => countBits(n));
    case "conjugate":
      return method("int", name, () => int(n));
    case "as_integer_ratio":
      return method("int", name, () => new Tuple([int(n), 1]));
    case "to_bytes":
      return new Method("built-in method to_bytes of int object", (args, kwargs, place) =>
        toBytes(n, args, kwargs, place),
      );
    case "from_bytes":
      return unsupported(name);
    default:
      return ABSENT;
  }
}

function unsupported(name: string): Method {
  return new Method(`built-in method ${name}`, (_args, _kwargs, place) =>
    fail("NotImplementedError", `${name}() is not supported`, place),
  );
}

/** `n.to_bytes(length, byteorder, signed=…)`. */
function toBytes(n: bigint, args: readonly unknown[], kwargs: Keywords, place: string): unknown {
  const { signed = false, ...named } = kwargs ?? {};
  const names = ["length", "byteorder"];
  const [length, order] = byName("to_bytes", names, args, named, place);
  const count = length === undefined ? 1 : integerArgument(length, place);
  const byteOrder = order === undefined ? "big" : order;
  if (byteOrder !== "big" && byteOrder !== "little") {
    return fail("ValueError", "byteorder must be either 'little' or 'big'", place);
  }
  const isSigned = signed !== false && signed !== 0;
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
      return unsupported(name);
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
