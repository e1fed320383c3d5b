/** The methods of lists, tuples, dicts, their views, numbers and ranges that the sandbox lets a template call. */
import { bindNative } from "./jinja-arguments.js";
import type { NativeSignature } from "./jinja-arguments.js";
import { contains, equal, listOf, requireWhole } from "./jinja-operators.js";
import { divideInts } from "./jinja-arithmetic.js";
import { setMethod } from "./jinja-sets.js";
import { floatRepr, repr, text } from "./jinja-text.js";
import { strip } from "./jinja-unicode.js";
import {
  bool,
  DictView,
  int,
  NONE,
  PyBytes,
  PyBool,
  PyComplex,
  MappingProxy,
  PyDict,
  PyFloat,
  PyInt,
  PyList,
  PyRange,
  PySet,
  PyStr,
  PyTuple,
  raise,
  str,
} from "./jinja-values.js";
import type { Kwargs, Value } from "./jinja-values.js";
import { bytesMethod, intFromBytes, intToBytes } from "./jinja-bytes.js";
import { fraction, isNegative } from "./jinja-digits.js";

type Bound = readonly (Value | undefined)[];
type Method = readonly [signature: NativeSignature, run: (args: Bound) => Value];

const none: NativeSignature = { kind: "none" };
const one: NativeSignature = { kind: "one" };
const ofDict: NativeSignature = { kind: "fast", least: 1, most: 2 };
const search: NativeSignature = { kind: "fast", least: 1, most: 3 };

function countOf(items: readonly Value[], wanted: Value): Value {
  return int(items.filter((item) => item === wanted || equal(item, wanted)).length);
}

function position(items: readonly Value[], args: Bound, missing: string): Value {
  const [wanted = NONE, start, stop] = args;
  const bound = (value: Value | undefined, otherwise: number): number => {
    if (value === undefined) return otherwise;
    const index = Number(requireWhole(value));
    return index < 0 ? Math.max(index + items.length, 0) : index;
  };
  const end = bound(stop, items.length);
  const at = items.findIndex((item, index) => {
    const inside = index >= bound(start, 0) && index < end;
    return inside && (item === wanted || equal(item, wanted));
  });
  return at < 0 ? raise("ValueError", missing) : int(at);
}

function sequenceMethod(object: PyList | PyTuple, name: string): Method | null {
  if (name === "count") return [one, ([item = NONE]) => countOf(object.items, item)];
  if (name === "copy" && object instanceof PyList) {
    return [none, () => new PyList([...object.items])];
  }
  if (name !== "index") return null;
  return [
    search,
    (args) => {
      const wanted = args[0] ?? NONE;
      const list = object instanceof PyList;
      return position(
        object.items,
        args,
        list ? `${repr(wanted)} is not in list` : "tuple.index(x): x not in tuple",
      );
    },
  ];
}

/** `dict.fromkeys(keys, value)`. */
export function dictFromKeys([keys = NONE, value = NONE]: Bound): PyDict {
  const dict = new PyDict();
  for (const key of listOf(keys)) dict.set(key, value);
  return dict;
}

function copyOf(dict: PyDict): PyDict {
  const copy = new PyDict();
  for (const { key, value } of dict.entries.values()) copy.set(key, value);
  return copy;
}

function dictMethod(dict: PyDict, name: string): Method | null {
  if (name === "get")
    return [ofDict, ([key = NONE, otherwise = NONE]) => dict.get(key) ?? otherwise];
  if (name === "keys") return [none, () => new DictView("dict_keys", dict)];
  if (name === "values") return [none, () => new DictView("dict_values", dict)];
  if (name === "items") return [none, () => new DictView("dict_items", dict)];
  if (name === "copy") return [none, () => copyOf(dict)];
  return name === "fromkeys" && !(dict instanceof MappingProxy) ? [ofDict, dictFromKeys] : null;
}

function viewMethod(view: DictView, name: string): Method | null {
  if (name !== "isdisjoint" || view.typeName === "dict_values") return null;
  return [one, ([other = NONE]) => bool(!listOf(other).some((item) => contains(item, view)))];
}

function rangeMethod(range: PyRange, name: string): Method | null {
  if (name === "count") return [one, ([item = NONE]) => int(contains(item, range) ? 1 : 0)];
  if (name !== "index") return null;
  return [one, ([item = NONE]) => position(listOf(range), [item], `${text(item)} is not in range`)];
}

const toBytes: NativeSignature = { kind: "keywords", names: ["length", "byteorder", "signed"] };
const fromBytes: NativeSignature = { kind: "keywords", names: ["bytes", "byteorder", "signed"] };

function intMethod(value: bigint, name: string): Method | null {
  const magnitude = value < 0n ? -value : value;
  const bits = magnitude === 0n ? "" : magnitude.toString(2);
  if (name === "bit_length") return [none, () => int(bits.length)];
  if (name === "bit_count") return [none, () => int(bits.replaceAll("0", "").length)];
  if (name === "conjugate") return [none, () => int(value)];
  if (name === "to_bytes") return [toBytes, (args) => intToBytes(value, args)];
  if (name === "from_bytes") return [fromBytes, intFromBytes];
  return name === "as_integer_ratio" ? [none, () => new PyTuple([int(value), int(1)])] : null;
}

/** `float.hex`. */
function hexOf(value: number): string {
  const sign = isNegative(value) ? "-" : "";
  if (!Number.isFinite(value)) return floatRepr(value);
  const magnitude = Math.abs(value);
  if (magnitude === 0) return `${sign}0x0.0p+0`;
  let exponent = Math.max(Math.floor(Math.log2(magnitude)), -1022);
  let mantissa = magnitude / 2 ** (exponent / 2) / 2 ** (exponent / 2);
  if (exponent % 2 !== 0) mantissa = magnitude / 2 ** exponent;
  if (mantissa >= 2) [mantissa, exponent] = [mantissa / 2, exponent + 1];
  const lead = Math.floor(mantissa);
  const rest = BigInt((mantissa - lead) * 2 ** 52);
  const power = exponent < 0 ? String(exponent) : `+${exponent}`;
  return `${sign}0x${lead}.${rest.toString(16).padStart(13, "0")}p${power}`;
}

/** `float.fromhex`: hexadecimal digits with a point, and a power of two. */
function floatFromHex(digits: Value | undefined): number {
  if (!(digits instanceof PyStr)) return raise("TypeError", "bad argument type");
  const trimmed = strip(digits.text, null, "both").toLowerCase();
  const special = /^([-+]?)(?:inf|infinity|(nan))$/.exec(trimmed);
  if (special !== null)
    return (special[2] === undefined ? Infinity : NaN) * (special[1] === "-" ? -1 : 1);
  const parts = /^([-+]?)(?:0x)?([0-9a-f]*)(?:\.([0-9a-f]*))?(?:p([-+]?[0-9]+))?$/.exec(trimmed);
  const [, sign = "", whole = "", broken = "", power = "0"] = parts ?? [];
  if (parts === null || whole + broken === "") {
    raise("ValueError", "invalid hexadecimal floating-point string");
  }
  const mantissa = BigInt(`0x${whole}${broken}`);
  const exponent = Number(power) - 4 * broken.length;
  if (mantissa !== 0n && exponent + mantissa.toString(2).length > 1024) {
    raise("OverflowError", "hexadecimal value too large to represent as a float");
  }
  const scale = 1n << BigInt(Math.min(Math.abs(exponent), 5000));
  const size =
    exponent < 0
      ? divideInts(mantissa, scale)
      : divideInts(mantissa === 0n ? 0n : mantissa * scale, 1n);
  if (!Number.isFinite(size)) raise("OverflowError", "hexadecimal value too large");
  return sign === "-" ? -size : size;
}

function integerRatio(value: number): Value {
  if (Number.isNaN(value)) raise("ValueError", "cannot convert NaN to integer ratio");
  if (!Number.isFinite(value)) {
    raise("OverflowError", "cannot convert Infinity to integer ratio");
  }
  const { over, under } = fraction(value);
  return new PyTuple([int(value < 0 ? -over : over), int(under)]);
}

function floatMethod(value: number, name: string): Method | null {
  if (name === "is_integer") return [none, () => bool(Number.isInteger(value))];
  if (name === "conjugate") return [none, () => new PyFloat(value)];
  if (name === "hex") return [none, () => str(hexOf(value))];
  if (name === "fromhex") return [one, ([digits]) => new PyFloat(floatFromHex(digits))];
  return name === "as_integer_ratio" ? [none, () => integerRatio(value)] : null;
}

function methodOf(object: Value, name: string): Method | null {
  if (object instanceof PyList || object instanceof PyTuple) return sequenceMethod(object, name);
  if (object instanceof PyDict) return dictMethod(object, name);
  if (object instanceof DictView) return viewMethod(object, name);
  if (object instanceof PyRange) return rangeMethod(object, name);
  if (object instanceof PyBool && name === "from_bytes") {
    return [fromBytes, (args) => bool(intFromBytes(args).value !== 0n)];
  }
  if (object instanceof PyInt) return intMethod(object.value, name);
  if (object instanceof PyComplex && name === "conjugate") {
    return [none, () => new PyComplex(object.real, -object.imaginary)];
  }
  return object instanceof PyFloat ? floatMethod(object.value, name) : null;
}

/** The method of an object that is no text, or null. */
export function objectMethod(
  object: Value,
  name: string,
): ((args: readonly Value[], kwargs: Kwargs) => Value) | null {
  if (object instanceof PyBytes) return bytesMethod(object, name);
  if (object instanceof PySet) return setMethod(object, name);
  const method = methodOf(object, name);
  if (method === null) return null;
  const [signature, run] = method;
  const owner = object.typeName === "bool" ? "int" : object.typeName;
  return (args, kwargs) => run(bindNative(owner, name, signature, args, kwargs));
}
