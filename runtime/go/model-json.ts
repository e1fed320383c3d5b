/**
 * json.Marshal of Ollama's types: the fields in the order of api/types.go and template/template.go, `omitempty` where
 * these say so. Each takes the request's own form; an absent field is Go's zero value.
 */

import type { Fields, Value } from "../values.js";
import {
  guarded,
  isNilList,
  jsonBytes,
  jsonKey,
  jsonList,
  jsonName,
  jsonString,
  writeJson,
} from "./json.js";
import type {
  OllamaImage,
  OllamaMessage,
  OllamaProperties,
  OllamaProperty,
  OllamaPropertyType,
  OllamaTool,
  OllamaToolCall,
  OllamaToolCallFunction,
  OllamaToolFunction,
  OllamaToolParameters,
} from "./model.js";
import { orderedKeys, sortedKeys } from "./order.js";
import { types } from "./types.js";

/** templateTools: `null` for Go's nil. */
export function jsonTools(tools: readonly OllamaTool[]): string {
  return guarded(() => (isNilList(tools) ? "null" : jsonList(tools, writeTool)));
}

/** templateTool. */
export function jsonTool(tool: OllamaTool): string {
  return guarded(() => writeTool(tool));
}

function writeTool(tool: OllamaTool): string {
  const type = '{"type":' + jsonString(tool.type ?? "");
  return (
    type + optionalAny("items", tool.items) + ',"function":' + writeFunction(tool.function) + "}"
  );
}

/** templateToolFunction. */
export function jsonToolFunction(f: OllamaToolFunction): string {
  return guarded(() => writeFunction(f));
}

function writeFunction(f: OllamaToolFunction): string {
  const description = ',"description":' + jsonString(f.description ?? "");
  const parameters = ',"parameters":' + writeParameters(f.parameters) + "}";
  return '{"name":' + jsonString(f.name) + description + parameters;
}

/** templateToolFunctionParameters. */
export function jsonToolParameters(parameters: OllamaToolParameters): string {
  return guarded(() => writeParameters(parameters));
}

function writeParameters(p: OllamaToolParameters): string {
  const type = '{"type":' + jsonString(p.type ?? "");
  const rest = optionalAny("$defs", p.$defs) + optionalAny("items", p.items) + required(p.required);
  return type + rest + ',"properties":' + writeProperties(p.properties) + "}";
}

function optionalAny(name: string, v: Value): string {
  return v === undefined || v === null ? "" : `,"${name}":` + writeJson(v);
}

function required(names: readonly string[] | undefined): string {
  return names === undefined || names.length === 0
    ? ""
    : ',"required":' + jsonList(names, jsonName);
}

/** templateProperties, a map: sorted keys, `null` for Go's nil. */
export function jsonProperties(properties: OllamaProperties | undefined): string {
  return guarded(() => writeProperties(properties));
}

function writeProperties(properties: OllamaProperties | undefined): string {
  return properties === undefined ? "null" : writeEntries(properties, sortedKeys(properties));
}

function writeEntries(properties: OllamaProperties, keys: readonly string[]): string {
  let out = "{";
  let separator = "";
  for (const key of keys) {
    out += separator + jsonKey(key) + writeProperty(properties[key] ?? {});
    separator = ",";
  }
  return out + "}";
}

/** ToolPropertiesMap, the properties of a property: in the request's order. */
export function jsonNestedProperties(properties: OllamaProperties | undefined): string {
  return guarded(() =>
    properties === undefined ? "null" : writeEntries(properties, orderedKeys(properties)),
  );
}

/** ToolProperty. */
export function jsonProperty(property: OllamaProperty): string {
  return guarded(() => writeProperty(property));
}

function writeProperty(p: OllamaProperty): string {
  let out = "";
  if (p.anyOf !== undefined && p.anyOf.length > 0) {
    out += ',"anyOf":' + jsonList(p.anyOf, writeProperty);
  }
  if (p.type !== undefined && p.type.length > 0) {
    out += ',"type":' + jsonTypes(p.type);
  }
  out += optionalAny("items", p.items);
  if (p.description !== undefined && p.description !== "") {
    out += ',"description":' + jsonString(p.description);
  }
  if (p.enum !== undefined && p.enum.length > 0) {
    out += ',"enum":' + jsonList(p.enum, writeJson);
  }
  if (p.properties !== undefined) {
    out += ',"properties":' + writeEntries(p.properties, orderedKeys(p.properties));
  }
  return "{" + (out + required(p.required)).slice(1) + "}";
}

/** PropertyType.MarshalJSON: one name as a text, several as a list, `null` for none. */
export function jsonTypes(type: OllamaPropertyType | undefined): string {
  if (type === undefined) {
    return "null";
  }
  const names = types(type);
  return names.length === 1 ? jsonString(names[0] ?? "") : jsonList(names, jsonName);
}

/** []string: `null` for Go's nil. */
export function jsonStrings(names: readonly string[] | undefined): string {
  return names === undefined ? "null" : jsonList(names, jsonName);
}

/** templateMessage, which has Go's field names in JSON. */
export function jsonMessage(message: OllamaMessage): string {
  return guarded(() => writeMessage(message));
}

/** The list of messages: `null` for Go's nil. */
export function jsonMessages(messages: readonly OllamaMessage[]): string {
  return guarded(() => (isNilList(messages) ? "null" : jsonList(messages, writeMessage)));
}

function writeMessage(m: OllamaMessage): string {
  const texts = '{"Role":' + jsonString(m.role) + ',"Content":' + jsonString(m.content);
  const thinking = ',"Thinking":' + jsonString(m.thinking ?? "");
  const lists = ',"Images":' + jsonImages(m.images) + ',"ToolCalls":' + writeCalls(m.tool_calls);
  const tool = ',"ToolName":' + jsonString(m.tool_name ?? "");
  return (
    texts + thinking + lists + tool + ',"ToolCallID":' + jsonString(m.tool_call_id ?? "") + "}"
  );
}

/** []ImageData: base64 texts, `null` for Go's nil. */
export function jsonImages(images: readonly OllamaImage[] | undefined): string {
  return images === undefined ? "null" : jsonList(images, jsonImage);
}

/** ImageData: base64 text, `null` for Go's nil. */
export function jsonImage(image: OllamaImage): string {
  if (typeof image !== "string") {
    return image === null ? "null" : jsonBytes(image);
  }
  // Of the last bytes some bits may be no part of them, which encoding/json does not write again.
  return '"' + image.slice(0, -4) + btoa(atob(image.slice(-4))) + '"';
}

/** []templateToolCall: `null` for none, as the template's copy of an empty list is nil. */
export function jsonToolCalls(calls: readonly OllamaToolCall[] | undefined): string {
  return guarded(() => writeCalls(calls));
}

function writeCalls(calls: readonly OllamaToolCall[] | undefined): string {
  return calls === undefined || calls.length === 0 ? "null" : jsonList(calls, writeCall);
}

/** templateToolCall, with Go's field names. */
export function jsonToolCall(call: OllamaToolCall): string {
  return guarded(() => writeCall(call));
}

function writeCall(call: OllamaToolCall): string {
  return (
    '{"ID":' + jsonString(call.id ?? "") + ',"Function":' + writeCallFunction(call.function) + "}"
  );
}

/** templateToolCallFunction, with Go's field names. */
export function jsonToolCallFunction(f: OllamaToolCallFunction): string {
  return guarded(() => writeCallFunction(f));
}

function writeCallFunction(f: OllamaToolCallFunction): string {
  const index = '{"Index":' + String(f.index ?? 0) + ',"Name":' + jsonString(f.name);
  return index + ',"Arguments":' + writeJson(f.arguments) + "}";
}

/** templateArgs, a map: sorted keys, `null` for Go's nil. */
export function jsonArgs(args: Fields | undefined): string {
  return guarded(() => writeJson(args));
}
