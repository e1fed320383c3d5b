/** Which characters of a prompt the model is trained to write. */
import type { Segment } from "../../segments/segment.js";
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

/** What stands in brackets as special tokens do: `<|im_end|>`, `</s>`, `[/INST]`. */
const MARK = /<[|｜]?[^\s<>|｜]+[|｜]?>|\[\/?[A-Z_]+\]/g;
/** A mark with the name of a role begins a turn. */
const ROLE = /user|human|assistant|model|bot|system|developer|tool|function/i;

/**
 * The spans that the assistant wrote. Where the template has the tag `generation`, they are that tag's, given as
 * `generation`. Elsewhere each of the assistant's messages is a span from its first to its last character, with what the
 * template writes between (the tags around reasoning and calls), and with what ends the turn: `endOfTurn` where it
 * follows at once or after white space; else what the template writes up to the last mark in brackets (`<|im_end|>`,
 * `</s>`) before one that begins a turn, which is one that names a role or stands before the first message too. What the
 * template writes before the message is none of it.
 */
export function assistantMask(
  segments: readonly Segment[],
  options: AssistantMaskOptions = {},
): readonly Span[] {
  const { unit = "utf16", generation } = options;
  const text = textOf(segments);
  const spans =
    generation === undefined || generation.length === 0
      ? turnsOf(segments, text, options.endOfTurn)
      : fromCodePoints(text, generation);
  return inUnit(text, spans, unit);
}

function turnsOf(
  segments: readonly Segment[],
  text: string,
  endOfTurn: readonly string[] | undefined,
): readonly Span[] {
  const parts = partSpans(segments);
  const turns: Span[] = [];
  let open: PartSpan | undefined;
  const close = (): void => {
    if (open?.role === "assistant") turns.push(open);
  };
  for (const part of parts) {
    if (open?.index === part.index) open = { ...open, end: part.end };
    else {
      close();
      open = part;
    }
  }
  close();
  const endAfter = endFinder(segments, text, parts[0]?.start ?? text.length, endOfTurn);
  return turns.map(({ start, end }) => ({ start, end: endAfter(end) }));
}

/** Gives the end of what follows an offset and ends a turn; the offset itself where nothing does. */
function endFinder(
  segments: readonly Segment[],
  text: string,
  first: number,
  endOfTurn: readonly string[] | undefined,
): (offset: number) => number {
  const opening = openingMarks(text.slice(0, first).match(MARK) ?? []);
  const written = templateAfter(segments);
  return (offset) => {
    const following = written.get(offset) ?? "";
    return (
      offset +
      (endOfTurn === undefined ? endOf(following, opening) : givenEnd(following, endOfTurn))
    );
  };
}

/**
 * Of the marks before the first message those that begin turns. Where one of them comes again, the template has written a
 * turn of its own there (a system prompt), and the mark before it ends that turn.
 */
function openingMarks(marks: readonly string[]): ReadonlySet<string> {
  const opening = new Set(marks);
  const again = marks.findIndex((mark, i) => marks.indexOf(mark) < i);
  const ending = marks[again - 1];
  if (ending !== undefined && ending !== marks[again]) opening.delete(ending);
  return opening;
}

function givenEnd(following: string, endOfTurn: readonly string[]): number {
  const space = following.length - following.trimStart().length;
  const given = endOfTurn.find((mark) => following.startsWith(mark, space));
  return given === undefined ? 0 : space + given.length;
}

function endOf(following: string, opening: ReadonlySet<string>): number {
  let end = 0;
  for (const { 0: mark, index } of following.matchAll(MARK)) {
    const opens = opening.has(mark) || (ROLE.test(mark) && !mark.includes("/"));
    if (opens) return end;
    end = index + mark.length;
  }
  return end;
}

/** What the template or `eos_token` wrote, by the offset where it begins. */
function templateAfter(segments: readonly Segment[]): ReadonlyMap<number, string> {
  const written = new Map<number, string>();
  let run = "";
  let start = 0;
  let at = 0;
  for (const segment of segments) {
    if (isTemplates(segment)) {
      if (run === "") start = at;
      run += segment.text;
    } else if (run !== "") {
      written.set(start, run);
      run = "";
    }
    at += segment.text.length;
  }
  if (run !== "") written.set(start, run);
  return written;
}

function isTemplates({ from, path }: Segment): boolean {
  return from === "template" || (path?.length === 1 && path[0] === "eos_token");
}
