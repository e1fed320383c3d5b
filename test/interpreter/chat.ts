/**
 * The reference for dialect chat: transformers' apply_chat_template step by step over the interpreter's own values, and
 * the template rendered by the interpreter. Python's names are kept where they help to compare.
 */
import { dumpJson, readJson } from "./jinja-json.js";
import { contains, equal, truth } from "./jinja-operators.js";
import { repr } from "./jinja-text.js";
import { strip } from "./jinja-unicode.js";
import { FALSE, NONE, PyDict, PyList, PyNone, PyStr, raise, str } from "./jinja-values.js";
import type { Value } from "./jinja-values.js";
import { prepareJinja, type InterpretOptions } from "./jinja.js";

export interface ChatRender extends InterpretOptions {
  /** Used where the input itself does not say. */
  readonly continueFinalMessage?: boolean | string | undefined;
}

export interface PreparedChat {
  render(inputJson: string, options?: ChatRender): string;
}

const TAG = "CONTINUE_FINAL_MESSAGE_TAG ";
const REASONING_FIELDS = ["reasoning_content", "thinking", "reasoning"];

/** Names that Python keeps for parameters: a keyword argument of that name is a TypeError, or never reaches the template. */
const PARAMETERS =
  "self conversation conversations messages tools documents chat_template add_generation_prompt continue_final_message " +
  "tokenize sanitize_control_tokens padding truncation max_length return_tensors return_dict " +
  "return_assistant_tokens_mask tokenizer_kwargs";

/** Parses a template once. The input has messages, tools, documents, add_generation_prompt, special_tokens and kwargs. */
export function prepareChat(template: string): PreparedChat {
  const prepared = prepareJinja(template);
  return {
    render(inputJson, options = {}) {
      const input = readJson(inputJson);
      if (!(input instanceof PyDict)) raise("TypeError", "the input is not an object");
      const messages = normalize(option(input, "messages"));
      const field = fieldToContinue(input, options);
      const context = contextOf(input);
      for (const message of messages) alias(message);
      const last = messages.at(-1) ?? new PyDict();
      const text = field === null ? "" : tag(last, field, template);
      context.set(str("messages"), new PyList(messages));
      const { output } = prepared.render(jsonOf(context), options);
      return field === null ? output : cut(output, text);
    },
  };
}

function option(input: PyDict, name: string): Value {
  return input.getText(name) ?? NONE;
}

function jsonOf(value: Value): string {
  const separators = { itemSeparator: ",", keySeparator: ":" };
  return dumpJson(value, { ensureAscii: true, indent: null, sortKeys: false, ...separators });
}

function fieldToContinue(input: PyDict, options: ChatRender): string | null {
  const asked = input.getText("continue_final_message");
  const { continueFinalMessage = false } = options;
  let field: string | null = null;
  if (asked === undefined) {
    if (continueFinalMessage === true) field = "content";
    else if (continueFinalMessage !== false && continueFinalMessage !== "")
      field = continueFinalMessage;
  } else if (truth(asked)) {
    field = asked instanceof PyStr ? asked.text : "content";
  }
  if (field !== null && truth(option(input, "add_generation_prompt")))
    raise("ValueError", "continue_final_message and add_generation_prompt are not compatible");
  return field;
}

/** `_normalize_chat_messages`, into dicts that are new. */
function normalize(messages: Value): PyDict[] {
  if (!(messages instanceof PyList)) raise("TypeError", "Chat messages should be a list");
  if (messages.items.length === 0)
    raise("ValueError", "Cannot apply chat template to an empty conversation.");
  return messages.items.map((message) => {
    if (!(message instanceof PyDict))
      raise("TypeError", `Chat messages should be dicts, but got ${repr(message)}.`);
    const kept = new PyDict();
    for (const { key, value } of message.entries.values()) {
      if (!(value instanceof PyNone)) kept.set(key, value);
    }
    return kept;
  });
}

/** `_alias_reasoning_fields`, in place: the dict is emptied and filled again in the new order. */
function alias(message: PyDict): void {
  const name = REASONING_FIELDS.find((field) => message.getText(field) !== undefined);
  if (name === undefined) return;
  const reasoning = message.getText(name) ?? NONE;
  const before = [...message.entries.values()];
  message.entries.clear();
  message.set(str("thinking"), reasoning);
  for (const { key, value } of before) message.set(key, value);
  message.set(str("reasoning_content"), reasoning);
}

/** What `render_jinja_template` hands to the template beside the messages. */
function contextOf(input: PyDict): PyDict {
  const context = new PyDict();
  const tools = option(input, "tools");
  const documents = option(input, "documents");
  for (const name of ["special_tokens", "kwargs"]) {
    const given = option(input, name);
    if (!(given instanceof PyDict)) continue;
    for (const { key, value } of given.entries.values()) {
      if (name === "special_tokens" && value instanceof PyNone) continue;
      if (key instanceof PyStr && PARAMETERS.split(" ").includes(key.text))
        raise("TypeError", `got multiple values for keyword argument '${key.text}'`);
      context.set(key, value);
    }
  }
  if (!isListOfDicts(tools)) raise("ValueError", "Tools should be JSON schemas");
  if (!isListOfDicts(documents)) raise("TypeError", "Documents should be a list of dicts");
  context.set(str("tools"), tools);
  context.set(str("documents"), documents);
  const prompt = input.getText("add_generation_prompt");
  context.set(str("add_generation_prompt"), prompt ?? FALSE);
  return context;
}

function isListOfDicts(value: Value): boolean {
  if (value instanceof PyNone) return true;
  return value instanceof PyList && value.items.every((item) => item instanceof PyDict);
}

/** Appends the tag to the text of the final message, in place, and gives the text as it was. */
function tag(last: PyDict, field: string, template: string): string {
  const final = last.getText(field);
  if (final === undefined) raise("ValueError", `the final message has no "${field}" to continue`);
  let fields = [field];
  if (REASONING_FIELDS.includes(field)) {
    fields = REASONING_FIELDS.filter((name) => {
      const value = last.getText(name);
      return value !== undefined && equal(value, final);
    });
  }
  if (!fields.some((name) => template.includes(name)))
    raise("ValueError", `"${field}" is not an accepted field in the chat_template`);
  if (final instanceof PyList) return tagLastText(final);
  if (!(final instanceof PyStr))
    return raise("TypeError", `unsupported operand type(s) for +: '${final.typeName}' and 'str'`);
  for (const name of fields) last.set(str(name), str(final.text + TAG));
  return final.text;
}

/** The list is shared by the aliases, so that each of them shows the tag. */
function tagLastText(parts: PyList): string {
  for (const part of parts.items.toReversed()) {
    if (!contains(str("text"), part)) continue;
    const text = part instanceof PyDict ? part.getText("text") : undefined;
    if (!(part instanceof PyDict) || !(text instanceof PyStr))
      return raise("TypeError", `the text of a part of the final message is no str`);
    part.set(str("text"), str(text.text + TAG));
    return text.text;
  }
  return raise("ValueError", "could not find any text to continue in the final message");
}

function cut(output: string, text: string): string {
  const mark = TAG.trimEnd();
  if (!output.includes(strip(text, null, "both")) || !output.includes(mark))
    raise("ValueError", "the final message does not appear in the chat");
  const at = output.lastIndexOf(mark);
  const before = output.slice(0, at);
  const isBlankKept = output.slice(at, at + TAG.length) === TAG;
  return isBlankKept ? before : strip(before, null, "right");
}
