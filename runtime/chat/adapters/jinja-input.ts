/** A conversation as the input of a Jinja template, in the forms that the template reads. */
import type { Forms, Role, TemplateMeta } from "../../index.js";
import { setField } from "../../values.js";
import { argumentsFor, jsonText } from "./calls.js";
import {
  joinedText,
  type Call,
  type Conversation,
  type ConversationInput,
  type ConversationMessage,
  type ImagePart,
  type Part,
  type TextPart,
  type Turn,
} from "./conversation.js";
import { refuse, type Dict } from "./fields.js";
import { templateVariables } from "./variables.js";

/** The template's variables: messages, tools, and what the request's settings give. */
export function jinjaInput(
  { turns, tools, settings }: Conversation,
  meta: TemplateMeta,
): ConversationInput {
  const { documents = [], addGenerationPrompt = true } = settings;
  if (documents.length > 0 && !meta.capabilities.documents) {
    refuse("documents", "this template shows no documents");
  }
  const messages = turns.map((turn) => messageOf(turn, meta));
  return {
    ...templateVariables(settings, meta),
    ...withTools(messages, tools, meta.forms),
    ...(documents.length > 0 ? { documents } : {}),
    add_generation_prompt: addGenerationPrompt,
  };
}

function withTools(
  messages: readonly ConversationMessage[],
  tools: readonly Dict[],
  { toolsIn, content }: Forms,
): ConversationInput {
  if (tools.length === 0) return { messages };
  if (toolsIn === "input") return { messages, tools };
  const field = toolsIn === "system" ? tools : jsonText(tools, "tools");
  const [first, ...rest] = messages;
  if (first?.role === "system") return { messages: [{ ...first, tools: field }, ...rest] };
  const empty = content.system === "parts" ? [{ type: "text", text: "" }] : "";
  return { messages: [{ role: "system", content: empty, tools: field }, ...messages] };
}

function messageOf(turn: Turn, meta: TemplateMeta): ConversationMessage {
  const { role, name, callId, calls = [], reasoning } = turn;
  const { forms } = meta;
  const message: Record<string, unknown> = { role };
  const content = contentOf(turn, forms);
  if (content !== undefined) message["content"] = content;
  if (reasoning !== undefined) message[forms.reasoning ?? "reasoning_content"] = reasoning;
  if (name !== undefined) message["name"] = name;
  if (calls.length > 0) message["tool_calls"] = calls.map((call) => callOf(call, meta));
  if (callId !== undefined) message["tool_call_id"] = callId;
  for (const [key, item] of Object.entries(turn.rest ?? {})) setField(message, key, item);
  return { ...message, role };
}

function callOf(call: Call, meta: TemplateMeta): Dict {
  const { id, name } = call;
  return { id, type: "function", function: { name, arguments: argumentsFor(call, meta) } };
}

/** `undefined`: the message has no field of that name. */
function contentOf({ role, content, calls = [] }: Turn, forms: Forms): unknown {
  const form = forms.content[knownRole(role)];
  const isEmpty = content === null || content.length === 0;
  if (isEmpty && calls.length > 0) return emptyContent(content, forms);
  if (isEmpty || typeof content === "string") {
    return form === "parts" ? [{ type: "text", text: content ?? "" }] : (content ?? "");
  }
  const texts = content.filter(isText);
  // Many templates take parts of a tool's result, and then fail for the second result.
  const isJoined = form === "text" || texts.length === 1 || role === "tool";
  if (isJoined && form !== "parts" && texts.length === content.length) {
    return joinedText(texts, role);
  }
  return content.map((part) => writtenPart(part, forms));
}

/** A text that is empty stays one where the template takes it. */
function emptyContent(content: Turn["content"], { emptyContent: form }: Forms): unknown {
  if (form === "null") return null;
  return form === "text" || content === "" ? "" : undefined;
}

/** Roles that only some templates know are spoken by users, but for OpenAI's developer. */
function knownRole(role: string): Role {
  if (role === "developer") return "system";
  return role === "system" || role === "assistant" || role === "tool" ? role : "user";
}

function isText(part: Part): part is TextPart {
  return part.type === "text";
}

function writtenPart(part: Part, { image }: Forms): Dict {
  if (part.type === "text") return { type: "text", text: part.text };
  return image === "image_url" ? imageUrlPart(part) : { type: "image", image: part.url };
}

function imageUrlPart({ url }: ImagePart): Dict {
  return { type: "image_url", image_url: { url } };
}
