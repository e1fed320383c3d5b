/** Requests of the types that the APIs' own packages have, and inputs of the types that generated modules have: no casts. */
import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import { jsonSchema, tool, type ModelMessage, type ToolSet } from "ai";
import type { ChatRequest } from "ollama";
import type { ChatCompletionCreateParams } from "openai/resources/chat/completions";
import type { ResponseCreateParams } from "openai/resources/responses/responses";
import { expect, it } from "vitest";
import { meta as glm, render as renderGlm, type GlmInput } from "../generated/glm.js";
import { meta as mimo, render as renderMimo } from "../generated/mimo.js";
import {
  fromAiSdk,
  fromAnthropic,
  fromOllama,
  fromOpenAI,
  fromResponses,
  type ConversationInput,
  type TemplateMeta,
} from "../runtime/chat/index.js";
import type { OllamaInput } from "../runtime/go/index.js";

const PARAMETERS = { type: "object", properties: { city: { type: "string" } } } as const;
const ARGUMENTS = '{"city": "Oslo"}';

const chat: ChatCompletionCreateParams = {
  model: "m",
  messages: [
    { role: "user", content: "Hi" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: ARGUMENTS } }],
    },
    { role: "tool", tool_call_id: "1", content: [{ type: "text", text: "Snow." }] },
  ],
  tools: [{ type: "function", function: { name: "f", parameters: PARAMETERS } }],
  reasoning_effort: "low",
  stream: true,
};

const responses: ResponseCreateParams = {
  model: "m",
  input: [
    { role: "user", content: [{ type: "input_text", text: "Hi" }] },
    { type: "function_call", call_id: "1", name: "f", arguments: ARGUMENTS },
    { type: "function_call_output", call_id: "1", output: "Snow." },
  ],
  tools: [{ type: "function", name: "f", parameters: PARAMETERS, strict: true }],
  reasoning: { effort: "low" },
};

const anthropic: MessageCreateParams = {
  model: "m",
  max_tokens: 10,
  messages: [
    { role: "user", content: "Hi" },
    {
      role: "assistant",
      content: [{ type: "tool_use", id: "1", name: "f", input: { city: "Oslo" } }],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "Snow." }] },
  ],
  tools: [
    { name: "f", input_schema: { type: "object", properties: { city: { type: "string" } } } },
  ],
};

const messages: ModelMessage[] = [
  { role: "user", content: "Hi" },
  {
    role: "assistant",
    content: [{ type: "tool-call", toolCallId: "1", toolName: "f", input: { city: "Oslo" } }],
  },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "1",
        toolName: "f",
        output: { type: "text", value: "Snow." },
      },
    ],
  },
];
const tools: ToolSet = {
  f: tool({
    inputSchema: jsonSchema<{ city: string }>({
      type: "object",
      properties: { city: { type: "string" } },
    }),
    execute: ({ city }) => city,
  }),
};

const ollama: ChatRequest = {
  model: "m",
  messages: [
    { role: "user", content: "Hi" },
    {
      role: "assistant",
      content: "",
      tool_calls: [{ function: { name: "f", arguments: { city: "Oslo" } } }],
    },
    { role: "tool", content: "Snow.", tool_name: "f" },
  ],
  tools: [
    {
      type: "function",
      function: {
        name: "f",
        parameters: { type: "object", properties: { city: { type: "string" } } },
      },
    },
  ],
};

const INPUTS: Readonly<Record<string, (meta: TemplateMeta) => ConversationInput>> = {
  openai: (meta) => fromOpenAI(chat, meta),
  responses: (meta) => fromResponses(responses, meta),
  anthropic: (meta) => fromAnthropic(anthropic, meta),
  "the AI SDK": (meta) => fromAiSdk({ messages, tools }, meta),
  ollama: (meta) => fromOllama(ollama, meta),
};

it.each(Object.keys(INPUTS))("requests of %s become typed inputs", (name) => {
  const adapted = INPUTS[name];
  if (adapted === undefined) throw new Error(name);
  const jinja: GlmInput = adapted(glm);
  const expected = renderGlm(fromOpenAI(chat, glm));
  expect(expected).toContain("Snow.");
  expect(renderGlm(jinja)).toBe(expected);
  const { think: _, ...go }: OllamaInput = adapted(mimo);
  const { think: __, ...same }: OllamaInput = fromOpenAI(chat, mimo);
  expect(renderMimo(go)).toBe(renderMimo(same));
});
