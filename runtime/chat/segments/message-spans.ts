/** Where each message shows in a prompt, by the origin of its characters. */
import type { Segment } from "../../segments/segment.js";
import { REASONING_FIELDS } from "../messages.js";
import { inUnit, type Span, type Unit } from "./units.js";

/** Where a message of the input shows in the prompt. */
export interface MessageSpans {
  /** Its place in `messages`. */
  readonly index: number;
  readonly role?: string;
  /** What is shown of its content, its reasoning and its calls of tools; empty where nothing is. */
  readonly content: readonly Span[];
  readonly reasoning: readonly Span[];
  readonly toolCalls: readonly Span[];
}

export type MessagePart = "content" | "reasoning" | "toolCalls";

/** A stretch of the prompt that comes from a part of one message. */
export interface PartSpan extends Span {
  readonly index: number;
  readonly part: MessagePart;
  readonly role: string | undefined;
}

const REASONING: ReadonlySet<unknown> = new Set(REASONING_FIELDS);

/**
 * For each message that shows in the prompt, in the order of the conversation, the spans of its content, reasoning and
 * tool calls. A field that the template shows twice has two spans; text that the template writes between is in none.
 */
export function messageSpans(segments: readonly Segment[], unit: Unit = "utf16"): MessageSpans[] {
  const text = textOf(segments);
  const parts = partSpans(segments);
  const converted = inUnit(text, parts, unit).map(({ start, end }) => ({ start, end }));
  const messages = new Map<number, Found>();
  for (const [at, { index, part, role }] of parts.entries()) {
    const span = converted[at];
    const found = messages.get(index) ?? { role, content: [], reasoning: [], toolCalls: [] };
    messages.set(index, found);
    if (span !== undefined) found[part].push(span);
  }
  return [...messages]
    .sort(([a], [b]) => a - b)
    .map(([index, { role, ...spans }]) => ({
      index,
      ...(role === undefined ? {} : { role }),
      ...spans,
    }));
}

interface Found extends Record<MessagePart, Span[]> {
  readonly role: string | undefined;
}

/** The stretches of messages' parts in order, neighbours of one part as one; in UTF-16 units. */
export function partSpans(segments: readonly Segment[]): readonly PartSpan[] {
  const spans: PartSpan[] = [];
  let start = 0;
  for (const segment of segments) {
    const end = start + segment.text.length;
    const found = partOf(segment);
    const last = spans.at(-1);
    if (found !== undefined) {
      const goesOn = last?.end === start && last.index === found.index && last.part === found.part;
      if (goesOn) spans.pop();
      spans.push({ ...found, start: goesOn ? last.start : start, end, role: segment.role });
    }
    start = end;
  }
  return spans;
}

function partOf({ path }: Segment): { index: number; part: MessagePart } | undefined {
  if (path?.[0] !== "messages") return undefined;
  const [, index, field] = path;
  if (typeof index !== "number") return undefined;
  if (field === "content") return { index, part: "content" };
  if (field === "tool_calls") return { index, part: "toolCalls" };
  return REASONING.has(field) ? { index, part: "reasoning" } : undefined;
}

/** The prompt that the segments are. */
export function textOf(segments: readonly Segment[]): string {
  return segments.map(({ text }) => text).join("");
}
