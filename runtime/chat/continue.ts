/** The final message left open: transformers' continue_final_message, which marks the end of the text and cuts there. */
import { fail } from "../errors.js";
import { field as fieldOf } from "../jinja/dict.js";
import { rstrip, strip } from "../jinja/text.js";
import { typeName } from "../jinja/types.js";
import { isDict } from "../values.js";
import { aliasReasoning, REASONING_FIELDS, withFields, type Message } from "./messages.js";

/** The blank tells, after rendering, whether the template kept the white space at the end of the text. */
const TAG = "CONTINUE_FINAL_MESSAGE_TAG ";
const TRIMMED_TAG = strip(TAG);

export interface OpenConversation {
  readonly messages: readonly Message[];
  /** The text that the model continues. */
  readonly text: string;
}

/** The conversation with its aliases and with the tag at the end of the final message's field. */
export function openFinalMessage(messages: readonly Message[], field: string): OpenConversation {
  const last = messages.at(-1) ?? {};
  const final = aliasReasoning(withOwnLists(last, field));
  const value = fieldOf(final, field);
  if (value === undefined || value === null) {
    const message = `continue_final_message is set but the final message has no "${field}" to continue!`;
    return fail("ValueError", message, "");
  }
  const copies = fieldsToTag(field).filter((name) => fieldOf(final, name) === value);
  const { tagged, text } = Array.isArray(value) ? tagLastText(value) : tagText(value);
  const open = withFields(final, new Map(copies.map((name) => [name, tagged])));
  return { messages: [...messages.slice(0, -1).map(aliasReasoning), open], text };
}

/** Reasoning stands under several names, and the template may read any. */
function fieldsToTag(field: string): readonly string[] {
  return REASONING_FIELDS.some((name) => name === field) ? REASONING_FIELDS : [field];
}

/** transformers' copies share a list only where one is the other's alias, not where the caller's were the same. */
function withOwnLists(message: Message, field: string): Message {
  const copies = new Map<unknown, unknown>();
  for (const name of fieldsToTag(field)) {
    const value: unknown = fieldOf(message, name);
    if (Array.isArray(value)) copies.set(name, value.slice());
  }
  return copies.size === 0 ? message : withFields(message, copies);
}

interface Tagged {
  readonly tagged: unknown;
  readonly text: string;
}

function tagText(value: unknown): Tagged {
  if (typeof value === "string") return { tagged: value + TAG, text: value };
  return fail("TypeError", `unsupported operand type(s) for +: '${typeName(value)}' and 'str'`, "");
}

/** The last part that has a text is the one to continue, whatever its type says. */
function tagLastText(parts: readonly unknown[]): Tagged {
  const at = parts.findLastIndex(hasText);
  if (at < 0) {
    const message =
      "continue_final_message is set but we could not find any text to continue in the final message!";
    return fail("ValueError", message, "");
  }
  const part = parts[at];
  if (!isDict(part)) {
    return fail("TypeError", `a part of the final message is no dict but '${typeName(part)}'`, "");
  }
  const { tagged, text } = tagText(fieldOf(part, "text"));
  return { tagged: parts.with(at, withFields(part, new Map([["text", tagged]]))), text };
}

/** Python's `"text" in part`, which also looks into texts and lists. */
function hasText(part: unknown): boolean {
  if (typeof part === "string" || Array.isArray(part)) return part.includes("text");
  if (isDict(part)) return fieldOf(part, "text") !== undefined;
  return fail("TypeError", `argument of type '${typeName(part)}' is not iterable`, "");
}

/** The prompt up to the end of the text; white space after it stays where the template kept the tag's blank. */
export function cutOpenEnd(prompt: string, text: string): string {
  const at = prompt.lastIndexOf(TRIMMED_TAG);
  if (at < 0 || !prompt.includes(strip(text))) {
    fail(
      "ValueError",
      "continue_final_message is set but the final message does not appear in the chat after applying the chat " +
        "template! This can happen if the chat template deletes portions of the final message. Please verify the chat " +
        "template and final message in your chat to ensure they are compatible." +
        `Final message to continue: ${strip(text)}\nRendered chat:\n${prompt}`,
      "",
    );
  }
  const open = prompt.slice(0, at);
  return prompt.startsWith(TAG, at) ? open : rstrip(open);
}
