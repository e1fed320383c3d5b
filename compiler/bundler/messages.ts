/** Diagnostics in the shapes that bundlers report. */
import type { PartialMessage } from "esbuild";
import type { Diagnostic } from "../diagnostics.js";
import { Source } from "../source.js";
import type { TemplateModule } from "./modules.js";

/** The code and the message, and what to do about it. */
function textOf({ code, message, help }: Diagnostic): string {
  return `${code}: ${message}${help === undefined ? "" : `\nhelp: ${help}`}`;
}

/** What Rollup, Rolldown and Vite log. */
export interface RollupLog {
  readonly message: string;
  readonly id: string;
  readonly loc?: { readonly file: string; readonly line: number; readonly column: number };
  readonly frame?: string;
  /** None: where in this plugin it was found helps nobody. */
  readonly stack: "";
}

/** A diagnostic as a log, which prints place and frame itself; its columns count from 0. */
export function rollupLog(module: TemplateModule, found: Diagnostic, id: string): RollupLog {
  const { line, column, frame } = found;
  const loc = { file: module.file, line, column: column - 1 };
  return { message: textOf(found), id, loc, frame, stack: "" };
}

/** esbuild's message: it draws the frame from the line's text; its columns count bytes. */
export function esbuildMessage(module: TemplateModule, found: Diagnostic): PartialMessage {
  const { code, message, help, line, column, frame } = found;
  const lineText = new Source(module.source, module.file).lineText(line);
  const width = /^ *\| *(\^+)$/m.exec(frame)?.[1]?.length ?? 1;
  const start = lineText.slice(0, column - 1);
  const marked = lineText.slice(column - 1, column - 1 + width);
  return {
    text: `${code}: ${message}`,
    location: {
      file: module.file,
      line,
      column: Buffer.byteLength(start),
      length: Buffer.byteLength(marked),
      lineText,
    },
    notes: help === undefined ? [] : [{ text: help }],
  };
}

/** All of it as text, for bundlers that know no places. */
export function plainText(module: TemplateModule, found: Diagnostic): string {
  return `${module.file}:${String(found.line)}:${String(found.column)} ${textOf(found)}\n${found.frame}`;
}
