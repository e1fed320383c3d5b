/** Source maps, version 3, from marks in generated code to places in the template. */
import { encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";
import { START, type Mark, type MarkedText } from "./emit/marks.js";
import { Source } from "./source.js";

/** The map of generated code as JSON; `file` names the template, whose text stands in the map. */
export function sourceMap({ text, marks }: MarkedText, file: string, template: string): string {
  const code = new Source(text, file);
  const lines = Array.from({ length: code.lineCount }, (): SourceMapSegment[] => []);
  for (const { offset, place } of onEveryLine(code, marks)) {
    const { line, column } = code.position(offset);
    lines[line - 1]?.push([column - 1, 0, place.line - 1, place.column - 1]);
  }
  const names: readonly string[] = [];
  return JSON.stringify({
    version: 3,
    names,
    sources: [file],
    sourcesContent: [template],
    mappings: encode(lines),
  });
}

/** Each line begins with a mark of its own: many readers of maps look no further than the line. */
function onEveryLine(code: Source, marks: readonly Mark[]): readonly Mark[] {
  const starts = Array.from({ length: code.lineCount }, (_, i) => ({
    offset: code.lineStart(i + 1) + code.lineText(i + 1).search(/\S|$/),
    place: null,
  }));
  const all: Mark[] = [];
  let current = START;
  for (const { offset, place } of [...starts, ...marks].sort(byOffset)) {
    current = place ?? current;
    if (all.at(-1)?.offset === offset) all.pop();
    all.push({ offset, place: current });
  }
  return all;
}

function byOffset(a: { readonly offset: number }, b: { readonly offset: number }): number {
  return a.offset - b.offset;
}
