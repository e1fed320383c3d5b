/** A conversation as Ollama's /api/chat takes it, for templates of dialect ollama. */
import type { OllamaInputMessage, OllamaInputToolCall } from "../../go/model.js";
import { tagImages } from "../ollama.js";
import { objectArguments } from "./calls.js";
import {
  joinedText,
  type Call,
  type Conversation,
  type ConversationInput,
  type ImagePart,
  type Part,
  type TextPart,
  type Turn,
} from "./conversation.js";
import { join, refuse } from "./fields.js";
import { ollamaImage } from "./images.js";
import { ollamaThink } from "./variables.js";

/** An OllamaInput; images have their tags in the texts, as Ollama's server writes them for every template. */
export function ollamaInput({ turns, tools, settings }: Conversation): ConversationInput {
  if ((settings.documents?.length ?? 0) > 0) refuse("documents", "Ollama takes no documents");
  return {
    messages: tagImages(turns.map(messageOf)),
    ...(tools.length > 0 ? { tools } : {}),
    ...ollamaThink(settings),
  };
}

function messageOf(turn: Turn): OllamaInputMessage {
  const { role, name, callId, calls = [], reasoning, content } = turn;
  const parts = content === null || typeof content === "string" ? [] : content;
  const images = parts.filter(isImage);
  if (role !== "tool" && name !== undefined) {
    refuse(join(turn.path, "name"), "Ollama's messages have no name but a tool's");
  }
  return {
    role,
    content: typeof content === "string" ? content : textOf(parts, role),
    ...(reasoning === undefined ? {} : { thinking: reasoning }),
    ...(images.length === 0
      ? {}
      : { images: images.map(({ url, path }) => ollamaImage(url, path)) }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(callOf) }),
    ...(name === undefined ? {} : { tool_name: name }),
    ...(callId === undefined ? {} : { tool_call_id: callId }),
  };
}

function callOf(call: Call): OllamaInputToolCall {
  const { id, name, index } = call;
  const called = {
    ...(index === undefined ? {} : { index }),
    name,
    arguments: objectArguments(call),
  };
  return { ...(id === undefined ? {} : { id }), function: called };
}

/** Where Ollama's server is to put an image; without one it stands in front of the text. */
const PLACE = "[img]";

function textOf(parts: readonly Part[], role: string): string {
  const firstText = parts.findIndex(isText);
  const lastImage = parts.findLastIndex(isImage);
  if (lastImage < firstText || firstText < 0) return joinedText(parts.filter(isText), role);
  let text = "";
  for (const [at, part] of parts.entries()) {
    const before = parts[at - 1];
    if (part.type === "image") text += PLACE;
    else text += (before?.type === "text" && role !== "assistant" ? "\n" : "") + part.text;
  }
  return text;
}

function isText(part: Part): part is TextPart {
  return part.type === "text";
}

function isImage(part: Part): part is ImagePart {
  return part.type === "image";
}
