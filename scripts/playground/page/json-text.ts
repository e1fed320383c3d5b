/** JSON as the page shows it: read and written without loss. */
import { parseJson } from "../../../runtime/json.js";
import { tojsonFilter } from "../../../runtime/jinja/json-dump.js";
import type { Problem } from "./job.js";

/** A value of `parseJson` as JSON with an indent of two. */
export function printJson(value: unknown): string {
  return tojsonFilter(value, false, 2, null, false, "");
}

export type Parsed =
  { readonly value: unknown } | { readonly problem: Problem & { readonly in: "input" } };

/** The value of a text, or what is wrong with it. */
export function readJson(text: string): Parsed {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    return { problem: jsonProblem(text, error) };
  }
}

/** What `parseJson` threw, with its place in the text. */
export function jsonProblem(text: string, error: unknown): Problem & { readonly in: "input" } {
  const said = error instanceof Error ? error.message : String(error);
  const [, message = said, offset = "0"] = /^(.*): char (\d+)$/s.exec(said) ?? [];
  const before = text.slice(0, Number(offset)).split("\n");
  return {
    in: "input",
    severity: "error",
    title: "JSON",
    message,
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
  };
}
