/**
 * Ollama's data types as templates see them (api/types.go and template/template.go of v0.32.15), by tables: the Go
 * name of each type, its fields with their names in the request, its methods, what it is made of.
 */

/** A type that no table describes: Go's own, or what only the value itself can tell. */
export type BasicType =
  /** Evaluating it always fails. */
  | "never"
  /** A value that describes itself: JSON data of dialect "go", or a value boxed with its type. */
  | "any"
  /** JSON data of Ollama's requests: every number is a float64. */
  | "json"
  /** No value at all. */
  | "nil"
  | "bool"
  | "string"
  | "int"
  | "float64"
  /** The data map that a template of Ollama is executed with; it is no value, its keys are inputs. */
  | "root";

export type ModelType =
  | "messages"
  | "message"
  | "images"
  | "image"
  | "toolCalls"
  | "toolCall"
  | "toolCallFunction"
  | "args"
  | "tools"
  | "tool"
  | "toolFunction"
  | "toolParameters"
  | "properties"
  | "property"
  | "anyOf"
  | "propertyType"
  | "strings"
  | "enum"
  | "nestedProperties";

export type GoType = BasicType | ModelType;

export interface ModelField {
  /** The name in the request. */
  readonly wire: string;
  readonly type: GoType;
  /** Whether a canonical request may lack it. */
  readonly optional: boolean;
}

interface Model {
  /** As Go's messages name the type. */
  readonly name: string;
  readonly shape: "struct" | "list" | "map";
  readonly fields?: Readonly<Record<string, ModelField>>;
  /** Methods without arguments that a template may call. */
  readonly methods?: Readonly<Record<string, GoType>>;
  /** Methods whose results text/template does not take: how many arguments they want, and why it refuses them. */
  readonly refused?: Readonly<Record<string, readonly [count: number, why: string]>>;
  /** What a list or a map holds; JSON data is held by interfaces. */
  readonly element?: GoType;
}

const required = (wire: string, type: GoType): ModelField => ({ wire, type, optional: false });
const optional = (wire: string, type: GoType): ModelField => ({ wire, type, optional: true });

const TO_TEXT: Readonly<Record<string, GoType>> = { String: "string" };

const list = (name: string, element: GoType): Model => ({ name, shape: "list", element });

export const models: Readonly<Record<ModelType, Model>> = {
  messages: list("[]*template.templateMessage", "message"),
  message: {
    name: "*template.templateMessage",
    shape: "struct",
    fields: {
      Role: required("role", "string"),
      Content: required("content", "string"),
      Thinking: optional("thinking", "string"),
      Images: optional("images", "images"),
      ToolCalls: optional("tool_calls", "toolCalls"),
      ToolName: optional("tool_name", "string"),
      ToolCallID: optional("tool_call_id", "string"),
    },
  },
  images: list("[]api.ImageData", "image"),
  image: { name: "api.ImageData", shape: "list", element: "any" },
  toolCalls: list("[]template.templateToolCall", "toolCall"),
  toolCall: {
    name: "template.templateToolCall",
    shape: "struct",
    fields: { ID: optional("id", "string"), Function: required("function", "toolCallFunction") },
  },
  toolCallFunction: {
    name: "template.templateToolCallFunction",
    shape: "struct",
    fields: {
      Index: optional("index", "int"),
      Name: required("name", "string"),
      Arguments: required("arguments", "args"),
    },
  },
  args: { name: "template.templateArgs", shape: "map", element: "json", methods: TO_TEXT },
  tools: { ...list("template.templateTools", "tool"), methods: TO_TEXT },
  tool: {
    name: "template.templateTool",
    shape: "struct",
    methods: TO_TEXT,
    fields: {
      Type: optional("type", "string"),
      Items: optional("items", "json"),
      Function: required("function", "toolFunction"),
    },
  },
  toolFunction: {
    name: "template.templateToolFunction",
    shape: "struct",
    fields: {
      Name: required("name", "string"),
      Description: optional("description", "string"),
      Parameters: required("parameters", "toolParameters"),
    },
  },
  toolParameters: {
    name: "template.templateToolFunctionParameters",
    shape: "struct",
    fields: {
      Type: optional("type", "string"),
      Defs: optional("$defs", "json"),
      Items: optional("items", "json"),
      Required: optional("required", "strings"),
      Properties: optional("properties", "properties"),
    },
  },
  properties: {
    name: "template.templateProperties",
    shape: "map",
    element: "property",
    methods: TO_TEXT,
  },
  property: {
    name: "api.ToolProperty",
    shape: "struct",
    methods: { ToTypeScriptType: "string" },
    fields: {
      AnyOf: optional("anyOf", "anyOf"),
      Type: optional("type", "propertyType"),
      Items: optional("items", "json"),
      Description: optional("description", "string"),
      Enum: optional("enum", "enum"),
      Properties: optional("properties", "nestedProperties"),
      Required: optional("required", "strings"),
    },
  },
  anyOf: list("[]api.ToolProperty", "property"),
  propertyType: { ...list("api.PropertyType", "string"), methods: TO_TEXT },
  strings: list("[]string", "string"),
  enum: list("[]interface {}", "json"),
  nestedProperties: {
    name: "*api.ToolPropertiesMap",
    shape: "struct",
    methods: { Len: "int", All: "any", ToMap: "any" },
    refused: {
      Get: [1, "invalid function signature for Get: second return value should be error; is bool"],
      Set: [2, "function Set has 0 return values; should be 1 or 2"],
    },
  },
};

export function isModel(type: GoType): type is ModelType {
  return Object.hasOwn(models, type);
}

/** The type's name in Go's messages; null where only the value tells it. */
export function goName(type: GoType): string | null {
  if (isModel(type)) return models[type].name;
  switch (type) {
    case "bool":
    case "string":
    case "int":
    case "float64":
      return type;
    case "root":
      return "map[string]interface {}";
    default:
      return null;
  }
}

/** The runtime's types for values in the request's own form. */
const TYPES: Readonly<Record<GoType, string>> = {
  never: "never",
  any: "unknown",
  json: "Value",
  nil: "null | undefined",
  bool: "boolean",
  string: "string",
  int: "number",
  float64: "number",
  root: "unknown",
  messages: "readonly OllamaMessage[]",
  message: "OllamaMessage",
  images: "readonly OllamaImage[] | undefined",
  image: "OllamaImage",
  toolCalls: "readonly OllamaToolCall[] | undefined",
  toolCall: "OllamaToolCall",
  toolCallFunction: "OllamaToolCallFunction",
  args: "Fields",
  tools: "readonly OllamaTool[]",
  tool: "OllamaTool",
  toolFunction: "OllamaToolFunction",
  toolParameters: "OllamaToolParameters",
  properties: "OllamaProperties | undefined",
  property: "OllamaProperty",
  anyOf: "readonly OllamaProperty[] | undefined",
  propertyType: "OllamaPropertyType | undefined",
  strings: "readonly string[] | undefined",
  enum: "readonly Value[] | undefined",
  nestedProperties: "OllamaProperties | undefined",
};

/** The TypeScript type of a local that holds values of the type. */
export function typeScriptType(type: GoType): string {
  return TYPES[type];
}

/** Whether lists of the type have as many places as items, so that `slice` cannot reach beyond them. */
export function isClipped(type: ModelType): boolean {
  return type === "messages" || type === "tools";
}

/** Where an input stands in the values that Ollama's Execute makes. */
export interface RootField {
  readonly input: string;
  readonly type: GoType;
}

const THINK: Readonly<Record<string, RootField>> = {
  Think: { input: "think", type: "bool" },
  ThinkLevel: { input: "thinkLevel", type: "string" },
  IsThinkSet: { input: "isThinkSet", type: "bool" },
};

/** The keys of the data map by the path that Template.Execute takes; `Response` is the empty text in the first two. */
export const roots = {
  suffix: {
    Prompt: { input: "prompt", type: "string" },
    Suffix: { input: "suffix", type: "string" },
    ...THINK,
  },
  messages: {
    System: { input: "system", type: "string" },
    Messages: { input: "messages", type: "messages" },
    Tools: { input: "tools", type: "tools" },
    ...THINK,
  },
  turn: {
    System: { input: "system", type: "string" },
    Prompt: { input: "prompt", type: "string" },
    Response: { input: "response", type: "string" },
    ...THINK,
  },
} satisfies Record<string, Readonly<Record<string, RootField>>>;

/** A singular for the item of a list that a field names: `message` of `.Messages`, `toolCall` of `.ToolCalls`. */
export function itemName(type: GoType): string {
  switch (type) {
    case "message":
    case "image":
    case "tool":
    case "toolCall":
    case "property":
      return type;
    case "string":
      return "name";
    case "int":
      return "number";
    default:
      return "item";
  }
}
