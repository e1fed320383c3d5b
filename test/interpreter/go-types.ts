/** Go's types as reflection sees them, and the tables of Ollama's data model (template.go and api/types.go). */

export interface FieldType {
  readonly name: string;
  readonly type: GoType;
  /** The name in JSON: the tag's, else the field's own. */
  readonly json: string;
  readonly omitEmpty: boolean;
  readonly exported: boolean;
}

export type BasicKind =
  "bool" | "int" | "uint8" | "float64" | "complex128" | "string" | "interface" | "func";

interface TypeBase {
  /** As reflect.Type.String prints it. */
  readonly name: string;
  /** Bytes of one value on a 64-bit machine, and whether it holds pointers: both decide how slices grow. */
  readonly size: number;
  readonly pointers: boolean;
}
export interface BasicType extends TypeBase {
  readonly kind: BasicKind;
}
export interface SliceType extends TypeBase {
  readonly kind: "slice";
  readonly elem: GoType;
}
/** Every map of the data model has string keys. */
export interface MapType extends TypeBase {
  readonly kind: "map";
  readonly elem: GoType;
}
export interface PointerType extends TypeBase {
  readonly kind: "pointer";
  readonly elem: GoType;
}
export interface StructType extends TypeBase {
  readonly kind: "struct";
  /** A function, for ToolProperty contains itself. */
  readonly fields: () => readonly FieldType[];
}
export type GoType = BasicType | SliceType | MapType | PointerType | StructType;

function basic(kind: BasicKind, name: string, size: number, pointers: boolean): BasicType {
  return { kind, name, size, pointers };
}

export const BOOL = basic("bool", "bool", 1, false);
export const INT = basic("int", "int", 8, false);
export const UINT8 = basic("uint8", "uint8", 1, false);
export const FLOAT64 = basic("float64", "float64", 8, false);
export const COMPLEX128 = basic("complex128", "complex128", 16, false);
export const STRING = basic("string", "string", 16, true);
export const ANY = basic("interface", "interface {}", 16, true);

export function sliceOf(elem: GoType, name = `[]${elem.name}`): SliceType {
  return { kind: "slice", name, elem, size: 24, pointers: true };
}
function mapOf(elem: GoType, name = `map[string]${elem.name}`): MapType {
  return { kind: "map", name, elem, size: 8, pointers: true };
}
function pointerTo(elem: GoType): PointerType {
  return { kind: "pointer", name: `*${elem.name}`, elem, size: 8, pointers: true };
}

function struct(name: string, size: number, fields: () => readonly FieldType[]): StructType {
  return { kind: "struct", name, size, pointers: true, fields };
}

/** `tag` as in Go's `json:"…"`; without one the field's name. */
function field(name: string, type: GoType, tag = name): FieldType {
  const [json = name, option] = tag.split(",");
  const exported = /^[A-Z]/.test(name);
  return { name, type, json, omitEmpty: option === "omitempty", exported };
}

export const STRINGS = sliceOf(STRING);
export const ANYS = sliceOf(ANY);
export const ANY_MAP = mapOf(ANY);
/** What json.Unmarshal into map[string]json.RawMessage is called in its errors. */
export const RAW_MAP = mapOf(basic("interface", "json.RawMessage", 24, true));

// api/types.go: what a request decodes into.
const PROPERTY_TYPE = sliceOf(STRING, "api.PropertyType");
const IMAGE_DATA = sliceOf(UINT8, "api.ImageData");
const IMAGES = sliceOf(IMAGE_DATA);
const TOOL_PROPERTY: StructType = struct("api.ToolProperty", 136, () => [
  field("AnyOf", PROPERTIES, "anyOf,omitempty"),
  field("Type", PROPERTY_TYPE, "type,omitempty"),
  field("Items", ANY, "items,omitempty"),
  field("Description", STRING, "description,omitempty"),
  field("Enum", ANYS, "enum,omitempty"),
  field("Properties", TOOL_PROPERTIES_POINTER, "properties,omitempty"),
  field("Required", STRINGS, "required,omitempty"),
]);
const PROPERTIES = sliceOf(TOOL_PROPERTY);
export const PROPERTY_MAP = mapOf(TOOL_PROPERTY);
const ORDERED_PROPERTIES = mapOf(
  TOOL_PROPERTY,
  "orderedmap.Map[string,github.com/ollama/ollama/api.ToolProperty]",
);
/** An ordered map behind a pointer; only its methods and its JSON reach it. */
const TOOL_PROPERTIES = struct("api.ToolPropertiesMap", 8, () => [
  field("om", pointerTo(ORDERED_PROPERTIES)),
]);
export const TOOL_PROPERTIES_POINTER = pointerTo(TOOL_PROPERTIES);
const TOOL_PARAMETERS = struct("api.ToolFunctionParameters", 80, () => [
  field("Type", STRING, "type"),
  field("Defs", ANY, "$defs,omitempty"),
  field("Items", ANY, "items,omitempty"),
  field("Required", STRINGS, "required,omitempty"),
  field("Properties", TOOL_PROPERTIES_POINTER, "properties"),
]);
const TOOL_FUNCTION = struct("api.ToolFunction", 112, () => [
  field("Name", STRING, "name"),
  field("Description", STRING, "description,omitempty"),
  field("Parameters", TOOL_PARAMETERS, "parameters"),
]);
const TOOL = struct("api.Tool", 144, () => [
  field("Type", STRING, "type"),
  field("Items", ANY, "items,omitempty"),
  field("Function", TOOL_FUNCTION, "function"),
]);
const TOOLS = sliceOf(TOOL, "api.Tools");
const ORDERED_ARGUMENTS = mapOf(ANY, "orderedmap.Map[string,interface {}]");
const CALL_ARGUMENTS = struct("api.ToolCallFunctionArguments", 8, () => [
  field("om", pointerTo(ORDERED_ARGUMENTS)),
]);
const CALL_FUNCTION = struct("api.ToolCallFunction", 32, () => [
  field("Index", INT, "index"),
  field("Name", STRING, "name"),
  field("Arguments", CALL_ARGUMENTS, "arguments"),
]);
const TOOL_CALL = struct("api.ToolCall", 48, () => [
  field("ID", STRING, "id,omitempty"),
  field("Function", CALL_FUNCTION, "function"),
]);
const messageFields = (): readonly FieldType[] => [
  field("Role", STRING, "role"),
  field("Content", STRING, "content"),
  field("Thinking", STRING, "thinking,omitempty"),
  field("Images", IMAGES, "images,omitempty"),
  field("ToolCalls", sliceOf(TOOL_CALL), "tool_calls,omitempty"),
  field("ToolName", STRING, "tool_name,omitempty"),
  field("ToolCallID", STRING, "tool_call_id,omitempty"),
];
export const MESSAGE = struct("api.Message", 136, messageFields);
/** The method-less twin that Message.UnmarshalJSON decodes into. */
export const MESSAGE_ALIAS = struct("api.Alias", 136, messageFields);
const MESSAGES = sliceOf(MESSAGE);
const THINK_VALUE = struct("api.ThinkValue", 16, () => [field("Value", ANY)]);

/** The request that the cases' `input` is, in the API's shape. */
export const REQUEST = struct("main.ollamaValues", 200, () => [
  field("Messages", MESSAGES, "messages"),
  field("Tools", TOOLS, "tools"),
  field("System", STRING, "system"),
  field("Prompt", STRING, "prompt"),
  field("Suffix", STRING, "suffix"),
  field("Response", STRING, "response"),
  field("Images", IMAGES, "images"),
  field("Think", pointerTo(THINK_VALUE), "think"),
  field("IsThinkSet", pointerTo(BOOL), "isThinkSet"),
  field("ForceLegacy", BOOL, "forceLegacy"),
]);

// template/template.go: what templates see.
export const T_PROPERTIES = mapOf(TOOL_PROPERTY, "template.templateProperties");
export const T_ARGS = mapOf(ANY, "template.templateArgs");
export const T_PARAMETERS = struct("template.templateToolFunctionParameters", 80, () => [
  field("Type", STRING, "type"),
  field("Defs", ANY, "$defs,omitempty"),
  field("Items", ANY, "items,omitempty"),
  field("Required", STRINGS, "required,omitempty"),
  field("Properties", T_PROPERTIES, "properties"),
]);
export const T_FUNCTION = struct("template.templateToolFunction", 112, () => [
  field("Name", STRING, "name"),
  field("Description", STRING, "description"),
  field("Parameters", T_PARAMETERS, "parameters"),
]);
export const T_TOOL = struct("template.templateTool", 144, () => [
  field("Type", STRING, "type"),
  field("Items", ANY, "items,omitempty"),
  field("Function", T_FUNCTION, "function"),
]);
export const T_TOOLS = sliceOf(T_TOOL, "template.templateTools");
export const T_CALL_FUNCTION = struct("template.templateToolCallFunction", 32, () => [
  field("Index", INT),
  field("Name", STRING),
  field("Arguments", T_ARGS),
]);
export const T_CALL = struct("template.templateToolCall", 48, () => [
  field("ID", STRING),
  field("Function", T_CALL_FUNCTION),
]);
export const T_CALLS = sliceOf(T_CALL);
export const T_MESSAGE = struct("template.templateMessage", 136, () => [
  field("Role", STRING),
  field("Content", STRING),
  field("Thinking", STRING),
  field("Images", IMAGES),
  field("ToolCalls", T_CALLS),
  field("ToolName", STRING),
  field("ToolCallID", STRING),
]);
export const T_MESSAGE_POINTER = pointerTo(T_MESSAGE);
export const T_MESSAGES = sliceOf(T_MESSAGE_POINTER);

/** The iterator that ToolPropertiesMap.All gives. */
export const PROPERTY_SEQUENCE = basic(
  "func",
  "iter.Seq2[string,github.com/ollama/ollama/api.ToolProperty]",
  8,
  true,
);

/** reflect.Type.Comparable. */
export function comparable(type: GoType): boolean {
  if (type.kind === "struct") return type.fields().every((f) => comparable(f.type));
  return type.kind !== "slice" && type.kind !== "map" && type.kind !== "func";
}
