/** How the mask that origin gives may differ from the spans of the tag `generation`, by rules that leave nothing over. */
import type { Segment } from "../../runtime/chat/index.js";
import { partSpans, textOf } from "../../runtime/chat/segments/message-spans.js";
import type { Span } from "../../runtime/chat/segments/units.js";

/** Where the template draws its line elsewhere. All else of the two spans is equal. */
export const KINDS = {
  empty: "nothing of a message shows: all of the tag's span is the template's",
  previousEnd: "the tag's span begins with the mark that ends the turn before",
  header: "the tag's span begins with the turn's header",
  emptyThought: "the tag's span begins with a thought without text",
  thought: "the tag's span begins with the tag before a thought",
  blankBefore: "the tag's span begins with the white space before the message",
  blankAfter: "the tag's span ends with the white space after the turn's end",
  nextTurn: "the tag's span ends with the mark that begins the next turn",
  apart: "the tag's span ends before what ends the turn, which is a span of the tag by itself",
} as const;

export type Kind = keyof typeof KINDS;

export interface Comparison {
  /** A kind for each place where the spans differ. */
  readonly kinds: readonly Kind[];
  /** The differences of no kind. */
  readonly unexplained: readonly string[];
}

/**
 * What may stand in the tag's span before a message: the mark that ends the turn before; a header, which is the mark that
 * begins the turn, the role, whom it addresses and other marks; an empty thought, perhaps its closing tag alone; the tag
 * that opens the thought that follows.
 */
const BEFORE =
  /^(?<previousEnd><[|｜][^\s<>|｜]+[▁_]end[|｜]>)?(?<header>\s*(?:<\|\w+\|>assistant(?: to=[\w.]*)?(?:<\|\w+\|>[a-z]*)*|<[|｜]?assistant[|｜]?>)\s*)?(?<emptyThought>\s*(?:<think>\s*)?<\/think>\s*)?(?<thought>\s*<think>\s*)?$/iu;
const BEFORE_KINDS = ["previousEnd", "header", "emptyThought", "thought"] as const;
const TURN = /^<\|(?:user|observation)\|>$/;
const THOUGHT_END = "</think>";

/** Compares the mask that origin gives of a prompt with the tag's spans, both in UTF-16 units and in order. */
export function compareMasks(
  segments: readonly Segment[],
  tag: readonly Span[],
  mask: readonly Span[],
): Comparison {
  const parts = partSpans(segments);
  const shows = (span: Span): boolean => parts.some((part) => overlap(part, span));
  const { spans, joined } = joinEnds(tag, shows);
  const found: (readonly Kind[] | string)[] = [Array.from({ length: joined }, () => "apart")];
  const text = textOf(segments);
  for (const span of spans) {
    const [own, ...others] = mask.filter((each) => overlap(each, span));
    if (others.length > 0) found.push(`several spans in ${quoted(text, span)}`);
    else if (own !== undefined) found.push(...differences(text, span, own, shows));
    else found.push(shows(span) ? `no span in ${quoted(text, span)}` : ["empty"]);
  }
  for (const span of mask)
    if (spans.filter((each) => overlap(each, span)).length !== 1)
      found.push(`not in one span of the tag: ${quoted(text, span)}`);
  return {
    kinds: found.flatMap((each) => (typeof each === "string" ? [] : each)),
    unexplained: found.filter((each) => typeof each === "string"),
  };
}

/** The tag's spans, where one of the template's own text goes with the span of a message that it touches. */
function joinEnds(
  tag: readonly Span[],
  shows: (span: Span) => boolean,
): { readonly spans: readonly Span[]; readonly joined: number } {
  const spans: Span[] = [];
  for (const span of tag) {
    const last = spans.at(-1);
    const goesOn = last?.end === span.start && shows(last) && !shows(span);
    if (goesOn) spans[spans.length - 1] = { start: last.start, end: span.end };
    else spans.push(span);
  }
  return { spans, joined: tag.length - spans.length };
}

/** Where a span of the tag and that of the mask in it differ. */
function differences(
  text: string,
  span: Span,
  own: Span,
  shows: (span: Span) => boolean,
): readonly (readonly Kind[] | string)[] {
  const head = { start: span.start, end: own.start };
  const tail = { start: own.end, end: span.end };
  const isWithin = head.start <= head.end && tail.start <= tail.end;
  if (!isWithin || shows(head) || shows(tail))
    return [`the mask has ${quoted(text, own)} of ${quoted(text, span)}`];
  const message = text.slice(own.start, own.end);
  return [
    kindsBefore(text.slice(head.start, head.end), message) ??
      `${quoted(text, head)} before ${quoted(text, own)}`,
    kindsAfter(text.slice(tail.start, tail.end)) ??
      `${quoted(text, tail)} after ${quoted(text, own)}`,
  ];
}

function kindsBefore(head: string, message: string): readonly Kind[] | undefined {
  if (head === "") return [];
  if (head.trim() === "") return ["blankBefore"];
  const found = BEFORE.exec(head)?.groups;
  if (found === undefined) return undefined;
  const isThought = found["thought"] === undefined || message.includes(THOUGHT_END);
  if (!isThought) return undefined;
  return BEFORE_KINDS.filter((kind) => found[kind] !== undefined);
}

function kindsAfter(tail: string): readonly Kind[] | undefined {
  if (tail === "") return [];
  if (tail.trim() === "") return ["blankAfter"];
  return TURN.test(tail) ? ["nextTurn"] : undefined;
}

function overlap(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

function quoted(text: string, { start, end }: Span): string {
  return JSON.stringify(text.slice(start, end));
}
