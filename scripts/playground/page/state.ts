/** What the page is about: all that a link keeps. */
import type { Dialect } from "../../../runtime/index.js";
import type { Job } from "./job.js";

/** A template and its input as the user has them, valid or not. */
export type State = Job;

export const DIALECTS: readonly (readonly [Dialect, string])[] = [
  ["jinja", "Jinja (transformers)"],
  ["ollama", "Go (Ollama)"],
  ["go", "Go (any data)"],
];

/** The dialect of that name, if it is one. */
export function dialectNamed(name: unknown): Dialect | undefined {
  return DIALECTS.find(([dialect]) => dialect === name)?.[0];
}

/** The state that JSON of a link holds; undefined where it holds none. */
export function stateIn(value: unknown): State | undefined {
  if (!isRecord(value)) return undefined;
  const { source, name, input, define } = value;
  const dialect = dialectNamed(value["dialect"]);
  if (typeof source !== "string" || typeof name !== "string" || typeof input !== "string")
    return undefined;
  if (dialect === undefined || !isRecord(define)) return undefined;
  const constants = Object.entries(define).flatMap(([key, text]) =>
    typeof text === "string" ? [[key, text] as const] : [],
  );
  return { source, dialect, name, define: Object.fromEntries(constants), input };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
