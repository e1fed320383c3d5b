/** The Go types of Ollama's data model, for values whose type the compiler has to box. */

import {
  isCall,
  isCallFunction,
  isImage,
  isListOf,
  isMap,
  isMessage,
  isParameters,
  isProperties,
  isProperty,
  isPropertyType,
  isText,
  isTool,
  isToolFunction,
} from "./canonical.js";
import { Int, Json, JsonList, Text, Uint8, list, map } from "./gotypes.js";
import { unsupported } from "./json.js";
import {
  jsonArgs,
  jsonImage,
  jsonImages,
  jsonMessage,
  jsonMessages,
  jsonNestedProperties,
  jsonProperties,
  jsonProperty,
  jsonStrings,
  jsonTool,
  jsonToolCall,
  jsonToolCallFunction,
  jsonToolCalls,
  jsonToolFunction,
  jsonToolParameters,
  jsonTools,
  jsonTypes,
} from "./model-json.js";
import { NIL_LIST, NIL_MAP, type OllamaMessage, type OllamaTool } from "./model.js";
import { imageBytes, printArgs, printProperties } from "./model-print.js";
import { orderedKeys } from "./order.js";
import { typed, type GoField, type GoType } from "./typed.js";
import { printTypes, typeScriptType, types } from "./types.js";

/** What the guard admits is written by `write`; the wire's own values always pass. */
function only<T>(guard: (v: unknown) => v is T, write: (v: T) => string): (v: unknown) => string {
  return (v) => (guard(v) ? write(v) : unsupported());
}

function maybe<T>(
  guard: (v: unknown) => v is T,
  write: (v: T | undefined) => string,
): (v: unknown) => string {
  return (v) => (v === undefined || v === null ? write(undefined) : only(guard, write)(v));
}

function field(name: string, key: string, type: GoType): GoField {
  return { name, key, type };
}

function struct(
  name: string,
  fields: readonly GoField[],
  zero: unknown,
  json: (v: unknown) => string,
): GoType {
  return { name, kind: "struct", fields, zero, json };
}

const never = (v: unknown): boolean => v === undefined || v === null;

/** []string. */
export const Strings: GoType = {
  .../* @__PURE__ */ list("[]string", Text),
  json: maybe((v) => isListOf(v, isText), jsonStrings),
};

/** PropertyType: one bare name or a list. */
export const PropertyType: GoType = {
  .../* @__PURE__ */ list("api.PropertyType", Text),
  items: (v) => (isPropertyType(v) ? types(v) : NIL_LIST),
  string: (v) => (isPropertyType(v) ? printTypes(v) : ""),
  methods: { String: (v) => (isPropertyType(v) ? printTypes(v) : "") },
  json: maybe(isPropertyType, jsonTypes),
};

/** api.ImageData, a slice of bytes. */
export const ImageData: GoType = {
  .../* @__PURE__ */ list("api.ImageData", Uint8),
  zero: null,
  size: 24,
  // encoding/json decodes base64 into as many bytes as it could be, the padding included.
  capacity: (v) => (typeof v === "string" ? Math.floor(v.length / 4) * 3 : undefined),
  items: (v) => (isImage(v) ? Array.from(imageBytes(v)) : NIL_LIST),
  json: only(isImage, jsonImage),
};

/** []api.ImageData. */
export const Images: GoType = {
  .../* @__PURE__ */ list("[]api.ImageData", ImageData),
  json: maybe((v) => isListOf(v, isImage), jsonImages),
};

/** ToolProperty; its two types that name it again are read when they are asked for. */
export const Property: GoType = {
  name: "api.ToolProperty",
  kind: "struct",
  get fields() {
    return propertyFields();
  },
  methods: { ToTypeScriptType: (v) => (isProperty(v) ? typeScriptType(v) : "any") },
  zero: /* @__PURE__ */ Object.freeze({}),
  size: 136,
  json: only(isProperty, jsonProperty),
};

/** []api.ToolProperty. */
export const PropertyList: GoType = {
  .../* @__PURE__ */ list("[]api.ToolProperty", Property),
  json: (v) => (isListOf(v, isProperty) ? "[" + v.map(jsonProperty).join(",") + "]" : "null"),
};

/** iter.Seq2[string, api.ToolProperty]: what `.All` gives. */
export const PropertyIterator: GoType = {
  name: "iter.Seq2[string,github.com/ollama/ollama/api.ToolProperty]",
  kind: "func",
  element: Property,
  zero: null,
  json: unsupported,
};

/** map[string]api.ToolProperty: what `.ToMap` gives. */
export const PropertyMap: GoType = {
  .../* @__PURE__ */ map("map[string]api.ToolProperty", Property),
  json: maybe(isProperties, jsonProperties),
};

/** *ToolPropertiesMap, the properties of a property, in their own order. */
export const NestedProperties: GoType = {
  name: "*api.ToolPropertiesMap",
  kind: "pointer",
  isNil: never,
  zero: null,
  methods: {
    Len: (v) => (isProperties(v) ? orderedKeys(v).length : 0),
    All: (v) => typed(PropertyIterator, isProperties(v) ? v : NIL_MAP),
    ToMap: (v) => typed(PropertyMap, v),
  },
  json: maybe(isProperties, jsonNestedProperties),
};

function propertyFields(): readonly GoField[] {
  return [
    field("AnyOf", "anyOf", PropertyList),
    field("Type", "type", PropertyType),
    field("Items", "items", Json),
    field("Description", "description", Text),
    field("Enum", "enum", JsonList),
    field("Properties", "properties", NestedProperties),
    field("Required", "required", Strings),
  ];
}

/** templateProperties. */
export const Properties: GoType = {
  .../* @__PURE__ */ map("template.templateProperties", Property),
  zero: undefined,
  string: maybe(isProperties, printProperties),
  methods: { String: maybe(isProperties, printProperties) },
  json: maybe(isProperties, jsonProperties),
};

/** templateToolFunctionParameters. */
export const ToolParameters: GoType = struct(
  "template.templateToolFunctionParameters",
  [
    field("Type", "type", Text),
    field("Defs", "$defs", Json),
    field("Items", "items", Json),
    field("Required", "required", Strings),
    field("Properties", "properties", Properties),
  ],
  {},
  only(isParameters, jsonToolParameters),
);

/** templateToolFunction. */
export const ToolFunction: GoType = struct(
  "template.templateToolFunction",
  [
    field("Name", "name", Text),
    field("Description", "description", Text),
    field("Parameters", "parameters", ToolParameters),
  ],
  { name: "", parameters: {} },
  only(isToolFunction, jsonToolFunction),
);

const ZERO_TOOL: OllamaTool = { function: { name: "", parameters: {} } };

/** templateTool, which prints as JSON. */
export const Tool: GoType = {
  ...struct(
    "template.templateTool",
    [
      field("Type", "type", Text),
      field("Items", "items", Json),
      field("Function", "function", ToolFunction),
    ],
    ZERO_TOOL,
    only(isTool, jsonTool),
  ),
  string: only(isTool, jsonTool),
  methods: { String: only(isTool, jsonTool) },
};

/** templateTools, which prints as JSON. */
export const Tools: GoType = {
  .../* @__PURE__ */ list("template.templateTools", Tool),
  string: only((v) => isListOf(v, isTool), jsonTools),
  methods: { String: only((v) => isListOf(v, isTool), jsonTools) },
  json: only((v) => isListOf(v, isTool), jsonTools),
};

/** templateArgs, which prints as JSON. */
export const Args: GoType = {
  .../* @__PURE__ */ map("template.templateArgs", Json),
  string: maybe(isMap, printArgs),
  methods: { String: maybe(isMap, printArgs) },
  json: maybe(isMap, jsonArgs),
};

/** templateToolCallFunction. */
export const ToolCallFunction: GoType = struct(
  "template.templateToolCallFunction",
  [
    field("Index", "index", Int),
    field("Name", "name", Text),
    field("Arguments", "arguments", Args),
  ],
  { name: "", arguments: NIL_MAP },
  only(isCallFunction, jsonToolCallFunction),
);

/** templateToolCall. */
export const ToolCall: GoType = {
  ...struct(
    "template.templateToolCall",
    [field("ID", "id", Text), field("Function", "function", ToolCallFunction)],
    { function: { name: "", arguments: NIL_MAP } },
    only(isCall, jsonToolCall),
  ),
  size: 48,
};

/** []templateToolCall; an empty list is nil, as the template's copy of it. */
export const ToolCalls: GoType = {
  .../* @__PURE__ */ list("[]template.templateToolCall", ToolCall),
  isNil: (v) => !Array.isArray(v) || v.length === 0,
  json: maybe((v) => isListOf(v, isCall), jsonToolCalls),
};

const ZERO_MESSAGE: OllamaMessage = { role: "", content: "" };

const MessageStruct: GoType = struct(
  "template.templateMessage",
  [
    field("Role", "role", Text),
    field("Content", "content", Text),
    field("Thinking", "thinking", Text),
    field("Images", "images", Images),
    field("ToolCalls", "tool_calls", ToolCalls),
    field("ToolName", "tool_name", Text),
    field("ToolCallID", "tool_call_id", Text),
  ],
  ZERO_MESSAGE,
  only(isMessage, jsonMessage),
);

/** *templateMessage: the messages are a list of pointers. */
export const Message: GoType = {
  name: "*template.templateMessage",
  kind: "pointer",
  element: MessageStruct,
  isNil: never,
  zero: null,
  json: (v) => (isMessage(v) ? jsonMessage(v) : "null"),
};

/** []*templateMessage. */
export const Messages: GoType = {
  .../* @__PURE__ */ list("[]*template.templateMessage", Message),
  json: only((v) => isListOf(v, isMessage), jsonMessages),
};
