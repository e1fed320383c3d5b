/** Inputs whose every text can be recognised wherever it shows, and what is wrong with segments made of them. */
import type { Segment } from "../runtime/index.js";
import { isRecord } from "../scripts/rows.js";

type Path = readonly (string | number)[];

/** How the input's texts are marked: a character of its own at the end of each, or in the place of all its letters. */
export type Marking = "ends" | "whole";

export interface Marked {
  readonly input: unknown;
  /** The place of the text with the mark of that number. */
  readonly places: readonly Path[];
}

/** The first of the private-use characters that stand for texts of the input. */
const FIRST = 0xe000;

/** Keys whose values templates compare with words of their own: changed, they would lead nowhere. */
const KEPT: ReadonlySet<string> = new Set(["role", "type"]);

/** The input with marked texts; those under `role` and `type` stay as they are where `keep` is set. */
export function mark(input: unknown, marking: Marking, keep: boolean): Marked {
  const places: Path[] = [];
  const visit = (value: unknown, path: Path): unknown => {
    if (typeof value === "string") {
      if (keep && KEPT.has(String(path.at(-1)))) return value;
      const sign = String.fromCharCode(FIRST + places.length);
      places.push(path);
      return marking === "ends" ? value + sign : value.replace(/\S/gu, sign) || sign;
    }
    if (Array.isArray(value)) return value.map((item, i) => visit(item, [...path, i]));
    if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, visit(item, [...path, key])]),
    );
  };
  return { input: visit(input, []), places };
}

/** What is wrong with the segments of a marked input, in words; undefined: nothing. */
export function fault(segments: readonly Segment[], marked: Marked): string | undefined {
  for (const [i, segment] of segments.entries()) {
    const wrong = faultOf(segment, marked) ?? faultBetween(segments[i - 1], segment);
    if (wrong !== undefined) return `${wrong}: ${JSON.stringify(segment)}`;
  }
  return undefined;
}

function faultBetween(before: Segment | undefined, segment: Segment): string | undefined {
  if (segment.text === "") return "an empty segment";
  const isSame =
    before?.from === segment.from && JSON.stringify(before.path) === JSON.stringify(segment.path);
  return isSame ? "goes on where the one before it ends" : undefined;
}

function faultOf(
  { text, from, path, role }: Segment,
  { input, places }: Marked,
): string | undefined {
  const found = marksIn(text, places);
  if (from === "template") {
    return found.length > 0 ? `input as the template's, of ${found.join(" and ")}` : undefined;
  }
  if (path === undefined) return undefined;
  const other = found.find((place) => !path.every((key, i) => key === place[i]));
  if (other !== undefined) return `text of another place, ${other.join(".")}`;
  const known = at(input, ["messages", path[1] ?? "", "role"]);
  const hasRole = path[0] === "messages" && typeof path[1] === "number";
  return role !== undefined && (!hasRole || role !== known) ? "the role of no message" : undefined;
}

function marksIn(text: string, places: readonly Path[]): Path[] {
  return [...text].flatMap((character) => {
    const place = places[character.charCodeAt(0) - FIRST];
    return place === undefined ? [] : [place];
  });
}

/** The value at a path of the input. */
function at(input: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    if (typeof key === "number") return items[key];
    return isRecord(value) ? value[key] : undefined;
  }, input);
}

/** Segments on one line: the template's own in quotes, input in angle brackets with its path. */
export function shown(segments: readonly Segment[]): string {
  return segments
    .map(({ text, from, path }) =>
      from === "template"
        ? JSON.stringify(text)
        : `<${text}>${path === undefined ? "?" : path.join(".")}`,
    )
    .join(" ");
}
