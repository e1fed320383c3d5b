/** The Go types of a template's values: what reflect knows of them, with their methods. */

import { Float, OrderedDict, isDict, type Fields, value as asValue } from "../values.js";
import { fromBytes } from "./bytes.js";
import { Complex } from "./complex.js";
import { unsupported, writeAny, writeJson } from "./json.js";
import { NIL_LIST, NIL_MAP } from "./model.js";
import { typed, Typed, type GoType } from "./typed.js";

function simple(name: string, kind: GoType["kind"], zero: unknown): GoType {
  return { name, kind, zero, json: writeAny };
}

/** The basic types, by their names in Go. */
export const Bool: GoType = /* @__PURE__ */ simple("bool", "bool", false);
export const Int: GoType = /* @__PURE__ */ simple("int", "int", 0);
export const Uint8: GoType = /* @__PURE__ */ simple("uint8", "uint", 0);
export const Float64: GoType = /* @__PURE__ */ simple("float64", "float", 0);
export const Text: GoType = { .../* @__PURE__ */ simple("string", "string", ""), size: 16 };
export const Complex128: GoType = {
  name: "complex128",
  kind: "complex",
  zero: /* @__PURE__ */ new Complex(0, 0),
  json: unsupported,
};
/** A function: no value of a template, but printf and call can name its type. */
const Func: GoType = {
  name: "func()",
  kind: "func",
  zero: null,
  json: unsupported,
};

/** `any` in JSON data of dialect go: integers are int. */
export const Any: GoType = {
  name: "interface {}",
  kind: "interface",
  zero: null,
  dynamic: (v) => typeOf(v),
  json: writeAny,
};

/** `any` decoded by encoding/json: every number is a float64. */
export const Json: GoType = {
  name: "interface {}",
  kind: "interface",
  zero: null,
  size: 16,
  dynamic: jsonType,
  json: writeJson,
};

/** []any of dialect go. */
export const AnyList: GoType = {
  ...list("[]interface {}", Any),
  json: writeAny,
};
/** map[string]any of dialect go. */
export const AnyMap: GoType = {
  ...map("map[string]interface {}", Any),
  json: writeAny,
};
/** []any decoded by encoding/json. */
export const JsonList: GoType = /* @__PURE__ */ list("[]interface {}", Json);
/** map[string]any decoded by encoding/json. */
export const JsonMap: GoType = /* @__PURE__ */ map("map[string]interface {}", Json);
/** []byte. */
const Bytes: GoType = {
  ...list("[]uint8", Uint8),
  items: (v) => (v instanceof Uint8Array ? Array.from(v) : []),
};

/** The type of a slice of `element`. */
export function list(name: string, element: GoType): GoType {
  const isNil = (v: unknown): boolean => v === undefined || v === null || v === NIL_LIST;
  return { name, kind: "slice", element, isNil, zero: NIL_LIST, json: writeJson };
}

/** The type of a map from strings to `element`. */
export function map(name: string, element: GoType): GoType {
  const isNil = (v: unknown): boolean => v === undefined || v === null || v === NIL_MAP;
  return { name, kind: "map", element, isNil, zero: NIL_MAP, json: writeJson };
}

const MAX_INT64 = 2 ** 63;

/** The Go type of a value that describes itself: JSON data of dialect go. */
function typeOf(v: unknown): GoType {
  switch (typeof v) {
    case "string":
      return Text;
    case "boolean":
      return Bool;
    case "number":
      return Number.isInteger(v) && !Object.is(v, -0) && Math.abs(v) < MAX_INT64 ? Int : Float64;
    case "bigint":
      return BigInt.asIntN(64, v) === v ? Int : Float64;
    case "function":
      return Func;
    default:
      return typeOfObject(v, AnyList, AnyMap);
  }
}

function typeOfObject(v: unknown, ofList: GoType, ofMap: GoType): GoType {
  if (Array.isArray(v)) {
    return ofList;
  }
  if (v instanceof Uint8Array) {
    return Bytes;
  }
  if (v instanceof Float) {
    return Float64;
  }
  return v instanceof Complex ? Complex128 : ofMap;
}

function jsonType(v: unknown): GoType {
  switch (typeof v) {
    case "string":
      return Text;
    case "boolean":
      return Bool;
    case "number":
    case "bigint":
      return Float64;
    default:
      return typeOfObject(v, JsonList, JsonMap);
  }
}

/** A value and its concrete type: no box, no interface. The type is undefined for Go's nil. */
export interface Reflected {
  readonly type: GoType | undefined;
  readonly value: unknown;
}

/** reflect.ValueOf: what stands in the interface. */
export function reflect(v: unknown): Reflected {
  if (v === null || v === undefined) {
    return { type: undefined, value: null };
  }
  return v instanceof Typed
    ? concrete(Typed.typeOf(v), Typed.valueOf(v))
    : { type: typeOf(v), value: v };
}

/** The value of a type as its concrete type: an interface's content, a zero value for an absent field. */
export function concrete(type: GoType, value: unknown): Reflected {
  if (type.kind !== "interface") {
    return { type, value: value === undefined ? type.zero : value };
  }
  if (value instanceof Typed) {
    return concrete(Typed.typeOf(value), Typed.valueOf(value));
  }
  if (value === null || value === undefined || type.dynamic === undefined) {
    return { type: undefined, value: null };
  }
  return { type: type.dynamic(value), value };
}

/** The value of a type as a template's value: boxed unless it describes itself. */
export function box(type: GoType, value: unknown): unknown {
  const inner = concrete(type, value);
  if (inner.type === undefined) {
    return null;
  }
  const describesItself =
    inner.value instanceof Typed ||
    (inner.value !== null && inner.value !== undefined && typeOf(inner.value) === inner.type);
  if (describesItself) {
    return inner.value;
  }
  return typed(type, type.kind === "interface" ? value : inner.value);
}

/**
 * What a field, an item or a method of the type gives: only what stood in an interface describes itself, any other
 * value tells its type, as reflect does (exec.go's messages name it).
 */
export function given(type: GoType, value: unknown): unknown {
  return type.kind === "interface" ? box(type, value) : telling(type, value);
}

/** A value that no interface holds, with its concrete type. */
function telling(type: GoType, value: unknown): unknown {
  const inner = concrete(type, value);
  return inner.type === undefined ? null : typed(inner.type, inner.value);
}

/** What a method gave: a value of Go's own types, or one that tells its type already. */
export function returned(v: unknown): unknown {
  return v instanceof Typed ? v : telling(typeOf(v), v);
}

/** A slice's items in their own form. */
export function itemsOf(type: GoType, value: unknown): readonly unknown[] {
  if (type.items !== undefined) {
    return type.items(value);
  }
  return Array.isArray(value) ? value : NIL_LIST;
}

/** A map's entries as an object. */
export function fieldsOf(value: unknown): Fields {
  const fields = asValue(value);
  return isMap(fields) ? fields : NIL_MAP;
}

function isMap(v: unknown): v is Fields {
  return isDict(v) || v instanceof OrderedDict;
}

/** Whether the value is Go's nil of its type. */
export function isNilOf(type: GoType, value: unknown): boolean {
  return type.isNil?.(value) ?? (value === null || value === undefined);
}

/** A slice of bytes as the string of them. */
export function bytesText(type: GoType, value: unknown): string {
  return fromBytes(Uint8Array.from(itemsOf(type, value), Number));
}
