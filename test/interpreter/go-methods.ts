/** The methods of Ollama's types that a template can call (template/template.go, api/types.go). */
import { encodeOrdered, encodePropertyType, marshal } from "./go-json-encode.js";
import { PROPERTY_MAP, PROPERTY_SEQUENCE, TOOL_PROPERTIES_POINTER } from "./go-types.js";
import {
  byteSlice,
  elements,
  fieldOf,
  int,
  isNil,
  lengthOf,
  string,
  zero,
  type MapValue,
  type SliceValue,
  type StructValue,
  type Value,
} from "./go-values.js";
import { fromBinary, toBytes, toText } from "./go-utf8.js";

/** What a function or method answers with as its error. */
export class CallError extends Error {}

/** A parameter as reflection checks it; "value" is reflect.Value, which takes anything. */
export type Param = "any" | "value" | "string" | "bytes" | "property";

export interface GoFunction {
  readonly params: readonly Param[];
  /** Whether the last parameter repeats. */
  readonly variadic: boolean;
  /** Why exec.go's goodFunc refuses the results. */
  readonly refusal?: string;
  readonly call: (args: readonly (Value | null)[]) => Value | null;
}

function method(call: () => Value, params: readonly Param[] = []): GoFunction {
  return { params, variadic: false, call };
}

function refused(params: readonly Param[], refusal: string): GoFunction {
  return { params, variadic: false, refusal, call: () => null };
}

const JSON_STRINGERS = ["template.templateTools", "template.templateTool"];
const MAP_STRINGERS = ["template.templateArgs", "template.templateProperties"];

/** The String method's result for the types that have one; null for all others. */
export function stringer(value: Value): Uint8Array | null {
  const { name } = value.type;
  if (JSON_STRINGERS.includes(name)) return toBytes(marshal(value));
  if (MAP_STRINGERS.includes(name)) return toBytes(isNil(value) ? "{}" : marshal(value));
  if (name === "api.PropertyType" && value.kind === "slice") return propertyTypeText(value);
  return null;
}

/** PropertyType.String: "", the one type, or fmt's list. */
function propertyTypeText(value: SliceValue): Uint8Array {
  const types = elements(value).map((e) => (e.kind === "string" ? toText(e.bytes) : ""));
  return toBytes(types.length < 2 ? (types[0] ?? "") : `[${types.join(" ")}]`);
}

/** The method of a value by name; null where the type has none. A nil pointer keeps its pointer methods. */
export function methodOf(value: Value, name: string): GoFunction | null {
  const text = stringer(value);
  if (text !== null && name === "String") return method(() => string(text));
  if (value.type.name === "api.PropertyType" && value.kind === "slice" && name === "MarshalJSON") {
    return method(() => byteSlice(toBytes(encodePropertyType(value))));
  }
  if (value.type.name === "api.ToolProperty" && name === "ToTypeScriptType") {
    return method(() => string(typeScriptType(value)));
  }
  if (value.kind === "struct" && value.type.name === "api.ToolPropertiesMap") {
    return propertiesMethod(value, name);
  }
  if (value.type.name === TOOL_PROPERTIES_POINTER.name) return propertiesMethod(null, name);
  return null;
}

/** The ordered map behind *ToolPropertiesMap; null when there is none. */
function orderedProperties(value: StructValue | null): MapValue | null {
  const om = value === null ? null : fieldOf(value, "om");
  const target = om?.kind === "pointer" ? om.target : null;
  return target?.kind === "map" && target.entries !== null ? target : null;
}

function propertiesMethod(value: StructValue | null, name: string): GoFunction | null {
  const properties = orderedProperties(value);
  const entries = [...(properties?.entries ?? [])];
  switch (name) {
    case "Len":
      return method(() => int(properties === null ? 0 : (lengthOf(properties) ?? 0)));
    case "All": {
      const pairs = entries.map(([k, v]) => [string(fromBinary(k)), v] as const);
      return method(() => ({ kind: "func", type: PROPERTY_SEQUENCE, pairs }));
    }
    case "ToMap":
      return method(() =>
        properties === null
          ? zero(PROPERTY_MAP)
          : { kind: "map", type: PROPERTY_MAP, entries: new Map(entries) },
      );
    case "Get": {
      const reason = "second return value should be error; is bool";
      return refused(["string"], `invalid function signature for Get: ${reason}`);
    }
    case "Set":
      return refused(["string", "property"], "function Set has 0 return values; should be 1 or 2");
    case "MarshalJSON":
      return method(() => {
        if (value !== null) return byteSlice(toBytes(encodeOrdered(value)));
        const name = "github.com/ollama/ollama/api.ToolPropertiesMap.MarshalJSON";
        throw new CallError(`value method ${name} called using nil *ToolPropertiesMap pointer`);
      });
    default:
      return null;
  }
}

const TYPE_SCRIPT = new Map([
  ["string", "string"],
  ["number", "number"],
  ["integer", "number"],
  ["boolean", "boolean"],
  ["array", "any[]"],
  ["object", "Record<string, any>"],
  ["null", "null"],
]);

/** ToolProperty.ToTypeScriptType; `any` for every other value, as Ollama's toTypeScriptType. */
export function typeScriptType(value: Value | null): string {
  if (value?.kind === "pointer") return typeScriptType(value.target);
  if (value?.kind !== "struct" || value.type.name !== "api.ToolProperty") return "any";
  const anyOf = fieldOf(value, "AnyOf");
  const types = fieldOf(value, "Type");
  if (anyOf.kind === "slice" && anyOf.length > 0) {
    return elements(anyOf).map(typeScriptType).join(" | ");
  }
  if (types.kind !== "slice" || types.length === 0) return "any";
  const names = elements(types).map((e) => (e.kind === "string" ? toText(e.bytes) : ""));
  return names.map((name) => TYPE_SCRIPT.get(name) ?? "any").join(" | ");
}
