/** OpenAI's chat completions, as servers and clients of that API have them. */
import type { TemplateMeta } from "../../index.js";
import { setField } from "../../values.js";
import { adapt } from "./conform.js";
import type { Call, Conversation, ConversationInput, Part, Turn } from "./conversation.js";
import {
  dictAt,
  given,
  join,
  listAt,
  listIf,
  refuse,
  refuseFields,
  textAt,
  textIf,
  textOf,
  type Dict,
} from "./fields.js";
import { toolOf } from "./tools.js";
import { kwargsOf } from "./variables.js";

/**
 * The input of a template from the body of a request to /v1/chat/completions; fields that only steer how an answer is
 * sampled or sent are not looked at. Throws a RenderError of phase "input" with the `path` of what the template cannot
 * show. The request stays as it is.
 */
export function fromOpenAI(request: object, meta: TemplateMeta): ConversationInput {
  return adapt(read, request, meta);
}

const REFUSED: Readonly<Record<string, string>> = {
  functions: "functions are a form of the past: give tools",
  function_call: "function_call is a form of the past: give tool_choice",
  web_search_options: "searching the web is the server's, no template shows it",
  continue_final_message: "applyChatTemplate has continueFinalMessage for that",
};

function read(request: Dict): Conversation {
  refuseFields(request, REFUSED, "");
  const add = given(request, "add_generation_prompt");
  return {
    turns: listAt(given(request, "messages"), "messages").map((message, i) => {
      const path = `messages[${String(i)}]`;
      return turnOf(dictAt(message, path), path);
    }),
    tools: listIf(request, "tools", "").map((tool, i) => toolOf(tool, `tools[${String(i)}]`)),
    settings: {
      addGenerationPrompt: add === undefined ? undefined : Boolean(add),
      effort: textIf(request, "reasoning_effort", ""),
      toolChoice: given(request, "tool_choice"),
      documents: listIf(request, "documents", ""),
      named: {
        parallel_tool_calls: given(request, "parallel_tool_calls"),
        response_format: given(request, "response_format"),
      },
      kwargs: kwargsOf(request),
    },
  };
}

const REFUSED_IN_MESSAGE: Readonly<Record<string, string>> = {
  audio: "no template shows audio",
  function_call: "function_call is a form of the past: give tool_calls",
  refusal: "no template shows a refusal: give it as content, or leave the message out",
};

/** What a message's reasoning is called: by SGLang and vLLM, by vLLM since 0.12 and OpenRouter, by Ollama. */
const REASONING = ["reasoning_content", "reasoning", "thinking"] as const;

/** Fields that are read here; all others are handed to the template, but what the server noted about its answer. */
const READ: ReadonlySet<string> = new Set([
  "role",
  "content",
  "name",
  "tool_calls",
  "tool_call_id",
  "annotations",
  ...REASONING,
  ...Object.keys(REFUSED_IN_MESSAGE),
]);

function turnOf(message: Dict, path: string): Turn {
  refuseFields(message, REFUSED_IN_MESSAGE, path);
  const role = textOf(message, "role", path);
  if (role === "function") refuse(join(path, "role"), "function is a role of the past: give tool");
  const calls = listIf(message, "tool_calls", path);
  const reasoning = REASONING.find((name) => given(message, name) !== undefined);
  return {
    role,
    path,
    content: contentOf(given(message, "content"), join(path, "content")),
    reasoning: reasoning === undefined ? undefined : textIf(message, reasoning, path),
    calls:
      calls.length > 0
        ? calls.map((call, i) => callOf(call, `${path}.tool_calls[${String(i)}]`))
        : undefined,
    callId: textIf(message, "tool_call_id", path),
    name: textIf(message, "name", path),
    rest: restOf(message),
  };
}

function restOf(message: Dict): Dict {
  const rest: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(message)) {
    if (!READ.has(name) && item !== null && item !== undefined) setField(rest, name, item);
  }
  return rest;
}

function contentOf(content: unknown, path: string): Turn["content"] {
  if (content === undefined) return null;
  if (typeof content === "string") return content;
  return listAt(content, path).map((part, i) => partOf(part, `${path}[${String(i)}]`));
}

const NO_PART: ReadonlyMap<string, string> = new Map([
  ["input_audio", "no template shows audio in this form"],
  ["file", "a file is no part of a prompt: give its text"],
  ["refusal", "no template shows a refusal: give it as text, or leave the part out"],
]);

function partOf(part: unknown, path: string): Part {
  const dict = dictAt(part, path);
  const type = textOf(dict, "type", path);
  if (type === "text") return { type, text: textOf(dict, "text", path) };
  if (type === "image_url") {
    const image = given(dict, "image_url");
    const where = join(path, "image_url");
    const url = typeof image === "string" ? image : textOf(dictAt(image, where), "url", where);
    return { type: "image", url, path };
  }
  return refuse(path, NO_PART.get(type) ?? `a part of type "${type}" has no place in a prompt`);
}

function callOf(call: unknown, path: string): Call {
  const dict = dictAt(call, path);
  const type = textIf(dict, "type", path) ?? "function";
  if (type !== "function") refuse(path, `no template shows a call of type "${type}"`);
  const where = join(path, "function");
  const called = dictAt(given(dict, "function"), where);
  const args = given(called, "arguments");
  return {
    id: textIf(dict, "id", path),
    name: textOf(called, "name", where),
    arguments: typeof args === "object" ? args : textAt(args ?? "", join(where, "arguments")),
    path: where,
  };
}
