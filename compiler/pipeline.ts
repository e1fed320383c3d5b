/** The line that every compilation takes: source, tokens, syntax tree, IR, passes. */
import { CompileError, diagnostic, Diagnostics, type Diagnostic } from "./diagnostics.js";
import { lower as lowerGo } from "./go/lower.js";
import { parse as parseGo } from "./go/parser.js";
import type { Module } from "./ir/nodes.js";
import { lower as lowerJinja } from "./jinja/lower.js";
import { parse as parseJinja } from "./jinja/parser.js";
import type { CompileOptions } from "./options.js";
import { optimize, optimizeTraced } from "./passes/index.js";
import { traceModule } from "./segments/index.js";
import { Source } from "./source.js";

export interface Lowered {
  readonly module: Module;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a compilation needs of the caller's options, and what only the project's own tests set. */
export interface PipelineOptions extends Pick<
  CompileOptions,
  "name" | "dialect" | "file" | "define" | "passes"
> {
  /** Whether no pass replaces a value of the input by a literal: what segments need. */
  readonly keepsOrigin?: boolean;
  /** Dialect ollama: whether the template obeys `forceLegacy` of a request, as in Ollama's own tests. */
  readonly forceLegacy?: boolean;
}

/** Parses, lowers and optimises a template; throws a CompileError where the real engine refuses it. */
export function toModule(text: string, options: PipelineOptions): Lowered {
  const { module, diagnostics } = toLowered(text, options);
  return { module: toOptimized(module, text, options), diagnostics };
}

/** As {@link toModule}, before any pass: what closures render, and what {@link toOptimized} takes. */
export function toLowered(text: string, options: PipelineOptions): Lowered {
  const source = new Source(text, options.file ?? options.name);
  const diagnostics = new Diagnostics(source);
  try {
    return { module: lower(source, diagnostics, options), diagnostics: diagnostics.list };
  } catch (error) {
    throw orDepth(source, error);
  }
}

/** The selected passes on what {@link toLowered} gave; a CompileError where the template nests too deep for them. */
export function toOptimized(module: Module, text: string, options: PipelineOptions): Module {
  try {
    return optimize(module, options.passes ?? true, options.keepsOrigin);
  } catch (error) {
    throw orDepth(new Source(text, options.file ?? options.name), error);
  }
}

/** The module whose text remembers its origin. */
export function tracedModule(text: string, options: PipelineOptions): Module {
  const { module } = toModule(text, { ...options, keepsOrigin: true });
  try {
    return optimizeTraced(traceModule(module), options.passes ?? true);
  } catch (error) {
    throw orDepth(new Source(text, options.file ?? options.name), error);
  }
}

/**
 * What a stage threw, but a CompileError where the template nests deeper than JavaScript's stack reaches: each stage
 * walks the tree by recursion, and the depth that one of them holds depends on the process.
 */
export function orDepth(source: Source, error: unknown): unknown {
  if (!(error instanceof RangeError) || !error.message.includes("call stack")) return error;
  const report = {
    code: "limit/nesting",
    message: "the template is nested too deeply",
    span: { start: 0, end: 1 },
    help: "take parts of it out into macros (Jinja) or defines (Go)",
  };
  return new CompileError([diagnostic(source, report)]);
}

function lower(source: Source, diagnostics: Diagnostics, options: PipelineOptions): Module {
  const { dialect, define = {} } = options;
  if (dialect === "jinja") {
    return lowerJinja(parseJinja(source, diagnostics), source, diagnostics, { define });
  }
  const set = parseGo(source, diagnostics, { dialect });
  return lowerGo(set, source, diagnostics, {
    dialect,
    define,
    optimize: options.passes !== false,
    forceLegacy: options.forceLegacy === true,
  });
}
