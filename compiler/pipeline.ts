/** The line that every compilation takes: source, tokens, syntax tree, IR, passes. */
import { Diagnostics, type Diagnostic } from "./diagnostics.js";
import { lower as lowerGo } from "./go/lower.js";
import { parse as parseGo } from "./go/parser.js";
import type { Module } from "./ir/nodes.js";
import { lower as lowerJinja } from "./jinja/lower.js";
import { parse as parseJinja } from "./jinja/parser.js";
import type { CompileOptions } from "./options.js";
import { optimize } from "./passes/index.js";
import { Source } from "./source.js";

export interface Lowered {
  readonly module: Module;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses, lowers and optimises a template; throws a CompileError where the real engine refuses it. */
export function toModule(
  text: string,
  options: Pick<CompileOptions, "name" | "dialect" | "file" | "define" | "passes">,
): Lowered {
  const source = new Source(text, options.file ?? options.name);
  const diagnostics = new Diagnostics(source);
  const lowered = lower(source, diagnostics, options);
  const module = optimize(lowered, options.passes ?? true);
  return { module, diagnostics: diagnostics.list };
}

function lower(
  source: Source,
  diagnostics: Diagnostics,
  options: Pick<CompileOptions, "dialect" | "define" | "passes">,
): Module {
  const { dialect, define = {} } = options;
  if (dialect === "jinja") {
    return lowerJinja(parseJinja(source, diagnostics), source, diagnostics, { define });
  }
  const set = parseGo(source, diagnostics, { dialect });
  return lowerGo(set, source, diagnostics, {
    dialect,
    define,
    optimize: options.passes !== false,
  });
}
