/**
 * Templates compiled in this process: the same pipeline, ending in closures or in a function. Neither ts-morph nor
 * prettier is loaded.
 */
import {
  encode,
  encodeStray,
  encodeStrayTo,
  encodeTo,
  type ByteSink,
} from "../runtime/bytes/index.js";
import {
  RenderError,
  type RenderOptions,
  type Renderer,
  type Segment,
  type Spanned,
  type TemplateMeta,
} from "../runtime/index.js";
import { renderError } from "../runtime/errors.js";
import * as jinjaRuntime from "../runtime/jinja/index.js";
import { prefixStability } from "./analysis/prefix.js";
import { PromptAppender, type GrowingPrompt, type Renders } from "./appending.js";
import type { Diagnostic } from "./diagnostics.js";
import { hasStrayBytes } from "./emit/bytes.js";
import {
  allowsCode,
  engineOf,
  requireCode,
  tracedEngine,
  type Engine,
  type TracedEngine,
} from "./engines.js";
import { InputRule, plainInput } from "./input/plain-input.js";
import type { Module } from "./ir/nodes.js";
import { showsSources, type Named } from "./mapped-code.js";
import { describedLater, describeTemplate } from "./meta.js";
import type { Dialect } from "./options.js";
import { orDepth, toLowered, toModule, toOptimized, type PipelineOptions } from "./pipeline.js";
import { Source } from "./source.js";
import { LruCache, type TemplateCache } from "./template-cache.js";

export { CompileError, type Diagnostic } from "./diagnostics.js";
export type { GrowingPrompt } from "./appending.js";
export type { TemplateCache } from "./template-cache.js";
export { programText } from "./engines.js";
export { RenderError };

export interface TemplateOptions {
  /** Default: jinja. */
  readonly dialect?: Dialect;
  readonly name?: string;
  readonly define?: Readonly<Record<string, unknown>>;
  /**
   * Whether rendering may generate code from text (`new Function`). By default it does where the process allows it,
   * which one attempt finds out; `false`: it never tries; `true`: code from the first render on, and an error where
   * that is not allowed. What is rendered does not depend on it.
   */
  readonly codegen?: boolean;
  /**
   * Whether code carries a map to the template, so that stack traces and debuggers show its lines; `true`: with code
   * from the first render on, where the process allows it. By default it does where stack traces are mapped
   * (`node --enable-source-maps`), with code no later than the first render that fails.
   */
  readonly sourceMap?: boolean;
  /**
   * Whether renders have limits of steps and output, which `limits` of RenderOptions sets; default: yes, with limits
   * that only a hostile template reaches.
   */
  readonly limits?: boolean;
}

let tiersOf: (template: Template) => Tiers;

/**
 * A template that renders in this process. It takes the place of @huggingface/jinja's class of that name, but for
 * `format`, and for functions in the input, which are refused: the environment's own are there without them.
 */
export class Template implements Renderer<object> {
  readonly #tiers: Tiers;
  readonly #described: () => TemplateMeta;
  readonly #rendering: Rendering;
  readonly #appender: () => PromptAppender;

  /**
   * Parses and checks at once; throws a CompileError where the real engine refuses the template. The first renders run
   * on closures; once they add up, the passes run, and code takes over where code is allowed.
   */
  constructor(source: string, options: TemplateOptions = {}) {
    const { codegen, sourceMap, limits = true, ...rest } = options;
    const settings = { dialect: "jinja", name: "template", ...rest } as const;
    if (codegen === true) requireCode();
    const tiers = new Tiers(source, settings, { codegen, sourceMap, limits });
    this.#tiers = tiers;
    const traced = later(() => tracedEngine(source, settings, { codegen, limits }));
    this.#rendering = renderingWith(() => tiers.engine(), traced, tiers.first);
    this.#appender = later(() => new PromptAppender(rendersOf(tiers, settings.dialect)));
    this.#described = later(() =>
      describedLater(settings, () =>
        describeTemplate(source, settings.name, settings.dialect, tiers.optimized()),
      ),
    );
  }

  static {
    tiersOf = (template) => template.#tiers;
  }

  /** What is found out by the passes is found out when it is asked for. */
  get meta(): TemplateMeta {
    return this.#described();
  }

  /**
   * The prompt; throws a RenderError where the real engine fails, and one of phase "input" for a function among the
   * input's fields.
   */
  render(input: object = {}, options?: RenderOptions): string {
    return this.#tiers.render(input, options);
  }

  /** The prompt in UTF-8, in bytes of the caller's own; throws a RenderError like {@link render}. */
  renderBytes(input: object, options?: RenderOptions): Uint8Array<ArrayBuffer> {
    return this.#rendering.renderBytes(input, options);
  }

  /**
   * The prompt in UTF-8, in chunks that are valid only until `write` returns. Throws a RenderError like {@link render};
   * its `written` counts the bytes that `write` has got by then.
   */
  renderTo(input: object, write: (chunk: Uint8Array) => void, options?: RenderOptions): void {
    this.#rendering.renderTo(input, write, options);
  }

  /** The prompt with its generation spans in code points; throws a RenderError like {@link render}. */
  renderWithSpans(input: object, options?: RenderOptions): Spanned {
    return this.#rendering.renderWithSpans(input, options);
  }

  /**
   * The prompt in pieces, each with where it comes from: joined they are what {@link render} gives. Throws a RenderError
   * like it.
   */
  renderSegments(input: object = {}, options?: RenderOptions): Segment[] {
    return this.#rendering.renderSegments(input, options);
  }

  /**
   * The prompt of a conversation that will go on, with its clock. Throws a RenderError of phase "input" where prompts of
   * the template do not always begin with those of shorter conversations, which the first call finds out by rendering
   * some thousand small ones; else like {@link render}.
   */
  renderGrowing(input: object, options: RenderOptions = {}): GrowingPrompt {
    return orRenderError(() => this.#appender().start(input, options));
  }

  /**
   * The prompt of the conversation with more messages: what {@link render} gives for all of them, in time that depends
   * on the new ones and the last old one, where the template allows it. Throws a RenderError where the prompt parts from
   * the one before; else like {@link render}.
   */
  renderAppend(prompt: GrowingPrompt, messages: readonly object[]): GrowingPrompt {
    return orRenderError(() => this.#appender().append(prompt, messages));
  }

  /** Whether {@link renderAppend} leaves old messages alone; else it renders the whole conversation, and compares. */
  get isIncremental(): boolean {
    return this.#appender().isIncremental;
  }

  /** @huggingface/jinja's formatter of templates: there is none here. */
  format(): never {
    throw new Error(
      "format() is not offered: this compiler keeps templates as they are written; " +
        "@huggingface/jinja's Template has a formatter",
    );
  }
}

/**
 * Runs the passes on a template now, and gives what they threw, or null. A template on which they fail is rendered by
 * closures for ever, which nothing else shows; the tests ask for every template that they know.
 */
export function promote(template: Template): unknown {
  const tiers = tiersOf(template);
  tiers.optimized();
  return tiers.failure;
}

/**
 * A cache of the templates that were used last, at most `max` (a whole number from 1 on; else a RangeError). Templates
 * that are refused are not kept.
 */
export function createTemplateCache(max: number): TemplateCache {
  return new LruCache(max, (source, dialect) => new Template(source, { dialect }));
}

// ---------------------------------------------------------------- rendering

/** What a template does, whatever it runs on. */
interface Rendering {
  render(input: object, options?: RenderOptions): string;
  /** The prompt and its generation spans, as transformers counts them; none without a generation block. */
  renderWithSpans(input: object, options?: RenderOptions): Spanned;
  /** The prompt in UTF-8; stray bytes as they are. */
  renderBytes(input: object, options?: RenderOptions): Uint8Array<ArrayBuffer>;
  renderTo(input: object, write: (chunk: Uint8Array) => void, options?: RenderOptions): void;
  /** The prompt in pieces with their origin. */
  renderSegments(input: object, options?: RenderOptions): Segment[];
}

export interface CompiledTemplate extends Renderer<object>, Rendering {
  /** Whether a lone surrogate in what it renders is a byte of its own; else it is Go's U+FFFD. */
  readonly strayBytes: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Compiles in this process with a choice of passes; to closures where `codegen` is false, else to code. */
export function compileTemplate(
  source: string,
  options: TemplateOptions & Omit<PipelineOptions, "name">,
): CompiledTemplate {
  const name = options.name ?? "template";
  const { module, diagnostics } = toModule(source, { ...options, name });
  const limits = options.limits === true;
  const code = options.codegen === false ? null : { mapped: null };
  const engine = orRefused(source, () => engineOf(module, { code, limits }));
  return {
    meta: describeTemplate(source, name, options.dialect, module),
    diagnostics,
    strayBytes: module.prepare === "go.ollamaValuesStrict" || module.prepare === "go.wellFormed",
    ...renderingWith(
      () => engine,
      later(() => tracedEngine(source, { ...options, name }, { codegen: options.codegen, limits })),
      module,
    ),
  };
}

function orRefused(source: string, make: () => Engine): Engine {
  try {
    return make();
  } catch (error) {
    throw orDepth(new Source(source, "template"), error);
  }
}

function orRenderError<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw renderError(error);
  }
}

function renderingWith(
  engine: () => Engine,
  traced: () => TracedEngine,
  module: Module,
): Rendering {
  const [whole, inChunks] = hasStrayBytes(module)
    ? [encodeStray, encodeStrayTo]
    : [encode, encodeTo];
  const bytes = (input: object, options: RenderOptions | undefined, sink: ByteSink): string => {
    const own = engine();
    return own.bytes(own.prepare(input), options, sink);
  };
  return {
    render: (input, options) => engine().render(input, options),
    renderWithSpans(input, options) {
      const spans: jinjaRuntime.Span[] = [];
      return orRenderError(() => {
        const own = engine();
        return jinjaRuntime.spanned(own.prompt(own.prepare(input), spans, options), spans);
      });
    },
    // Segments look for their origins in all of the input.
    renderSegments: (input, options) => orRenderError(() => traced()(plainInput(input), options)),
    renderBytes: (input, options) => whole((sink) => bytes(input, options, sink)),
    renderTo(input, write, options) {
      inChunks(write, (sink) => bytes(input, options, sink));
    },
  };
}

function rendersOf(tiers: Tiers, dialect: Dialect): Renders {
  return {
    dialect,
    module: () => tiers.optimized(),
    engine: (module) => tiers.engineOf(module),
    prepared: (input) => plainInput(input),
    whole: (data, options) => tiers.engine().prompt(data, null, options),
    stability: (kind) =>
      prefixStability(kind, (input) => tiers.engine().prompt(plainInput(input), null, undefined)),
  };
}

// ---------------------------------------------------------------- tiers

/** How often closures render, and how much, before the passes are worth their time. */
const RENDERS = 32;
const UNITS = 1 << 20;

type Settings = PipelineOptions;

interface CodeOptions {
  readonly codegen: boolean | undefined;
  readonly sourceMap: boolean | undefined;
  readonly limits: boolean;
}

/** A template that starts as closures over what lowering gave, and ends as optimised code (or closures over it). */
class Tiers {
  /** What lowering gave. */
  readonly first: Module;
  /** Found on that, so that all engines take inputs alike. */
  readonly inputs: InputRule;
  readonly #source: string;
  readonly #settings: Settings;
  readonly #codegen: boolean | undefined;
  /** What the code's map leads to; null: it has none. */
  readonly #mapped: Named | null;
  readonly #limits: boolean;
  #engine: Engine;
  #optimized: Module | null = null;
  /** Why the first tier is also the last, if it is. */
  failure: unknown = null;
  #renders = 0;
  #units = 0;

  constructor(source: string, settings: Settings, { codegen, sourceMap, limits }: CodeOptions) {
    this.#source = source;
    this.#settings = settings;
    this.#codegen = codegen;
    this.#limits = limits;
    const isMapped = codegen !== false && (sourceMap ?? showsSources());
    this.#mapped = isMapped ? { name: settings.name, source } : null;
    const first = toLowered(source, settings).module;
    this.first = first;
    this.inputs = new InputRule(first);
    if (codegen === true) {
      const optimized = toOptimized(first, source, settings);
      this.#optimized = optimized;
      const code = { mapped: this.#mapped };
      this.#engine = orRefused(source, () => engineOf(optimized, { code, limits }, this.inputs));
    } else {
      this.#engine = this.#counted(
        orRefused(source, () => engineOf(first, { code: null, limits }, this.inputs)),
      );
      if (sourceMap === true) this.optimized();
    }
  }

  /** What renders now. */
  engine(): Engine {
    if (this.#optimized === null) {
      const isDue = this.#renders >= RENDERS || this.#units >= UNITS;
      if (isDue) this.optimized();
    }
    return this.#engine;
  }

  render(input: object, options: RenderOptions | undefined): string {
    return this.#engine.render(input, options);
  }

  /** The optimised module; from now on it is what renders. */
  optimized(): Module {
    if (this.#optimized !== null) return this.#optimized;
    try {
      const module = toOptimized(this.first, this.#source, this.#settings);
      this.#engine = this.engineOf(module, this.#mapped);
      this.#optimized = module;
    } catch (error) {
      // What renders goes on as it is: a template may be too deep for a pass, or for JavaScript's parser.
      this.failure = error;
      this.#optimized = this.first;
    }
    return this.#optimized;
  }

  /** What renders another module of the template, such as it runs here. */
  engineOf(module: Module, mapped: Named | null = null): Engine {
    const isCode = this.#codegen !== false && allowsCode();
    const choice = { code: isCode ? { mapped } : null, limits: this.#limits };
    return engineOf(module, choice, this.inputs);
  }

  #counted(first: Engine): Engine {
    const count = (render: (engine: Engine) => string): string => {
      const text = this.#orOptimized(first, render);
      this.#renders++;
      this.#units += text.length;
      return text;
    };
    const render: Engine["render"] = (input, options) => {
      const engine = this.engine();
      if (engine !== counted) return engine.render(input, options);
      return orRenderError(() => {
        const data = this.inputs.prepare(input);
        return count((each) => each.prompt(data, null, options));
      });
    };
    const counted: Engine = {
      render,
      prepare: (input) => this.inputs.prepare(input),
      prompt: (input, spans, options) =>
        count((engine) => {
          if (spans !== null) spans.length = 0;
          return engine.prompt(input, spans, options);
        }),
      bytes: (input, options, sink) => count((engine) => engine.bytes(input, options, sink)),
    };
    return counted;
  }

  /**
   * Closures need more of the stack than code does, and their stack traces do not show the template: what fails for
   * these is rendered again, and has done nothing yet.
   */
  #orOptimized(first: Engine, render: (engine: Engine) => string): string {
    try {
      return render(first);
    } catch (error) {
      const isTooDeep = error instanceof RangeError && error.message.includes("call stack");
      if (!isTooDeep && this.#mapped === null) throw error;
      const counted = this.#engine;
      this.optimized();
      if (this.#engine === counted) throw error;
      return render(this.#engine);
    }
  }
}

function later<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
