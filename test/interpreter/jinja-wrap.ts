/** Python's `textwrap.wrap`, as Jinja2's `wordwrap` calls it. */
import { chars, raise } from "./jinja-values.js";
import { strip } from "./jinja-unicode.js";

const space = "[\\t\\n\\v\\f\\r ]";
const solid = "[^\\t\\n\\v\\f\\r ]";
const word = "[\\p{L}\\p{N}_]";
const letter = "(?:(?!\\p{Nd})[\\p{L}\\p{N}_])";
const punctuated = "[\\p{L}\\p{N}_!\"'&.,?]";

/** White space; a dash between words; a word, whole or up to a hyphen. */
const hyphenated = new RegExp(
  `(${space}+|(?<=${punctuated})-{2,}(?=${word})|${solid}+?(?:` +
    `-(?:(?<=${letter}{2}-)|(?<=${letter}-${punctuated}-))(?=${letter}-?${letter})` +
    `|(?=${space}|$)|(?<=${punctuated})(?=-{2,}${word})))`,
  "u",
);
const simple = new RegExp(`(${space}+)`, "u");

export interface WrapOptions {
  readonly width: number;
  readonly breakLongWords: boolean;
  readonly breakOnHyphens: boolean;
}

function isBlank(chunk: string): boolean {
  return strip(chunk, null, "both") === "";
}

/** Cuts a chunk that is longer than a line: at a hyphen if it may, else where the line ends. */
function cut(chunk: string, room: number, options: WrapOptions): [string, string] {
  const all = chars(chunk);
  let end = room;
  if (options.breakOnHyphens && all.length > room) {
    const hyphen = all.slice(0, room).lastIndexOf("-");
    if (hyphen > 0 && all.slice(0, hyphen).some((char) => char !== "-")) end = hyphen + 1;
  }
  return [all.slice(0, end).join(""), all.slice(end).join("")];
}

function sizeOf(line: readonly string[]): number {
  return line.reduce((total, chunk) => total + chars(chunk).length, 0);
}

/** Takes one line's chunks off the front of the list. */
function takeLine(chunks: string[], options: WrapOptions): string {
  const line: string[] = [];
  const fits = (chunk: string | undefined): boolean =>
    chunk !== undefined && sizeOf(line) + chars(chunk).length <= options.width;
  while (fits(chunks[0])) line.push(chunks.shift() ?? "");
  const [next] = chunks;
  if (next !== undefined && chars(next).length > options.width) {
    if (options.breakLongWords) {
      if (!Number.isInteger(options.width)) raise("TypeError", "slice indices must be integers");
      const [head, tail] = cut(next, options.width - sizeOf(line), options);
      line.push(head);
      chunks[0] = tail;
    } else if (line.length === 0) line.push(chunks.shift() ?? "");
  }
  if (isBlank(line.at(-1) ?? "x")) line.pop();
  return line.join("");
}

export function wrap(text: string, options: WrapOptions): string[] {
  if (options.width <= 0) raise("ValueError", `invalid width ${options.width} (must be > 0)`);
  const pattern = options.breakOnHyphens ? hyphenated : simple;
  const chunks = text.split(pattern).filter((chunk) => chunk !== "");
  const lines: string[] = [];
  while (chunks.length > 0) {
    if (lines.length > 0 && isBlank(chunks[0] ?? "")) chunks.shift();
    const line = takeLine(chunks, options);
    if (line !== "") lines.push(line);
  }
  return lines;
}
