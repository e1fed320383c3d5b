/** Ollama's /api/chat. */
import type { TemplateMeta } from "../../index.js";
import { adapt } from "./conform.js";
import type { Call, Conversation, ConversationInput, Part, Turn } from "./conversation.js";
import {
  dictAt,
  given,
  join,
  listAt,
  listIf,
  refuse,
  textIf,
  textOf,
  type Dict,
} from "./fields.js";
import { imageUrl } from "./images.js";
import { toolOf } from "./tools.js";
import { kwargsOf } from "./variables.js";

/**
 * The input of a template from the body of a request to Ollama's /api/chat. Throws a RenderError of phase "input" with
 * the `path` of what the template cannot show, and for a last message of the assistant to a Jinja template, which would
 * end it. The request stays as it is.
 */
export function fromOllama(request: object, meta: TemplateMeta): ConversationInput {
  return adapt(read, request, meta);
}

function read(request: Dict): Conversation {
  if (given(request, "template") !== undefined) {
    refuse("template", "a request never brings a template: the server chooses it");
  }
  return {
    turns: listAt(given(request, "messages"), "messages").map((message, i) => {
      const path = `messages[${String(i)}]`;
      return turnOf(dictAt(message, path), path);
    }),
    tools: listIf(request, "tools", "").map((tool, i) => toolOf(tool, `tools[${String(i)}]`)),
    settings: {
      continuesAnswer: true,
      ...thinkOf(given(request, "think")),
      kwargs: kwargsOf(request),
    },
  };
}

/** `think` is a switch or says how much. */
function thinkOf(think: unknown): { thinks?: boolean; effort?: string } {
  if (think === undefined) return {};
  if (typeof think === "boolean") return { thinks: think };
  return typeof think === "string"
    ? { thinks: true, effort: think }
    : refuse("think", "think is true, false or a text");
}

function turnOf(message: Dict, path: string): Turn {
  const calls = listIf(message, "tool_calls", path);
  const thinking = textIf(message, "thinking", path);
  return {
    role: textOf(message, "role", path).toLowerCase(),
    path,
    content: contentOf(message, path, calls.length > 0),
    reasoning: thinking === "" ? undefined : thinking,
    calls:
      calls.length > 0
        ? calls.map((call, i) => callOf(call, `${path}.tool_calls[${String(i)}]`))
        : undefined,
    callId: textIf(message, "tool_call_id", path),
    name: textIf(message, "tool_name", path),
  };
}

/** Go has "" where there is no text; images stand in front of the text, where Ollama's server puts them. */
function contentOf(message: Dict, path: string, hasCalls: boolean): Turn["content"] {
  const text = textIf(message, "content", path) ?? "";
  const images = listIf(message, "images", path).map((image, i): Part => {
    const where = `${join(path, "images")}[${String(i)}]`;
    return { type: "image", url: imageUrl(image, undefined, where), path: where };
  });
  if (images.length > 0) return text === "" ? images : [...images, { type: "text", text }];
  return text === "" && hasCalls ? null : text;
}

function callOf(call: unknown, path: string): Call {
  const where = join(path, "function");
  const dict = dictAt(call, path);
  const called = dictAt(given(dict, "function"), where);
  const args = given(called, "arguments");
  const index = given(called, "index");
  return {
    id: textIf(dict, "id", path),
    name: textOf(called, "name", where),
    arguments: args === undefined ? {} : dictAt(args, join(where, "arguments")),
    path: where,
    index: typeof index === "number" ? index : undefined,
  };
}
