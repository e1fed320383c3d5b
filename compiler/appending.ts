/** Prompts that go on as messages come: what is rendered of a longer conversation is what a shorter one lacks. */
import { RenderError, type RenderOptions } from "../runtime/index.js";
import { commonLength, type PrefixStability } from "./analysis/prefix.js";
import { KEPT, resumable, TAKEN, type Resumable } from "./append/index.js";
import type { Engine } from "./engines.js";
import { growingInput, isData, listOf, type Data, type GrowingInput } from "./growing-input.js";
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

class Prompt implements GrowingPrompt {
  readonly text: string;
  readonly appended: string;
  readonly #owner: PromptAppender;
  readonly #data: Data;
  readonly #options: RenderOptions;
  readonly #kept: Kept | null;

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
  /** What it can go on from; null: not known. */
  readonly kept: Kept | null;
}

/** What was rendered as the template's rules read it, and what the locals held before the last message. */
interface Kept {
  readonly values: Data;
  readonly locals: readonly unknown[];
}

interface Engines {
  readonly input: GrowingInput;
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
    const more = listOf(asData(this.#renders.prepared({ messages }))["messages"]);
    const data = { ...before.data, messages: [...listOf(before.data["messages"]), ...more] };
    const grown = this.#later(before, data, more);
    if (grown !== null) return grown;
    const after = this.#first(data, before.options);
    if (!after.text.startsWith(before.text)) throw parted(before.text, after.text);
    return new Prompt(this, after, after.text.slice(before.text.length));
  }

  #first(data: Data, options: RenderOptions): Rendered {
    const engines = this.#found();
    const values = engines?.input.start(data) ?? null;
    const isKept =
      engines !== null && values !== null && listOf(values["messages"]).length >= engines.fewest;
    if (!isKept) return { text: this.#renders.whole(data, options), data, options, kept: null };
    return { ...run(engines.first, values, {}, options), data, options };
  }

  /** Rendered from the last message on; null where that is not certain to be right. */
  #later({ text, options, kept }: Rendered, data: Data, more: readonly unknown[]): Prompt | null {
    const engines = this.#found();
    if (engines === null || kept === null) return null;
    const values = engines.input.grown(kept.values, more);
    if (values === null) return null;
    const taken = { [TAKEN]: kept.locals };
    const tail = run(engines.later, kept.values, taken, options).text;
    if (!text.endsWith(tail)) return null;
    const longer = run(engines.later, values, taken, options);
    if (!longer.text.startsWith(tail)) throw parted(tail, longer.text);
    const appended = longer.text.slice(tail.length);
    return new Prompt(this, { text: text + appended, data, options, kept: longer.kept }, appended);
  }

  #found(): Engines | null {
    if (this.#engines === undefined) {
      const module = this.#renders.module();
      const found = resumable(module);
      this.#engines = found === null ? null : this.#enginesOf(found, growingInput(module));
    }
    return this.#engines;
  }

  #enginesOf({ first, later, fewest }: Resumable, input: GrowingInput): Engines {
    const { engine } = this.#renders;
    return { input, first: engine(first), later: engine(later), fewest };
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
  values: Data,
  taken: Data,
  options: RenderOptions,
): { readonly text: string; readonly kept: Kept | null } {
  const states: unknown[] = [];
  const text = engine.prompt({ ...values, ...taken, [KEPT]: states }, null, options);
  const locals: unknown = states.at(-1);
  return { text, kept: Array.isArray(locals) ? { values, locals } : null };
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

function asData(data: unknown): Data {
  return isData(data) ? data : {};
}
