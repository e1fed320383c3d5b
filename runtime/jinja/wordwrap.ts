/** Jinja2's filter wordwrap: Python's textwrap without changes to white space. */
import { fail } from "../errors.js";
import { value, type Value } from "../values.js";
import { comparedArgument } from "./arguments.js";
import { escapeText } from "./escape.js";
import { truth } from "./print.js";
import { splitLines } from "./text-methods.js";
import { characters, sliceText, strip, textLength } from "./text.js";
import { textOf, typeName } from "./types.js";
import { failUndefined, isUndefined } from "./required.js";

const SPACE = "[\\t\\n\\v\\f\\r ]";
const WORD = "[\\p{L}\\p{N}_!\"'&.,?]";
const LETTER = "[\\p{L}_]";

/** Where a line may break: white space, dashes between words, and after the hyphens of compound words. */
const CHUNK = new RegExp(
  `(${SPACE}+|(?<=${WORD})-{2,}(?=[\\p{L}\\p{N}_])|[^\\t\\n\\v\\f\\r ]+?(?:-(?:(?<=${LETTER}{2}-)|(?<=${LETTER}-${LETTER}-))(?=${LETTER}-?${LETTER})|(?=${SPACE}|$)|(?<=${WORD})(?=-{2,}[\\p{L}\\p{N}_])))`,
  "u",
);
const SIMPLE_CHUNK = /([\t\n\v\f\r ]+)/;

interface Wrapping {
  readonly width: number;
  readonly breakWords: boolean;
  readonly breakHyphens: boolean;
}

/** `v | wordwrap(width, break_long_words, wrapstring, break_on_hyphens)`. */
export function wordwrapFilter(
  v: unknown,
  width: unknown,
  breakLongWords: unknown,
  wrapstring: unknown,
  breakOnHyphens: unknown,
  place: string,
): Value {
  const [joint, shown] = jointOf(wrapstring, place);
  if (isUndefined(v)) {
    return failUndefined(v, place);
  }
  const text = textOf(v) ?? failLines(v, place);
  const lines = splitLines(text, false);
  if (lines.length === 0) return value("");
  const wrapping = {
    width: comparedArgument(width, place),
    breakWords: truth(breakLongWords),
    breakHyphens: truth(breakOnHyphens),
  };
  if (wrapping.width <= 0) {
    return fail("ValueError", `invalid width ${wrapping.width} (must be > 0)`, place);
  }
  const wrapped = lines.flatMap((line) => {
    const parts = wrapLine(line, wrapping, place);
    // A line without words is an empty part.
    return parts.length === 0 ? [""] : parts.map(shown);
  });
  return value(wrapped.join(joint));
}

function failLines(v: unknown, place: string): never {
  return typeName(v) === "bytes"
    ? fail("TypeError", "cannot use a string pattern on a bytes-like object", place)
    : fail("AttributeError", `'${typeName(v)}' object has no attribute 'splitlines'`, place);
}

/** What joins the parts, and what it makes of each: Markup escapes them. */
function jointOf(v: unknown, place: string): readonly [string, (part: string) => string] {
  const same = (part: string): string => part;
  if (v === null) return ["\n", same];
  if (isUndefined(v)) return failUndefined(v, place);
  const message = `'${typeName(v)}' object has no attribute 'join'`;
  const text = textOf(v) ?? fail("AttributeError", message, place);
  return [text, typeof v === "string" ? same : escapeText];
}

/** A piece of a line, with its length in code points: what is cut off piece by piece is not counted again each time. */
interface Chunk {
  readonly text: string;
  readonly size: number;
}

function chunkOf(text: string): Chunk {
  return { text, size: textLength(text) };
}

/** Fills lines from the chunks, which are kept in reverse. */
function wrapLine(line: string, wrapping: Wrapping, place: string): string[] {
  const pattern = wrapping.breakHyphens ? CHUNK : SIMPLE_CHUNK;
  const chunks = line
    .split(pattern)
    .filter((chunk) => chunk !== "")
    .map(chunkOf)
    .reverse();
  const lines: string[] = [];
  while (chunks.length > 0) {
    if (lines.length > 0 && isBlank(chunks.at(-1))) {
      chunks.pop();
    }
    const current = takeLine(chunks, wrapping, place);
    if (isBlank(current.at(-1))) {
      current.pop();
    }
    if (current.length > 0) {
      lines.push(current.map(({ text }) => text).join(""));
    }
  }
  return lines;
}

function isBlank(chunk: Chunk | undefined): boolean {
  return chunk !== undefined && strip(chunk.text) === "";
}

function takeLine(chunks: Chunk[], wrapping: Wrapping, place: string): Chunk[] {
  const current: Chunk[] = [];
  let length = 0;
  for (let next = chunks.at(-1); next !== undefined; next = chunks.at(-1)) {
    if (length + next.size > wrapping.width) {
      if (next.size > wrapping.width) {
        chunks.pop();
        breakWord(next, chunks, current, { ...wrapping, length }, place);
      }
      break;
    }
    current.push(next);
    chunks.pop();
    length += next.size;
  }
  return current;
}

/** A chunk that is longer than any line. */
function breakWord(
  chunk: Chunk,
  chunks: Chunk[],
  current: Chunk[],
  { width, breakWords, breakHyphens, length }: Wrapping & { readonly length: number },
  place: string,
): void {
  if (!breakWords) {
    // It waits for a line of its own.
    (current.length === 0 ? current : chunks).push(chunk);
    return;
  }
  if (!Number.isInteger(width)) {
    const message = "slice indices must be integers or None or have an __index__ method";
    fail("TypeError", message, place);
  }
  const { text, size } = chunk;
  const end = breakPoint(text, width < 1 ? 1 : width - length, breakHyphens);
  current.push({ text: sliceText(text, 0, end), size: end });
  chunks.push({ text: sliceText(text, end, null), size: size - end });
}

function breakPoint(chunk: string, room: number, breakHyphens: boolean): number {
  const beginning = characters(sliceText(chunk, 0, room));
  const hyphen = breakHyphens ? beginning.lastIndexOf("-") : -1;
  const isCompound = hyphen > 0 && beginning.slice(0, hyphen).some((c) => c !== "-");
  return isCompound ? hyphen + 1 : room;
}
