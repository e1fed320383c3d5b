/**
 * Marks in emitted text: the code that follows comes from that place of the template. They stand between control
 * characters, which no quoted text, name or comment of names.ts holds, and are taken out before the text is used.
 */
import type { Position } from "../source.js";

const OPEN = "\u0001";
const CLOSE = "\u0002";
const MARKS = new RegExp(`${OPEN}([^${CLOSE}]*)${CLOSE}`, "g");

/** From `offset` of the text on, the code comes from `place`; null: from no place of the template. */
export interface Mark {
  readonly offset: number;
  readonly place: Position | null;
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

/** What follows comes from no place of the template. */
export const END_MARK = markOfPlace("");

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

function positionOf(place: string): Position | null {
  const [line, column] = place.split(":").map(Number);
  return line === undefined || column === undefined ? null : { line, column };
}

/** The text without its marks. */
export function withoutMarks(marked: string): string {
  return marked.includes(OPEN) ? marked.replace(MARKS, "") : marked;
}
