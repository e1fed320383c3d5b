/** Jinja2's filters on single values: numbers, defaults, escaping, formatting, JSON. */
import type { FilterArguments, FilterDefinition } from "./jinja-filters.js";
import { arithmetic, toFloat } from "./jinja-arithmetic.js";
import { environmentAttribute, pythonAttribute } from "./jinja-attributes.js";
import { fixedDigits } from "./jinja-digits.js";
import { dumpJson } from "./jinja-json.js";
import { length, subscript, requireIndex, truth } from "./jinja-operators.js";
import { parseInt, round, toFloatValue, toInt, toIntFromFloat } from "./jinja-numbers.js";
import { percentFormat } from "./jinja-percent.js";
import { pformat } from "./jinja-pprint.js";
import { polar } from "./jinja-power.js";
import { escape, failUndefined, softStr, text } from "./jinja-text.js";
import {
  int,
  isError,
  Markup,
  NONE,
  PyComplex,
  PyDict,
  PyFloat,
  PyInt,
  PyNone,
  PyStr,
  PyTuple,
  raise,
  str,
  Undefined,
} from "./jinja-values.js";
import type { Value } from "./jinja-values.js";

function abs([value = NONE]: FilterArguments): Value {
  if (value instanceof PyInt) return int(value.value < 0n ? -value.value : value.value);
  if (value instanceof PyFloat) return new PyFloat(Math.abs(value.value));
  if (value instanceof PyComplex) return new PyFloat(sizeOf(value));
  return raise("TypeError", `bad operand type for abs(): '${value.typeName}'`);
}

function sizeOf({ real, imaginary }: PyComplex): number {
  const { size } = polar(real, imaginary);
  const isFinite = Number.isFinite(real) && Number.isFinite(imaginary);
  return isFinite && size === Infinity ? raise("OverflowError", "absolute value too large") : size;
}

function attr([object = NONE, name = NONE]: FilterArguments): Value {
  if (!(name instanceof PyStr)) {
    raise("TypeError", `attribute name must be string, not '${name.typeName}'`);
  }
  if (pythonAttribute(object, name.text) === undefined) {
    return new Undefined({ object, key: name });
  }
  return environmentAttribute(object, name.text, name);
}

function defaulted([value = NONE, otherwise = str(""), also]: FilterArguments): Value {
  if (value instanceof Undefined) return otherwise;
  return also !== undefined && truth(also) && !truth(value) ? otherwise : value;
}

/** `int`: whatever does not convert is the default, except what is undefined or infinite. */
function toInteger([value = NONE, otherwise = int(0), base = int(10)]: FilterArguments): Value {
  try {
    if (!(value instanceof PyStr)) return int(toInt(value));
    if (base instanceof PyInt) return int(parseInt(value, base.value));
    return raise("TypeError", `'${base.typeName}' object cannot be interpreted as an integer`);
  } catch (error) {
    if (!isError(error, "TypeError", "ValueError")) throw error;
  }
  try {
    return int(toIntFromFloat(toFloatValue(value)));
  } catch (error) {
    if (isError(error, "TypeError", "ValueError", "OverflowError")) return otherwise;
    throw error;
  }
}

function toFloating([value = NONE, otherwise = new PyFloat(0)]: FilterArguments): Value {
  try {
    return new PyFloat(toFloatValue(value));
  } catch (error) {
    if (isError(error, "TypeError", "ValueError")) return otherwise;
    throw error;
  }
}

function ceilOrFloor(value: Value, precision: Value, ceil: boolean): Value {
  const scale = arithmetic("**", int(10), precision);
  const scaled = arithmetic("*", value, scale);
  if (scaled instanceof PyInt) return arithmetic("/", scaled, scale);
  if (!(scaled instanceof PyFloat)) {
    raise("TypeError", `must be real number, not ${scaled.typeName}`);
  }
  const whole = ceil ? Math.ceil(scaled.value) : Math.floor(scaled.value);
  return arithmetic("/", int(toIntFromFloat(whole)), scale);
}

function rounded([
  value = NONE,
  precision = int(0),
  method = str("common"),
]: FilterArguments): Value {
  const name = method instanceof PyStr ? method.text : "";
  if (name === "common") return round(value, precision);
  if (name !== "ceil" && name !== "floor") {
    raise("FilterArgumentError", "method must be common, ceil or floor");
  }
  return ceilOrFloor(value, precision, name === "ceil");
}

function fileSize([value = NONE, binary]: FilterArguments): Value {
  const bytes = toFloatValue(value);
  const useBinary = binary !== undefined && truth(binary);
  const base = useBinary ? 1024 : 1000;
  if (bytes === 1) return str("1 Byte");
  if (bytes < base) return str(`${toIntFromFloat(bytes)} Bytes`);
  const prefixes = ["k", "M", "G", "T", "P", "E", "Z", "Y"];
  const units = prefixes.map((_, at) => toFloat(BigInt(base) ** BigInt(at + 2)));
  const found = units.findIndex((unit) => bytes < unit);
  const at = found < 0 ? prefixes.length - 1 : found;
  const prefix = prefixes[at] ?? "";
  const size = (base * bytes) / (units[at] ?? 1);
  const shown = Number.isFinite(size) ? fixedDigits(size, 1) : Number.isNaN(size) ? "nan" : "inf";
  return str(`${shown} ${useBinary ? `${prefix.toUpperCase()}i` : prefix}B`);
}

// ---------------------------------------------------------------- tojson

function indentOf(value: Value): string | null {
  if (value instanceof PyNone) return null;
  if (value instanceof PyStr) return value.text;
  if (value instanceof PyInt) return " ".repeat(Math.max(Number(requireIndex(value)), 0));
  if (value instanceof Undefined) return failUndefined(value);
  return raise("TypeError", `can't multiply sequence by non-int of type '${value.typeName}'`);
}

function separatorsOf(value: Value, indented: boolean, alone: boolean): [string, string] {
  if (value instanceof PyNone) return [indented ? "," : ", ", ": "];
  const pair = [subscript(value, int(0)), subscript(value, int(1))];
  if (length(value) !== 2) {
    raise("ValueError", `too many values to unpack (expected 2)`);
  }
  // A text by itself needs neither.
  if (alone) return [",", ":"];
  const [item = NONE, key = NONE] = pair;
  for (const [place, part] of [
    [5, key],
    [6, item],
  ] as const) {
    if (part instanceof PyStr) continue;
    raise("TypeError", `make_encoder() argument ${place} must be str, not ${part.typeName}`);
  }
  return [text(item), text(key)];
}

/** transformers' own `tojson`: plain `json.dumps`, with `ensure_ascii` as the first argument. */
function toJson(args: FilterArguments): Value {
  const [value = NONE, ascii, indent = NONE, separators = NONE, sortKeys] = args;
  // Python writes a text by itself before it looks at the indent.
  const level = value instanceof PyStr ? null : indentOf(indent);
  const [itemSeparator, keySeparator] = separatorsOf(
    separators,
    level !== null,
    value instanceof PyStr,
  );
  return str(
    dumpJson(value, {
      ensureAscii: ascii !== undefined && truth(ascii),
      indent: level,
      itemSeparator,
      keySeparator,
      sortKeys: sortKeys !== undefined && truth(sortKeys),
    }),
  );
}

// ---------------------------------------------------------------- the table

const count: FilterDefinition = {
  name: "len",
  builtin: true,
  run: ([value = NONE]) => int(length(value)),
};
const escaping: FilterDefinition = {
  name: "escape",
  builtin: true,
  run: ([value = NONE]) => escape(value),
};
const defaulting: FilterDefinition = {
  name: "do_default",
  parameters: "value default_value? boolean?",
  run: defaulted,
};

export const valueFilters: readonly (readonly [string, FilterDefinition])[] = [
  ["abs", { name: "abs", builtin: true, run: abs }],
  ["attr", { name: "do_attr", parameters: "obj name", implicit: 1, run: attr }],
  ["count", count],
  ["length", count],
  ["d", defaulting],
  ["default", defaulting],
  ["e", escaping],
  ["escape", escaping],
  ["forceescape", { name: "do_forceescape", run: ([value = NONE]) => escape(str(text(value))) }],
  ["safe", { name: "do_mark_safe", run: ([value = NONE]) => new Markup(text(value)) }],
  ["string", { name: "soft_str", parameters: "s", run: ([value = NONE]) => softStr(value) }],
  ["int", { name: "do_int", parameters: "value default? base?", run: toInteger }],
  ["float", { name: "do_float", parameters: "value default?", run: toFloating }],
  ["round", { name: "do_round", parameters: "value precision? method?", run: rounded }],
  ["filesizeformat", { name: "do_filesizeformat", parameters: "value binary?", run: fileSize }],
  ["pprint", { name: "do_pprint", run: ([value = NONE]) => str(pformat(value)) }],
  [
    "tojson",
    {
      name: "_cached_compile_jinja_template.<locals>.tojson",
      parameters: "x ensure_ascii? indent? separators? sort_keys?",
      run: toJson,
    },
  ],
  [
    "format",
    {
      name: "do_format",
      run: () => NONE,
      open: ([value, ...args], kwargs) => {
        if (value === undefined) {
          raise("TypeError", "do_format() missing 1 required positional argument: 'value'");
        }
        if (kwargs.has("value")) {
          raise("TypeError", "do_format() got multiple values for argument 'value'");
        }
        if (args.length > 0 && kwargs.size > 0) {
          const refusal = "can't handle positional and keyword arguments at the same time";
          raise("FilterArgumentError", refusal);
        }
        if (kwargs.size === 0) return percentFormat(softStr(value), new PyTuple(args));
        const named = new PyDict();
        for (const [key, item] of kwargs) named.set(str(key), item);
        return percentFormat(softStr(value), named);
      },
    },
  ],
];
