/** Two texts as a unified diff. */
import { structuredPatch } from "diff";
import { colorsOf, type Terminal } from "./terminal.js";

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** The diff as lines of text, ending in a line break; what differs and does not show is marked. */
export function formatDiff(before: NamedText, after: NamedText, terminal: Terminal): string {
  const colors = colorsOf(terminal);
  const patch = structuredPatch(before.name, after.name, before.text, after.text, "", "", {
    context: 2,
  });
  const rows = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    colors.cyan(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`),
    ...lines.map((line) => paint(line, colors)),
  ]);
  const head = [colors.red(`--- ${before.name}`), colors.green(`+++ ${after.name}`)];
  return [...head, ...rows].map((row) => `  ${row}\n`).join("");
}

function paint(line: string, colors: ReturnType<typeof colorsOf>): string {
  if (line.startsWith("-")) return colors.red(visible(line));
  return line.startsWith("+") ? colors.green(visible(line)) : line;
}

/** Blanks at the end of a line and control characters, which a terminal would not show. */
function visible(line: string): string {
  return line
    .replace(/ +$/, (blanks) => "·".repeat(blanks.length))
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028\u2029\ufeff]/g, (character) => {
      const code = character.charCodeAt(0).toString(16).padStart(4, "0");
      return character === "\t" ? character : `\\u${code}`;
    });
}
