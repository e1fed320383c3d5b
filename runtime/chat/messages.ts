/** What transformers does to the messages before a template sees them. */
import { fail } from "../errors.js";
import { dictEntries, dictOf, field } from "../jinja/dict.js";
import { repr } from "../jinja/print.js";
import { isDict } from "../values.js";

/** A message: a dict, whatever its fields are. */
export type Message = Readonly<Record<string, unknown>>;

/** The names of a message's reasoning; the first is the one that templates read nowadays. */
export const REASONING_FIELDS = ["reasoning_content", "thinking", "reasoning"] as const;

/** transformers' _normalize_chat_messages: messages are dicts, and a field that is null is a field that is missing. */
export function normalizeMessages(messages: unknown): readonly Message[] {
  if (!Array.isArray(messages)) {
    return fail("TypeError", `Chat messages should be a list, but got ${repr(messages)}.`, "");
  }
  if (messages.length === 0) fail("ValueError", EMPTY, "");
  return messages.map(normalizeMessage);
}

const EMPTY = "Cannot apply chat template to an empty conversation. Provide at least one message.";

function normalizeMessage(message: unknown): Message {
  if (!isDict(message)) {
    return fail(
      "TypeError",
      `Chat messages should be dicts, dataclasses or pydantic models, but got ${repr(message)}.`,
      "",
    );
  }
  const entries = dictEntries(message);
  const kept = entries.filter(([, item]) => item !== null);
  return kept.length === entries.length ? message : messageOf(kept);
}

/** transformers' _alias_reasoning_fields: one reasoning under the names that templates read, `thinking` in front. */
export function aliasReasoning(message: Message): Message {
  const names = REASONING_FIELDS.filter((name) => isGiven(field(message, name)));
  const [source] = names;
  if (source === undefined) return message;
  const reasoning = field(message, source);
  return messageOf([
    ["thinking", reasoning],
    ...dictEntries(message),
    ["reasoning_content", reasoning],
  ]);
}

function isGiven(item: unknown): boolean {
  return item !== null && item !== undefined;
}

/** The dict with other values for some of its fields. */
export function withFields(dict: Message, changed: ReadonlyMap<unknown, unknown>): Message {
  return messageOf(
    dictEntries(dict).map(([key, item]) => [key, changed.has(key) ? changed.get(key) : item]),
  );
}

function messageOf(entries: readonly (readonly [unknown, unknown])[]): Message {
  const dict = dictOf(entries, "");
  return isDict(dict) ? dict : {};
}
