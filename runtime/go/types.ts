/** PropertyType of api/types.go, whose one name may stand bare in the request. */

import type { OllamaPropertyType } from "./model.js";

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
