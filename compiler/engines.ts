/** What a template runs on in this process: closures over its IR, or code made from its text. */
import type { ByteSink } from "../runtime/bytes/index.js";
import * as goRuntime from "../runtime/go/index.js";
import type { RenderOptions, Segment } from "../runtime/index.js";
import * as jinjaRuntime from "../runtime/jinja/index.js";
import { limited } from "../runtime/limits.js";
import * as segmentRuntime from "../runtime/segments/index.js";
import { emitBody, type BodyText } from "./emit/body.js";
import { byteCall, segmentCall } from "./emit/entries.js";
import { PROMPT } from "./emit/module-names.js";
import { evaluateModule, evaluateTraced } from "./evaluate/index.js";
import type { Dialect, Module } from "./ir/nodes.js";
import { mappedCode, type Named } from "./mapped-code.js";
import { addLimits, addStepLimits, LimitsOnDemand } from "./passes/limits.js";
import { tracedModule, type PipelineOptions } from "./pipeline.js";

/** What renders prepared input. */
export interface Engine {
  /** Without `spans`, those of the template are noted nowhere. */
  prompt(
    input: unknown,
    spans: jinjaRuntime.Span[] | null,
    options: RenderOptions | undefined,
  ): string;
  bytes(input: unknown, options: RenderOptions | undefined, sink: ByteSink): string;
}

/** What renders plain data to segments. */
export type TracedEngine = (input: unknown, options: RenderOptions | undefined) => Segment[];

/** What a module renders on: closures, or code with the map that `code` says (null: none); and whether it counts. */
export interface EngineChoice {
  readonly code: { readonly mapped: Named | null } | null;
  readonly limits: boolean;
}

export function engineOf(module: Module, { code, limits }: EngineChoice): Engine {
  const engine =
    code === null
      ? evaluated(module, limits)
      : generated(limits ? addLimits(module) : module, code.mapped);
  return limits ? underLimits(engine) : engine;
}

function underLimits(engine: Engine): Engine {
  return {
    prompt: (input, spans, options) => limited(options, () => engine.prompt(input, spans, options)),
    bytes: (input, options, sink) => limited(options, () => engine.bytes(input, options, sink)),
  };
}

// ---------------------------------------------------------------- closures

function evaluated(module: Module, limits: boolean): Engine {
  const counter = limits ? new LimitsOnDemand(module) : null;
  const render = evaluateModule(module, runtimeOf(module.dialect), counter);
  const prompt: Engine["prompt"] = (input, spans, options) => render(input, spans, options?.now);
  return { prompt, bytes: (input, options) => prompt(input, null, options) };
}

/** Segments are asked for less often than text: their engine comes into being with the first of them. */
export function tracedEngine(
  source: string,
  settings: PipelineOptions,
  choice: { readonly codegen: boolean | undefined; readonly limits: boolean },
): TracedEngine {
  const render = tracedRender(source, settings, choice);
  return choice.limits
    ? (input, options) => limited(options, () => render(input, options))
    : render;
}

function tracedRender(
  source: string,
  settings: PipelineOptions,
  { codegen, limits }: Parameters<typeof tracedEngine>[2],
): TracedEngine {
  const traced = tracedModule(source, settings);
  const module = limits ? addStepLimits(traced) : traced;
  const runtime = { ...runtimeOf(module.dialect), ...segmentRuntime };
  if (codegen === false || !allowsCode()) {
    const run = evaluateTraced(module, runtime);
    return (input, options) => segmentRuntime.segments(run(input, options?.now), input);
  }
  const body = emitBody(module, BODY_OPTIONS);
  const result = `(input, options) => ${segmentCall(body)}`;
  const render = instantiate(body, runtime, result, null);
  if (!isTracedEngine(render)) throw new TypeError("the body gave no function");
  return render;
}

function isTracedEngine(value: unknown): value is TracedEngine {
  return typeof value === "function";
}

export function runtimeOf(dialect: Dialect): Readonly<Record<string, unknown>> {
  return dialect === "jinja" ? jinjaRuntime : goRuntime;
}

// ---------------------------------------------------------------- code

let isCodeAllowed: boolean | undefined;

/** Whether the process turns text into code: a worker or a Content-Security-Policy may forbid it. */
export function allowsCode(): boolean {
  isCodeAllowed ??= codeRefusal() === null;
  return isCodeAllowed;
}

/** What the process throws at code from text, or null. */
function codeRefusal(): Error | null {
  try {
    return typeof new Function("return 0") === "function" ? null : new Error("no function");
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

export function requireCode(): void {
  const cause = codeRefusal();
  if (cause === null) return;
  throw new Error(
    `this process forbids code from text (${cause.message}); without \`codegen: true\` templates render all the same`,
    { cause },
  );
}

const BODY_OPTIONS = { typed: false, comments: false, inputType: "" };

function generated(module: Module, mapped: Named | null): Engine {
  const body = emitBody(module, { ...BODY_OPTIONS, marked: mapped !== null });
  const prompt = instantiate(body, runtimeOf(module.dialect), PROMPT, mapped);
  if (!isPrompt(prompt)) throw new TypeError("the body gave no function");
  // The body for bytes comes into being when it is first asked for: few templates are rendered both ways.
  let bytePrompt: BytePrompt | undefined;
  return {
    prompt: (input, spans, options) =>
      body.usesSpans ? prompt(input, spans, options) : prompt(input, options),
    bytes(input, options, sink) {
      bytePrompt ??= instantiateBytes(module, mapped);
      return bytePrompt(input, options)(sink);
    },
  };
}

/** A prompt that still waits for what takes its text. */
type BytePrompt = (input: unknown, options?: RenderOptions) => (sink: ByteSink) => string;

function instantiateBytes(module: Module, mapped: Named | null): BytePrompt {
  const body = emitBody(module, { ...BODY_OPTIONS, bytes: true, marked: mapped !== null });
  const result = `(input, options) => ${byteCall(body, false)}`;
  const prompt = instantiate(body, runtimeOf(module.dialect), result, mapped);
  if (!isBytePrompt(prompt)) throw new TypeError("the body gave no function");
  return prompt;
}

function isBytePrompt(value: unknown): value is BytePrompt {
  return typeof value === "function";
}

type Prompt = (input: unknown, ...rest: unknown[]) => string;

/** The program of a body, as text: what `new Function` gets, and what stripping a generated file's types gives. */
export function programText(body: BodyText): string {
  const prompts = body.bytePrompt === null ? [body.prompt] : [body.prompt, body.bytePrompt];
  return [...body.constants, ...prompts, ...body.functions].join("\n\n");
}

/** The value of an expression in the body's scope. */
function instantiate(
  body: BodyText,
  runtime: Readonly<Record<string, unknown>>,
  result: string,
  mapped: Named | null,
): unknown {
  const names = [...body.imports, ...body.segmentImports]
    .map((name) => name.replace(" as ", ": "))
    .join(", ");
  const marked = `"use strict";\nconst { ${names} } = runtime;\n${programText(body)}\nreturn ${result};`;
  const code = mapped === null ? marked : mappedCode(marked, mapped);
  // The body holds quoted literals and known nodes only: nothing of the template is code.
  const make: unknown = new Function("runtime", code);
  if (typeof make !== "function") throw new TypeError("the body is no function");
  return Reflect.apply(make, undefined, [runtime]);
}

function isPrompt(value: unknown): value is Prompt {
  return typeof value === "function";
}
