/** Other templates: chat templates have no loader, so all that is left is how Jinja2 refuses. */
import type * as ast from "../../compiler/jinja/ast.js";
import { iterate, truth } from "./jinja-operators.js";
import { failUndefined } from "./jinja-text.js";
import { PyStr, raise, Undefined } from "./jinja-values.js";
import type { Value } from "./jinja-values.js";

export function noLoader(tag: string): never {
  return raise("TypeError", `no loader for this environment specified (${tag})`);
}

/** Jinja2's `get_template` for a name, `select_template` for a list; only an empty list can be missing. */
export function includeTemplate(node: ast.Include, value: Value): null {
  const isList = node.template.type === "Tuple" || node.template.type === "List";
  if (!isList && (value instanceof PyStr || value instanceof Undefined)) return noLoader("include");
  if (value instanceof Undefined) failUndefined(value);
  if (!truth(value)) {
    if (node.ignoreMissing) return null;
    raise("TemplatesNotFound", "Tried to select from an empty list of templates.");
  }
  iterate(value);
  return noLoader("include");
}
