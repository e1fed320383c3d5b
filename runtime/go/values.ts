/** From a request to what Ollama's Template.Execute gives the template. */

import { isDict, OrderedDict, setText, value, type Value } from "../values.js";
import { isMessage, isTool } from "./canonical.js";
import {
  flag,
  image,
  list,
  message,
  mismatch,
  text,
  thinkLevel,
  tool,
  type Path,
} from "./decode.js";
import { orderedKeys } from "./order.js";
import {
  NIL_LIST,
  type OllamaInput,
  type OllamaMessage,
  type OllamaTool,
  type OllamaValues,
} from "./model.js";

const STRUCT = "ChatRequest";

function root(name: string): Path {
  return { parent: undefined, name, struct: STRUCT };
}

/**
 * The values of a request, as Ollama's handlers (server/routes.go, server/prompt.go) and then template.go's Execute
 * and collate make them: `system` is a first message, `prompt` without `suffix` a last one, neighbours of one role are
 * merged. Objects that are canonical are used as they are; none of the caller's is ever written.
 */
export function ollamaValues(input: OllamaInput): OllamaValues {
  const prompt = given(input.prompt, "prompt");
  const suffix = given(input.suffix, "suffix");
  const { messages, system } = collate(input, suffix === "" ? prompt : "");
  const { think } = input;
  const level = think === undefined || think === null ? false : thinkLevel(think, root("think"));
  const { isThinkSet, forceLegacy } = input;
  return {
    messages: messages.length === 0 ? NIL_LIST : messages,
    tools: toolList(input.tools),
    system: system ?? "",
    prompt: suffix === "" ? "" : prompt,
    suffix,
    think: level !== false,
    thinkLevel: typeof level === "string" ? level : level ? "medium" : "",
    isThinkSet:
      isThinkSet === undefined || isThinkSet === null
        ? think !== undefined && think !== null
        : flag(isThinkSet, root("isThinkSet")),
    fillInMiddle: prompt !== "" && suffix !== "",
    forceLegacy: forceLegacy === undefined ? false : flag(forceLegacy, root("forceLegacy")),
  };
}

/** A text of the request. Most requests have none of these, which is asked first: a short one takes half a microsecond. */
function given(v: unknown, name: string): string {
  return v === undefined ? "" : text(v, root(name));
}

function toolList(v: unknown): readonly OllamaTool[] {
  if (v === undefined || v === null) {
    return NIL_LIST;
  }
  if (!Array.isArray(v)) {
    return mismatch(v, "api.Tools", root("tools"));
  }
  return v.every(isTool) ? v : (list(v, "api.Tools", root("tools"), tool) ?? NIL_LIST);
}

/** template.go's collate. */
class Collation {
  /** Neighbours of one role are merged: the first keeps its fields, the others' are lost. */
  readonly messages: OllamaMessage[] = [];
  /** All system messages, joined by an empty line as merged ones are. */
  system: string | undefined = undefined;
  /** Of the last message: "tool" is never merged with what follows. */
  role = "tool";

  add(next: OllamaMessage): void {
    const { role } = next;
    if (role === "system") {
      this.system = this.system === undefined ? next.content : joined(this.system, next.content);
    }
    if (isMerged(this.role, role)) {
      this.merge(next.content);
    } else {
      this.messages.push(next);
      this.role = role;
    }
  }

  merge(content: string): void {
    const last = this.messages.pop();
    if (last !== undefined) {
      this.messages.push({ ...last, content: joined(last.content, content) });
    }
  }
}

/** Whether neighbours of these roles become one message (template.go's collate). */
export function isMerged(role: unknown, next: unknown): boolean {
  return role === next && role !== "tool";
}

function joined(before: string, content: string): string {
  return before + "\n\n" + content;
}

function collate(input: OllamaInput, prompt: string): Collation {
  const collation = new Collation();
  const system = given(input.system, "system");
  if (system !== "") {
    collation.add({ role: "system", content: system });
  }
  const source: unknown = input.messages;
  if (source !== undefined && source !== null) {
    if (!Array.isArray(source)) {
      return mismatch(source, "[]api.Message", root("messages"));
    }
    for (let i = 0; i < source.length; i++) {
      const each: unknown = source[i];
      collation.add(isMessage(each) ? each : decoded(each, i));
    }
  }
  if (prompt !== "") {
    const images = list(input.images, "[]api.ImageData", root("images"), image);
    collation.add({ role: "user", content: prompt, images });
  }
  const response = given(input.response, "response");
  if (response !== "") {
    collation.add({ role: "assistant", content: response });
  }
  return collation;
}

function decoded(v: unknown, index: number): OllamaMessage {
  return message(v, { parent: root("messages"), name: index, struct: STRUCT });
}

/**
 * The same for templates that cut text by bytes: every lone surrogate of the request becomes U+FFFD first, as
 * encoding/json decodes it, so that those that remain are stray bytes.
 */
export function ollamaValuesStrict(input: OllamaInput): OllamaValues {
  const request: Record<string, Value> = {};
  for (const [name, field] of Object.entries(input)) {
    request[name] = wellFormed(field);
  }
  return ollamaValues(request);
}

/** The data with U+FFFD for lone surrogates, keys included; itself where it has none. */
export function wellFormed(v: unknown): Value {
  if (typeof v === "string") {
    return value(v.isWellFormed() ? v : v.toWellFormed());
  }
  if (Array.isArray(v)) {
    return value(wellFormedList(v));
  }
  return value(isDict(v) && !(v instanceof Uint8Array) ? wellFormedMap(v) : v);
}

function wellFormedList(source: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < source.length; i++) {
    const item = wellFormed(source[i]);
    if (item !== source[i]) {
      copy ??= source.slice();
      copy[i] = item;
    }
  }
  return copy ?? source;
}

function wellFormedMap(source: Readonly<Record<string, unknown>>): object {
  let same = true;
  const entries: (readonly [string, unknown])[] = [];
  for (const key of orderedKeys(source)) {
    const item = wellFormed(source[key]);
    const name = key.toWellFormed();
    same &&= item === source[key] && name === key;
    entries.push([name, item]);
  }
  if (same) {
    return source;
  }
  const copy = new OrderedDict();
  for (const [name, item] of entries) {
    setText(copy, name, item);
  }
  return copy;
}
