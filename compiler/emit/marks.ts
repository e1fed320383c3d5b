/**
 * Marks in emitted text: the code that follows comes from that place of the template. They stand between control
 * characters, which no quoted text, name or comment of names.ts holds, and are taken out before the text is used.
 */
import type { Position } from "../source.js";

const OPEN = "\u0001";
const CLOSE = "\u0002";
const MARKS = new RegExp(`${OPEN}([^${CLOSE}]*)${CLOSE}`, "g");

/** From `offset` of the text on, the code comes from `place`. */
export interface Mark {
  readonly offset: number;
  readonly place: Position;
}

export interface MarkedText {
  readonly text: string;
  readonly marks: readonly Mark[];
}

/** What follows comes from the place. */
export function mark({ line, column }: Position): string {
  return markOfPlace(`${String(line)}:${String(column)}`);
}

/** What follows comes from the place, written `line:column`. */
export function markOfPlace(place: string): string {
  return `${OPEN}${place}${CLOSE}`;
}

/** Where code leads that no piece of the template became: without a place it would get that of what stands before it. */
export const START: Position = { line: 1, column: 1 };

/** Takes the marks out of a text. */
export function takeMarks(marked: string): MarkedText {
  const marks: Mark[] = [];
  let removed = 0;
  const text = marked.replace(MARKS, (whole: string, place: string, offset: number) => {
    marks.push({ offset: offset - removed, place: positionOf(place) });
    removed += whole.length;
    return "";
  });
  return { text, marks };
}

function positionOf(place: string): Position {
  const [line = 1, column = 1] = place.split(":").map(Number);
  return { line, column };
}

/** The text without its marks. */
export function withoutMarks(marked: string): string {
  return marked.includes(OPEN) ? marked.replace(MARKS, "") : marked;
}
