/** A conversation through compiled chat templates, as transformers' apply_chat_template takes it. */
import { fail } from "../errors.js";
import { toInput } from "../input.js";
import type { Renderer, RenderOptions } from "../index.js";
import type { Segment } from "../segments/segment.js";
import { isDict } from "../values.js";
import { cutOpenEnd, openFinalMessage } from "./continue.js";
import { aliasReasoning, normalizeMessages, type Message } from "./messages.js";
import { checkOptions, type ChatOptions } from "./options.js";
import { continueFinal } from "./segments/continue-final.js";
import { chooseTemplate, type OneOrNamed } from "./templates.js";
import { templateVariables } from "./variables.js";

export { RenderError } from "../errors.js";
export type { Renderer, RenderOptions, TemplateMeta } from "../index.js";
export {
  fromAiSdk,
  fromAnthropic,
  fromOllama,
  fromOpenAI,
  fromResponses,
  type ConversationInput,
  type ConversationMessage,
} from "./adapters/index.js";
export type { ChatOptions } from "./options.js";
export type { Segment } from "../segments/segment.js";
export { assistantMask, type AssistantMaskOptions } from "./segments/assistant-mask.js";
export { continueFinal, type ContinueFinalOptions } from "./segments/continue-final.js";
export {
  encodeSegments,
  segmentTokenizer,
  type EncodeSegmentsOptions,
  type SegmentTokenizer,
  type SegmentTokenizerOptions,
  type TextEncoder,
  type TokenizerClass,
} from "./segments/encode.js";
export { messageSpans, type MessageSpans } from "./segments/message-spans.js";
export type { Span, Unit } from "./segments/units.js";
export { ModelfileError, parseModelfile, type ParsedModelfile } from "./modelfile.js";
export {
  filterThinkTags,
  filtersThinkTags,
  generateMessages,
  tagImages,
  withModelfile,
  type ImageOptions,
  type OllamaGenerateRequest,
  type OllamaModelfile,
  type OllamaModelName,
} from "./ollama.js";

/**
 * The prompt of a conversation, with the rules of transformers 5.24's `apply_chat_template(tokenize=False)`: messages
 * lose their null fields and get all names of their reasoning before the template sees them. Nothing that the caller
 * passes is changed. Throws a RenderError where transformers raises, and for options that it does not know.
 */
export function applyChatTemplate(
  template: Renderer<object> | Readonly<Record<string, Renderer<object>>>,
  messages: readonly object[],
  options: ChatOptions = {},
): string {
  const { renderer, conversation, field, inputOf } = prepare(template, messages, options);
  const render = (list: readonly object[]): string => renderer.render(inputOf(list), options);
  if (field === undefined) return render(conversation.map(aliasReasoning));
  const open = openFinalMessage(conversation, field);
  return cutOpenEnd(render(open.messages), open.text);
}

/** A template that tells the origin of its text: `Template`, or a module with the target segments. */
export interface SegmentRenderer extends Renderer<object> {
  renderSegments(input: object, options?: RenderOptions): readonly Segment[];
}

/**
 * The same prompt in segments. Their paths lead into the messages as the template sees them: without null fields, and
 * with all names of their reasoning. `continueFinalMessage` cuts by origin, as {@link continueFinal} does. Throws what
 * {@link applyChatTemplate} throws.
 */
export function applyChatSegments(
  template: SegmentRenderer | Readonly<Record<string, SegmentRenderer>>,
  messages: readonly object[],
  options: ChatOptions = {},
): readonly Segment[] {
  const { renderer, conversation, field, inputOf } = prepare(template, messages, options);
  const input = inputOf(conversation.map(aliasReasoning));
  const segments = renderer.renderSegments(input, options);
  if (field === undefined) return segments;
  return continueFinal(segments, { index: conversation.length - 1, field });
}

interface Prepared<R> {
  readonly renderer: R;
  readonly conversation: readonly Message[];
  /** The field of the final message that stays open; undefined where none does. */
  readonly field: string | undefined;
  /** What the template is rendered on. */
  readonly inputOf: (conversation: readonly object[]) => object;
}

function prepare<R extends Renderer<object>>(
  template: OneOrNamed<R>,
  messages: readonly object[],
  options: ChatOptions,
): Prepared<R> {
  checkOptions(options);
  const tools = optionalInput(options.tools);
  const renderer = chooseTemplate(template, options.use, tools !== null);
  const conversation = normalizeMessages(toInput(messages));
  const field = fieldToContinue(options);
  const variables = templateVariables(options);
  checkTools(tools);
  const documents = optionalInput(options.documents);
  checkDocuments(documents);
  const rest = { tools, documents, add_generation_prompt: options.addGenerationPrompt ?? false };
  return {
    renderer,
    conversation,
    field,
    inputOf: (list) => ({ messages: list, ...rest, ...variables }),
  };
}

/** An option that the template sees: None where it is not given. */
function optionalInput(option: unknown): unknown {
  return option === undefined ? null : toInput(option);
}

/** The field of the final message that stays open; undefined where none does. */
function fieldToContinue(options: ChatOptions): string | undefined {
  const { continueFinalMessage = false, addGenerationPrompt = false } = options;
  if (!continueFinalMessage) return undefined;
  if (addGenerationPrompt) fail("ValueError", BOTH, "");
  return continueFinalMessage === true ? "content" : continueFinalMessage;
}

const BOTH =
  "continue_final_message and add_generation_prompt are not compatible. Use continue_final_message when you want the " +
  "model to continue the final message, and add_generation_prompt when you want to add a header that will prompt it " +
  "to start a new assistant message instead.";

function checkTools(tools: unknown): void {
  if (tools === null || (Array.isArray(tools) && tools.every(isDict))) return;
  const message =
    Array.isArray(tools) && tools.some((tool) => typeof tool === "function")
      ? "Tools should be JSON schemas: a JavaScript function has no type hints that one could be made of."
      : "Tools should either be a JSON schema, or a callable function with type hints and a docstring suitable for " +
        "auto-conversion to a schema.";
  fail("ValueError", message, "");
}

function checkDocuments(documents: unknown): void {
  if (documents === null || (Array.isArray(documents) && documents.every(isDict))) return;
  fail("TypeError", "Documents should be a list of dicts with 'title' and 'text' keys!", "");
}
