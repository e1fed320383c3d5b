/** What `{{ . }}` prints for Ollama's types: fmt's %v, or the JSON of those that have a String method. */

import type { Fields } from "../values.js";
import { goFloat } from "./float.js";
import { jsonArgs, jsonProperties, jsonTool, jsonTools } from "./model-json.js";
import type {
  OllamaImage,
  OllamaMessage,
  OllamaProperties,
  OllamaProperty,
  OllamaTool,
  OllamaToolCall,
  OllamaToolCallFunction,
  OllamaToolFunction,
  OllamaToolParameters,
} from "./model.js";
import { sortedKeys } from "./order.js";
import { printTypes } from "./types.js";
import { Float, isDict } from "../values.js";

/** A pointer inside a printed value: Go prints an address, which no two runs share. */
const ADDRESS = "0xc000010000";

/** templateTools.String. */
export function printTools(tools: readonly OllamaTool[]): string {
  return jsonTools(tools);
}

/** templateTool.String. */
export function printTool(tool: OllamaTool): string {
  return jsonTool(tool);
}

/** templateToolFunction, a struct without a String method. */
export function printToolFunction(f: OllamaToolFunction): string {
  return `{${f.name} ${f.description ?? ""} ${printToolParameters(f.parameters)}}`;
}

/** templateToolFunctionParameters, a struct whose properties print as JSON. */
export function printToolParameters(p: OllamaToolParameters): string {
  const any = `${printJson(p.$defs)} ${printJson(p.items)}`;
  return `{${p.type ?? ""} ${any} ${printStrings(p.required)} ${printProperties(p.properties)}}`;
}

/** templateProperties.String: `{}` for Go's nil. */
export function printProperties(properties: OllamaProperties | undefined): string {
  return properties === undefined ? "{}" : jsonProperties(properties);
}

/** ToolProperty, a struct. */
export function printProperty(p: OllamaProperty): string {
  const anyOf = "[" + (p.anyOf ?? []).map(printProperty).join(" ") + "]";
  const nested = p.properties === undefined ? "<nil>" : ADDRESS;
  const head = `{${anyOf} ${printTypes(p.type)} ${printJson(p.items)} ${p.description ?? ""}`;
  return `${head} ${printJson(p.enum ?? [])} ${nested} ${printStrings(p.required)}}`;
}

/** *ToolPropertiesMap: its struct holds a pointer. */
export function printNestedProperties(properties: OllamaProperties | undefined): string {
  return properties === undefined ? "<nil>" : `{${ADDRESS}}`;
}

/** []string. */
export function printStrings(names: readonly string[] | undefined): string {
  return names === undefined ? "[]" : "[" + names.join(" ") + "]";
}

/** templateMessage, which `{{ . }}` reaches through its pointer. */
export function printMessage(m: OllamaMessage): string {
  const lists = `${printImages(m.images)} ${printToolCalls(m.tool_calls)}`;
  const tool = `${m.tool_name ?? ""} ${m.tool_call_id ?? ""}`;
  return `{${m.role} ${m.content} ${m.thinking ?? ""} ${lists} ${tool}}`;
}

/** The list of pointers to messages. */
export function printMessages(messages: readonly OllamaMessage[]): string {
  return "[" + messages.map(() => ADDRESS).join(" ") + "]";
}

/** []templateToolCall. */
export function printToolCalls(calls: readonly OllamaToolCall[] | undefined): string {
  return calls === undefined ? "[]" : "[" + calls.map(printToolCall).join(" ") + "]";
}

/** templateToolCall. */
export function printToolCall(call: OllamaToolCall): string {
  return `{${call.id ?? ""} ${printToolCallFunction(call.function)}}`;
}

/** templateToolCallFunction. */
export function printToolCallFunction(f: OllamaToolCallFunction): string {
  return `{${String(f.index ?? 0)} ${f.name} ${printArgs(f.arguments)}}`;
}

/** templateArgs.String: `{}` for Go's nil. */
export function printArgs(args: Fields | undefined): string {
  const json = jsonArgs(args);
  return json === "null" ? "{}" : json;
}

/** []ImageData: lists of byte numbers. */
export function printImages(images: readonly OllamaImage[] | undefined): string {
  return images === undefined ? "[]" : "[" + images.map(printImage).join(" ") + "]";
}

/** ImageData: its byte numbers. */
export function printImage(image: OllamaImage): string {
  return "[" + imageBytes(image).join(" ") + "]";
}

/** The bytes of an image. */
export function imageBytes(image: OllamaImage): Uint8Array {
  if (typeof image !== "string") {
    return image ?? new Uint8Array();
  }
  return Uint8Array.from(atob(image), (sign) => sign.charCodeAt(0));
}

/** %v of data that encoding/json has decoded: numbers are float64, nil is `<nil>`. */
export function printJson(v: unknown): string {
  switch (typeof v) {
    case "string":
      return v;
    case "number":
      return goFloat(v);
    case "boolean":
      return v ? "true" : "false";
    case "bigint":
      return goFloat(Number(v));
    default:
      return printJsonObject(v);
  }
}

function printJsonObject(v: unknown): string {
  if (Array.isArray(v)) {
    return "[" + v.map(printJson).join(" ") + "]";
  }
  if (v instanceof Float) {
    return goFloat(v.valueOf());
  }
  if (!isDict(v)) {
    return "<nil>";
  }
  const entries = sortedKeys(v).map((key) => `${key}:${printJson(v[key])}`);
  return "map[" + entries.join(" ") + "]";
}

/** `{{ $v }}` of an argument: Go's nil prints `<no value>` there. */
export function textJson(v: unknown): string {
  return v === null || v === undefined ? "<no value>" : printJson(v);
}
