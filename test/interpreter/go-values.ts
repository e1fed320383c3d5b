/**
 * Go values as reflection sees them: a type and a payload. `null` stands for the invalid reflect.Value, which is also
 * what a nil `any` holds.
 */
import {
  ANY,
  ANYS,
  ANY_MAP,
  BOOL,
  COMPLEX128,
  FLOAT64,
  INT,
  STRING,
  UINT8,
  sliceOf,
  type BasicType,
  type GoType,
  type MapType,
  type PointerType,
  type SliceType,
  type StructType,
} from "./go-types.js";
import { toBinary, toBytes } from "./go-utf8.js";

export interface BoolValue {
  readonly kind: "bool";
  readonly type: BasicType;
  readonly bool: boolean;
}
/** Signed and unsigned integers; the type tells which. */
export interface IntValue {
  readonly kind: "int";
  readonly type: BasicType;
  readonly int: bigint;
}
export interface FloatValue {
  readonly kind: "float";
  readonly type: BasicType;
  readonly float: number;
}
export interface ComplexValue {
  readonly kind: "complex";
  readonly type: BasicType;
  readonly real: number;
  readonly imaginary: number;
}
export interface StringValue {
  readonly kind: "string";
  readonly type: BasicType;
  readonly bytes: Uint8Array;
}
export interface SliceValue {
  readonly kind: "slice";
  readonly type: SliceType;
  /** The array behind, with room for start + capacity elements; null is the nil slice. */
  readonly backing: readonly Value[] | null;
  readonly start: number;
  readonly length: number;
  readonly capacity: number;
}
export interface MapValue {
  readonly kind: "map";
  readonly type: MapType;
  /** By key as binary text, in insertion order; null is the nil map. */
  readonly entries: ReadonlyMap<string, Value> | null;
}
export interface StructValue {
  readonly kind: "struct";
  readonly type: StructType;
  readonly fields: readonly Value[];
}
export interface PointerValue {
  readonly kind: "pointer";
  readonly type: PointerType;
  readonly target: Value | null;
}
export interface InterfaceValue {
  readonly kind: "interface";
  readonly type: BasicType;
  readonly inner: Value | null;
}
/** An iterator over pairs (range-over-func); nothing else of func kind reaches a template. */
export interface FuncValue {
  readonly kind: "func";
  readonly type: BasicType;
  readonly pairs: readonly (readonly [Value, Value])[];
}
export type Value =
  | BoolValue
  | IntValue
  | FloatValue
  | ComplexValue
  | StringValue
  | SliceValue
  | MapValue
  | StructValue
  | PointerValue
  | InterfaceValue
  | FuncValue;

export function bool(value: boolean): BoolValue {
  return { kind: "bool", type: BOOL, bool: value };
}
export function int(value: number | bigint): IntValue {
  return { kind: "int", type: INT, int: BigInt(value) };
}
export function byte(value: number): IntValue {
  return { kind: "int", type: UINT8, int: BigInt(value) };
}
export function float(value: number): FloatValue {
  return { kind: "float", type: FLOAT64, float: value };
}
export function complex(real: number, imaginary: number): ComplexValue {
  return { kind: "complex", type: COMPLEX128, real, imaginary };
}
export function string(text: string | Uint8Array): StringValue {
  const bytes = typeof text === "string" ? toBytes(text) : text;
  return { kind: "string", type: STRING, bytes };
}
export function slice(
  type: SliceType,
  items: readonly Value[],
  capacity = items.length,
): SliceValue {
  const spare = Array.from({ length: capacity - items.length }, () => zero(type.elem));
  const backing = [...items, ...spare];
  return { kind: "slice", type, backing, start: 0, length: items.length, capacity };
}
export function byteSlice(bytes: Uint8Array, type = sliceOf(UINT8), capacity?: number): SliceValue {
  return slice(type, Array.from(bytes, byte), capacity);
}
export function map(type: MapType, entries: ReadonlyMap<string, Value>): MapValue {
  return { kind: "map", type, entries };
}
export function struct(type: StructType, values: Readonly<Record<string, Value>>): StructValue {
  const fields = type.fields().map((f) => values[f.name] ?? zero(f.type));
  return { kind: "struct", type, fields };
}
export function pointer(type: PointerType, target: Value | null): PointerValue {
  return { kind: "pointer", type, target };
}
/** A value stored as `any`: an interface is never wrapped twice. */
export function box(value: Value | null): InterfaceValue {
  return { kind: "interface", type: ANY, inner: value === null ? null : dynamic(value) };
}
/** `map[string]any` from JavaScript names. */
export function anyMap(values: Readonly<Record<string, Value>>): MapValue {
  const entries = Object.entries(values).map(([key, value]): [string, Value] => [
    toBinary(toBytes(key)),
    box(value),
  ]);
  return map(ANY_MAP, new Map(entries));
}
export function anySlice(items: readonly (Value | null)[]): SliceValue {
  return slice(ANYS, items.map(box));
}

/** reflect.Zero. */
export function zero(type: GoType): Value {
  switch (type.kind) {
    case "bool":
      return { kind: "bool", type, bool: false };
    case "int":
    case "uint8":
      return { kind: "int", type, int: 0n };
    case "float64":
      return { kind: "float", type, float: 0 };
    case "complex128":
      return { kind: "complex", type, real: 0, imaginary: 0 };
    case "string":
      return { kind: "string", type, bytes: new Uint8Array() };
    case "interface":
      return { kind: "interface", type, inner: null };
    case "func":
      return { kind: "func", type, pairs: [] };
    case "slice":
      return { kind: "slice", type, backing: null, start: 0, length: 0, capacity: 0 };
    case "map":
      return { kind: "map", type, entries: null };
    case "struct":
      return { kind: "struct", type, fields: type.fields().map((f) => zero(f.type)) };
    case "pointer":
      return { kind: "pointer", type, target: null };
  }
}

/** What an interface holds (nil: null); any other value itself (exec.go's indirectInterface). */
export function dynamic(value: Value | null): Value | null {
  return value?.kind === "interface" ? value.inner : value;
}

/** Follows pointers and interfaces to the end; `isNil` when it stops at a nil one (exec.go's indirect). */
export function indirect(value: Value | null): { value: Value | null; isNil: boolean } {
  let at = value;
  while (at?.kind === "pointer" || at?.kind === "interface") {
    const next = at.kind === "pointer" ? at.target : at.inner;
    if (next === null) return { value: at, isNil: true };
    at = next;
  }
  return { value: at, isNil: false };
}

/** reflect's IsNil for the kinds that have a nil, and true for the invalid value (funcs.go's isNil). */
export function isNil(value: Value | null): boolean {
  switch (value?.kind) {
    case undefined:
      return true;
    case "slice":
      return value.backing === null;
    case "map":
      return value.entries === null;
    case "pointer":
      return value.target === null;
    case "interface":
      return value.inner === null;
    default:
      return false;
  }
}

/** Length of a slice, map or string; null for what has none. */
export function lengthOf(value: Value): number | null {
  if (value.kind === "slice") return value.length;
  if (value.kind === "map") return value.entries?.size ?? 0;
  return value.kind === "string" ? value.bytes.length : null;
}

/** exec.go's isTrue: not the zero of its type; structs are always true. */
export function isTrue(value: Value | null): boolean {
  const at = value;
  switch (at?.kind) {
    case undefined:
      return false;
    case "bool":
      return at.bool;
    case "int":
      return at.int !== 0n;
    case "float":
      return at.float !== 0;
    case "complex":
      return at.real !== 0 || at.imaginary !== 0;
    case "pointer":
    case "interface":
      return !isNil(at);
    case "struct":
    case "func":
      return true;
    case "slice":
    case "map":
    case "string":
      return (lengthOf(at) ?? 0) > 0;
  }
}

/** The elements of a slice. */
export function elements(value: SliceValue): readonly Value[] {
  return value.backing?.slice(value.start, value.start + value.length) ?? [];
}

/** The bytes of a []byte. */
export function bytesOf(value: SliceValue): Uint8Array {
  const numbers = elements(value).map((e) => (e.kind === "int" ? Number(e.int) : 0));
  return Uint8Array.from(numbers);
}

/** The entries of a map sorted by key bytes, as range, fmt and encoding/json visit them. */
export function sortedEntries(value: MapValue): readonly (readonly [string, Value])[] {
  return [...(value.entries ?? [])].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** A struct's field by name. */
export function fieldOf(value: StructValue, name: string): Value {
  const at = value.type.fields().findIndex((f) => f.name === name);
  const found = value.fields[at];
  if (found === undefined) throw new Error(`${value.type.name} has no field ${name}`);
  return found;
}
