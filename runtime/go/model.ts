/**
 * Ollama's data model (api/types.go and template/template.go of v0.32.15) in the API's own JSON shape.
 * The `OllamaInput…` types are what a caller may give, the others what a template sees: the caller's own objects
 * where these are canonical, private copies where they are not.
 */

import type { Fields, Open, Value } from "../values.js";

/** An image: base64 text, its bytes, or Go's nil slice. */
export type OllamaImage = string | Uint8Array | null;

/** Message: `role` is lower-case, `content` is always there; an absent text is Go's "". */
export interface OllamaMessage {
  readonly role: string;
  readonly content: string;
  readonly thinking?: string | undefined;
  readonly images?: readonly OllamaImage[] | undefined;
  readonly tool_calls?: readonly OllamaToolCall[] | undefined;
  readonly tool_name?: string | undefined;
  readonly tool_call_id?: string | undefined;
}

export interface OllamaToolCall {
  readonly id?: string | undefined;
  readonly function: OllamaToolCallFunction;
}

/** ToolCallFunction: arguments that the request lacks are NIL_MAP. */
export interface OllamaToolCallFunction {
  readonly index?: number | undefined;
  readonly name: string;
  readonly arguments: Fields;
}

export interface OllamaTool {
  readonly type?: string | undefined;
  readonly items?: Value;
  readonly function: OllamaToolFunction;
}

export interface OllamaToolFunction {
  readonly name: string;
  readonly description?: string | undefined;
  readonly parameters: OllamaToolParameters;
}

/** ToolFunctionParameters: absent `properties` are Go's nil map, `{}` is an empty one. */
export interface OllamaToolParameters {
  readonly type?: string | undefined;
  readonly $defs?: Value;
  readonly items?: Value;
  readonly required?: readonly string[] | undefined;
  readonly properties?: OllamaProperties | undefined;
}

export type OllamaProperties = Readonly<Record<string, OllamaProperty>>;

/**
 * PropertyType, a list of names in Go. One name that is not empty may stay a bare text; `""` and null become `[""]`,
 * so that `type?.length` is Go's truth; `types(type)` gives the list.
 */
export type OllamaPropertyType = string | readonly string[];

export interface OllamaProperty {
  readonly anyOf?: readonly OllamaProperty[] | undefined;
  readonly type?: OllamaPropertyType | undefined;
  readonly items?: Value;
  readonly description?: string | undefined;
  readonly enum?: readonly Value[] | undefined;
  readonly properties?: OllamaProperties | undefined;
  readonly required?: readonly string[] | undefined;
}

/** Values of template.go after Template.Execute has collated the messages. */
export interface OllamaValues {
  /** Collated; NIL_LIST where there are none. */
  readonly messages: readonly OllamaMessage[];
  /** NIL_LIST where the request has no tools, as Go's nil prints `null` and not `[]`. */
  readonly tools: readonly OllamaTool[];
  /** All system messages, joined with an empty line. */
  readonly system: string;
  readonly prompt: string;
  readonly suffix: string;
  readonly think: boolean;
  readonly thinkLevel: string;
  readonly isThinkSet: boolean;
  /** Whether Execute takes its first path: a prompt and a suffix, neither messages, nor tools, nor system. */
  readonly fillInMiddle: boolean;
  /** Whether Execute is told to take the legacy path even though the template mentions messages. */
  readonly forceLegacy: boolean;
}

export type OllamaThink = boolean | "low" | "medium" | "high" | "max";

export interface OllamaInputMessage {
  readonly role: "system" | "user" | "assistant" | "tool" | (string & {});
  readonly content?: string | null | undefined;
  readonly thinking?: string | null | undefined;
  readonly images?: readonly (string | Uint8Array)[] | null | undefined;
  readonly tool_calls?: readonly OllamaInputToolCall[] | null | undefined;
  readonly tool_name?: string | null | undefined;
  readonly tool_call_id?: string | null | undefined;
}

export interface OllamaInputToolCall extends Open {
  readonly id?: string | null | undefined;
  readonly function: {
    readonly index?: number | null | undefined;
    readonly name: string;
    readonly arguments?: object | null | undefined;
  };
}

export interface OllamaInputTool extends Open {
  readonly type?: string | null | undefined;
  readonly function: OllamaInputToolFunction;
}

export interface OllamaInputToolFunction extends Open {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly parameters?: OllamaInputToolParameters | null | undefined;
}

export interface OllamaInputToolParameters extends Open {
  readonly type?: string | null | undefined;
  readonly required?: readonly string[] | null | undefined;
  readonly properties?: Readonly<Record<string, OllamaInputProperty>> | null | undefined;
}

export interface OllamaInputProperty extends Open {
  readonly anyOf?: readonly OllamaInputProperty[] | null | undefined;
  readonly type?: string | readonly string[] | null | undefined;
  readonly description?: string | null | undefined;
  readonly enum?: readonly unknown[] | null | undefined;
  readonly properties?: Readonly<Record<string, OllamaInputProperty>> | null | undefined;
  readonly required?: readonly string[] | null | undefined;
}

/** What Ollama's /api/chat and /api/generate take, as far as a template sees it. */
export interface OllamaInput {
  readonly messages?: readonly OllamaInputMessage[] | null | undefined;
  readonly tools?: readonly OllamaInputTool[] | null | undefined;
  /** Becomes a first system message. */
  readonly system?: string | null | undefined;
  /** Without a suffix a last user message. */
  readonly prompt?: string | null | undefined;
  /** With a prompt: Ollama gives the template these two only. */
  readonly suffix?: string | null | undefined;
  /** Becomes a last assistant message, which the model goes on with. */
  readonly response?: string | null | undefined;
  /** Images of the prompt. */
  readonly images?: readonly (string | Uint8Array)[] | null | undefined;
  readonly think?: OllamaThink | null | undefined;
  /** Whether `think` counts as given; by default it does where it is neither absent nor null. */
  readonly isThinkSet?: boolean | null | undefined;
  /** Render turn by turn even where the template reads messages; Ollama's own tests set this. */
  readonly forceLegacy?: boolean | null | undefined;
}

/** Go's nil list: what an absent list of tools or messages is. */
export const NIL_LIST: readonly never[] = /* @__PURE__ */ Object.freeze([]);

/** Go's nil map: what absent arguments are. */
export const NIL_MAP: Fields = /* @__PURE__ */ Object.freeze({});
