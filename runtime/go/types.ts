/** PropertyType of api/types.go, whose one name may stand bare in the request. */

import type { OllamaProperty, OllamaPropertyType } from "./model.js";

/** The names as the list that they are in Go. */
export function types(type: OllamaPropertyType | undefined): readonly string[] {
  return typeof type === "string" ? [type] : (type ?? []);
}

/** `len` of a PropertyType. */
export function typeCount(type: OllamaPropertyType | undefined): number {
  return typeof type === "string" ? 1 : (type?.length ?? 0);
}

/** PropertyType.String: one name bare, several in brackets, nothing for none. */
export function printTypes(type: OllamaPropertyType | undefined): string {
  if (typeof type === "string") {
    return type;
  }
  if (type === undefined || type.length < 2) {
    return type?.[0] ?? "";
  }
  return "[" + type.join(" ") + "]";
}

/** ToolProperty.ToTypeScriptType. */
export function typeScriptType(property: OllamaProperty): string {
  const { anyOf } = property;
  if (anyOf !== undefined && anyOf.length > 0) {
    return anyOf.map(typeScriptType).join(" | ");
  }
  const names = types(property.type);
  return names.length === 0 ? "any" : names.map(typeScriptName).join(" | ");
}

function typeScriptName(name: string): string {
  switch (name) {
    case "string":
    case "boolean":
    case "null":
      return name;
    case "number":
    case "integer":
      return "number";
    case "array":
      return "any[]";
    case "object":
      return "Record<string, any>";
    default:
      return "any";
  }
}
