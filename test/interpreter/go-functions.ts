/** text/template's builtins (funcs.go) and the four functions Ollama adds. */
import { sprint, sprintln, showValue } from "./go-fmt.js";
import { marshal } from "./go-json-encode.js";
import { CallError, typeScriptType, type GoFunction, type Param } from "./go-methods.js";
import { sprintf } from "./go-printf.js";
import { comparable } from "./go-types.js";
import {
  bool,
  byte,
  dynamic,
  indirect,
  int,
  isNil,
  isTrue,
  lengthOf,
  string,
  zero,
  type MapValue,
  type SliceValue,
  type Value,
} from "./go-values.js";
import { decodeRune, isPrint, toBinary, toBytes, toText } from "./go-utf8.js";

type Args = readonly (Value | null)[];

/** A runtime panic inside a function comes back as its error (safeCall). */
function panic(message: string): never {
  throw new CallError(message);
}

function typeName(value: Value | null): string {
  // reflect.Value.Type panics on the invalid value.
  return value?.type.name ?? panic("reflect: call of reflect.Value.Type on zero Value");
}

function length(value: Value | null): Value {
  const { value: item, isNil: nil } = indirect(value);
  if (nil) throw new CallError("len of nil pointer");
  const found = item === null ? null : lengthOf(item);
  if (found === null) throw new CallError(`len of type ${typeName(item)}`);
  return int(found);
}

/** indexArg: an index as an int, which may equal the bound. */
function indexArgument(index: Value | null, bound: number): number {
  if (index === null) throw new CallError("cannot index slice/array with nil");
  if (index.kind !== "int") {
    throw new CallError(`cannot index slice/array with type ${index.type.name}`);
  }
  if (index.int < 0n || index.int > BigInt(bound)) {
    throw new CallError(`index out of range: ${String(index.int)}`);
  }
  return Number(index.int);
}

function elementAt(item: SliceValue, at: number): Value {
  const found = at < item.length ? item.backing?.[item.start + at] : undefined;
  return found ?? panic("reflect: slice index out of range");
}

function mapElement(item: MapValue, key: Value | null): Value {
  if (key === null) throw new CallError("value is nil; should be of type string");
  if (key.kind !== "string") {
    throw new CallError(`value has type ${key.type.name}; should be string`);
  }
  return item.entries?.get(toBinary(key.bytes)) ?? zero(item.type.elem);
}

function index([first = null, ...indexes]: Args): Value | null {
  let item = dynamic(first);
  if (item === null) throw new CallError("index of untyped nil");
  for (const argument of indexes) {
    const at = dynamic(argument);
    const reached = indirect(item);
    if (reached.isNil) throw new CallError("index of nil pointer");
    item = reached.value;
    if (item?.kind === "slice") {
      item = elementAt(item, indexArgument(at, item.length));
    } else if (item?.kind === "string") {
      const found = item.bytes[indexArgument(at, item.bytes.length)];
      item = byte(found ?? panic("reflect: string index out of range"));
    } else if (item?.kind === "map") {
      item = mapElement(item, at);
    } else {
      throw new CallError(`can't index item of type ${typeName(item)}`);
    }
  }
  return item;
}

/** slice: the upper bound may go up to the capacity, past the length. */
function slice([first = null, ...indexes]: Args): Value {
  if (dynamic(first) === null) throw new CallError("slice of untyped nil");
  const { value: item, isNil: nil } = indirect(first);
  if (nil) throw new CallError("slice of nil pointer");
  if (indexes.length > 3) throw new CallError(`too many slice indexes: ${String(indexes.length)}`);
  if (item?.kind === "string" && indexes.length === 3) {
    throw new CallError("cannot 3-index slice a string");
  }
  if (item?.kind !== "string" && item?.kind !== "slice") {
    throw new CallError(`can't slice item of type ${typeName(item)}`);
  }
  const bound = item.kind === "slice" ? item.capacity : item.bytes.length;
  const [low = 0, high = lengthOf(item) ?? 0, top = bound] = indexes.map((i) =>
    // An interface is no integer here: slice, unlike index, does not look into it.
    indexArgument(i, bound),
  );
  if (low > high) throw new CallError(`invalid slice index: ${String(low)} > ${String(high)}`);
  if (high > top) throw new CallError(`invalid slice index: ${String(high)} > ${String(top)}`);
  if (item.kind === "string") return string(item.bytes.slice(low, high));
  return { ...item, start: item.start + low, length: high - low, capacity: top - low };
}

type Comparison = "bool" | "complex" | "int" | "float" | "string" | "uint" | null;

/** basicKind; null for what has no order and no plain equality. */
function basicKind(value: Value | null): Comparison {
  switch (value?.kind) {
    case "bool":
    case "complex":
    case "float":
    case "string":
      return value.kind;
    case "int":
      return value.type.kind === "uint8" ? "uint" : "int";
    default:
      return null;
  }
}

/** Equality of two values of one basic kind, or of a signed and an unsigned integer. */
function basicEqual(a: Value | null, b: Value | null): boolean {
  if (a?.kind === "int" && b?.kind === "int") return a.int === b.int;
  if (a?.kind === "bool" && b?.kind === "bool") return a.bool === b.bool;
  if (a?.kind === "float" && b?.kind === "float") return a.float === b.float;
  if (a?.kind === "string" && b?.kind === "string") return toBinary(a.bytes) === toBinary(b.bytes);
  if (a?.kind !== "complex" || b?.kind !== "complex") return false;
  return a.real === b.real && a.imaginary === b.imaginary;
}

function bothIntegers(a: Comparison, b: Comparison): boolean {
  return (a === "int" && b === "uint") || (a === "uint" && b === "int");
}

/** Equality where neither side is basic: nil, pointers, lists, maps, structs. */
function compositeEqual(a: Value | null, b: Value | null): boolean {
  if (a !== null && b !== null && a.kind !== b.kind) {
    const types = `${showValue(a, "s")}: ${a.type.name}, ${b.type.name}: ${showValue(b, "v")}`;
    throw new CallError(`non-comparable types ${types}`);
  }
  if (isNil(a) || isNil(b)) return isNil(a) === isNil(b);
  if (b !== null && !comparable(b.type)) {
    throw new CallError(`non-comparable type ${showValue(b, "s")}: ${b.type.name}`);
  }
  if (a?.kind === "pointer" && b?.kind === "pointer") return a.target === b.target;
  return a === b;
}

function equal([first = null, ...others]: Args): boolean {
  const a = dynamic(first);
  if (others.length === 0) throw new CallError("missing argument for comparison");
  for (const other of others) {
    const b = dynamic(other);
    const [kindA, kindB] = [basicKind(a), basicKind(b)];
    if (kindA !== kindB && !bothIntegers(kindA, kindB) && a !== null && b !== null) {
      throw new CallError(`incompatible types for comparison: ${a.type.name} and ${b.type.name}`);
    }
    const composite = kindA === null && kindB === null;
    if (composite ? compositeEqual(a, b) : basicEqual(a, b)) return true;
  }
  return false;
}

function less(first: Value | null, second: Value | null): boolean {
  const [a, b] = [dynamic(first), dynamic(second)];
  const [kindA, kindB] = [basicKind(a), basicKind(b)];
  if (kindA === null || kindB === null) throw new CallError("invalid type for comparison");
  if (kindA !== kindB && !bothIntegers(kindA, kindB)) {
    throw new CallError(`incompatible types for comparison: ${typeName(a)} and ${typeName(b)}`);
  }
  if (a?.kind === "int" && b?.kind === "int") return a.int < b.int;
  if (a?.kind === "float" && b?.kind === "float") return a.float < b.float;
  if (a?.kind === "string" && b?.kind === "string") return toBinary(a.bytes) < toBinary(b.bytes);
  throw new CallError("invalid type for comparison");
}

function lessOrEqual(a: Value | null, b: Value | null): boolean {
  return less(a, b) || equal([a, b]);
}

/** printableValue: pointers are followed, the invalid value is `<no value>`. */
export function printable(value: Value | null): Value {
  const reached = value?.kind === "pointer" ? indirect(value).value : value;
  return reached ?? string("<no value>");
}

/** evalArgs: Sprint of the printable values. */
function escaperText(args: Args): Uint8Array {
  return sprint(args.map((arg) => printable(dynamic(arg))));
}

const HTML = new Map([
  [0, "\ufffd"],
  [0x22, "&#34;"],
  [0x26, "&amp;"],
  [0x27, "&#39;"],
  [0x3c, "&lt;"],
  [0x3e, "&gt;"],
]);

function html(args: Args): Value {
  const bytes = [...escaperText(args)];
  return string(
    Uint8Array.from(bytes.flatMap((b) => [...(HTML.has(b) ? toBytes(HTML.get(b) ?? "") : [b])])),
  );
}

const JS = new Map([
  [0x22, '\\"'],
  [0x27, "\\'"],
  [0x5c, "\\\\"],
]);

function unicodeEscape(rune: number): string {
  return `\\u${rune.toString(16).toUpperCase().padStart(4, "0")}`;
}

function js(args: Args): Value {
  const bytes = escaperText(args);
  const out: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const { rune, size } = decodeRune(bytes, at);
    const special = rune < 0x20 || [0x26, 0x3c, 0x3d, 0x3e].includes(rune);
    const hidden = rune >= 0x80 && !isPrint(rune);
    const escape = JS.get(rune) ?? (special || hidden ? unicodeEscape(rune) : null);
    // A stray byte counts as U+FFFD, which is printable: the byte itself is written.
    out.push(...(escape === null ? bytes.slice(at, at + size) : toBytes(escape)));
    at += size;
  }
  return string(Uint8Array.from(out));
}

/** net/url's QueryEscape */
function urlQuery(args: Args): Value {
  const parts = Array.from(escaperText(args), (b) => {
    const character = String.fromCharCode(b);
    if (/[A-Za-z0-9\-_.~]/.test(character)) return character;
    return b === 0x20 ? "+" : `%${b.toString(16).toUpperCase().padStart(2, "0")}`;
  });
  return string(parts.join(""));
}

function printf([format = null, ...args]: Args): Value {
  const text = dynamic(format);
  return string(text?.kind === "string" ? sprintf(text.bytes, args) : new Uint8Array());
}

/** call: nothing that a template can hold is a function with the one or two results it wants. */
function call(name: string, value: Value | null): never {
  const callee = dynamic(value);
  if (callee === null) throw new CallError("call of nil");
  if (callee.kind === "func") {
    throw new CallError(`function ${name} has 0 return values; should be 1 or 2`);
  }
  throw new CallError(`non-function ${name} of type ${callee.type.name}`);
}

function define(params: readonly Param[], run: GoFunction["call"], variadic = false): GoFunction {
  return { params, variadic, call: run };
}

const two: readonly Param[] = ["value", "value"];

/** The builtins by name; `and`, `or` are evaluated by the interpreter itself, which stops early. */
export const BUILTINS: ReadonlyMap<string, GoFunction> = new Map([
  ["and", define(two, () => null, true)],
  ["or", define(two, () => null, true)],
  [
    "call",
    define(
      two,
      ([name = null, callee = null]) =>
        call(name?.kind === "string" ? toText(name.bytes) : "", callee),
      true,
    ),
  ],
  ["html", define(["any"], html, true)],
  ["js", define(["any"], js, true)],
  ["urlquery", define(["any"], urlQuery, true)],
  ["index", define(two, index, true)],
  ["slice", define(two, slice, true)],
  ["len", define(["value"], ([value = null]) => length(value))],
  ["not", define(["value"], ([value = null]) => bool(!isTrue(dynamic(value))))],
  ["print", define(["any"], (args) => string(sprint(args)), true)],
  ["println", define(["any"], (args) => string(sprintln(args)), true)],
  ["printf", define(["string", "any"], printf, true)],
  ["eq", define(two, (args) => bool(equal(args)), true)],
  ["ne", define(two, (args) => bool(!equal(args)))],
  ["lt", define(two, ([a = null, b = null]) => bool(less(a, b)))],
  ["le", define(two, ([a = null, b = null]) => bool(lessOrEqual(a, b)))],
  ["gt", define(two, ([a = null, b = null]) => bool(!lessOrEqual(a, b)))],
  ["ge", define(two, ([a = null, b = null]) => bool(!less(a, b)))],
]);

/** A day in the clock's own offset; the clock is ISO 8601, or the real one in UTC. */
function day(now: string | undefined, shift: number): Value {
  const iso = now ?? new Date().toISOString();
  const date = new Date(`${iso.slice(0, 10)}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + shift);
  return string(date.toISOString().slice(0, 10));
}

/** The function map of Ollama's template.go. */
export function ollamaFunctions(now: string | undefined): ReadonlyMap<string, GoFunction> {
  return new Map([
    ["json", define(["any"], ([value = null]) => string(marshal(value)))],
    ["currentDate", define(["string"], () => day(now, 0), true)],
    ["yesterdayDate", define(["string"], () => day(now, -1), true)],
    [
      "toTypeScriptType",
      define(["any"], ([value = null]) => string(typeScriptType(dynamic(value)))),
    ],
  ]);
}
