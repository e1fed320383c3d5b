/** Prints diagnostics and render errors: place, code, message, frame, help; nothing in them is obeyed by a terminal. */
import type { RenderError } from "../../runtime/index.js";
import { codeFrame, type Diagnostic } from "../diagnostics.js";
import { inertText } from "../inert-text.js";
import { Source } from "../source.js";
import { colorsOf, type Colors, type Terminal } from "./terminal.js";

/** A diagnostic as lines of text, ending in a line break. */
export function formatDiagnostic(file: string, found: Diagnostic, terminal: Terminal): string {
  const colors = colorsOf(terminal);
  const paint = found.severity === "error" ? colors.red : colors.yellow;
  const place = inertText(`${file}:${String(found.line)}:${String(found.column)}`);
  const message = inertText(found.message);
  const lines = [
    `${colors.bold(place)} ${paint(found.severity)} ${colors.dim(found.code)}: ${message}`,
    indentFrame(found.frame, colors),
  ];
  if (found.help !== undefined) lines.push(`  ${colors.cyan("help")}: ${inertText(found.help)}`);
  return `${lines.join("\n")}\n`;
}

/** A failed render; the frame shows the template's line where the error has one. */
export function formatRenderError(
  file: string,
  source: string,
  error: RenderError,
  terminal: Terminal,
): string {
  const colors = colorsOf(terminal);
  const { line, column } = error;
  const place = [file, line, line === undefined ? undefined : column]
    .filter((each) => each !== undefined)
    .join(":");
  const at = error.path === undefined ? "" : ` ${error.path}:`;
  const said = inertText(`${at} ${error.message}`);
  const head = `${colors.bold(inertText(place))} ${colors.red(error.type)}:${said}`;
  if (line === undefined) return `${head}\n`;
  const frame = codeFrame(new Source(source, file), line, column ?? 1, 1);
  return `${head}\n${indentFrame(frame, colors)}\n`;
}

/** Any other failure, in one line. */
export function formatError(message: string, terminal: Terminal): string {
  return `${colorsOf(terminal).red("error")}: ${inertText(message)}\n`;
}

/** The frame moved in, its caret in red. */
export function indentFrame(frame: string, colors: Colors): string {
  return frame
    .split("\n")
    .map((row) => `  ${/^ *\| *\^+$/.test(row) ? colors.red(row) : row}`)
    .join("\n");
}
