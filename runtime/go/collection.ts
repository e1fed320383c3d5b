/** text/template's len, index, slice (funcs.go), field access and range (exec.go). */

import { meter } from "../meter.js";
import { byteLength, sliceBytes, toBytes } from "./bytes.js";
import { grownCapacity, roomOf, Window } from "./capacity.js";
import { fail } from "./errors.js";
import {
  box,
  concrete,
  fieldsOf,
  given,
  isNilOf,
  itemsOf,
  reflect,
  returned,
  type Reflected,
} from "./gotypes.js";
import { NIL_LIST } from "./model.js";
import { orderedKeys, sortedKeys } from "./order.js";
import { integerOf, Printer } from "./printer.js";
import { roundsOf } from "./rounds.js";
import { typed, Typed, type GoType } from "./typed.js";

/** Go's type and value of an operand that is an interface: nil where there is none. */
function target({ type, value }: Reflected): Reflected {
  return type?.kind === "pointer" && type.element !== undefined && !isNilOf(type, value)
    ? { type: type.element, value }
    : { type, value };
}

function isNilPointer({ type, value }: Reflected): boolean {
  return type === undefined || (type.kind === "pointer" && isNilOf(type, value));
}

/** `len` of a value in an interface, such as a field of JSON data: strings count bytes. */
export function len(v: unknown, place: string): number {
  if (typeof v === "string") {
    return byteLength(v);
  }
  if (Array.isArray(v)) {
    return v.length;
  }
  const item = reflect(v);
  if (isNilPointer(item)) {
    return fail("error calling len: len of nil pointer", place);
  }
  const { type, value } = target(item);
  switch (type?.kind) {
    case "string":
      return byteLength(String(value));
    case "slice":
      return itemsOf(type, value).length;
    case "map":
      return sortedKeys(fieldsOf(value)).length;
    default:
      return fail(`error calling len: len of type ${nameOf(type)}`, place);
  }
}

/** `len` of a literal nil or of a nil that a pipeline has taken out of its interface. */
export function lenUnwrapped(v: unknown, place: string): number {
  return reflect(v).type === undefined
    ? fail("error calling len: reflect: call of reflect.Value.Type on zero Value", place)
    : len(v, place);
}

/** A pointed-at struct that has no fields to show is `api.ToolPropertiesMap`. */
function nameOf(type: GoType | undefined): string {
  const name = type?.name ?? "<nil>";
  return type?.kind === "pointer" ? name.replace(/^\*/, "") : name;
}

/** indexArg: an index from 0 to `limit`, or the words of the error. */
function indexArgument(v: unknown, limit: number): number | string {
  const { type, value } = reflect(v);
  if (type === undefined) {
    return "cannot index slice/array with nil";
  }
  if (type.kind !== "int" && type.kind !== "uint") {
    return `cannot index slice/array with type ${type.name}`;
  }
  const n = integerOf(value);
  return n < 0n || n > BigInt(limit) ? `index out of range: ${String(n)}` : Number(n);
}

/** `index v k …`: items, bytes of strings, entries of maps (the zero value where there is none). */
export function index(v: unknown, keys: readonly unknown[], place: string): unknown {
  let item = reflect(v);
  if (item.type === undefined) {
    return fail("error calling index: index of untyped nil", place);
  }
  for (const key of keys) {
    if (isNilPointer(item)) {
      return fail("error calling index: index of nil pointer", place);
    }
    item = element(target(item), key, place);
  }
  return item.type === undefined ? null : box(item.type, item.value);
}

function element({ type, value }: Reflected, key: unknown, place: string): Reflected {
  switch (type?.kind) {
    case "string": {
      const bytes = toBytes(String(value));
      return { type: BYTE, value: bytes[position(key, bytes.length, "string", place)] };
    }
    case "slice": {
      const items = itemsOf(type, value);
      const at = position(key, items.length, "slice", place);
      return concrete(type.element ?? BYTE, items[at]);
    }
    case "map":
      return concrete(type.element ?? BYTE, entry(value, key, place));
    default:
      return fail(`error calling index: can't index item of type ${nameOf(type)}`, place);
  }
}

function position(key: unknown, length: number, kind: string, place: string): number {
  const at = indexArgument(key, length);
  if (typeof at === "string") {
    return fail(`error calling index: ${at}`, place);
  }
  return at < length ? at : fail(`error calling index: reflect: ${kind} index out of range`, place);
}

function entry(value: unknown, key: unknown, place: string): unknown {
  const { type, value: name } = reflect(key);
  if (type === undefined) {
    return fail("error calling index: value is nil; should be of type string", place);
  }
  if (typeof name !== "string") {
    return fail(`error calling index: value has type ${type.name}; should be string`, place);
  }
  return own(value, name);
}

function own(value: unknown, name: string): unknown {
  const fields = fieldsOf(value);
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/**
 * `slice v i j k`: part of a list or of a string's bytes. An index that stands in an interface (`slice .l .i`) is to
 * be given as `typed(Any, i)`: Go refuses it.
 */
export function slice(v: unknown, indexes: readonly unknown[], place: string): unknown {
  const item = reflect(v);
  if (item.type === undefined) {
    return fail("error calling slice: slice of untyped nil", place);
  }
  if (isNilPointer(item)) {
    return fail("error calling slice: slice of nil pointer", place);
  }
  if (indexes.length > 3) {
    const count = String(indexes.length);
    return fail(`error calling slice: too many slice indexes: ${count}`, place);
  }
  const { type, value } = target(item);
  if (type?.kind === "string") {
    if (indexes.length === 3) {
      return fail("error calling slice: cannot 3-index slice a string", place);
    }
    const s = String(value);
    const length = byteLength(s);
    const [from, to] = bounds(indexes, { length, limit: length }, place);
    return from === 0 && to === undefined ? s : sliceBytes(s, from, to, place);
  }
  if (type?.kind !== "slice") {
    return fail(`error calling slice: can't slice item of type ${nameOf(type)}`, place);
  }
  const part = partOf(type, value, indexes, place);
  if (v === value) {
    return part;
  }
  const whole = sliced(type);
  if (isNilOf(type, value)) {
    return typed(whole, NIL_LIST);
  }
  return typed(part.length > 0 ? whole : emptyable(whole), part);
}

function partOf(
  type: GoType,
  value: unknown,
  indexes: readonly unknown[],
  place: string,
): readonly unknown[] {
  const items = itemsOf(type, value);
  const { length } = items;
  const room = roomOf(value) ?? {
    array: items,
    start: 0,
    capacity: capacityOf(type, value, length),
  };
  const { array, start, capacity } = room;
  const [from, to = length, end = capacity] = bounds(indexes, { length, limit: capacity }, place);
  const zero = type.element?.zero;
  const part = Array.from({ length: to - from }, (_, i) => {
    const at = start + from + i;
    return at < array.length ? array[at] : zero;
  });
  return Window.over(part, { array, start: start + from, capacity: end - from });
}

/** Lists of other elements are made with as many places as items. */
function capacityOf({ element, capacity }: GoType, value: unknown, length: number): number {
  const known = capacity?.(value);
  if (known !== undefined) {
    return known;
  }
  return element?.size === undefined ? length : grownCapacity(length, element.size);
}

/** Unlike index, slice does not look into an interface: an index that a map or list holds is refused. */
function sliceArgument(v: unknown, limit: number): number | string {
  return v instanceof Typed && Typed.typeOf(v).kind === "interface"
    ? `cannot index slice/array with type ${Typed.typeOf(v).name}`
    : indexArgument(v, limit);
}

/** A part of a slice has the slice's type, given as its plain items. */
function sliced(type: GoType): GoType {
  if (type.items === undefined || type.element?.kind !== "uint") {
    return type;
  }
  return { ...type, items: (v): readonly unknown[] => (Array.isArray(v) ? v : []) };
}

/** The type for parts without items, which are not nil even where an empty list of the type is. */
function emptyable(type: GoType): GoType {
  const isEmpty = (v: unknown): boolean => Array.isArray(v) && v.length === 0;
  return {
    ...type,
    isNil: (v) => !isEmpty(v) && isNilOf(type, v),
    json: (v) => (isEmpty(v) ? "[]" : type.json(v)),
  };
}

function bounds(
  indexes: readonly unknown[],
  { length, limit }: { readonly length: number; readonly limit: number },
  place: string,
): readonly [from: number, to: number | undefined, capacity: number | undefined] {
  const [from, to, capacity] = indexes.map((each) => {
    const at = sliceArgument(each, limit);
    return typeof at === "string" ? fail(`error calling slice: ${at}`, place) : at;
  });
  ascending(from ?? 0, to ?? length, place);
  if (capacity !== undefined) {
    ascending(to ?? length, capacity, place);
  }
  return [from ?? 0, to, capacity];
}

function ascending(a: number, b: number, place: string): void {
  if (a > b) {
    const message = `error calling slice: invalid slice index: ${String(a)} > ${String(b)}`;
    fail(message, place);
  }
}

const BYTE: GoType = { name: "uint8", kind: "uint", zero: 0, json: String };

/**
 * `.name` of a value in an interface, as a field of a field is (exec.go, evalField): nil and values without fields
 * are errors, a map's missing entry is nil (missingkey=zero).
 */
export function field(v: unknown, name: string, place: string): unknown {
  const item = reflect(v);
  if (item.type === undefined) {
    return fail(`nil pointer evaluating interface {}.${name}`, place);
  }
  const isInterface = !(v instanceof Typed) || Typed.typeOf(v).kind === "interface";
  return fieldOf(item, name, isInterface ? "interface {}" : item.type.name, place);
}

/** `.name` of a value that is in no interface (a variable, a pipeline, an operand in parentheses): nil has only nil fields. */
export function fieldUnwrapped(v: unknown, name: string, place: string): unknown {
  const item = reflect(v);
  return item.type === undefined ? null : fieldOf(item, name, item.type.name, place);
}

function fieldOf(item: Reflected, name: string, typeName: string, place: string): unknown {
  const methods = item.type?.methods;
  if (methods !== undefined && Object.hasOwn(methods, name)) {
    return returned(methods[name]?.(item.value));
  }
  const { type, value } = target(item);
  if (type?.kind === "map") {
    const found = own(value, name);
    if (found === undefined && type.zeroless === true) {
      return undefined;
    }
    return given(type.element ?? BYTE, found);
  }
  const known =
    type?.kind === "struct" ? type.fields?.find((each) => each.name === name) : undefined;
  if (known !== undefined) {
    return given(known.type, own(value, known.key));
  }
  if (type?.kind === "pointer" && isNilOf(type, value) && hasField(type, name)) {
    return fail(`nil pointer evaluating ${typeName}.${name}`, place);
  }
  return fail(`can't evaluate field ${name} in type ${typeName}`, place);
}

function hasField(type: GoType, name: string): boolean {
  return type.element?.fields?.some((each) => each.name === name) ?? false;
}

/** `.a.b.c` of a value: every step but the first reads from an interface. */
export function fieldChain(v: unknown, names: readonly string[], place: string): unknown {
  return names.reduce((each, name) => field(each, name, place), v);
}

export type Entries = readonly (readonly [key: unknown, value: unknown])[];

/** What `range` without or with one variable visits: the entries of lists, maps, integers, iterators. */
export function iterate(v: unknown, place: string): Entries {
  return entriesOf(v, false, place);
}

/** What `range` with two variables visits; an integer has only one. */
export function iteratePairs(v: unknown, place: string): Entries {
  return entriesOf(v, true, place);
}

function entriesOf(v: unknown, pairs: boolean, place: string): Entries {
  if (Array.isArray(v)) {
    // What JavaScript leaves out of a list is nil, as JSON has it.
    return v.map((item: unknown, i) => [i, item ?? null]);
  }
  const item = reflect(v);
  if (item.type === undefined) {
    return [];
  }
  const { type, value } = target(item);
  switch (type?.kind) {
    case "int":
    case "uint":
      return pairs
        ? fail(`can't use ${shown(item)} to iterate over more than one variable`, place)
        : numbers(type, integerOf(value));
    case "slice":
      return itemsOf(type, value).map((each, i) => [i, given(type.element ?? BYTE, each)]);
    case "map": {
      const fields = fieldsOf(value);
      return sortedKeys(fields).map((key) => [key, given(type.element ?? BYTE, fields[key])]);
    }
    case "func":
      if (type.element !== undefined) {
        return iterated(type.element, value, pairs);
      }
  }
  return fail(`range can't iterate over ${shown(item)}`, place);
}

function numbers(type: GoType, count: bigint): Entries {
  meter?.spendItems(Math.max(Number(count), 0));
  const length = roundsOf(Number(count));
  // Unlike a list's items these stand in no interface, which shows when one is an index for slice.
  return Array.from({ length }, (_, i) => [undefined, typed(type, i)] as const);
}

/** iter.Seq2: one variable alone gets the key. */
function iterated(type: GoType, value: unknown, pairs: boolean): Entries {
  const fields = fieldsOf(value);
  return orderedKeys(fields).map((key) => [key, pairs ? box(type, fields[key]) : key]);
}

function shown(item: Reflected): string {
  const { type, value } = target(item);
  const printer = new Printer();
  if (type !== undefined) {
    printer.reflected(type, value, "v");
  }
  const text = printer.text();
  return type?.kind === "pointer" ? text.replace(/^&/, "") : text;
}

/** `call f …`: no value is a function with a result (an iterator has none); `name` is the callee as written. */
export function call(
  f: unknown,
  _args: readonly unknown[],
  name: string | null,
  place: string,
): never {
  const { type } = reflect(f);
  if (type === undefined) {
    return fail("error calling call: call of nil", place);
  }
  const callee = name ?? valueName(f);
  return type.kind === "func"
    ? fail(`error calling call: function ${callee} has 0 return values; should be 1 or 2`, place)
    : fail(`error calling call: non-function ${callee} of type ${type.name}`, place);
}

/** reflect's Value.String: exec.go names a piped callee by it. */
function valueName(v: unknown): string {
  const { type, value } = reflect(v);
  const isText = type?.kind === "string" && typeof value === "string";
  return isText ? value : `<${type?.name ?? "invalid"} Value>`;
}
