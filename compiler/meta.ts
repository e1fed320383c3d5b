/** What is known of a template without rendering it: its inputs and what of a conversation it shows. */
import { sha256 as digest } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Capabilities, TemplateMeta, Variable } from "../runtime/index.js";
import type { Dialect, Expr, Module } from "./ir/nodes.js";
import { walkModule, walkStmts } from "./ir/visit.js";
import { REFERENCE, VERSION } from "./version.js";

export function describeTemplate(
  source: string,
  name: string,
  dialect: Dialect,
  module: Module,
): TemplateMeta {
  const traits = traitsOf(module);
  return {
    name,
    dialect,
    sha256: sha256(source),
    compiler: VERSION,
    reference: REFERENCE[dialect],
    variables: variablesOf(traits, dialect),
    capabilities: capabilitiesOf(traits),
    leadingBos: startsWithBos(module),
  };
}

export function sha256(text: string): string {
  return bytesToHex(digest(new TextEncoder().encode(text)));
}

/** The names and texts that a template mentions. */
interface Traits {
  readonly inputs: ReadonlySet<string>;
  /** Names of fields that are read. */
  readonly fields: ReadonlySet<string>;
  /** Texts that stand in the template as values. */
  readonly texts: ReadonlySet<string>;
  readonly intrinsics: ReadonlySet<string>;
}

function traitsOf(module: Module): Traits {
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

const USUAL_ORDER = ["messages", "tools", "documents", "add_generation_prompt"];

function variablesOf(traits: Traits, dialect: Dialect): Variable[] {
  const hidden = new Set(["", "fillInMiddle", "isThinkSet", "thinkLevel"]);
  const names = [...traits.inputs].filter((name) => !hidden.has(name));
  const rank = (name: string): number => {
    const known = USUAL_ORDER.indexOf(name);
    return known < 0 ? USUAL_ORDER.length : known;
  };
  return names
    .sort((a, b) => rank(a) - rank(b))
    .map((name) => ({ name, required: name === "messages" && dialect !== "go" }));
}

function capabilitiesOf(traits: Traits): Capabilities {
  const { inputs, fields, texts, intrinsics } = traits;
  const some = (set: ReadonlySet<string>, pattern: RegExp): boolean =>
    [...set].some((name) => pattern.test(name));
  const testsText = intrinsics.has("jinja.isString") || fields.has("text");
  return {
    system: texts.has("system") || inputs.has("system"),
    tools: inputs.has("tools"),
    documents: inputs.has("documents"),
    thinking: some(fields, /think|reason/i) || some(inputs, /think|reason/i),
    images: fields.has("images") || fields.has("image_url") || texts.has("image"),
    prefill: inputs.has("continue_final_message"),
    content: testsText ? "both" : "text",
    arguments: some(intrinsics, /items|entries|sorted|dictsort/) ? "object" : "both",
  };
}

const BOS = /^(<s>|\[gMASK\]|<\|begin_of_text\|>|<bos>|<\|startoftext\|>)/;

/** Whether the prompt starts with a text that reads like a beginning-of-sequence token. */
function startsWithBos(module: Module): boolean {
  const written: Expr[] = [];
  walkStmts(module.body, (stmt) => {
    if (stmt.op === "emit") written.push(stmt.value);
  });
  const [first] = written;
  return first !== undefined && BOS.test(leading(first));
}

function leading(expr: Expr): string {
  if (expr.op === "literal") return typeof expr.value === "string" ? expr.value : "";
  if (expr.op === "concat") return expr.parts[0] === undefined ? "" : leading(expr.parts[0]);
  return "";
}
