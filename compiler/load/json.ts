/** The JSON of files that others wrote: what they hold is checked before it is used. */
import { parseJson } from "../../runtime/json.js";
import { LoadError } from "./loaded.js";

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object that a file's text holds. */
export function parseJsonObject(file: string, text: string): JsonObject {
  const value = parseJsonFile(file, text);
  if (!isJsonObject(value)) throw new LoadError(file, `holds ${kindOf(value)}, not an object`);
  return value;
}

/** A file's JSON, as Python's json.load takes it: transformers and huggingface_hub read their files with it. */
export function parseJsonFile(file: string, text: string): unknown {
  if (text.trim() === "") throw new LoadError(file, "is empty, not JSON");
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof RangeError) throw new LoadError(file, "is nested too deeply");
    const said = error instanceof Error ? error.message : "";
    const [, reason = "", offset = ""] = /^(.*): char (\d+)$/s.exec(said) ?? [];
    const before = text.slice(0, Number(offset)).split("\n");
    const cut = Number(offset) >= text.length ? "; the file seems to be cut off" : "";
    throw new LoadError(file, `is not valid JSON: ${reason}${cut}`, before.length);
  }
}

/** What a JSON value is, in words. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}

/** The value at a key that the object itself holds; null counts as absent. */
export function field(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? (object[key] ?? undefined) : undefined;
}
