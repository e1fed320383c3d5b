/** Prints what became of the templates that `generate` compiled. */
import type { Diagnostic } from "../diagnostics.js";
import { formatDiagnostic } from "./report.js";
import type { CommonOptions, Terminal } from "./terminal.js";

export type Status =
  "written" | "unchanged" | "removed" | "stale" | "missing" | "orphaned" | "unused" | "refused";

/** What became of a template: a line of the report, and an element of `--json`. */
export interface Outcome {
  readonly template: string;
  readonly file: string;
  readonly status: Status;
  readonly diagnostics: readonly Diagnostic[];
}

const FAILURES: ReadonlySet<Status> = new Set([
  "stale",
  "missing",
  "orphaned",
  "unused",
  "refused",
]);

const DESCRIPTIONS: Readonly<Record<Status, string>> = {
  written: "written",
  unchanged: "unchanged",
  removed: "removed",
  refused: "refused",
  stale: "stale: run `chat-template generate`",
  missing: "missing: run `chat-template generate`",
  orphaned: "its template is gone: delete it",
  unused: "no module uses it: run `chat-template generate`",
};

/** Prints the outcomes; false where one of them is a failure. */
export function reportGeneration(
  outcomes: readonly Outcome[],
  options: CommonOptions & { readonly stdout?: true },
  terminal: Terminal,
): boolean {
  const ok = !outcomes.some(({ status }) => FAILURES.has(status));
  const isModuleOnStdout = options.stdout === true && ok;
  if (options.json && !isModuleOnStdout) {
    terminal.out(`${JSON.stringify({ ok, files: outcomes }, null, 2)}\n`);
  } else for (const each of outcomes) reportOutcome(each, options, terminal);
  return ok;
}

function reportOutcome(
  { template, file, status, diagnostics }: Outcome,
  { quiet }: CommonOptions,
  terminal: Terminal,
): void {
  const shown = diagnostics.filter(({ severity }) => severity === "error" || !quiet);
  for (const each of shown) terminal.error(formatDiagnostic(template, each, terminal));
  if (status === "refused") return;
  if (FAILURES.has(status)) terminal.error(`${file}: ${DESCRIPTIONS[status]}\n`);
  else if (!quiet) terminal.out(`${file}: ${status}\n`);
}
