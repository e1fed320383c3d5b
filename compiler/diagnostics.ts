/** Diagnostics: what the compiler says about a template, each with a code, a place and a code frame. */
import { inertText } from "./inert-text.js";
import type { Source, Span } from "./source.js";

export type Severity = "error" | "warning";

export interface Diagnostic {
  /** Kebab-case with the dialect: `jinja/unknown-filter`. */
  readonly code: string;
  readonly severity: Severity;
  /** For a refused template: the real engine's own message. */
  readonly message: string;
  readonly line: number;
  readonly column: number;
  /** The source lines around the place, with a caret line. */
  readonly frame: string;
  /** What to do about it. */
  readonly help?: string;
}

/** What a stage reports; {@link diagnostic} adds line, column and frame. */
export interface Report {
  readonly code: string;
  readonly severity?: Severity;
  readonly message: string;
  readonly span: Span;
  /** The engine's own line, where it differs from the span's. */
  readonly line?: number;
  readonly help?: string;
}

export function diagnostic(source: Source, report: Report): Diagnostic {
  const start = source.position(report.span.start);
  const line = report.line ?? start.line;
  const column = line === start.line ? start.column : 1;
  const end = source.position(report.span.end);
  const width = line === start.line && end.line === line ? Math.max(1, end.column - column) : 1;
  return {
    code: report.code,
    severity: report.severity ?? "error",
    message: report.message,
    line,
    column,
    frame: codeFrame(source, line, column, width),
    ...(report.help === undefined ? {} : { help: report.help }),
  };
}

/** The line before, the line, a caret line and the line after. */
export function codeFrame(source: Source, line: number, column: number, width: number): string {
  const gutter = String(line + 1).length;
  const rows: string[] = [];
  for (let at = Math.max(1, line - 1); at <= Math.min(source.lineCount, line + 1); at++) {
    rows.push(`${String(at).padStart(gutter)} | ${inertText(source.lineText(at))}`.trimEnd());
    if (at === line) {
      const indent = source
        .lineText(line)
        .slice(0, column - 1)
        .replace(/[^\t]/g, " ");
      rows.push(`${" ".repeat(gutter)} | ${indent}${"^".repeat(width)}`);
    }
  }
  return rows.join("\n");
}

/** The template is refused: the first diagnostic is the engine's own refusal. */
export class CompileError extends Error {
  readonly phase = "compile";
  readonly diagnostics: readonly Diagnostic[];
  readonly line: number;
  readonly column: number;

  constructor(diagnostics: readonly Diagnostic[]) {
    const first = diagnostics[0];
    super(first?.message ?? "the template was refused");
    this.name = "CompileError";
    this.diagnostics = diagnostics;
    this.line = first?.line ?? 1;
    this.column = first?.column ?? 1;
  }
}

/** Collects what the stages report about one source. */
export class Diagnostics {
  readonly #source: Source;
  readonly #list: Diagnostic[] = [];

  constructor(source: Source) {
    this.#source = source;
  }

  warn(report: Report): void {
    this.#list.push(diagnostic(this.#source, { severity: "warning", ...report }));
  }

  /** Refuses the template. */
  fail(report: Report): never {
    throw new CompileError([diagnostic(this.#source, report), ...this.#list]);
  }

  get list(): readonly Diagnostic[] {
    return this.#list;
  }
}
