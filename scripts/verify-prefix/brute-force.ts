/** Whether prompts grow with real conversations, found by comparing each beginning's prompt with each longer one's. */
import type { Conversation } from "../../test/conversations.js";
import { RenderError } from "../../runtime/index.js";
import { isRecord } from "../rows.js";

export type PrefixDialect = "jinja" | "ollama";
export type Render = (input: object) => string;

/** Conversations that people and models do not have: turns of one role in a row, unusual roles, an answer first. */
const UNUSUAL: ReadonlySet<string> = new Set(
  "same-roles collate assistant-first odd-roles kwargs rerank".split(" "),
);

interface Prompt {
  readonly length: number;
  readonly text: string;
  /** Whether it begins an answer. */
  readonly isOpen: boolean;
}

/** What is asked of a template: that its prompts grow in every conversation, or in those as they are in use. */
export type Order = "anyOrder" | "inUse";

/** Compares the prompts that a template gives of a conversation's beginnings. */
export class BruteForce {
  readonly #dialect: PrefixDialect;
  readonly #render: Render;
  /** Pairs of prompts that were compared. */
  compared = 0;

  constructor(dialect: PrefixDialect, render: Render) {
    this.#dialect = dialect;
    this.#render = render;
  }

  /** Where two prompts of a conversation part; null: nowhere. A prompt that the template refuses is none. */
  breakOf(conversation: Conversation, order: Order): string | null {
    const { name, messages } = conversation;
    if (order === "inUse" && UNUSUAL.has(name)) return null;
    const before: Prompt[] = [];
    for (let length = 1; length <= messages.length; length++) {
      const text = this.#prompt(conversation, length, false);
      if (text === undefined) continue;
      for (const prompt of before) {
        // A prompt that opens an answer is followed by that answer.
        if (prompt.isOpen && !isAnswer(messages[prompt.length])) continue;
        this.compared++;
        if (!text.startsWith(prompt.text)) return `${name}: ${prompt.length} and ${length}`;
      }
      before.push(...this.#prompts(conversation, length, text, order));
    }
    return null;
  }

  #prompts(
    conversation: Conversation,
    length: number,
    text: string,
    order: Order,
  ): readonly Prompt[] {
    const isAnswered = order === "inUse" && isAnswer(conversation.messages[length - 1]);
    // Ollama's templates leave an answer open that stands last, and begin one after anything else.
    if (this.#dialect === "ollama") return isAnswered ? [] : [{ length, text, isOpen: true }];
    const whole = { length, text, isOpen: false };
    const open = isAnswered ? undefined : this.#prompt(conversation, length, true);
    return open === undefined ? [whole] : [whole, { length, text: open, isOpen: true }];
  }

  #prompt({ input, messages }: Conversation, length: number, isOpen: boolean): string | undefined {
    const flag = this.#dialect === "jinja" ? { add_generation_prompt: isOpen } : {};
    try {
      return this.#render({ ...input, messages: messages.slice(0, length), ...flag });
    } catch (error) {
      if (error instanceof RenderError) return undefined;
      throw error;
    }
  }
}

function isAnswer(message: unknown): boolean {
  return isRecord(message) && message["role"] === "assistant";
}
