/** Prompts that go on as messages come: what is rendered of a longer conversation is what a shorter one lacks. */
import { RenderError, type RenderOptions } from "../runtime/index.js";
import { commonLength, type PrefixStability } from "./analysis/prefix.js";
import { KEPT, resumable, TAKEN, type Resumable } from "./append/index.js";
import type { Engine } from "./engines.js";
import type { Dialect, Module } from "./ir/nodes.js";

/** A prompt that can go on. It never changes: what goes on is another one, and several may go on from one. */
export interface GrowingPrompt {
  /** The whole prompt. */
  readonly text: string;
  /** What it has more than the prompt that it went on from; all of it for the first. */
  readonly appended: string;
}

/** How a template renders, as far as prompts that go on need it. */
export interface Renders {
  readonly dialect: Dialect;
  /** The optimised module. */
  readonly module: () => Module;
  readonly engine: (module: Module) => Engine;
  /** The input as plain data. */
  readonly prepared: (input: object) => unknown;
  /** The whole prompt of plain data. */
  readonly whole: (data: unknown, options: RenderOptions) => string;
  /** Whether prompts grow. */
  readonly stability: (dialect: Exclude<Dialect, "go">) => PrefixStability;
}

type Data = Readonly<Record<string, unknown>>;

class Prompt implements GrowingPrompt {
  readonly text: string;
  readonly appended: string;
  readonly #owner: PromptAppender;
  readonly #data: Data;
  readonly #options: RenderOptions;
  readonly #kept: readonly unknown[] | null;

  constructor(owner: PromptAppender, rendered: Rendered, appended: string) {
    this.text = rendered.text;
    this.appended = appended;
    this.#owner = owner;
    this.#data = rendered.data;
    this.#options = rendered.options;
    this.#kept = rendered.kept;
  }

  /** What a prompt was rendered of; undefined for one of another template. */
  static of(prompt: unknown, owner: PromptAppender): Rendered | undefined {
    if (!(prompt instanceof Prompt) || prompt.#owner !== owner) return undefined;
    const { text } = prompt;
    return { text, data: prompt.#data, options: prompt.#options, kept: prompt.#kept };
  }
}

interface Rendered {
  readonly text: string;
  readonly data: Data;
  readonly options: RenderOptions;
  /** What the locals held before the last message; null: not known. */
  readonly kept: readonly unknown[] | null;
}

interface Engines {
  readonly first: Engine;
  readonly later: Engine;
  readonly fewest: number;
}

/** The prompts of one template. */
export class PromptAppender {
  readonly #renders: Renders;
  #isStable = false;
  #engines: Engines | null | undefined;

  constructor(renders: Renders) {
    this.#renders = renders;
  }

  /**
   * Whether prompts go on from where the last message begins; else each is rendered as a whole, and compared. Where it
   * is, that depends on the template alone.
   */
  get isIncremental(): boolean {
    return this.#found() !== null;
  }

  /** The first prompt; a RenderError of phase "input" where the template's prompts do not always grow. */
  start(input: object, options: RenderOptions): GrowingPrompt {
    this.#requireStable();
    const data = this.#renders.prepared(input);
    if (!isData(data)) throw refusal("the input is no object");
    const rendered = this.#first(data, { ...options, now: options.now ?? new Date() });
    return new Prompt(this, rendered, rendered.text);
  }

  /** The prompt of the conversation with more messages. */
  append(prompt: GrowingPrompt, messages: readonly object[]): GrowingPrompt {
    const before = Prompt.of(prompt, this);
    if (before === undefined) throw refusal("the prompt is none of this template's that can go on");
    const { messages: more } = asData(this.#renders.prepared({ messages }));
    const data = {
      ...before.data,
      messages: [...listOf(before.data["messages"]), ...listOf(more)],
    };
    const after = this.#later(before, data) ?? this.#first(data, before.options);
    if (!after.text.startsWith(before.text)) throw parted(before.text, after.text);
    return new Prompt(this, after, after.text.slice(before.text.length));
  }

  #first(data: Data, options: RenderOptions): Rendered {
    const engines = this.#found();
    const isKept = engines !== null && listOf(data["messages"]).length >= engines.fewest;
    if (!isKept) return { text: this.#renders.whole(data, options), data, options, kept: null };
    const { text, kept } = run(engines.first, data, options);
    return { text, data, options, kept };
  }

  /** Rendered from the last message on; null where that is not certain to be right. */
  #later({ text, data: old, options, kept }: Rendered, data: Data): Rendered | null {
    const engines = this.#found();
    if (engines === null || kept === null) return null;
    const tail = run(engines.later, { ...old, [TAKEN]: kept }, options).text;
    if (!text.endsWith(tail)) return null;
    const longer = run(engines.later, { ...data, [TAKEN]: kept }, options);
    if (!longer.text.startsWith(tail)) throw parted(tail, longer.text);
    return { text: text + longer.text.slice(tail.length), data, options, kept: longer.kept };
  }

  #found(): Engines | null {
    if (this.#engines === undefined) {
      const found = resumable(this.#renders.module());
      this.#engines = found === null ? null : this.#enginesOf(found);
    }
    return this.#engines;
  }

  #enginesOf({ first, later, fewest }: Resumable): Engines {
    const { engine } = this.#renders;
    return { first: engine(first), later: engine(later), fewest };
  }

  /** Finding that out takes some thousand renders of small conversations, once a template. */
  #requireStable(): void {
    if (this.#isStable) return;
    const { dialect, stability } = this.#renders;
    if (dialect === "go")
      throw refusal("templates of dialect go render any data, not conversations");
    const { stable, counterExample } = stability(dialect);
    if (!stable) {
      const example = counterExample?.kinds.join(", ") ?? "";
      throw refusal(
        `the template's prompts do not always begin with those of shorter conversations (${example}); ` +
          "`chat-template inspect --prefix` shows where they part: render whole conversations instead",
      );
    }
    this.#isStable = true;
  }
}

function run(
  engine: Engine,
  data: Data,
  options: RenderOptions,
): { readonly text: string; readonly kept: readonly unknown[] | null } {
  const states: unknown[] = [];
  const text = engine.prompt({ ...data, [KEPT]: states }, null, options);
  const state = states.at(-1);
  return { text, kept: Array.isArray(state) ? state : null };
}

function refusal(message: string): RenderError {
  return new RenderError(message, { phase: "input", type: "TypeError" });
}

function parted(before: string, after: string): RenderError {
  const units = before.length - commonLength(before, after);
  return refusal(
    `the longer conversation's prompt parts from the shorter one's ${String(units)} units before its end`,
  );
}

function isData(data: unknown): data is Data {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}

function asData(data: unknown): Data {
  return isData(data) ? data : {};
}

function listOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}
