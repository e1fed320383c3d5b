/** Reading a request: what is missing or of the wrong kind is an error that names its place. */
import { failInput } from "../../errors.js";
import { field } from "../../jinja/dict.js";
import { isDict } from "../../values.js";

/** An object of a request. */
export type Dict = Readonly<Record<string, unknown>>;

/** Refuses what has no place in a prompt, or what an API would not take; `path` is its place in the request. */
export function refuse(path: string, message: string): never {
  return failInput("ValueError", message, path);
}

/** The object; a RenderError where it is none. */
export function dictAt(v: unknown, path: string): Dict {
  return isDict(v) ? v : failInput("TypeError", `an object is expected${insteadOf(v)}`, path);
}

/** The list; a RenderError where it is none. */
export function listAt(v: unknown, path: string): readonly unknown[] {
  return Array.isArray(v) ? v : failInput("TypeError", `a list is expected${insteadOf(v)}`, path);
}

/** The text; a RenderError where it is none. */
export function textAt(v: unknown, path: string): string {
  return typeof v === "string"
    ? v
    : failInput("TypeError", `a text is expected${insteadOf(v)}`, path);
}

function insteadOf(v: unknown): string {
  if (v === undefined) return ": the field is missing";
  return `, not ${v === null ? "null" : Array.isArray(v) ? "a list" : `a value of type ${typeof v}`}`;
}

/** The value of a field; a field that is null is a field that is missing, as in transformers and in Go. */
export function given(dict: Dict, name: string): unknown {
  const found: unknown = field(dict, name);
  return found === null ? undefined : found;
}

/** A text that may be missing. */
export function textIf(dict: Dict, name: string, path: string): string | undefined {
  const found = given(dict, name);
  return found === undefined ? undefined : textAt(found, join(path, name));
}

/** A text that must be there. */
export function textOf(dict: Dict, name: string, path: string): string {
  return textAt(given(dict, name), join(path, name));
}

/** A list that may be missing: it is empty then. */
export function listIf(dict: Dict, name: string, path: string): readonly unknown[] {
  const found = given(dict, name);
  return found === undefined ? [] : listAt(found, join(path, name));
}

/** `messages[0].role`, or the name alone at the top of a request. */
export function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** Refuses the fields that are given and have no place in a prompt, each with its reason. */
export function refuseFields(
  dict: Dict,
  reasons: Readonly<Record<string, string>>,
  path: string,
): void {
  for (const [name, reason] of Object.entries(reasons)) {
    const found = given(dict, name);
    if (found !== undefined && found !== false && found !== "") refuse(join(path, name), reason);
  }
}
