/**
 * Decodes what is no canonical request yet, as encoding/json fills Ollama's types (api/types.go): keys match in any
 * case, null leaves a field at its zero value, a wrong type is refused with Go's words.
 */

import { RenderError } from "../errors.js";
import { Float, OrderedDict, isDict, setText, value, type Value } from "../values.js";
import {
  CALL_FUNCTION_NAMES,
  CALL_NAMES,
  FUNCTION_NAMES,
  MESSAGE_NAMES,
  PARAMETERS_NAMES,
  PROPERTY_NAMES,
  TOOL_NAMES,
  fold,
  isCall,
  isImage,
  isMap,
  isMessage,
  isParameters,
  isProperties,
  isProperty,
  isPropertyType,
  isText,
  isTool,
  isToolFunction,
  lower,
  type FieldNames,
} from "./canonical.js";
import {
  NIL_MAP,
  type OllamaImage,
  type OllamaMessage,
  type OllamaProperties,
  type OllamaProperty,
  type OllamaPropertyType,
  type OllamaTool,
  type OllamaToolCall,
  type OllamaToolFunction,
  type OllamaToolParameters,
} from "./model.js";
import { orderedKeys } from "./order.js";

/** Where a value stands in the request; `struct` is the Go type that Go's message names. */
export interface Path {
  readonly parent: Path | undefined;
  readonly name: string | number;
  /** A map's key: Go's message leaves it out, as it does an index. */
  readonly isKey?: boolean;
  readonly struct: string;
}

type Source = Readonly<Record<string, unknown>>;
type Decode<T> = (v: unknown, path: Path) => T;

function at(parent: Path, name: string | number, struct = parent.struct): Path {
  return { parent, name, struct };
}

/** encoding/json's UnmarshalTypeError: "json: cannot unmarshal number into Go struct field …". */
export function mismatch(v: unknown, type: string, path: Path, got = kindOf(v)): never {
  const message = `json: cannot unmarshal ${got} into Go struct field ${path.struct}.${fieldPath(path)} of type ${type}`;
  throw new RenderError(message, {
    phase: "input",
    type: "UnmarshalTypeError",
    path: fullPath(path),
  });
}

/** Another error of decoding, which Go words without the field; the field is named in front. */
function refuse(message: string, path: Path): never {
  const where = fullPath(path);
  throw new RenderError(`${where}: ${message}`, { phase: "input", type: "Error", path: where });
}

function kindOf(v: unknown): string {
  if (typeof v === "bigint" || v instanceof Float) {
    return "number";
  }
  if (typeof v === "boolean") {
    return "bool";
  }
  return Array.isArray(v) ? "array" : typeof v;
}

function fieldPath(path: Path): string {
  const parent = path.parent === undefined ? "" : fieldPath(path.parent);
  if (typeof path.name === "number" || path.isKey === true) {
    return parent;
  }
  return parent === "" ? path.name : `${parent}.${path.name}`;
}

function fullPath(path: Path): string {
  const parent = path.parent === undefined ? "" : fullPath(path.parent);
  if (typeof path.name === "number") {
    return `${parent}[${String(path.name)}]`;
  }
  return parent === "" ? path.name : `${parent}.${path.name}`;
}

/** The object's fields under their own names: a later spelling wins, but null takes nothing away, and structs merge. */
function fieldsOf(v: Source, names: FieldNames): Source {
  const fields: Record<string, unknown> = {};
  for (const key in v) {
    const name = names.folded.get(fold(key));
    const field = v[key];
    if (name === undefined || field === undefined || (field === null && name in fields)) {
      continue;
    }
    const before = fields[name];
    const isStruct = name === "function" || name === "parameters";
    fields[name] = isStruct && isDict(before) && isDict(field) ? { ...before, ...field } : field;
  }
  return fields;
}

function struct(v: unknown, names: FieldNames, type: string, path: Path): Source {
  if (v === null || v === undefined) {
    return {};
  }
  return isDict(v) ? fieldsOf(v, names) : mismatch(v, type, path);
}

/** A Go string: null is "", and a lone surrogate at an end becomes U+FFFD before it can join with a neighbour. */
export function text(v: unknown, path: Path): string {
  if (isText(v)) {
    return v;
  }
  if (typeof v === "string") {
    return v.toWellFormed();
  }
  return v === null || v === undefined ? "" : mismatch(v, "string", path);
}

/** A Go slice: null and an absent field are nil. */
export function list<T>(v: unknown, type: string, path: Path, item: Decode<T>): T[] | undefined {
  if (v === null || v === undefined) {
    return undefined;
  }
  if (!Array.isArray(v)) {
    return mismatch(v, type, path);
  }
  return Array.from(v, (each: unknown, i) => item(each, at(path, i)));
}

/** A []byte: base64 text, in which line breaks are ignored, or numbers. */
export function image(v: unknown, path: Path): OllamaImage {
  if (v === undefined || v === null || isImage(v)) {
    return v ?? null;
  }
  if (typeof v === "string") {
    const plain = v.replaceAll(/[\r\n]/g, "");
    return isImage(plain) ? plain : refuse(`illegal base64 data at input byte ${badByte(v)}`, path);
  }
  return Array.isArray(v)
    ? Uint8Array.from(v, (n) => byte(n, path))
    : mismatch(v, "api.ImageData", path);
}

function byte(v: unknown, path: Path): number {
  if (v === null) {
    return 0;
  }
  if (isWhole(v) && v >= 0 && v < 256) {
    return v;
  }
  return mismatch(v, "uint8", path, numberKind(v));
}

/** Where the kind of number does not fit, Go's message has the number too. */
function numberKind(v: unknown): string {
  if (v instanceof Float) {
    return `number ${v.valueOf().toFixed(1)}`;
  }
  if (Object.is(v, -0)) {
    return "number -0.0";
  }
  return typeof v === "number" || typeof v === "bigint" ? `number ${String(v)}` : kindOf(v);
}

/** Where encoding/base64 stops: the first sign that is none of its own, else the unfinished last group. */
function badByte(v: string): string {
  const foreign = v.search(/[^A-Za-z0-9+/=\r\n]/);
  return String(foreign >= 0 ? foreign : v.length - (v.length % 4));
}

/** Message.UnmarshalJSON, which also lowers the role. */
export function message(v: unknown, path: Path): OllamaMessage {
  if (isMessage(v)) {
    return v;
  }
  const fields = struct(v, MESSAGE_NAMES, "api.Alias", path);
  return {
    role: lower(text(fields["role"], at(path, "role"))),
    content: text(fields["content"], at(path, "content")),
    thinking: text(fields["thinking"], at(path, "thinking")),
    images: list(fields["images"], "[]api.ImageData", at(path, "images"), image),
    tool_calls: list(fields["tool_calls"], "[]api.ToolCall", at(path, "tool_calls"), call),
    tool_name: text(fields["tool_name"], at(path, "tool_name")),
    tool_call_id: text(fields["tool_call_id"], at(path, "tool_call_id")),
  };
}

function call(v: unknown, path: Path): OllamaToolCall {
  if (isCall(v)) {
    return v;
  }
  const fields = struct(v, CALL_NAMES, "api.ToolCall", path);
  const inner = at(path, "function");
  const f = struct(fields["function"], CALL_FUNCTION_NAMES, "api.ToolCallFunction", inner);
  return {
    id: text(fields["id"], at(path, "id")),
    function: {
      index: integer(f["index"], at(inner, "index")),
      name: text(f["name"], at(inner, "name")),
      arguments: args(f["arguments"], at(inner, "arguments")),
    },
  };
}

function args(v: unknown, path: Path): Readonly<Record<string, Value>> {
  if (v === null || v === undefined) {
    return NIL_MAP;
  }
  return isMap(v) ? v : mismatch(v, "api.ToolCallFunctionArguments", path);
}

function integer(v: unknown, path: Path): number {
  if (v === null || v === undefined) {
    return 0;
  }
  if (typeof v === "bigint" && BigInt.asIntN(64, v) === v) {
    return Number(v);
  }
  return isWhole(v) ? v : mismatch(v, "int", path, numberKind(v));
}

/** A number written without point and exponent; minus zero comes of `-0.0` alone. */
function isWhole(v: unknown): v is number {
  return typeof v === "number" && Number.isInteger(v) && !Object.is(v, -0);
}

/** Tool. */
export function tool(v: unknown, path: Path): OllamaTool {
  if (isTool(v)) {
    return v;
  }
  const fields = struct(v, TOOL_NAMES, "api.Tool", path);
  return {
    type: text(fields["type"], at(path, "type", "Tool")),
    items: value(fields["items"]),
    function: toolFunction(fields["function"], at(path, "function", "Tool")),
  };
}

function toolFunction(v: unknown, path: Path): OllamaToolFunction {
  if (isToolFunction(v)) {
    return v;
  }
  const fields = struct(v, FUNCTION_NAMES, "api.ToolFunction", path);
  const type = "ToolFunction";
  return {
    name: text(fields["name"], at(path, "name", type)),
    description: text(fields["description"], at(path, "description", type)),
    parameters: parameters(fields["parameters"], at(path, "parameters", type)),
  };
}

function parameters(v: unknown, path: Path): OllamaToolParameters {
  if (isParameters(v)) {
    return v;
  }
  const fields = struct(v, PARAMETERS_NAMES, "api.ToolFunctionParameters", path);
  const type = "ToolFunctionParameters";
  return {
    type: text(fields["type"], at(path, "type", type)),
    $defs: value(fields["$defs"]),
    items: value(fields["items"]),
    required: list(fields["required"], "[]string", at(path, "required", type), text),
    properties: properties(fields["properties"], at(path, "properties", type)),
  };
}

function properties(v: unknown, path: Path): OllamaProperties | undefined {
  if (v === null || v === undefined || isProperties(v)) {
    return v ?? undefined;
  }
  if (!isDict(v)) {
    return mismatch(v, "api.ToolPropertiesMap", path);
  }
  const copy = new OrderedDict();
  for (const name of orderedKeys(v)) {
    if (v[name] !== undefined) {
      setText(copy, name, property(v[name], { ...at(path, name), isKey: true }));
    }
  }
  return isProperties(copy) ? copy : {};
}

function property(v: unknown, path: Path): OllamaProperty {
  if (isProperty(v)) {
    return v;
  }
  const fields = struct(v, PROPERTY_NAMES, "api.ToolProperty", path);
  return {
    anyOf: list(fields["anyOf"], "[]api.ToolProperty", at(path, "anyOf"), property),
    type: propertyType(fields["type"], at(path, "type")),
    items: value(fields["items"]),
    description: text(fields["description"], at(path, "description")),
    enum: list(fields["enum"], "[]interface {}", at(path, "enum"), value),
    properties: properties(fields["properties"], at(path, "properties")),
    required: list(fields["required"], "[]string", at(path, "required"), text),
  };
}

/** PropertyType.UnmarshalJSON: one text, null as an empty one, or a list of texts. */
function propertyType(v: unknown, path: Path): OllamaPropertyType | undefined {
  if (v === undefined || isPropertyType(v)) {
    return v;
  }
  if (v === null || typeof v === "string") {
    return [text(v, path)];
  }
  return list(v, "[]string", path, text);
}

/** A bool of the request; null is false. */
export function flag(v: unknown, path: Path): boolean {
  if (typeof v === "boolean") {
    return v;
  }
  return v === null || v === undefined ? false : mismatch(v, "bool", path);
}

/** ThinkValue.UnmarshalJSON: true, false, or one of four levels. */
export function thinkLevel(v: unknown, path: Path): boolean | string {
  if (typeof v === "boolean") {
    return v;
  }
  const levels = `"high", "medium", "low", "max", true, or false`;
  if (typeof v !== "string") {
    return refuse(`think must be a boolean or string (${levels})`, path);
  }
  if (v === "high" || v === "medium" || v === "low" || v === "max") {
    return v;
  }
  return refuse(`invalid think value: ${JSON.stringify(v)} (must be ${levels})`, path);
}
