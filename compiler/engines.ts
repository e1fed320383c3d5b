/** What a template runs on in this process: closures over its IR, or code made from its text. */
import type { ByteSink } from "../runtime/bytes/index.js";
import * as goRuntime from "../runtime/go/index.js";
import type { RenderOptions, Segment } from "../runtime/index.js";
import * as jinjaRuntime from "../runtime/jinja/index.js";
import { renderError } from "../runtime/errors.js";
import { budget, exceeded, limited, STEP } from "../runtime/limits.js";
import * as segmentRuntime from "../runtime/segments/index.js";
import { emitBody, type BodyText } from "./emit/body.js";
import { COUNTING } from "./emit/counts.js";
import { byteCall, promptCall, segmentCall } from "./emit/entries.js";
import { PROMPT } from "./emit/module-names.js";
import { evaluateModule, evaluateTraced } from "./evaluate/index.js";
import { InputRule } from "./input/plain-input.js";
import { RENDER_RULES, renderCode } from "./input/render-code.js";
import type { Dialect, Module } from "./ir/nodes.js";
import { mappedCode, type Named } from "./mapped-code.js";
import { addLimits, addStepLimits, LimitsOnDemand } from "./passes/limits.js";
import { tracedModule, type PipelineOptions } from "./pipeline.js";

/** What renders. */
export interface Engine {
  /** All of a render: any input, by the rule that the engine was made with, to text; throws RenderErrors alone. */
  render(input: object, options: RenderOptions | undefined): string;
  /** The input as plain data, by the rule; throws as that does. */
  prepare(input: unknown): unknown;
  /** The text of plain data. Without `spans`, those of the template are noted nowhere. */
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

/** An engine that takes inputs by the module's rule, or by that of the module that it was made of. */
export function engineOf(
  module: Module,
  { code, limits }: EngineChoice,
  inputs = new InputRule(module),
): Engine {
  return code === null
    ? evaluated(module, inputs, limits)
    : generated(limits ? addLimits(module) : module, inputs, limits, code.mapped);
}

function underLimits(prompt: Engine["prompt"], limits: boolean): Engine["prompt"] {
  if (!limits) return prompt;
  return (input, spans, options) => limited(options, () => prompt(input, spans, options));
}

// ---------------------------------------------------------------- closures

function evaluated(module: Module, inputs: InputRule, limits: boolean): Engine {
  const counter = limits ? new LimitsOnDemand(module) : null;
  const evaluate = evaluateModule(module, runtimeOf(module.dialect), counter);
  const prompt = underLimits(
    (input, spans, options) => evaluate(input, spans, options?.now),
    limits,
  );
  const prepare: Engine["prepare"] = (input) => inputs.prepare(input);
  const render: Engine["render"] = (input, options) => {
    try {
      return prompt(prepare(input), null, options);
    } catch (error) {
      throw renderError(error);
    }
  };
  return { render, prepare, prompt, bytes: (input, options) => prompt(input, null, options) };
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
    return (input, options) => segmentRuntime.segments([run(input, options?.now)], input);
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

function generated(
  module: Module,
  inputs: InputRule,
  limits: boolean,
  mapped: Named | null,
): Engine {
  const body = emitBody(module, { ...BODY_OPTIONS, marked: mapped !== null });
  const { prompt, prepare, render } = instantiatePrompt(body, module, inputs, { limits, mapped });
  // The body for bytes comes into being when it is first asked for: few templates are rendered both ways.
  let bytePrompt: BytePrompt | undefined;
  const bytes: Engine["bytes"] = (input, options, sink) => {
    bytePrompt ??= instantiateBytes(module, mapped);
    return bytePrompt(input, options)(sink);
  };
  return {
    render,
    prepare,
    prompt: underLimits(
      (input, spans, options) =>
        body.usesSpans ? prompt(input, spans, options) : prompt(input, options),
      limits,
    ),
    bytes: limits
      ? (input, options, sink) => limited(options, () => bytes(input, options, sink))
      : bytes,
  };
}

/** The prompt function, and the render around it in the same code, so that engines see them as one. */
function instantiatePrompt(
  body: BodyText,
  module: Module,
  inputs: InputRule,
  { limits, mapped }: { readonly limits: boolean; readonly mapped: Named | null },
): Prompts {
  const result = `(({ ${Object.keys(RENDER_RULES).join(", ")} }) => {
${renderCode(promptCall(body, "null"), inputs.reads, limits)}
return { prompt: ${PROMPT}, prepare, render };
})(${RUNTIME}.rules)`;
  const runtime = { ...runtimeOf(module.dialect), rules: RENDER_RULES };
  const made = instantiate(body, runtime, result, mapped);
  if (!isPrompts(made)) throw new TypeError("the body gave no function");
  return made;
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

interface Prompts {
  readonly prompt: (input: unknown, ...rest: unknown[]) => string;
  readonly prepare: Engine["prepare"];
  readonly render: Engine["render"];
}

/** The program of a body, as text: what `new Function` gets, and what stripping a generated file's types gives. */
export function programText(body: BodyText): string {
  const prompts = body.bytePrompt === null ? [body.prompt] : [body.prompt, body.bytePrompt];
  return [...body.constants, ...prompts, ...body.functions].join("\n\n");
}

/** The program's parameters, by names that none of its own has: those are mangled to ASCII. */
const RUNTIME = "runtime\u00b7";
const LIMITS = "limits\u00b7";

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
  const marked = `"use strict";\nconst { ${names} } = ${RUNTIME};\n${COUNTING} = ${LIMITS};\n${programText(body)}\nreturn ${result};`;
  const code = mapped === null ? marked : mappedCode(marked, mapped);
  // The body holds quoted literals and known nodes only: nothing of the template is code.
  const make: unknown = new Function(RUNTIME, LIMITS, code);
  if (typeof make !== "function") throw new TypeError("the body is no function");
  return Reflect.apply(make, undefined, [runtime, { budget, exceeded, STEP }]);
}

function isPrompts(value: unknown): value is Prompts {
  if (typeof value !== "object" || value === null) return false;
  const { prompt, prepare, render }: { [name in keyof Prompts]?: unknown } = value;
  return [prompt, prepare, render].every((part) => typeof part === "function");
}
