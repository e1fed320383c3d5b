/** A conversation between a request's shape and a template's: what all adapters read requests into. */
import type { Open } from "../../values.js";
import type { Dict } from "./fields.js";

/** What an adapter gives: the input of a generated module or of a Template, for dialect ollama an OllamaInput. */
export interface ConversationInput extends Open {
  readonly messages: readonly ConversationMessage[];
}

/** A message in the template's own form. */
export interface ConversationMessage extends Open {
  readonly role: string;
}

export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

export interface ImagePart {
  readonly type: "image";
  /** The image's address, most often a data URL. */
  readonly url: string;
  readonly path: string;
}

export type Part = TextPart | ImagePart;

/** An assistant's call of a tool. */
export interface Call {
  readonly id: string | undefined;
  readonly name: string;
  /** An object, or the JSON text of one. */
  readonly arguments: unknown;
  readonly path: string;
  /** Ollama's number of the call. */
  readonly index?: number | undefined;
}

/** A message of any shape. */
export interface Turn {
  readonly role: string;
  /** Where the request has it. */
  readonly path: string;
  /** Null: the message has no text. */
  readonly content: string | readonly Part[] | null;
  readonly reasoning?: string | undefined;
  readonly calls?: readonly Call[] | undefined;
  /** Of a tool's result: the id of its call. */
  readonly callId?: string | undefined;
  /** Of a tool's result the tool's name, else the speaker's. */
  readonly name?: string | undefined;
  /** Fields that are handed to the template as they are. */
  readonly rest?: Dict | undefined;
}

/** A request, read. */
export interface Conversation {
  readonly turns: readonly Turn[];
  /** Definitions of tools as OpenAI's chat completions have them: `{ type: "function", function: { … } }`. */
  readonly tools: readonly Dict[];
  readonly settings: Settings;
}

/** What a request says beside its conversation. */
export interface Settings {
  /** Whether the model goes on with a last message of the assistant. */
  readonly continuesAnswer?: boolean;
  readonly addGenerationPrompt?: boolean | undefined;
  /** How much the model is to think, in the API's own word. */
  readonly effort?: string | undefined;
  readonly thinks?: boolean | undefined;
  /** As chat completions have it. */
  readonly toolChoice?: unknown;
  readonly documents?: readonly unknown[] | undefined;
  /** Settings of the API that a template may read under the same name. */
  readonly named?: Dict | undefined;
  /** `chat_template_kwargs`. */
  readonly kwargs?: Dict | undefined;
}

/** The text of parts: what an assistant wrote in pieces is one text, what others hand over are paragraphs. */
export function joinedText(parts: readonly TextPart[], role: string): string {
  return parts.map(({ text }) => text).join(role === "assistant" ? "" : "\n");
}
