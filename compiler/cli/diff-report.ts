/** Prints how two templates differ. */
import type { Differences } from "./diff.js";
import { formatDiff } from "./text-diff.js";
import { colorsOf, type CommonOptions, type Terminal } from "./terminal.js";

/** One change makes many inputs differ: more than these tell no more. */
const SHOWN = 5;

export function reportDifferences(
  [before, after]: readonly [string, string],
  { inputs, rendered, sources }: Differences,
  { json, quiet }: CommonOptions,
  terminal: Terminal,
): void {
  const isSameSource = sources[0] === sources[1];
  if (json) {
    const ok = rendered.length === 0;
    terminal.out(`${JSON.stringify({ ok, inputs, rendered, isSameSource }, null, 2)}\n`);
    return;
  }
  if (quiet) return;
  const { bold } = colorsOf(terminal);
  for (const each of rendered.slice(0, SHOWN)) {
    const texts = [
      { name: before, text: each.before },
      { name: after, text: each.after },
    ] as const;
    terminal.out(`${bold(each.input)}\n${formatDiff(...texts, terminal)}`);
  }
  if (rendered.length > SHOWN)
    terminal.out(`… and ${String(rendered.length - SHOWN)} more; --json lists them all\n`);
  if (!isSameSource) {
    const texts = [
      { name: before, text: sources[0] },
      { name: after, text: sources[1] },
    ] as const;
    terminal.out(`${bold("source")}\n${formatDiff(...texts, terminal)}`);
  }
  terminal.out(summary(inputs, rendered.length, isSameSource));
}

function summary(inputs: number, different: number, isSameSource: boolean): string {
  const source = isSameSource ? "the sources are the same" : "the sources differ";
  return different === 0
    ? `the same text for all ${String(inputs)} inputs; ${source}\n`
    : `another text for ${String(different)} of ${String(inputs)} inputs; ${source}\n`;
}
