/** Small conversations whose texts are markers: what of them a prompt shows is what the template shows. */
import type { Dialect } from "../ir/nodes.js";

/** Texts that no template has by itself, of lower-case letters so that no filter cuts them. */
export const MARKS = {
  bos: "zqbosqz",
  user: "zquserqz",
  assistant: "zqanswerqz",
  system: "zqsystemqz",
  reasoning: "zqreasoningqz",
  toolName: "zqtoolqz",
  callName: "zqcallqz",
  argument: "zqargumentqz",
  argumentValue: "zqvalueqz",
  document: "zqdocumentqz",
  /** In a field that no template reads: where it shows, data was printed as it is. */
  unread: "zqunreadqz",
} as const;

export interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly [field: string]: unknown;
}

/** Writes a text as the content of a message. */
export type Content = (text: string) => unknown;

export const asText: Content = (text) => text;

/** A list with one part; the part has a field that shows whether the list was printed as it is. */
export const asParts: Content = (text) => [{ type: "text", text, extra: MARKS.unread }];

/** An image in the forms that templates know. */
export const IMAGES: readonly object[] = [
  { type: "image" },
  { type: "image", image: "data:," },
  { type: "image_url", image_url: { url: "data:," } },
];

/** An image as a part that shows whether it was printed as it is. */
export const IMAGE_PARTS: Readonly<Record<"image" | "image_url", object>> = {
  image: { type: "image", image: "data:,", extra: MARKS.unread },
  image_url: { type: "image_url", image_url: { url: "data:," }, extra: MARKS.unread },
};

/** A part of a type that no template knows. */
export const UNKNOWN_PART = { type: "zqpartqz" };

export function user(content: Content): Message {
  return { role: "user", content: content(MARKS.user) };
}

export function system(content: Content): Message {
  return { role: "system", content: content(MARKS.system) };
}

export function assistant(content: Content, fields: object = {}): Message {
  return { role: "assistant", content: content(MARKS.assistant), ...fields };
}

/** An assistant's reasoning under each of the names that templates read. */
export const REASONING: object = {
  reasoning_content: MARKS.reasoning,
  reasoning: MARKS.reasoning,
  thinking: MARKS.reasoning,
};

/** Nine letters and digits are what Mistral's templates want as the id of a call. */
export const NINE_SIGNS = "zqcall001";

/** A call of a tool and its result. */
export function called(content: Content, args: unknown): readonly Message[] {
  const id = NINE_SIGNS;
  const call = { id, type: "function", function: { name: MARKS.callName, arguments: args } };
  return [
    { role: "assistant", content: content(""), tool_calls: [call] },
    { role: "tool", name: MARKS.callName, tool_call_id: id, content: content("zqresultqz") },
  ];
}

const PARAMETERS = {
  type: "object",
  properties: { zqparameterqz: { type: "string", description: "zqdescriptionqz" } },
  required: ["zqparameterqz"],
};

const FUNCTION = { name: MARKS.toolName, description: "zqdescriptionqz", parameters: PARAMETERS };

/** The same tool as OpenAI's API has it, and as its function alone. */
export const TOOLS: readonly (readonly object[])[] = [
  [{ type: "function", function: FUNCTION }],
  [FUNCTION],
];

export const DOCUMENTS: readonly object[] = [
  {
    doc_id: 1,
    title: MARKS.document,
    text: MARKS.document,
    content: MARKS.document,
    contents: MARKS.document,
    snippet: MARKS.document,
  },
];

/** What templates read beside the conversation: special tokens, and the start of an answer. */
export function inputOf(
  dialect: Dialect,
  messages: readonly Message[],
  fields: object = {},
): object {
  if (dialect !== "jinja") return { messages, ...fields };
  return {
    messages,
    add_generation_prompt: false,
    bos_token: MARKS.bos,
    eos_token: "zqeosqz",
    pad_token: "zqpadqz",
    unk_token: "zqunkqz",
    ...fields,
  };
}
