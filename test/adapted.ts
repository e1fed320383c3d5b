/** A template's description for adapters to go by, a small conversation, and what an adapter says against a request. */
import { expect } from "vitest";
import { Template } from "../compiler/template.js";
import { RenderError, type ConversationInput } from "../runtime/chat/index.js";
import type { Forms, TemplateMeta } from "../runtime/index.js";

const BASE = new Template("{% for m in messages %}{{ m.role }}{{ m.content }}{% endfor %}").meta;

export const ALL: Forms = {
  content: { system: "text", user: "both", assistant: "text", tool: "text" },
  emptyContent: "absent",
  callsWithText: true,
  toolCalls: true,
  toolResults: true,
  toolsIn: "input",
  callIds: "any",
  reasoning: "thinking",
  image: "image",
  imagesIn: ["user", "tool"],
  developer: false,
  laterSystem: true,
  neighbours: ["system", "user", "assistant"],
};

/** A template that takes everything, but for what is said. */
export function metaOf(forms: Partial<Forms> = {}, capabilities: object = {}): TemplateMeta {
  return {
    ...BASE,
    forms: { ...ALL, ...forms },
    capabilities: { ...BASE.capabilities, tools: true, arguments: "object", ...capabilities },
    variables: ["messages", "reasoning_effort", "enable_thinking", "tool_choice"].map((name) => ({
      name,
      required: false,
    })),
  };
}

export const META = metaOf();

type Adapter = (request: object, meta: TemplateMeta) => ConversationInput;

export function messagesOf(
  adapter: Adapter,
  messages: readonly object[],
  meta = META,
): readonly object[] {
  return adapter({ messages }, meta).messages;
}

/** Where and why a request is refused. */
export function refusalOf(adapter: Adapter, request: object, meta = META): string {
  try {
    adapter(request, meta);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    expect(error.phase).toBe("input");
    expect(error.message).not.toBe("");
    return `${String(error.path)}: ${error.message}`;
  }
  return "taken";
}

export const USER = { role: "user", content: "Hi" };
export const CALL = {
  id: "c1",
  type: "function",
  function: { name: "f", arguments: '{"a": 1.0}' },
};
export const CALLS = { role: "assistant", content: null, tool_calls: [CALL] };
export const TOOL = { type: "function", function: { name: "f", parameters: { type: "object" } } };
