/** Templates compiled in this process: the same pipeline, ending in a function. Neither ts-morph nor prettier is loaded. */
import {
  encode,
  encodeStray,
  encodeStrayTo,
  encodeTo,
  type ByteSink,
} from "../runtime/bytes/index.js";
import * as goRuntime from "../runtime/go/index.js";
import {
  RenderError,
  toInput,
  type RenderOptions,
  type Renderer,
  type Spanned,
  type TemplateMeta,
} from "../runtime/index.js";
import { renderError } from "../runtime/errors.js";
import * as jinjaRuntime from "../runtime/jinja/index.js";
import type { Diagnostic } from "./diagnostics.js";
import { emitBody, PROMPT, type BodyText } from "./emit/body.js";
import { hasStrayBytes } from "./emit/bytes.js";
import { byteCall } from "./emit/entries.js";
import type { Module } from "./ir/nodes.js";
import { describeTemplate } from "./meta.js";
import type { Dialect } from "./options.js";
import { toModule, type PipelineOptions } from "./pipeline.js";

export { CompileError, type Diagnostic } from "./diagnostics.js";
export { RenderError };

export interface TemplateOptions {
  /** Default: jinja. */
  readonly dialect?: Dialect;
  readonly name?: string;
  readonly define?: Readonly<Record<string, unknown>>;
}

/** A template that renders in this process. */
export class Template implements Renderer<object> {
  readonly meta: TemplateMeta;
  readonly #compiled: CompiledTemplate;

  /** Compiles at once; throws a CompileError where the real engine refuses the template. */
  constructor(source: string, options: TemplateOptions = {}) {
    this.#compiled = compileTemplate(source, { dialect: "jinja", ...options });
    this.meta = this.#compiled.meta;
  }

  /** The prompt; throws a RenderError where the real engine fails. */
  render(input: object = {}, options?: RenderOptions): string {
    return this.#compiled.render(input, options);
  }

  /** The prompt in UTF-8, in bytes of the caller's own; throws a RenderError like {@link render}. */
  renderBytes(input: object, options?: RenderOptions): Uint8Array<ArrayBuffer> {
    return this.#compiled.renderBytes(input, options);
  }

  /**
   * The prompt in UTF-8, in chunks that are valid only until `write` returns. Throws a RenderError like {@link render};
   * its `written` counts the bytes that `write` has got by then.
   */
  renderTo(input: object, write: (chunk: Uint8Array) => void, options?: RenderOptions): void {
    this.#compiled.renderTo(input, write, options);
  }

  /** The prompt with its generation spans in code points; throws a RenderError like {@link render}. */
  renderWithSpans(input: object, options?: RenderOptions): Spanned {
    return this.#compiled.renderWithSpans(input, options);
  }
}

export interface CompiledTemplate extends Renderer<object> {
  /** Whether a lone surrogate in what it renders is a byte of its own; else it is Go's U+FFFD. */
  readonly strayBytes: boolean;
  /** The prompt and its generation spans, as transformers counts them; none without a generation block. */
  renderWithSpans(input: object, options?: RenderOptions): Spanned;
  /** The prompt in UTF-8; stray bytes as they are. */
  renderBytes(input: object, options?: RenderOptions): Uint8Array<ArrayBuffer>;
  renderTo(input: object, write: (chunk: Uint8Array) => void, options?: RenderOptions): void;
  readonly diagnostics: readonly Diagnostic[];
}

/** Compiles in this process with a choice of passes. */
export function compileTemplate(
  source: string,
  options: TemplateOptions & Omit<PipelineOptions, "name">,
): CompiledTemplate {
  const name = options.name ?? "template";
  const { module, diagnostics } = toModule(source, { ...options, name });
  const body = emitBody(module, { typed: false, comments: false, inputType: "" });
  const prompt = instantiate(body, options.dialect, PROMPT);
  if (!isPrompt(prompt)) throw new TypeError("the body gave no function");
  const run = (
    input: object,
    spans: jinjaRuntime.Span[],
    renderOptions: RenderOptions | undefined,
  ): string => {
    try {
      const rest = body.usesSpans ? [spans, renderOptions] : [renderOptions];
      return prompt(toInput(input), ...rest);
    } catch (error) {
      throw renderError(error);
    }
  };
  return {
    meta: describeTemplate(source, name, options.dialect, module),
    diagnostics,
    strayBytes: module.prepare === "go.ollamaValuesStrict" || module.prepare === "go.wellFormed",
    render: (input, renderOptions) => run(input, [], renderOptions),
    renderWithSpans(input, renderOptions) {
      const spans: jinjaRuntime.Span[] = [];
      return jinjaRuntime.spanned(run(input, spans, renderOptions), spans);
    },
    ...byteRenderer(module),
  };
}

/** The body for bytes comes into being when it is first asked for: few templates are rendered both ways. */
function byteRenderer(module: Module): Pick<CompiledTemplate, "renderBytes" | "renderTo"> {
  let known: BytePrompt | undefined;
  const bodyFor =
    (input: object, options: RenderOptions | undefined) =>
    (sink: ByteSink): string => {
      known ??= instantiateBytes(module);
      return known(toInput(input), options)(sink);
    };
  const [whole, inChunks] = hasStrayBytes(module)
    ? [encodeStray, encodeStrayTo]
    : [encode, encodeTo];
  return {
    renderBytes: (input, options) => whole(bodyFor(input, options)),
    renderTo(input, write, options) {
      inChunks(write, bodyFor(input, options));
    },
  };
}

/** A prompt that still waits for what takes its text. */
type BytePrompt = (input: unknown, options?: RenderOptions) => (sink: ByteSink) => string;

function instantiateBytes(module: Module): BytePrompt {
  const body = emitBody(module, { typed: false, comments: false, inputType: "", bytes: true });
  const prompt = instantiate(body, module.dialect, `(input, options) => ${byteCall(body)}`);
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
function instantiate(body: BodyText, dialect: Dialect, result: string): unknown {
  const names = body.imports.map((name) => name.replace(" as ", ": ")).join(", ");
  const code = `"use strict";\nconst { ${names} } = runtime;\n${programText(body)}\nreturn ${result};`;
  // The body holds quoted literals and known nodes only: nothing of the template is code.
  const make: unknown = new Function("runtime", code);
  if (typeof make !== "function") throw new TypeError("the body is no function");
  return Reflect.apply(make, undefined, [dialect === "jinja" ? jinjaRuntime : goRuntime]);
}

function isPrompt(value: unknown): value is Prompt {
  return typeof value === "function";
}
