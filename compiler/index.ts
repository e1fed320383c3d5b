/**
 * chat-template-compiler: the whole line on one page.
 *
 * source → lex → parse → AST → lower → IR → passes → IR → emit → body text → module (types, formatting)
 */
import { fileURLToPath } from "node:url";
import { registerCharacterNames } from "./character-names.js";
import { diagnostic, type Diagnostic } from "./diagnostics.js";
import { describeTemplate } from "./meta.js";
import type { Module } from "./ir/nodes.js";
import type { CompileOptions, Dialect } from "./options.js";
import { addLimits, addStepLimits } from "./passes/limits.js";
import { orDepth, toModule, tracedModule } from "./pipeline.js";
import { sourceMap } from "./source-map.js";
import { Source } from "./source.js";
import type { TemplateMeta } from "../runtime/index.js";

export { CompileError, type Diagnostic } from "./diagnostics.js";
export type { CompileOptions, Dialect, Target } from "./options.js";
export { load, LoadError, type LoadedTemplate } from "./load/index.js";
export { defineConfig, type Config } from "./load/config.js";
export type { TemplateMeta } from "../runtime/index.js";

export interface CompileResult {
  /** The generated TypeScript file. */
  readonly code: string;
  /** The source map of `code`, as JSON; the template stands in it under `file`. */
  readonly map: string;
  readonly meta: TemplateMeta;
  /** Warnings; an error is thrown. */
  readonly diagnostics: readonly Diagnostic[];
}

registerCharacterNames();

const DEFAULT_RUNTIME = "chat-template-compiler/runtime";
/** Beside the modules: the folder that {@link inlineRuntime} gives the files of. */
const INLINE_RUNTIME = "./runtime";
/** The runtime's sources, from compiler/ as from dist/. */
const RUNTIME_SOURCES = new URL("../runtime/", import.meta.url);

/** Compiles a template to a TypeScript module. Throws a CompileError where the real engine refuses the template. */
export async function compile(source: string, options: CompileOptions): Promise<CompileResult> {
  const { module, diagnostics } = toModule(source, options);
  const meta = describeTemplate(source, options.name, options.dialect, module);
  // ts-morph and prettier take most of the start-up time: only a generated file needs them.
  const { emitModule } = await import("./emit/module.js");
  const file = options.file ?? options.name;
  const { code, marks, longest } = await emitModule(module, meta, {
    name: options.name,
    file,
    runtime: runtimeOf(options),
    bytes: options.targets?.includes("bytes") === true,
    limited: options.limits === true ? addLimits(module) : null,
    traced: options.targets?.includes("segments") === true ? tracedFor(source, options) : null,
  }).catch((error: unknown) => {
    throw orDepth(new Source(source, file), error);
  });
  const sizes =
    longest > LONGEST_FUNCTION ? [largeFunction(new Source(source, file), longest)] : [];
  const map = sourceMap({ text: code, marks }, file, source);
  return { code, map, meta, diagnostics: [...diagnostics, ...sizes] };
}

/** What V8 optimises: above about this length of source a function stays in its interpreter. */
const LONGEST_FUNCTION = 100_000;

function largeFunction(source: Source, length: number): Diagnostic {
  return diagnostic(source, {
    code: "size/large-function",
    severity: "warning",
    message: `the template becomes a function of ${String(length)} characters, which JavaScript engines do not optimise`,
    span: { start: 0, end: 1 },
    help: "move parts of the template into macros (Jinja) or defines (Go): each becomes a function of its own",
  });
}

/** The module for segments, which counts where the one for text does. */
function tracedFor(source: string, options: CompileOptions): Module {
  const traced = tracedModule(source, options);
  return options.limits === true ? addStepLimits(traced) : traced;
}

function runtimeOf({ runtime = DEFAULT_RUNTIME }: CompileOptions): string {
  return runtime === "inline" ? INLINE_RUNTIME : runtime;
}

/**
 * What modules compiled with `runtime: "inline"` import: the files by their paths from the modules' folder, such as
 * "runtime/index.ts". They hold only what these modules use, so one folder takes the files for all of its modules.
 */
export async function inlineRuntime(
  modules: readonly { readonly code: string }[],
): Promise<ReadonlyMap<string, string>> {
  const { inlinedRuntime } = await import("./inline/index.js");
  return inlinedRuntime(
    modules.map(({ code }) => code),
    fileURLToPath(RUNTIME_SOURCES),
  );
}

/** What a template needs and shows, without generating code. Throws a CompileError like {@link compile}. */
export function inspect(source: string, options: { readonly dialect: Dialect }): TemplateMeta {
  const { module } = toModule(source, { name: "template", dialect: options.dialect });
  return describeTemplate(source, "template", options.dialect, module);
}
