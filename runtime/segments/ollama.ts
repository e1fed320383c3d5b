/** Where the values come from that Ollama's Execute gives a template: it merges messages and joins texts. */
import { isMessage } from "../go/canonical.js";
import { message } from "../go/decode.js";
import type { OllamaInput, OllamaMessage, OllamaValues } from "../go/model.js";
import { ollamaValues, wellFormed } from "../go/values.js";
import { value as asValue } from "../values.js";
import { Held } from "./held.js";
import { Place } from "./place.js";
import { Trace } from "./trace.js";
import { join, Traced, type Text } from "./traced.js";

/** The request that the values were made of. */
const REQUEST: unique symbol = /* @__PURE__ */ Symbol("request");

/** A request's values, which remember the request. */
export interface TracedValues extends OllamaValues {
  [REQUEST]?: OllamaInput;
}

/** What `ollamaValues` gives, for a trace. */
export function tracedOllamaValues(input: OllamaInput): TracedValues {
  const values: TracedValues = ollamaValues(input);
  values[REQUEST] = input;
  return values;
}

/** The same for templates that cut text by bytes. */
export function tracedOllamaValuesStrict(input: OllamaInput): TracedValues {
  const request: OllamaInput = Object.fromEntries(
    Object.entries(input).map(([name, field]) => [name, wellFormed(field)]),
  );
  return tracedOllamaValues(request);
}

/** The trace of a render of a request. */
export function startOllamaTrace(values: TracedValues): Trace {
  const request = values[REQUEST] ?? {};
  return new Trace(request, (trace) => {
    noteValues(trace, values, request);
  });
}

function noteValues(trace: Trace, values: TracedValues, request: OllamaInput): void {
  const contents = noteMessages(trace, values.messages, request);
  // The list is made anew: whose it is, its messages tell.
  trace.know(values.messages, new Held(values.messages));
  trace.know(values, fieldsOf(trace.root, values, request, contents));
  const { tools } = values;
  const isMade = tools !== request.tools && tools.length > 0;
  if (isMade) trace.place(tools, new Place(trace.root, "tools"));
}

/** The values that are texts of the request; system messages are joined as the server joins them. */
function fieldsOf(
  root: Place,
  values: TracedValues,
  request: OllamaInput,
  systems: readonly Text[],
): Held {
  const fields = new Held([]);
  if (values.system !== "") fields.set("system", separated(systems));
  if (values.prompt !== "") fields.set("prompt", at(root, "prompt", values.prompt));
  if (values.suffix !== "") fields.set("suffix", at(root, "suffix", values.suffix));
  if (typeof request.think === "string") {
    fields.set("thinkLevel", at(root, "think", values.thinkLevel));
  }
  return fields;
}

function at(parent: Place, key: string, value: unknown): Text {
  return value === "" ? "" : Traced.whole(value, new Place(parent, key));
}

/** A message of the request before neighbours are merged. */
interface Source {
  /** What was given: a message, or the text of which the server makes one. */
  readonly given: unknown;
  readonly role: string | null;
  /** Where the fields stand, and where the content does. */
  readonly place: Place;
  readonly content: Place;
}

/**
 * Notes where those messages come from that Ollama makes: of a text, of neighbours of one role, or by decoding. All
 * others are the request's own objects. Gives the contents of the system messages.
 */
function noteMessages(
  trace: Trace,
  messages: readonly OllamaMessage[],
  request: OllamaInput,
): readonly Text[] {
  const systems: Text[] = [];
  const known = knownMessages(messages, request);
  for (let i = 0; i < known; i++) {
    const { role, content } = messages[i] ?? {};
    if (role === "system") systems.push(at(messageAt(trace.root, i), "content", content));
  }
  if (known === messages.length) return systems;
  const sources = sourcesOf(request, trace.root, known);
  let next = sources.next();
  for (const message of messages.slice(known)) {
    const contents: Text[] = [];
    const first = next.value;
    if (first === undefined) break;
    const isOwn = first.given === message;
    for (let source: Source | undefined = first; source !== undefined; source = next.value) {
      const content = isOwn ? message.content : contentOf(source, message, contents.length === 0);
      if (content === null) break;
      contents.push(content === "" ? "" : Traced.whole(content, source.content));
      next = sources.next();
      if (isOwn) break;
    }
    if (!isOwn) noteMessage(trace, message, first.place, separated(contents));
    if (message.role === "system") systems.push(separated(contents));
  }
  return systems;
}

/** How many messages at the beginning are the request's own. */
function knownMessages(messages: readonly OllamaMessage[], request: OllamaInput): number {
  if (isGiven(request.system)) return 0;
  let known = 0;
  for (const given of request.messages ?? []) {
    if (known === messages.length || given !== messages[known]) return known;
    known++;
  }
  return known;
}

function isGiven(text: string | null | undefined): boolean {
  return text !== undefined && text !== null && text !== "";
}

function messageAt(root: Place, index: number): Place {
  return new Place(new Place(root, "messages"), index);
}

/** The messages in the order in which `ollamaValues` takes them, from an index on. */
function* sourcesOf(request: OllamaInput, root: Place, from: number): Generator<Source, undefined> {
  const { messages, system, prompt, suffix, response } = request;
  const made = (role: string, given: unknown, name: string): Source => {
    return { given, role, place: root, content: new Place(root, name) };
  };
  if (isGiven(system)) yield made("system", system, "system");
  for (const [i, given] of (messages ?? []).entries()) {
    if (i < from) continue;
    const place = messageAt(root, i);
    yield { given, role: null, place, content: new Place(place, "content") };
  }
  if (isGiven(prompt) && !isGiven(suffix)) yield made("user", prompt, "prompt");
  if (isGiven(response)) yield made("assistant", response, "response");
}

/** The source's text if the message was made of it: as its first, or as one that was merged into it; else null. */
function contentOf(
  { given, role }: Source,
  message: OllamaMessage,
  isFirst: boolean,
): string | null {
  const made = role === null ? decoded(given) : { role, content: String(given) };
  if (isFirst) return made.content;
  return made.role === message.role && made.role !== "tool" ? made.content : null;
}

function decoded(given: unknown): OllamaMessage {
  return isMessage(given) ? given : message(given, { parent: undefined, name: 0, struct: "" });
}

/** The empty line between texts is the server's. */
function separated(texts: readonly Text[]): Text {
  const [first = "", second] = texts;
  if (second === undefined) return first;
  return join(...texts.flatMap((text, i) => (i === 0 ? [text] : ["\n\n", text])));
}

/** The first of the merged messages keeps its fields. */
function noteMessage(trace: Trace, merged: OllamaMessage, first: Place, content: Text): void {
  const held = new Held([]);
  for (const [key, item] of Object.entries(merged)) {
    const field: unknown = asValue(item);
    if (typeof field === "object" && field !== null) trace.place(field, new Place(first, key));
    // The role of a message that the server makes is its own word.
    else if (key === "role" && first === trace.root) held.set(key, field);
    else held.set(key, at(first, key, field));
  }
  held.set("content", content);
  trace.know(merged, held);
}
