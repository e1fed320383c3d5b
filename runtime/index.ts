/** What every generated module and every adapter counts on: types, errors, and input that loses nothing. */
import type { Limits } from "./limits.js";

export { encode, encodeStray, encodeStrayTo, encodeTo, type ByteSink } from "./bytes/index.js";
export { RenderError, renderError } from "./errors.js";
export { parseJson } from "./json.js";
export { limited, type Limits } from "./limits.js";
export { toInput } from "./input.js";
export { Float, value } from "./values.js";
export type { Fields, Open, Value } from "./values.js";
export type { Segment } from "./segments/segment.js";
export { checkRuntime } from "./version.js";

/** Options of a render. */
export interface RenderOptions {
  /** The clock that the template reads; a text is ISO 8601, its local time fields are taken as they stand. */
  readonly now?: Date | string;
  /** Bounds for templates that are not trusted; a module that was compiled without `limits` ignores them. */
  readonly limits?: Limits;
}

/** What renders: a generated module or a Template. */
export interface Renderer<I> {
  render(input: I, options?: RenderOptions): string;
  readonly meta: TemplateMeta;
}

/** A rendered text and its generation spans, in code points. */
export interface Spanned {
  text: string;
  spans: [start: number, end: number][];
}

/** An input variable of a template. */
export interface Variable {
  readonly name: string;
  readonly required: boolean;
  readonly values?: readonly unknown[];
  readonly default?: unknown;
}

/** What a template can show of a conversation. */
export interface Capabilities {
  readonly system: boolean;
  readonly tools: boolean;
  readonly documents: boolean;
  readonly thinking: boolean;
  readonly images: boolean;
  readonly prefill: boolean;
  readonly content: "text" | "parts" | "both";
  readonly arguments: "text" | "object" | "both";
}

/** The roles of messages that templates tell apart. */
export type Role = "system" | "user" | "assistant" | "tool";

/** The forms in which a template takes the parts of a conversation: what the adapters of requests go by. */
export interface Forms {
  /** A message's content, by its role. */
  readonly content: Readonly<Record<Role, "text" | "parts" | "both">>;
  /** What an assistant message that only calls tools has as its content: no field, "", or null. */
  readonly emptyContent: "absent" | "text" | "null";
  /** Whether an assistant message that has a text shows its calls. */
  readonly callsWithText: boolean;
  readonly toolCalls: boolean;
  readonly toolResults: boolean;
  /** Where the definitions of tools stand: an input of their own, or a field of the first system message. */
  readonly toolsIn: "input" | "system" | "system text";
  /** Whether only ids of nine letters and digits are taken. */
  readonly callIds: "any" | "nine";
  /** The field of an assistant's reasoning; null where none is read. */
  readonly reasoning: "reasoning_content" | "thinking" | "reasoning" | null;
  /** The type of a part that is an image, or the field that lists them; null where none is shown. */
  readonly image: "image" | "image_url" | "images" | null;
  /** The roles whose messages show images. */
  readonly imagesIn: readonly Role[];
  /** Whether `developer` is a role of its own. */
  readonly developer: boolean;
  /** Whether a system message is shown behind others. */
  readonly laterSystem: boolean;
  /** The roles whose messages may follow one of the same role. */
  readonly neighbours: readonly Role[];
}

/** What is known of a template. */
export interface TemplateMeta {
  readonly name: string;
  readonly dialect: Dialect;
  readonly sha256: string;
  readonly compiler: string;
  readonly reference: string;
  readonly variables: readonly Variable[];
  readonly capabilities: Capabilities;
  readonly forms: Forms;
  readonly leadingBos: boolean;
}

/** Jinja as transformers runs it, Go's text/template with Ollama's data, or with any data. */
export type Dialect = "jinja" | "ollama" | "go";
