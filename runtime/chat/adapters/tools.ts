/** Definitions of tools in the form that templates show: OpenAI's chat completions'. */
import { setField } from "../../values.js";
import { dictAt, given, join, refuse, textIf, textOf, type Dict } from "./fields.js";

/** A tool as a template sees it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string | undefined;
  /** A JSON schema. */
  readonly parameters?: unknown;
}

/** The definition under `function`, without the fields that are missing. */
export function wrappedTool({ name, description, parameters }: ToolDefinition): Dict {
  return {
    type: "function",
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      ...(parameters === undefined ? {} : { parameters }),
    },
  };
}

/** A tool that has its definition under `function`: it is shown as it is, but for `strict`, which binds the decoder. */
export function toolOf(tool: unknown, path: string): Dict {
  const dict = dictAt(tool, path);
  refuseServerTool(textIf(dict, "type", path) ?? "function", path);
  const where = join(path, "function");
  const definition = dictAt(given(dict, "function"), where);
  textOf(definition, "name", where);
  const shown: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(definition)) {
    if (name !== "strict" && item !== null && item !== undefined) setField(shown, name, item);
  }
  return { ...dict, type: "function", function: shown };
}

/** Refuses tools that are no functions: what the API's own servers run has no definition that a template could show. */
export function refuseServerTool(type: string, path: string): void {
  if (type !== "function") refuse(path, `no template shows a tool of type "${type}"`);
}
