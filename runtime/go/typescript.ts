/** Ollama's toTypeScriptType. */

import { isProperty } from "./canonical.js";
import { reflect } from "./gotypes.js";
import { Property } from "./structs.js";
import { typeScriptType } from "./types.js";

/** The function of a value of unknown type: a property's TypeScript type, "any" for all else. */
export function toTypeScriptType(v: unknown): string {
  const { type, value } = reflect(v);
  return type === Property && isProperty(value) ? typeScriptType(value) : "any";
}
