/** Prints how a template compares with the real engines. */
import { formatDiff } from "./text-diff.js";
import { colorsOf, type CommonOptions, type Terminal } from "./terminal.js";
import type { Comparison, Side, Verification } from "./verify.js";

/** One cause makes many inputs differ: more than these tell no more. */
const SHOWN = 3;

export function reportVerification(
  template: string,
  verifications: readonly Verification[],
  { json, quiet }: CommonOptions,
  terminal: Terminal,
): void {
  if (json) {
    terminal.out(`${JSON.stringify(asJson(template, verifications), null, 2)}\n`);
    return;
  }
  for (const { engine, version, comparisons } of verifications) {
    const different = comparisons.filter(({ agree }) => !agree);
    for (const each of different.slice(0, SHOWN))
      terminal.error(formatComparison(template, engine, each, terminal));
    if (different.length > SHOWN)
      terminal.error(`… and ${String(different.length - SHOWN)} more; --json lists them all
`);
    if (quiet) continue;
    const count = `${String(comparisons.length - different.length)} of ${String(comparisons.length)}`;
    terminal.out(
      `${template}: ${engine} (${version}): ${count} inputs agree${refusals(comparisons)}\n`,
    );
  }
}

/** Agreement on failures is agreement too, but not what one expects to read. */
function refusals(comparisons: readonly Comparison[]): string {
  const failed = comparisons.filter(({ agree, theirs }) => agree && !theirs.ok).length;
  return failed === 0 ? "" : `, ${String(failed)} of them fail on both sides`;
}

function formatComparison(
  template: string,
  engine: string,
  { input, ours, theirs }: Comparison,
  terminal: Terminal,
): string {
  const head = `${colorsOf(terminal).bold(template)} differs from ${engine}: ${input}\n`;
  if (ours.ok && theirs.ok) {
    const texts = [theirs, ours].map(({ output }) => Buffer.from(output).toString("utf8"));
    const [before = "", after = ""] = texts;
    return (
      head + formatDiff({ name: engine, text: before }, { name: "compiled", text: after }, terminal)
    );
  }
  return `${head}  ${engine}: ${sideText(theirs)}\n  compiled: ${sideText(ours)}\n`;
}

function sideText(side: Side): string {
  if (side.ok) return JSON.stringify(Buffer.from(side.output).toString("utf8"));
  return `fails${side.line === undefined ? "" : ` in line ${String(side.line)}`}: ${side.error}`;
}

function asJson(template: string, verifications: readonly Verification[]): object {
  const engines = verifications.map(({ engine, version, comparisons }) => ({
    engine,
    version,
    inputs: comparisons.map(({ input, agree, ours, theirs }) => ({
      input,
      agree,
      compiled: sideJson(ours),
      engine: sideJson(theirs),
    })),
  }));
  const ok = verifications.every(({ comparisons }) => comparisons.every(({ agree }) => agree));
  return { ok, template, engines };
}

function sideJson(side: Side): object {
  if (!side.ok) return { ok: false, error: side.error, line: side.line };
  return { ok: true, output: Buffer.from(side.output).toString("utf8") };
}
