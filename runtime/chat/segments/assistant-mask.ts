/** Which characters of a prompt the model is trained to write. */
import type { Segment } from "../../segments/segment.js";
import { beginsCall, marksOf, turnOpening } from "./marks.js";
import { partSpans, textOf, type PartSpan } from "./message-spans.js";
import { fromCodePoints, inUnit, type Span, type Unit } from "./units.js";

export interface AssistantMaskOptions {
  /** What offsets count. Default: UTF-16 units. */
  readonly unit?: Unit;
  /** The spans of `renderWithSpans` on the same input, where the template has the tag `generation`. */
  readonly generation?: readonly (readonly [start: number, end: number])[];
  /** The texts that end a turn, such as `<|im_end|>`; default: told from the prompt, see {@link assistantMask}. */
  readonly endOfTurn?: readonly string[];
}

type Opens = ReturnType<typeof turnOpening>;

/**
 * The spans that the assistant wrote. Where the template has the tag `generation`, they are that tag's, given as
 * `generation`. Elsewhere each of the assistant's messages is a span from its first to its last character, with what the
 * template writes between (the tags around reasoning and calls), and with what ends the turn: `endOfTurn` where it
 * follows at once or after white space; else what the template writes up to the last mark in brackets (`<|im_end|>`,
 * `</s>`) before one that begins a turn, which is one that names a role or stands before the first message too. What the
 * template writes before the message is none of it, but for the mark that begins a call (`<tool_call>`). Nor is the name
 * of a call that a later turn, a tool's result, shows again.
 */
export function assistantMask(
  segments: readonly Segment[],
  options: AssistantMaskOptions = {},
): readonly Span[] {
  const { unit = "utf16", generation, endOfTurn } = options;
  const text = textOf(segments);
  const spans =
    generation === undefined || generation.length === 0
      ? turnsOf(segments, endOfTurn)
      : fromCodePoints(text, generation);
  return inUnit(text, spans, unit);
}

function turnsOf(
  segments: readonly Segment[],
  endOfTurn: readonly string[] | undefined,
): readonly Span[] {
  const runs = templateRuns(segments);
  const first = partSpans(segments)[0]?.start ?? 0;
  const before = runs.filter(({ start }) => start < first).map(({ text }) => text);
  const opens = turnOpening(before.join("\n"));
  const following = new Map(runs.map(({ start, text }) => [start, text]));
  const preceding = new Map(runs.map(({ end, text }) => [end, text]));
  const startOf = ({ start, part }: PartSpan): number =>
    part === "toolCalls" ? start - callFrame(preceding.get(start) ?? "", opens) : start;
  const endOf = (end: number): number => {
    const text = following.get(end) ?? "";
    return end + (endOfTurn === undefined ? turnEnd(text, opens) : givenEnd(text, endOfTurn));
  };
  return messagesOf(partSpans(withoutMentions(segments, opens)))
    .filter(({ role }) => role === "assistant")
    .map((message) => ({ start: startOf(message), end: endOf(message.end) }));
}

/** Neighbours of one message as one, with the part that it begins with. */
function messagesOf(parts: readonly PartSpan[]): readonly PartSpan[] {
  const messages: PartSpan[] = [];
  for (const part of parts) {
    const last = messages.at(-1);
    if (last?.index === part.index) messages[messages.length - 1] = { ...last, end: part.end };
    else messages.push(part);
  }
  return messages;
}

/**
 * The segments with no place for the name or id of a call that is shown again where a mark has begun another turn, as
 * above a tool's result: it stands in that turn.
 */
function withoutMentions(segments: readonly Segment[], opens: Opens): readonly Segment[] {
  let turn = 0;
  const shown = new Map<string, number>();
  return segments.map((segment) => {
    const { text, from } = segment;
    if (isTemplates(segment)) turn += marksOf(text).filter(({ mark }) => opens(mark)).length;
    const label = labelOf(segment);
    if (label === undefined) return segment;
    const earlier = shown.get(label) ?? turn;
    shown.set(label, earlier);
    return earlier === turn ? segment : { text, from };
  });
}

/** The place of a name or id of a call. */
function labelOf({ path }: Segment): string | undefined {
  const field = path?.at(-1);
  const isLabel = path?.[2] === "tool_calls" && (field === "name" || field === "id");
  return isLabel && path[0] === "messages" && path.length <= 6 ? path.join(".") : undefined;
}

/** How much of what stands before a call belongs to it: from the first mark of a call in its turn. */
function callFrame(preceding: string, opens: Opens): number {
  const marks = marksOf(preceding);
  const turn = marks.findLastIndex(({ mark }) => opens(mark));
  const frame = marks.slice(turn + 1).find(({ mark }) => beginsCall(mark));
  return frame === undefined ? 0 : preceding.length - frame.start;
}

function givenEnd(following: string, endOfTurn: readonly string[]): number {
  const space = following.length - following.trimStart().length;
  const given = endOfTurn.find((mark) => following.startsWith(mark, space));
  return given === undefined ? 0 : space + given.length;
}

function turnEnd(following: string, opens: Opens): number {
  const marks = marksOf(following);
  const next = marks.findIndex(({ mark }) => opens(mark));
  return marks.slice(0, next < 0 ? marks.length : next).at(-1)?.end ?? 0;
}

interface Run extends Span {
  readonly text: string;
}

/** What the template or `eos_token` wrote between what comes from the input. */
function templateRuns(segments: readonly Segment[]): readonly Run[] {
  const runs: Run[] = [];
  let at = 0;
  for (const segment of segments) {
    const start = at;
    at += segment.text.length;
    if (!isTemplates(segment)) continue;
    const last = runs.at(-1);
    if (last?.end === start) runs.pop();
    const run = last?.end === start ? last : { start, text: "" };
    runs.push({ start: run.start, end: at, text: run.text + segment.text });
  }
  return runs;
}

function isTemplates({ from, path }: Segment): boolean {
  return from === "template" || (path?.length === 1 && path[0] === "eos_token");
}
