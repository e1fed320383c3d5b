/** Templates compiled in this process: the same pipeline, ending in a function. Neither ts-morph nor prettier is loaded. */
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
  const prompt = instantiate(body, options.dialect);
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
  };
}

type Prompt = (input: unknown, ...rest: unknown[]) => string;

/** The program of a body, as text: what `new Function` gets, and what stripping a generated file's types gives. */
export function programText(body: BodyText): string {
  return [...body.constants, body.prompt, ...body.functions].join("\n\n");
}

function instantiate(body: BodyText, dialect: Dialect): Prompt {
  const names = body.imports.map((name) => name.replace(" as ", ": ")).join(", ");
  const code = `"use strict";\nconst { ${names} } = runtime;\n${programText(body)}\nreturn ${PROMPT};`;
  // The body holds quoted literals and known nodes only: nothing of the template is code.
  const make: unknown = new Function("runtime", code);
  if (typeof make !== "function") throw new TypeError("the body is no function");
  const prompt: unknown = Reflect.apply(make, undefined, [
    dialect === "jinja" ? jinjaRuntime : goRuntime,
  ]);
  if (!isPrompt(prompt)) throw new TypeError("the body gave no function");
  return prompt;
}

function isPrompt(value: unknown): value is Prompt {
  return typeof value === "function";
}
