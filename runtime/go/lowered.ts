/** Functions that only compiled templates call: the rules of text/template for operands whose Go type is known. */

import { meter } from "../meter.js";
import { float as floatOf, type Fields, type Float, type Value } from "../values.js";
import { roomOf, Window } from "./capacity.js";
import { field, fieldUnwrapped, len, lenUnwrapped, slice } from "./collection.js";
import { Complex } from "./complex.js";
import { fail } from "./errors.js";
import { printf } from "./fmt.js";
import { Any, AnyMap, Json, JsonList, reflect } from "./gotypes.js";
import { jsonProperty } from "./model-json.js";
import {
  NIL_LIST,
  type OllamaImage,
  type OllamaMessage,
  type OllamaProperties,
  type OllamaProperty,
  type OllamaPropertyType,
  type OllamaTool,
  type OllamaToolCall,
  type OllamaToolCallFunction,
  type OllamaToolFunction,
  type OllamaToolParameters,
} from "./model.js";
import { guarded, json, jsonList, jsonName, writeJson } from "./json.js";
import { printJson, printProperty } from "./model-print.js";
import { roundsOf } from "./rounds.js";
import {
  Args,
  ImageData,
  Images,
  Message,
  Messages,
  NestedProperties,
  Properties,
  Property,
  PropertyList,
  PropertyType,
  Strings,
  Tool,
  ToolCall,
  ToolCallFunction,
  ToolCalls,
  ToolFunction,
  ToolParameters,
  Tools,
} from "./structs.js";
import { typed, Typed, type GoType } from "./typed.js";

/** A result that needs no arguments, after those that may fail have been evaluated. */
export function after<T>(_arguments: readonly unknown[], result: T): T {
  return result;
}

/** exec.go's validateType for a parameter of type string. */
export function asText(v: unknown, wrapped: boolean, place: string): string {
  const { type, value } = reflect(v);
  if (type?.name === "string" && typeof value === "string") {
    return value;
  }
  if (type !== undefined) {
    return fail(`wrong type for value; expected string; got ${type.name}`, place);
  }
  const nil = "wrong type for value; expected string; got interface {}";
  return fail(wrapped && v !== undefined ? nil : "invalid value; expected string", place);
}

/**
 * `.name` of what another field gave: a nil in an interface has no fields, but no value at all (`undefined`, a field of
 * an unwrapped nil) has only such fields (exec.go, evalField).
 */
export function member(v: unknown, name: string, place: string): unknown {
  return v === undefined ? undefined : field(v, name, place);
}

/** `.name` of a value that no interface holds. */
export function memberUnwrapped(v: unknown, name: string, place: string): unknown {
  return v === undefined || v === null ? undefined : fieldUnwrapped(v, name, place);
}

/** `len` of what a field gave. */
export function length(v: unknown, place: string): number {
  return v === undefined ? lenUnwrapped(v, place) : len(v, place);
}

/** `.name` followed by arguments, which neither a map's entry nor a struct's field takes (exec.go, evalField). */
export function fieldWithArguments(
  v: unknown,
  name: string,
  wrapped: boolean,
  place: string,
): unknown {
  const found = wrapped ? member(v, name, place) : memberUnwrapped(v, name, place);
  const kind = reflect(v).type?.kind;
  if (kind === undefined) {
    return found;
  }
  const isEntry = kind === "map";
  return fail(
    isEntry
      ? `${name} is not a method but has arguments`
      : `${name} has arguments but cannot be invoked as function`,
    place,
  );
}

/** `len (slice v i …)` without the copy. */
export function lengthOfSlice(v: unknown, indexes: readonly unknown[], place: string): number {
  if (Array.isArray(v) && indexes.length < 3) {
    const [from = 0, to = v.length] = indexes;
    if (isIndex(from, v.length) && isIndex(to, v.length) && from <= to) {
      return to - from;
    }
  }
  return len(slice(v, indexes, place), place);
}

function isIndex(v: unknown, limit: number): v is number {
  return typeof v === "number" && Number.isInteger(v) && v >= 0 && v <= limit;
}

/** fmt.Sprintf of a format that is known to be a string. */
export function sprintf(format: string, args: readonly unknown[]): string {
  return printf(format, args, "");
}

/** A float64 that tells itself from an int. */
export function float(n: number): number | Float {
  return floatOf(n);
}

/** Go's complex constants. */
export function complex(real: number, imaginary: number): Complex {
  return new Complex(real, imaginary);
}

/** What a range over an int visits. */
export function upTo(count: number): readonly number[] {
  meter?.spendItems(Math.max(count, 0));
  return Array.from({ length: roundsOf(count) }, (_, i) => i);
}

/** `len` of a map. */
export function size(map: object | undefined): number {
  return map === undefined ? 0 : Object.values(map).filter((each) => each !== undefined).length;
}

/** `index` of a list by one int. */
export function item<T>(list: readonly T[], at: number, place: string): T {
  for (const found of at < 0 ? [] : list.slice(at, at + 1)) {
    return found;
  }
  return at === list.length
    ? fail("error calling index: reflect: slice index out of range", place)
    : fail(`error calling index: index out of range: ${String(at)}`, place);
}

/** `slice` of a list that was made with as many places as items. */
export function sliceList<T>(
  list: readonly T[],
  from: number | undefined,
  to: number | undefined,
  place: string,
): readonly T[] {
  const room = roomOf(list) ?? { array: list, start: 0, capacity: list.length };
  for (const index of [from, to]) {
    if (index !== undefined && (index < 0 || index > room.capacity)) {
      return fail(`error calling slice: index out of range: ${String(index)}`, place);
    }
  }
  const start = from ?? 0;
  const end = to ?? list.length;
  if (start > end) {
    const bounds = `${String(start)} > ${String(end)}`;
    return fail(`error calling slice: invalid slice index: ${bounds}`, place);
  }
  if (list === NIL_LIST) {
    return list;
  }
  const first = room.start + start;
  const part = room.array.slice(first, room.start + end);
  return Window.over(part, { ...room, start: first, capacity: room.capacity - start });
}

/** An entry of a call's arguments: nil where there is none. */
export function argument(args: Fields, name: string): Value {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}

const NO_PROPERTY: OllamaProperty = /* @__PURE__ */ Object.freeze({});

/** An entry of a tool's properties: the zero property where there is none. */
export function propertyOf(properties: OllamaProperties | undefined, name: string): OllamaProperty {
  const found =
    properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return found ?? NO_PROPERTY;
}

/** []api.ToolProperty as fmt prints it. */
export function printAnyOf(list: readonly OllamaProperty[] | undefined): string {
  return "[" + (list ?? []).map(printProperty).join(" ") + "]";
}

/** []any as fmt prints it. */
export function printEnum(list: readonly Value[] | undefined): string {
  return printJson(list ?? []);
}

/** []api.ToolProperty as encoding/json writes it. */
export function jsonAnyOf(list: readonly OllamaProperty[] | undefined): string {
  return list === undefined ? "null" : "[" + list.map(jsonProperty).join(",") + "]";
}

/** []any as encoding/json writes it. */
export function jsonEnum(list: readonly Value[] | undefined): string {
  return list === undefined || list.length === 0
    ? json(list)
    : guarded(() => jsonList(list, jsonChoice));
}

function jsonChoice(choice: Value): string {
  return typeof choice === "string" ? jsonName(choice) : writeJson(choice);
}

/** A value that an interface still holds, for rules that do not look into it; a value of a type stands in none. */
export function boxInterface(v: unknown): Typed | undefined {
  if (v === undefined) {
    return undefined;
  }
  return v instanceof Typed && Typed.typeOf(v).kind !== "interface" ? v : typed(Any, v);
}

/**
 * What a pipeline took out of an interface, for a variable whose other values stand in one: no value at all for a nil,
 * any other value as one that tells its type.
 */
export function unwrap(v: unknown): unknown {
  const { type, value } = reflect(v);
  if (type === undefined) {
    return undefined;
  }
  return typed(type, value);
}

/** Data that encoding/json decoded, taken out of its interface. */
export function unwrapJson(v: unknown): unknown {
  return unwrap(typed(Json, v));
}

const TURN: GoType = { ...AnyMap, zeroless: true };

/** Data that encoding/json decoded, with its type: its numbers are float64. */
export function boxJson(v: unknown): Typed {
  return typed(Json, v);
}
/** The data map of a legacy template's last turn, which Ollama executes without missingkey=zero. */
export function boxTurn(v: Fields): Typed {
  return typed(TURN, v);
}
export function boxMessages(v: readonly OllamaMessage[]): Typed {
  return typed(Messages, v);
}
export function boxMessage(v: OllamaMessage): Typed {
  return typed(Message, v);
}
export function boxImages(v: readonly OllamaImage[] | undefined): Typed {
  return typed(Images, v);
}
export function boxImage(v: OllamaImage): Typed {
  return typed(ImageData, v);
}
export function boxToolCalls(v: readonly OllamaToolCall[] | undefined): Typed {
  return typed(ToolCalls, v);
}
export function boxToolCall(v: OllamaToolCall): Typed {
  return typed(ToolCall, v);
}
export function boxToolCallFunction(v: OllamaToolCallFunction): Typed {
  return typed(ToolCallFunction, v);
}
export function boxArgs(v: Fields): Typed {
  return typed(Args, v);
}
export function boxTools(v: readonly OllamaTool[]): Typed {
  return typed(Tools, v);
}
export function boxTool(v: OllamaTool): Typed {
  return typed(Tool, v);
}
export function boxToolFunction(v: OllamaToolFunction): Typed {
  return typed(ToolFunction, v);
}
export function boxToolParameters(v: OllamaToolParameters): Typed {
  return typed(ToolParameters, v);
}
export function boxProperties(v: OllamaProperties | undefined): Typed {
  return typed(Properties, v);
}
export function boxProperty(v: OllamaProperty): Typed {
  return typed(Property, v);
}
export function boxAnyOf(v: readonly OllamaProperty[] | undefined): Typed {
  return typed(PropertyList, v);
}
export function boxTypes(v: OllamaPropertyType | undefined): Typed {
  return typed(PropertyType, v);
}
export function boxStrings(v: readonly string[] | undefined): Typed {
  return typed(Strings, v);
}
export function boxEnum(v: readonly Value[] | undefined): Typed {
  return typed(JsonList, v);
}
export function boxNestedProperties(v: OllamaProperties | undefined): Typed {
  return typed(NestedProperties, v);
}
