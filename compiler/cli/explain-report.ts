/** Prints a prompt with where its pieces come from. */
import { codeFrame } from "../diagnostics.js";
import { segmentAt, type ExplainedSegment } from "../explain.js";
import { Source } from "../source.js";
import type { Explanation } from "./explain.js";
import { groupOf, pathOf, visible } from "./explain-words.js";
import { indentFrame } from "./report.js";
import {
  colorsOf,
  UsageError,
  type Colors,
  type CommonOptions,
  type Terminal,
} from "./terminal.js";

/** What the segment at a UTF-16 unit is, with the template's lines around what wrote it. */
export function reportOffset(
  { location, loaded, segments }: Explanation,
  offset: number,
  { json }: CommonOptions,
  terminal: Terminal,
): void {
  const segment = segmentAt(segments, offset);
  if (segment === undefined) throw new UsageError(outside(offset, segments));
  const { line } = segment;
  const source = new Source(loaded.source, location);
  const column = columnOf(segment, offset, source);
  const frame = line === undefined ? undefined : codeFrame(source, line, column ?? 1, 1);
  if (json) {
    const found = { ok: true, template: location, offset, line, column, segment, frame };
    terminal.out(`${JSON.stringify(found, null, 2)}\n`);
    return;
  }
  const colors = colorsOf(terminal);
  const place = [location, line, column].filter((part) => part !== undefined).join(":");
  const shown = segment.text.slice(offset - segment.start).slice(0, SHOWN);
  terminal.out(`${colors.bold(place)} wrote ${JSON.stringify(shown)} at ${String(offset)}`);
  terminal.out(`, ${originOf(segment)}\n`);
  if (frame !== undefined) terminal.out(`${indentFrame(frame, colors)}\n`);
}

/** The column of the unit itself where the segment stands so in the template, else of what wrote the segment. */
function columnOf(
  { text, start, line, column }: ExplainedSegment,
  offset: number,
  source: Source,
): number | undefined {
  if (line === undefined || column === undefined) return column;
  const shown = text.replace(/\n$/, "");
  const isVerbatim = source.lineText(line).startsWith(shown, column - 1);
  return isVerbatim ? column + offset - start : column;
}

/** Units that are shown of a segment. */
const SHOWN = 60;

function outside(offset: number, segments: readonly ExplainedSegment[]): string {
  const last = segments.at(-1);
  if (last === undefined) return `--at ${String(offset)}: the prompt is empty`;
  const end = last.start + last.text.length - 1;
  return `--at ${String(offset)}: the prompt's UTF-16 units go from 0 to ${String(end)}`;
}

function originOf(segment: ExplainedSegment): string {
  if (segment.from === "template") return "the template's own";
  const { path, role } = segment;
  if (path === undefined) return "input of no one place";
  return `from ${pathOf(path)}${role === undefined ? "" : ` (${role})`}`;
}

/** The whole prompt: each line with the template's line that wrote its beginning. */
export function reportSegments(
  { location, segments }: Explanation,
  { json }: CommonOptions,
  terminal: Terminal,
): void {
  if (json) {
    terminal.out(`${JSON.stringify({ ok: true, template: location, segments }, null, 2)}\n`);
    return;
  }
  const colors = colorsOf(terminal);
  terminal.out(promptLines(segments, colors, terminal.color));
  terminal.out(`\n${legend(segments, colors, terminal.color)}\n`);
}

/** A stretch of a prompt's line, in one segment. */
interface Stretch {
  readonly text: string;
  readonly segment: ExplainedSegment;
}

function promptLines(
  segments: readonly ExplainedSegment[],
  colors: Colors,
  isColored: boolean,
): string {
  const paint = isColored ? colored(colors) : marked;
  const width = Math.max(...segments.map(({ line }) => String(line ?? "").length), 1);
  let shown: number | undefined;
  return linesOf(segments)
    .map((line) => {
      const [first] = line;
      const number = first?.segment.line;
      const gutter = number === shown ? "" : String(number ?? "");
      shown = number;
      const text = line.map(paint).join("");
      return `${colors.dim(`${gutter.padStart(width)} │`)} ${text}\n`;
    })
    .join("");
}

function linesOf(segments: readonly ExplainedSegment[]): Stretch[][] {
  const prompt = visible(segments.map(({ text }) => text).join(""));
  const lines: Stretch[][] = [];
  let line: Stretch[] = [];
  for (const segment of segments) {
    const text = prompt.slice(segment.start, segment.start + segment.text.length);
    text.split("\n").forEach((part, i) => {
      if (i > 0) {
        lines.push(line);
        line = [];
      }
      // An empty part keeps the place of a line break that stands alone in its line.
      line.push({ text: part, segment });
    });
  }
  if (line.some(({ text }) => text !== "")) lines.push(line);
  return lines;
}

function marked({ text, segment }: Stretch): string {
  if (segment.from === "template" || text === "") return text;
  return `‹${pathOf(segment.path ?? ["input"])}: ${text}›`;
}

function colored(colors: Colors): (stretch: Stretch) => string {
  return ({ text, segment }) => (text === "" ? "" : painter(colors, groupOf(segment))(text));
}

function painter(colors: Colors, group: string): (text: string) => string {
  switch (group) {
    case "template":
      return colors.dim;
    case "system":
    case "developer":
      return colors.magenta;
    case "user":
      return colors.green;
    case "assistant":
      return colors.cyan;
    case "tool":
      return colors.yellow;
    case "input":
      return colors.red;
    default:
      return colors.blue;
  }
}

function legend(segments: readonly ExplainedSegment[], colors: Colors, isColored: boolean): string {
  if (!isColored) {
    return "at the left: the template's line; ‹path: …›: from the input; all else: the template's own";
  }
  const groups = [...new Set(segments.map(groupOf))];
  const names = groups.map((group) => painter(colors, group)(group));
  return `${colors.dim("at the left: the template's line; colors:")} ${names.join("  ")}`;
}
