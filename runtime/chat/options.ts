/** The options of applyChatTemplate, and a word to those that it cannot take. */
import { failInput, RenderError } from "../errors.js";
import type { RenderOptions } from "../index.js";

/** What transformers' apply_chat_template takes beside the messages, as far as it concerns a text. */
export interface ChatOptions extends RenderOptions {
  /** JSON schemas, handed to the template as they are. */
  readonly tools?: readonly object[] | undefined;
  readonly documents?: readonly object[] | undefined;
  /** Ends the prompt with the header of the model's turn. Default: false. */
  readonly addGenerationPrompt?: boolean | undefined;
  /** Leaves the final message open, so that the model goes on with it; a text names the field instead of "content". */
  readonly continueFinalMessage?: boolean | string | undefined;
  /** `bos_token`, `eos_token` and the like, as the tokenizer has them. */
  readonly specialTokens?: Readonly<Record<string, string>> | undefined;
  /** Variables of the template; they win over special tokens. */
  readonly kwargs?: Readonly<Record<string, unknown>> | undefined;
  /** The name of one of several templates. */
  readonly use?: string | undefined;
}

const KNOWN: ReadonlySet<string> = new Set<keyof ChatOptions>([
  "addGenerationPrompt",
  "continueFinalMessage",
  "documents",
  "kwargs",
  "limits",
  "now",
  "specialTokens",
  "tools",
  "use",
]);

const IS_TEXT = "the result is a text: give it to the tokenizer, with add_special_tokens=false";

/** What to use for the parameters of apply_chat_template that are no options here. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  [
    "sanitize_control_tokens",
    "control tokens are the tokenizer's: use applyChatSegments, and encodeSegments for the tokens",
  ],
  ["return_assistant_tokens_mask", "a mask is made of tokens: render with spans and map them"],
  ["chat_template", "a template is compiled beforehand; use names one of several"],
  ["add_generation_prompt", "write addGenerationPrompt"],
  ["continue_final_message", "write continueFinalMessage"],
  ["special_tokens", "write specialTokens"],
  ["chat_template_kwargs", "write kwargs"],
  ["conversation", "the messages are the second argument"],
  ["messages", "the messages are the second argument"],
  ["tokenize", IS_TEXT],
  ["padding", IS_TEXT],
  ["truncation", IS_TEXT],
  ["max_length", IS_TEXT],
  ["return_tensors", IS_TEXT],
  ["return_dict", IS_TEXT],
  ["tokenizer_kwargs", IS_TEXT],
]);

/**
 * The parameters of apply_chat_template and of what it calls: Python keeps their names for them, so that no keyword
 * argument brings them to the template.
 */
const PARAMETERS: ReadonlySet<string> = new Set([
  "add_generation_prompt",
  "chat_template",
  "continue_final_message",
  "conversation",
  "conversations",
  "documents",
  "max_length",
  "messages",
  "padding",
  "return_assistant_tokens_mask",
  "return_dict",
  "return_tensors",
  "sanitize_control_tokens",
  "self",
  "tokenize",
  "tokenizer_kwargs",
  "tools",
  "truncation",
]);

/** Whether the name is that of a parameter, so that no variable of a template can have it. */
export function isParameter(name: string): boolean {
  return PARAMETERS.has(name);
}

/** Refuses unknown options: transformers would take them as variables of the template, a typing error included. */
export function checkOptions(options: ChatOptions): void {
  for (const [name, option] of Object.entries(options)) {
    if (option !== undefined && !KNOWN.has(name)) refuseOption(name);
  }
}

function refuseOption(name: string): never {
  const instead =
    INSTEAD.get(snakeCase(name)) ?? `put a variable of the template into kwargs: { ${name}: … }`;
  return failInput("TypeError", `applyChatTemplate has no option "${name}": ${instead}`, name);
}

/** Refuses a variable of the template that has the name of a parameter. */
export function checkVariable(name: string): void {
  if (!isParameter(name)) return;
  const instead = INSTEAD.get(name) ?? `write ${name} beside kwargs`;
  throw new RenderError(
    `kwargs cannot bring "${name}", a parameter of apply_chat_template: ${instead}`,
    {
      phase: "render",
      type: "TypeError",
      path: `kwargs.${name}`,
    },
  );
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
