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
  readonly [REQUEST]: OllamaInput;
}

/** What `ollamaValues` gives, for a trace. */
export function tracedOllamaValues(input: OllamaInput): TracedValues {
  return { ...ollamaValues(input), [REQUEST]: input };
}

/** The same for templates that cut text by bytes. */
export function tracedOllamaValuesStrict(input: OllamaInput): TracedValues {
  const request: OllamaInput = Object.fromEntries(
    Object.entries(input).map(([name, field]) => [name, wellFormed(field)]),
  );
  return tracedOllamaValues(request);
}

/** A message of the request before neighbours are merged. */
interface Source {
  readonly message: OllamaMessage;
  /** Where the fields stand, and where the content does. */
  readonly place: Place;
  readonly content: Place;
}

/** The trace of a render of a request. */
export function startOllamaTrace(values: TracedValues): Trace {
  const request = values[REQUEST];
  const trace = new Trace(request);
  const fields = new Held([]);
  const groups = groupsOf(sourcesOf(request, trace.root));
  const contents = groups.map((group) => contentOf(group));
  const systems = contents.filter((_, i) => groups[i]?.[0]?.message.role === "system");
  for (const [i, merged] of values.messages.entries()) {
    const group = groups[i];
    const content = contents[i];
    if (group !== undefined && content !== undefined) noteMessage(trace, merged, group, content);
  }
  fields.set("system", join(...separated(systems)));
  for (const name of ["prompt", "suffix"] as const)
    fields.set(name, at(trace.root, name, values[name]));
  if (typeof request.think === "string") {
    fields.set("thinkLevel", at(trace.root, "think", values.thinkLevel));
  }
  trace.know(values, fields);
  trace.know(values.messages, new Held(values.messages));
  trace.place(values.tools, new Place(trace.root, "tools"));
  return trace;
}

function at(parent: Place, key: string, value: unknown): unknown {
  return value === "" ? "" : Traced.whole(value, new Place(parent, key));
}

/** The messages in the order in which `ollamaValues` takes them. */
function sourcesOf(request: OllamaInput, root: Place): readonly Source[] {
  const { messages, system, prompt, suffix, response } = request;
  const sources: Source[] = [];
  const add = (role: string, content: string | null | undefined, name: string): void => {
    if (content === undefined || content === null || content === "") return;
    sources.push({ message: { role, content }, place: root, content: new Place(root, name) });
  };
  add("system", system, "system");
  const list = new Place(root, "messages");
  for (const [i, given] of (messages ?? []).entries()) {
    const place = new Place(list, i);
    const decoded = isMessage(given)
      ? given
      : message(given, { parent: undefined, name: i, struct: "" });
    sources.push({ message: decoded, place, content: new Place(place, "content") });
  }
  if (suffix === undefined || suffix === null || suffix === "") add("user", prompt, "prompt");
  add("assistant", response, "response");
  return sources;
}

/** Neighbours of one role are one message, but for tools' answers. */
function groupsOf(sources: readonly Source[]): readonly (readonly Source[])[] {
  const groups: Source[][] = [];
  for (const source of sources) {
    const last = groups.at(-1);
    const role = last?.[0]?.message.role;
    if (last !== undefined && role === source.message.role && role !== "tool") last.push(source);
    else groups.push([source]);
  }
  return groups;
}

function contentOf(group: readonly Source[]): Text {
  const texts = group.map(({ message: { content }, content: place }) =>
    content === "" ? "" : Traced.whole(content, place),
  );
  return join(...separated(texts));
}

/** The empty line between texts is the server's. */
function separated(texts: readonly Text[]): readonly Text[] {
  return texts.flatMap((text, i) => (i === 0 ? [text] : ["\n\n", text]));
}

/** The first of the merged messages keeps its fields. */
function noteMessage(
  trace: Trace,
  merged: OllamaMessage,
  group: readonly Source[],
  content: Text,
): void {
  const [first] = group;
  if (first === undefined || trace.knows(merged)) return;
  const held = new Held([]);
  for (const [key, item] of Object.entries(merged)) {
    const place = new Place(first.place, key);
    const field: unknown = asValue(item);
    if (typeof field === "object" && field !== null) trace.place(field, place);
    // The role of a message that the server makes is its own word.
    else if (key === "role" && first.place === trace.root) held.set(key, field);
    else held.set(key, at(first.place, key, field));
  }
  held.set("content", content);
  trace.know(merged, held);
}
