/** Prints what is known of a template. */
import type { PrefixStability } from "../analysis/prefix.js";
import type { Variable } from "../../runtime/index.js";
import type { Inspection } from "./inspect.js";
import { formatDiagnostic } from "./report.js";
import { colorsOf, type CommonOptions, type Terminal } from "./terminal.js";

export function reportInspection(
  location: string,
  inspection: Inspection,
  { json, quiet }: CommonOptions,
  terminal: Terminal,
): void {
  const { loaded, meta, diagnostics, prefix } = inspection;
  if (json) {
    const { define: specialTokens, modelfile } = loaded;
    const rest = { specialTokens, modelfile, diagnostics, prefix };
    const found = { ok: true, template: location, ...meta, ...rest };
    terminal.out(`${JSON.stringify(found, null, 2)}\n`);
    return;
  }
  if (quiet) return;
  const { bold } = colorsOf(terminal);
  for (const [title, rows] of sectionsOf(inspection)) {
    if (rows.length > 0) terminal.out(`${bold(title)}\n${tableOf(rows)}`);
  }
  for (const each of diagnostics) terminal.error(formatDiagnostic(location, each, terminal));
}

type Row = readonly [name: string, description: string];

function sectionsOf({
  loaded,
  meta,
  prefix,
}: Inspection): readonly (readonly [string, readonly Row[]])[] {
  const { name, dialect, reference, sha256, leadingBos, capabilities, forms } = meta;
  const template: readonly Row[] = [
    ["name", name],
    ["dialect", `${dialect} (${reference})`],
    ["sha256", sha256],
    ["begin token", leadingBos ? "the prompt starts with one" : "none at the start"],
  ];
  const { modelfile = {}, define } = loaded;
  return [
    ["template", template],
    ["variables", meta.variables.map((variable) => [variable.name, describeVariable(variable)])],
    ["special tokens", Object.entries(define).map(([key, token]) => [key, JSON.stringify(token)])],
    ["capabilities", Object.entries(capabilities).map(([key, value]) => [key, describe(value)])],
    ["forms", Object.entries(forms).map(([key, value]) => [key, describe(value)])],
    ["prompts of growing conversations", prefix === undefined ? [] : prefixRows(prefix)],
    ["Modelfile", Object.entries(modelfile).map(([key, value]) => [key, JSON.stringify(value)])],
  ];
}

function prefixRows({ stable, stableInUse, compared, counterExample }: PrefixStability): Row[] {
  const pairs = `${compared} pairs of prompts compared`;
  if (stable || counterExample === undefined) return [["each begins with the one before", pairs]];
  const { kinds, options, shorter, generationPrompt, offset, before, after, line } = counterExample;
  const where = stableInUse ? "only in an order that is not usual" : "in a usual conversation";
  const opened = generationPrompt ? ", and the start of an answer" : "";
  return [
    ["they part", `${where} (${pairs})`],
    ["conversation", `${kinds.join(", ")}${options === "" ? "" : `; with ${options}`}`],
    [
      `of ${shorter} message${shorter === 1 ? "" : "s"}${opened}`,
      `at ${offset}: ${JSON.stringify(before)}`,
    ],
    [`of ${kinds.length} messages`, `at ${offset}: ${JSON.stringify(after)}`],
    ...(line === undefined ? [] : [["template", `line ${line} wrote that`] as const]),
  ];
}

function describeVariable({ required, values, default: fallback }: Variable): string {
  const parts = [required ? "required" : "optional"];
  if (values !== undefined) parts.push(values.map((value) => JSON.stringify(value)).join(" | "));
  if (fallback !== undefined) parts.push(`default ${JSON.stringify(fallback)}`);
  return parts.join(", ");
}

function describe(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return "none";
  const isList = Array.isArray(value);
  return entries
    .map(([key, item]) => (isList ? String(item) : `${key} ${String(item)}`))
    .join(", ");
}

function tableOf(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}\n`).join("");
}
