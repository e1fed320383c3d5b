/** Which line of the template wrote which piece of a prompt, and where in the input it comes from. */
import * as segmentRuntime from "../runtime/segments/index.js";
import type { Dialect, RenderOptions, Segment } from "../runtime/index.js";
import { runtimeOf } from "./engines.js";
import { evaluateTraced } from "./evaluate/index.js";
import { plainInput } from "./input/plain-input.js";
import { toLowered } from "./pipeline.js";
import { traceWriters } from "./segments/index.js";
import { Source } from "./source.js";
import { Template } from "./template.js";

/** A segment with what wrote it; the statement that is innermost, where a macro's text is written by another. */
export interface ExplainedSegment extends Segment {
  /** The UTF-16 unit of the prompt at which the segment starts. */
  readonly start: number;
  /** The template's line and column; not there where the server wrote the text. */
  readonly line?: number;
  readonly column?: number;
}

/** What is explained: the template, and constants that its renders have. */
export interface Explainable {
  readonly source: string;
  readonly dialect: Dialect;
  readonly name?: string;
  readonly define?: Readonly<Record<string, unknown>>;
}

/**
 * The segments of a prompt, each of one origin and written by one statement, or by one line of the template's text.
 * Throws a CompileError where the template is refused, and a RenderError where the render fails.
 */
export function explainRender(
  { source, ...settings }: Explainable,
  input: object,
  options: RenderOptions = {},
): readonly ExplainedSegment[] {
  // The clock stands still: both renders are of one moment.
  const still = { ...options, now: options.now ?? new Date() };
  const segments = new Template(source, settings).renderSegments(input, still);
  const name = settings.name ?? "template";
  const { module } = toLowered(source, { ...settings, name, passes: false });
  const run = evaluateTraced(traceWriters(module, new Source(source, name)), {
    ...runtimeOf(settings.dialect),
    ...segmentRuntime,
  });
  const writers = segmentRuntime.segments([run(plainInput(input), still.now)], undefined);
  return cutBoth(segments, writers);
}

/** The segment that holds the UTF-16 unit; undefined outside the prompt. */
export function segmentAt(
  segments: readonly ExplainedSegment[],
  offset: number,
): ExplainedSegment | undefined {
  return segments.find(({ start, text }) => start <= offset && offset < start + text.length);
}

/** Segments by origin, cut where what wrote them changes. */
function cutBoth(
  segments: readonly Segment[],
  writers: readonly Segment[],
): readonly ExplainedSegment[] {
  const found: ExplainedSegment[] = [];
  let start = 0;
  let next = 0;
  let rest = "";
  let place: Place = {};
  for (const segment of segments) {
    for (let { text } = segment; text !== "";) {
      const writer = writers[next];
      if (rest === "" && writer !== undefined) {
        rest = writer.text;
        place = placeOf(writer);
        next++;
      }
      const length = Math.min(text.length, rest.length);
      if (!rest.startsWith(text.slice(0, length)) || length === 0) {
        throw new Error("the two renders of the template differ");
      }
      found.push({ ...segment, text: text.slice(0, length), start, ...place });
      text = text.slice(length);
      rest = rest.slice(length);
      start += length;
    }
  }
  return found;
}

interface Place {
  readonly line?: number;
  readonly column?: number;
}

/** What `segments.written` noted: `line:column`, in the place of a path. */
function placeOf({ path }: Segment): Place {
  const [line, column] = String(path?.[0] ?? "").split(":");
  return line === undefined || column === undefined
    ? {}
    : { line: Number(line), column: Number(column) };
}
