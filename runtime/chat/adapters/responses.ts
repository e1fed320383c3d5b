/** OpenAI's Responses API: a list of items instead of messages. */
import type { TemplateMeta } from "../../index.js";
import { adapt } from "./conform.js";
import type {
  Call,
  Conversation,
  ConversationInput,
  Part,
  TextPart,
  Turn,
} from "./conversation.js";
import {
  dictAt,
  given,
  join,
  listAt,
  listIf,
  refuse,
  refuseFields,
  textIf,
  textOf,
  type Dict,
} from "./fields.js";
import { refuseServerTool, wrappedTool } from "./tools.js";
import { kwargsOf } from "./variables.js";

/**
 * The input of a template from the body of a request to /v1/responses. An assistant's reasoning, text and calls are
 * items of their own there, and become one message. Throws a RenderError of phase "input" with the `path` of what the
 * template cannot show. The request stays as it is.
 */
export function fromResponses(request: object, meta: TemplateMeta): ConversationInput {
  return adapt(read, request, meta);
}

const REFUSED: Readonly<Record<string, string>> = {
  previous_response_id: "what a server keeps is not here: give the items themselves",
  conversation: "what a server keeps is not here: give the items themselves",
  prompt: "a prompt that a server keeps is not here: give its text",
};

function read(request: Dict): Conversation {
  refuseFields(request, REFUSED, "");
  const instructions = textIf(request, "instructions", "");
  const reasoning = given(request, "reasoning");
  const asked = reasoning === undefined ? {} : dictAt(reasoning, "reasoning");
  return {
    turns: [
      ...(instructions === undefined
        ? []
        : [{ role: "system", path: "instructions", content: instructions }]),
      ...turnsOf(given(request, "input")),
    ],
    tools: listIf(request, "tools", "").map((tool, i) => toolOf(tool, `tools[${String(i)}]`)),
    settings: {
      effort: textIf(asked, "effort", "reasoning"),
      toolChoice: choiceOf(given(request, "tool_choice")),
      named: { parallel_tool_calls: given(request, "parallel_tool_calls") },
      kwargs: kwargsOf(request),
    },
  };
}

/** `{ type: "function", name }` has its name under `function` in chat completions. */
function choiceOf(choice: unknown): unknown {
  if (typeof choice !== "object") return choice;
  const name = given(dictAt(choice, "tool_choice"), "name");
  return name === undefined ? choice : { type: "function", function: { name } };
}

function turnsOf(input: unknown): readonly Turn[] {
  if (typeof input === "string") return [{ role: "user", path: "input", content: input }];
  const answers = new Answers();
  for (const [i, item] of listAt(input, "input").entries()) {
    const path = `input[${String(i)}]`;
    readItem(dictAt(item, path), path, answers);
  }
  return answers.turns;
}

/** The turns so far; what an assistant's items say is gathered in its last one. */
class Answers {
  readonly turns: Turn[] = [];

  /** A reasoning or a text begins a message of its own where the one before has a text or calls already. */
  add(part: Pick<Turn, "path"> & Partial<Turn>): void {
    const last = this.turns.at(-1);
    const isCall = part.calls !== undefined;
    const isFull = last?.content !== null || last.calls !== undefined;
    if (last?.role !== "assistant" || (isFull && !isCall)) {
      this.turns.push({ role: "assistant", content: null, ...part });
      return;
    }
    const calls = [...(last.calls ?? []), ...(part.calls ?? [])];
    const reasoning = [last.reasoning, part.reasoning].filter((text) => text !== undefined);
    this.turns[this.turns.length - 1] = {
      ...last,
      content: part.content ?? last.content,
      reasoning: reasoning.length > 0 ? reasoning.join("\n") : undefined,
      calls: calls.length > 0 ? calls : undefined,
    };
  }
}

function readItem(item: Dict, path: string, answers: Answers): void {
  const type = textIf(item, "type", path) ?? "message";
  if (type === "message") readMessage(item, path, answers);
  else if (type === "reasoning") answers.add({ path, reasoning: reasoningOf(item, path) });
  else if (type === "function_call") answers.add({ path, calls: [callOf(item, path)] });
  else if (type === "function_call_output") {
    const content = contentOf(given(item, "output"), join(path, "output"));
    answers.turns.push({ role: "tool", path, content, callId: textOf(item, "call_id", path) });
  } else refuse(path, `an item of type "${type}" has no place in a prompt`);
}

function readMessage(item: Dict, path: string, answers: Answers): void {
  const role = textOf(item, "role", path);
  const content = contentOf(given(item, "content"), join(path, "content"));
  if (role === "assistant") answers.add({ path, content });
  else answers.turns.push({ role, path, content });
}

function contentOf(content: unknown, path: string): string | readonly Part[] {
  if (typeof content === "string") return content;
  return listAt(content, path).map((part, i) => partOf(part, `${path}[${String(i)}]`));
}

const NO_PART: ReadonlyMap<string, string> = new Map([
  ["input_audio", "no template shows audio in this form"],
  ["input_file", "a file is no part of a prompt: give its text"],
  ["refusal", "no template shows a refusal: give it as text, or leave the item out"],
]);

function partOf(part: unknown, path: string): Part {
  const dict = dictAt(part, path);
  const type = textOf(dict, "type", path);
  if (type === "input_text" || type === "output_text") return textPart(dict, path);
  if (type === "input_image") {
    const url = textIf(dict, "image_url", path);
    const kept = "an image that a server keeps is not here: give image_url";
    return url === undefined ? refuse(path, kept) : { type: "image", url, path };
  }
  return refuse(path, NO_PART.get(type) ?? `a part of type "${type}" has no place in a prompt`);
}

function textPart(part: Dict, path: string): TextPart {
  return { type: "text", text: textOf(part, "text", path) };
}

/** The reasoning itself, or else its summary; where there is only a cipher nothing can be shown. */
function reasoningOf(item: Dict, path: string): string {
  const texts = ["content", "summary"]
    .map((name) =>
      listIf(item, name, path).map((part, i) => {
        const where = `${join(path, name)}[${String(i)}]`;
        return textOf(dictAt(part, where), "text", where);
      }),
    )
    .find(({ length }) => length > 0);
  if (texts !== undefined) return texts.join("\n");
  return given(item, "encrypted_content") === undefined
    ? ""
    : refuse(path, "reasoning that is encrypted has no place in a prompt");
}

function callOf(item: Dict, path: string): Call {
  return {
    id: textOf(item, "call_id", path),
    name: textOf(item, "name", path),
    arguments: textOf(item, "arguments", path),
    path,
  };
}

/** The Responses API has a function's fields beside its type. */
function toolOf(tool: unknown, path: string): Dict {
  const dict = dictAt(tool, path);
  refuseServerTool(textOf(dict, "type", path), path);
  return wrappedTool({
    name: textOf(dict, "name", path),
    description: textIf(dict, "description", path),
    parameters: given(dict, "parameters"),
  });
}
