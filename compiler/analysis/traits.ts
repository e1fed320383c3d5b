/** What the names and texts of a template suggest: for templates that no small conversation shows anything of. */
import type { Capabilities } from "../../runtime/index.js";
import type { Expr, Module } from "../ir/nodes.js";
import { walkModule } from "../ir/visit.js";

/** The names and texts that a template mentions. */
export interface Traits {
  readonly inputs: ReadonlySet<string>;
  /** Names of fields that are read. */
  readonly fields: ReadonlySet<string>;
  /** Texts that stand in the template as values. */
  readonly texts: ReadonlySet<string>;
  readonly intrinsics: ReadonlySet<string>;
}

export function traitsOf(module: Module): Traits {
  const inputs = new Set<string>();
  const fields = new Set<string>();
  const texts = new Set<string>();
  const intrinsics = new Set<string>();
  walkModule(module, (expr) => {
    if (expr.op === "input") inputs.add(expr.name);
    if (expr.op === "read") fields.add(expr.name);
    if (expr.op === "intrinsic") {
      intrinsics.add(expr.name);
      for (const name of nameArguments(expr)) fields.add(name);
    }
    if (expr.op === "literal" && typeof expr.value === "string") texts.add(expr.value);
  });
  return { inputs, fields, texts, intrinsics };
}

const NAMING: ReadonlySet<string> = new Set(["jinja.attr", "jinja.item", "jinja.has", "go.field"]);

function nameArguments(expr: Extract<Expr, { op: "intrinsic" }>): readonly string[] {
  const name = expr.args[1];
  return NAMING.has(expr.name) && name?.op === "literal" && typeof name.value === "string"
    ? [name.value]
    : [];
}

/** Names of switches and fields that have to do with reasoning. */
export const THINKING = /think|reason/i;

export function capabilitiesByNames(traits: Traits): Capabilities {
  const { inputs, fields, texts, intrinsics } = traits;
  const some = (set: ReadonlySet<string>, pattern: RegExp): boolean =>
    [...set].some((name) => pattern.test(name));
  const testsText = intrinsics.has("jinja.isString") || fields.has("text");
  return {
    system: texts.has("system") || inputs.has("system"),
    tools: inputs.has("tools"),
    documents: inputs.has("documents"),
    thinking: some(fields, THINKING) || some(inputs, THINKING),
    images: fields.has("images") || fields.has("image_url") || texts.has("image"),
    prefill: inputs.has("continue_final_message"),
    content: testsText ? "both" : "text",
    arguments: some(intrinsics, /items|entries|sorted|dictsort/) ? "object" : "both",
  };
}
