/**
 * What Ollama's server (v0.32.15) does with a conversation before its template sees it, one function a step. The
 * templates of dialect ollama take the messages that come out; nothing that the caller passes is changed.
 */
import type { OllamaInputMessage } from "../go/model.js";

/** What a model's Modelfile gives to every conversation. */
export interface OllamaModelfile {
  /** SYSTEM; the last line counts. */
  readonly system?: string;
  /** MESSAGE lines, in order. */
  readonly messages?: readonly OllamaInputMessage[];
}

/**
 * The messages of /api/chat: the Modelfile's come first, and its system text before all unless the request begins
 * with a system message (server/routes.go, ChatHandler).
 */
export function withModelfile(
  messages: readonly OllamaInputMessage[],
  { system = "", messages: history = [] }: OllamaModelfile,
): readonly OllamaInputMessage[] {
  const all = [...history, ...messages];
  if (system === "" || messages[0]?.role === "system") return all;
  return [{ role: "system", content: system }, ...all];
}

/** What /api/generate takes, as far as it becomes messages. */
export interface OllamaGenerateRequest {
  readonly prompt: string;
  readonly system?: string;
  readonly images?: readonly (string | Uint8Array)[];
}

/**
 * The messages of /api/generate without a suffix: the request's system text or else the Modelfile's, the Modelfile's
 * messages, the prompt (server/routes.go, GenerateHandler).
 */
export function generateMessages(
  { prompt, system = "", images = [] }: OllamaGenerateRequest,
  modelfile: OllamaModelfile = {},
): readonly OllamaInputMessage[] {
  const first = system === "" ? (modelfile.system ?? "") : system;
  const user = { role: "user", content: prompt, ...(images.length > 0 ? { images } : {}) };
  const rest = [...(modelfile.messages ?? []), user];
  return first === "" ? rest : [{ role: "system", content: first }, ...rest];
}

export interface ImageOptions {
  /** Whether the model is of family mllama, which takes one image a message. */
  readonly singleImage?: boolean;
}

/**
 * Messages with a tag `[img-N]` for each image, N counting through the conversation: in the place of the content's
 * next `[img]`, without one in front of the content (server/prompt.go, imageTaggedMessages).
 */
export function tagImages(
  messages: readonly OllamaInputMessage[],
  { singleImage = false }: ImageOptions = {},
): readonly OllamaInputMessage[] {
  let count = 0;
  return messages.map((message) => {
    const images = message.images?.length ?? 0;
    if (singleImage && images > 1)
      throw new Error("this model only supports one image while more than one image requested");
    if (images === 0) return message;
    const tags = Array.from({ length: images }, () => `[img-${String(count++)}]`);
    return { ...message, content: tagged(message.content ?? "", tags) };
  });
}

function tagged(content: string, tags: readonly string[]): string {
  let prefix = "";
  let text = content;
  for (const tag of tags) {
    if (text.includes("[img]")) text = text.replace("[img]", tag);
    else prefix += tag;
  }
  return prefix + text;
}

/** The model whose messages are rendered: its family in the model's configuration, its name. */
export interface OllamaModelName {
  readonly family?: string;
  /** `deepseek-r1:7b`, `registry.ollama.ai/library/qwen3:latest`. */
  readonly name?: string;
}

/** Whether Ollama takes the thinking out of a model's earlier answers: qwen3 and deepseek-r1. */
export function filtersThinkTags({ family = "", name = "" }: OllamaModelName): boolean {
  return family === "qwen3" || modelOf(name) === "deepseek-r1";
}

/** types/model's ParseName: what stands after the last slash, without the tag. */
function modelOf(name: string): string {
  const last = name.slice(name.lastIndexOf("/") + 1);
  const tag = last.lastIndexOf(":");
  return tag < 0 ? last : last.slice(0, tag);
}

/**
 * Messages whose answers before the last user message have lost a leading `<think>…</think>`
 * (server/routes.go, filterThinkTags): for the models that filtersThinkTags names.
 */
export function filterThinkTags(
  messages: readonly OllamaInputMessage[],
): readonly OllamaInputMessage[] {
  const last = messages.findLastIndex(({ role }) => role === "user");
  return messages.map((message, index) => {
    if (message.role !== "assistant" || index >= last) return message;
    return { ...message, content: withoutThinking(message.content ?? "") };
  });
}

const OPENING = "<think>";
const CLOSING = "</think>";
/** Go's unicode.IsSpace. */
const LEADING_SPACE = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

function trimLeft(text: string): string {
  return text.replace(LEADING_SPACE, "");
}

/** The content that thinking's Parser gives at once: an unfinished tag and an unfinished thought give none. */
function withoutThinking(content: string): string {
  const trimmed = trimLeft(content);
  if (OPENING.startsWith(trimmed)) return "";
  if (!trimmed.startsWith(OPENING)) return content;
  const end = trimmed.indexOf(CLOSING, OPENING.length);
  return end < 0 ? "" : trimLeft(trimmed.slice(end + CLOSING.length));
}
