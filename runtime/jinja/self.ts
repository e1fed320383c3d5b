/** Jinja2's `self` and its blocks (runtime.py, TemplateReference and BlockReference). */
import { fail, RenderError } from "../errors.js";
import { meter } from "../meter.js";
import { value, type Value } from "../values.js";
import { isAutoescape } from "./autoescape.js";
import { Markup } from "./markup.js";
import { BaseObject } from "./object.js";
import { ABSENT, ATTRIBUTE, CALL, CALLABLE, ITEM, ITERATE, REPR } from "./protocol.js";
import type { Keywords } from "./protocol.js";
import { noKeywords } from "./sequence.js";
import { textOf } from "./types.js";
import { Undefined } from "./undefined.js";

/** A block's name and the function that renders it. */
type Block = readonly [name: string, render: () => string];

class TemplateReference extends BaseObject {
  readonly #blocks: readonly Block[];
  readonly #context: unknown;

  constructor(blocks: readonly Block[], context: unknown) {
    super("jinja2.runtime.TemplateReference");
    this.#blocks = blocks;
    this.#context = context;
  }

  override [REPR](): string {
    return "<TemplateReference None>";
  }

  override [ITEM](key: unknown): unknown {
    const name = textOf(key);
    const block = this.#blocks.find(([known]) => known === name);
    return block === undefined ? ABSENT : new BlockReference(block, this.#context);
  }

  /** Python iterates what has items by asking for 0, 1, …, and no block has such a name. */
  override [ITERATE](place: string): Iterator<unknown> {
    return { next: () => fail("KeyError", "0", place) };
  }
}

class BlockReference extends BaseObject {
  readonly #block: Block;
  readonly #context: unknown;

  constructor(block: Block, context: unknown) {
    super("jinja2.runtime.BlockReference");
    this.#block = block;
    this.#context = context;
  }

  override [CALLABLE](): boolean {
    return true;
  }

  override [ATTRIBUTE](name: string): unknown {
    const [block] = this.#block;
    if (name === "super") return noSuper(block);
    return name === "name" ? block : ABSENT;
  }

  /** The block's own errors have a line; only the joining of its pieces has that of the call. */
  #text(place: string): string {
    const [, render] = this.#block;
    try {
      return render();
    } catch (error) {
      if (error instanceof RenderError && error.phase === "render" && error.line === undefined) {
        return fail(error.type, error.message, place);
      }
      throw error;
    }
  }

  override [CALL](args: readonly unknown[], kwargs: Keywords, place: string): unknown {
    noKeywords("BlockReference.__call__", kwargs, place);
    if (args.length > 0) {
      const given = `1 positional argument but ${args.length + 1} were given`;
      fail("TypeError", `BlockReference.__call__() takes ${given}`, place);
    }
    const text = this.#text(place);
    return isAutoescape(this.#context) ? new Markup(text) : text;
  }
}

/** `self`, with the names of the blocks and what renders them; `context` is the setting of autoescape, if any. */
export function selfReference(
  context: unknown,
  names: readonly string[],
  ...renders: readonly (() => string)[]
): Value {
  meter?.spendItems(4 * names.length);
  const blocks = names.flatMap((name, i): Block[] => {
    const render = renders[i];
    return render === undefined ? [] : [[name, render]];
  });
  return value(new TemplateReference(blocks, context));
}

/** `super` in a block that overrides none. */
export function noSuper(block: string): Value {
  return value(new Undefined(`there is no parent block called '${block}'.`));
}
