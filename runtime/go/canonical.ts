/**
 * Whether a caller's object already is what a template may see, tested by `typeof` alone. Such an object is used as
 * it is; decode.ts makes a copy of any other, and words the errors.
 */

import type {
  OllamaImage,
  OllamaMessage,
  OllamaProperty,
  OllamaPropertyType,
  OllamaTool,
  OllamaToolCall,
  OllamaToolCallFunction,
  OllamaToolFunction,
  OllamaToolParameters,
} from "./model.js";
import { isDict, type Fields } from "../values.js";

/** The field names of a struct. */
export interface FieldNames {
  /** By the names as encoding/json folds them. */
  readonly folded: ReadonlyMap<string, string>;
  /** A bit for each length that a name has: folding turns no key of another length into a name. */
  readonly lengths: number;
}

/** The fields of Message (api/types.go). */
export const MESSAGE_NAMES: FieldNames = /* @__PURE__ */ fieldNames(
  "role content thinking images tool_calls tool_name tool_call_id",
);
/** The fields of ToolCall. */
export const CALL_NAMES: FieldNames = /* @__PURE__ */ fieldNames("id function");
/** The fields of ToolCallFunction. */
export const CALL_FUNCTION_NAMES: FieldNames = /* @__PURE__ */ fieldNames("index name arguments");
/** The fields of Tool. */
export const TOOL_NAMES: FieldNames = /* @__PURE__ */ fieldNames("type items function");
/** The fields of ToolFunction. */
export const FUNCTION_NAMES: FieldNames = /* @__PURE__ */ fieldNames("name description parameters");
/** The fields of ToolFunctionParameters. */
export const PARAMETERS_NAMES: FieldNames = /* @__PURE__ */ fieldNames(
  "type $defs items required properties",
);
/** The fields of ToolProperty. */
export const PROPERTY_NAMES: FieldNames = /* @__PURE__ */ fieldNames(
  "anyOf type items description enum properties required",
);

function fieldNames(text: string): FieldNames {
  const names = text.split(" ");
  return {
    folded: new Map(names.map((name) => [fold(name), name])),
    lengths: names.reduce((lengths, name) => lengths | (1 << name.length), 0),
  };
}

/** Whether encoding/json takes the key for none of the names; of most keys the length tells. */
function isForeign(key: string, { folded, lengths }: FieldNames): boolean {
  return key.length > 31 || (lengths & (1 << key.length)) === 0 || !folded.has(fold(key));
}

/** encoding/json's foldName: letters of either case and the two other signs that fold to k and s are the same. */
export function fold(key: string): string {
  return key.toLowerCase().replaceAll("\u017f", "s");
}

/** A text whose ends cannot join with what is printed beside it; a lone surrogate inside becomes U+FFFD by itself. */
export function isText(v: unknown): v is string {
  if (typeof v !== "string") {
    return false;
  }
  if (v.length === 0) {
    return true;
  }
  const first = v.charCodeAt(0);
  const last = v.charCodeAt(v.length - 1);
  return (first < 0xdc00 || first > 0xdfff) && (last < 0xd800 || last > 0xdbff);
}

function isOptionalText(v: unknown): boolean {
  return v === undefined || isText(v);
}

function isRole(v: unknown): boolean {
  if (v === "user" || v === "assistant" || v === "tool" || v === "system") {
    return true;
  }
  return isText(v) && lower(v) === v;
}

/** strings.ToLower: rune by rune, so without JavaScript's final sigma and its two-rune i. */
export function lower(role: string): string {
  const simple = /[\u0130\u03a3]/.test(role)
    ? role.replaceAll("\u0130", "i").replaceAll("\u03a3", "\u03c3")
    : role;
  return simple.toLowerCase();
}

/** An object but a list: cheaper than isDict, and the same for an object with keys, which no runtime class has. */
function isObject(v: unknown): v is Readonly<Record<string, unknown>> {
  return typeof v === "object" && v !== null && !Array.isArray(v);
}

/** Message: a lower-case role (UnmarshalJSON lowers it), content, and only fields of the right types. */
export function isMessage(v: unknown): v is OllamaMessage {
  if (!isObject(v)) {
    return false;
  }
  for (const key in v) {
    if (key !== "role" && key !== "content" && !isMessageField(key, v[key])) {
      return false;
    }
  }
  return isRole(v["role"]) && isText(v["content"]);
}

function isMessageField(key: string, v: unknown): boolean {
  switch (key) {
    case "thinking":
      return isOptionalText(v);
    case "tool_calls":
      return v === undefined || isListOf(v, isCall);
    case "tool_name":
    case "tool_call_id":
      return isOptionalText(v);
    case "images":
      return v === undefined || isListOf(v, isImage);
    default:
      return isForeign(key, MESSAGE_NAMES);
  }
}

/** {@link isListOf} texts, written out: schemas have many, and here JavaScript knows what it calls. */
function isTexts(v: unknown): v is readonly string[] {
  if (!Array.isArray(v)) {
    return false;
  }
  for (const item of v) {
    if (!isText(item)) {
      return false;
    }
  }
  return true;
}

/** A list all of whose items are canonical. */
export function isListOf<T>(v: unknown, isItem: (item: unknown) => item is T): v is readonly T[] {
  if (!Array.isArray(v)) {
    return false;
  }
  for (const item of v) {
    if (!isItem(item)) {
      return false;
    }
  }
  return true;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** ImageData: padded base64 without line breaks, as encoding/base64's StdEncoding writes it, or bytes. */
export function isImage(v: unknown): v is OllamaImage {
  return typeof v === "string" ? BASE64.test(v) : v === null || v instanceof Uint8Array;
}

/** ToolCall. */
export function isCall(v: unknown): v is OllamaToolCall {
  if (!isObject(v)) {
    return false;
  }
  for (const key in v) {
    if (key !== "function" && !isCallField(key, v[key])) {
      return false;
    }
  }
  return isCallFunction(v["function"]);
}

function isCallField(key: string, v: unknown): boolean {
  return key === "id" ? isOptionalText(v) : isForeign(key, CALL_NAMES);
}

/** ToolCallFunction: a name and arguments. */
export function isCallFunction(v: unknown): v is OllamaToolCallFunction {
  if (!isObject(v)) {
    return false;
  }
  for (const key in v) {
    if (key !== "name" && key !== "arguments" && !isCallFunctionField(key, v[key])) {
      return false;
    }
  }
  return isText(v["name"]) && isMap(v["arguments"]);
}

function isCallFunctionField(key: string, v: unknown): boolean {
  return key === "index" ? isIndex(v) : isForeign(key, CALL_FUNCTION_NAMES);
}

/** ToolCallFunctionArguments: any object. */
export function isMap(v: unknown): v is Fields {
  return isDict(v);
}

function isIndex(v: unknown): boolean {
  return v === undefined || (Number.isSafeInteger(v) && !Object.is(v, -0));
}

/** Tool. */
export function isTool(v: unknown): v is OllamaTool {
  if (!isObject(v)) {
    return false;
  }
  for (const key in v) {
    if (key !== "function" && !isToolField(key, v[key])) {
      return false;
    }
  }
  return isToolFunction(v["function"]);
}

function isToolField(key: string, v: unknown): boolean {
  return key === "type" ? isOptionalText(v) : key === "items" || isForeign(key, TOOL_NAMES);
}

/** ToolFunction: a name and parameters. */
export function isToolFunction(v: unknown): v is OllamaToolFunction {
  if (!isObject(v)) {
    return false;
  }
  for (const key in v) {
    if (key !== "name" && key !== "parameters" && !isFunctionField(key, v[key])) {
      return false;
    }
  }
  return isText(v["name"]) && isParameters(v["parameters"]);
}

function isFunctionField(key: string, v: unknown): boolean {
  return key === "description" ? isOptionalText(v) : isForeign(key, FUNCTION_NAMES);
}

/** ToolFunctionParameters. */
export function isParameters(v: unknown): v is OllamaToolParameters {
  if (!isObject(v)) {
    return false;
  }
  let hasKeys = false;
  for (const key in v) {
    hasKeys = true;
    if (!isParametersField(key, v[key])) {
      return false;
    }
  }
  return hasKeys || isDict(v);
}

function isParametersField(key: string, v: unknown): boolean {
  switch (key) {
    case "properties":
      return v === undefined || isProperties(v);
    case "type":
      return isOptionalText(v);
    case "required":
      return v === undefined || isTexts(v);
    case "items":
    case "$defs":
      return true;
    default:
      return isForeign(key, PARAMETERS_NAMES);
  }
}

/** ToolPropertiesMap. */
export function isProperties(v: unknown): v is Readonly<Record<string, OllamaProperty>> {
  if (!isObject(v)) {
    return false;
  }
  let hasKeys = false;
  for (const name in v) {
    hasKeys = true;
    if (!isProperty(v[name])) {
      return false;
    }
  }
  return hasKeys || isDict(v);
}

/** PropertyType: a list of names, or one bare name that is not empty. */
export function isPropertyType(v: unknown): v is OllamaPropertyType {
  if (v === "string") {
    return true;
  }
  return typeof v === "string" ? v.length > 0 && isText(v) : isTexts(v);
}

/** ToolProperty. */
export function isProperty(v: unknown): v is OllamaProperty {
  if (!isObject(v)) {
    return false;
  }
  let hasKeys = false;
  for (const key in v) {
    hasKeys = true;
    if (!isPropertyField(key, v[key])) {
      return false;
    }
  }
  return hasKeys || isDict(v);
}

function isPropertyField(key: string, v: unknown): boolean {
  switch (key) {
    case "type":
      return v === undefined || isPropertyType(v);
    case "description":
      return isOptionalText(v);
    case "enum":
      return v === undefined || Array.isArray(v);
    case "required":
      return v === undefined || isTexts(v);
    case "properties":
      return v === undefined || isProperties(v);
    case "anyOf":
      return v === undefined || isListOf(v, isProperty);
    case "items":
      return true;
    default:
      return isForeign(key, PROPERTY_NAMES);
  }
}
