/** Messages that are lists of blocks, thinking, calls and results among them: Anthropic's and the AI SDK's. */
import type { Call, Part, Turn } from "./conversation.js";
import { dictAt, given, join, listAt, refuse, textOf, type Dict } from "./fields.js";

/** The turns of one message; `read` gives the reader what one of its blocks holds. */
export function blockTurns(
  message: Dict,
  path: string,
  read: (block: Dict, path: string, reader: BlockReader) => void,
): readonly Turn[] {
  const role = textOf(message, "role", path);
  const content = given(message, "content");
  if (typeof content === "string") return [{ role, path, content }];
  const where = join(path, "content");
  const reader = new BlockReader(role, path);
  for (const [i, block] of listAt(content, where).entries()) {
    const at = `${where}[${String(i)}]`;
    read(dictAt(block, at), at, reader);
  }
  return reader.turns();
}

/** Gathers the blocks of one message; a RenderError where they stand in an order that no template can show. */
export class BlockReader {
  readonly #role: string;
  readonly #path: string;
  readonly #parts: Part[] = [];
  readonly #reasoning: string[] = [];
  readonly #calls: Call[] = [];
  readonly #results: Turn[] = [];

  constructor(role: string, path: string) {
    this.#role = role;
    this.#path = path;
  }

  part(part: Part, path: string): void {
    if (this.#calls.length > 0) refuse(path, "a message's text stands in front of its calls");
    this.#parts.push(part);
  }

  reasoning(text: string, path: string): void {
    if (this.#role !== "assistant") refuse(path, "only an assistant's message has reasoning");
    if (this.#parts.length > 0 || this.#calls.length > 0) {
      refuse(path, "a message's reasoning stands in front of its text and its calls");
    }
    this.#reasoning.push(text);
  }

  call(call: Call): void {
    if (this.#role !== "assistant") refuse(call.path, "only an assistant's message has calls");
    this.#calls.push(call);
  }

  result(result: Turn): void {
    if (this.#role === "assistant") refuse(result.path, "an assistant's message has no results");
    if (this.#parts.length > 0) refuse(result.path, "results stand in front of a message's text");
    this.#results.push(result);
  }

  /** The results, then the message; none of the latter where nothing is left of it. */
  turns(): readonly Turn[] {
    const isAnswer = this.#reasoning.length > 0 || this.#calls.length > 0;
    if (this.#results.length > 0 && this.#parts.length === 0) return this.#results;
    const message: Turn = {
      role: this.#role,
      path: this.#path,
      content: isAnswer && this.#parts.length === 0 ? null : this.#content(),
      reasoning: this.#reasoning.length > 0 ? this.#reasoning.join("\n") : undefined,
      calls: this.#calls.length > 0 ? this.#calls : undefined,
    };
    return [...this.#results, message];
  }

  /** One text is a text, however the API wraps it. */
  #content(): string | readonly Part[] {
    const [first] = this.#parts;
    return this.#parts.length === 1 && first?.type === "text" ? first.text : this.#parts;
  }
}
