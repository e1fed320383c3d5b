/** `chat-template render`: renders a template in this process. */
import type { RenderError, Segment } from "../../runtime/index.js";
import type { LoadedTemplate } from "../load/index.js";
import type { Template } from "../template.js";
import { parseInput, placeOf, readText, valuesOf, type Assignments } from "./arguments.js";
import { linesOf } from "./lines.js";
import { formatRenderError } from "./report.js";
import {
  compileLoaded,
  loadTemplate,
  renderOnce,
  variablesFor,
  withSettings,
  type Rendered,
  type TemplateOptions,
} from "./templates.js";
import { EXIT, UsageError, type ExitCode, type Terminal } from "./terminal.js";

export interface RenderCommandOptions extends TemplateOptions {
  readonly input?: string;
  readonly set?: Assignments;
  readonly now?: string;
  readonly jsonl?: true;
  readonly segments?: true;
}

export async function render(
  location: string,
  options: RenderCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const loaded = await loadTemplate(location, options, terminal);
  if (options.jsonl) return renderLines(loaded, location, options, terminal);
  const input = await inputOf(options, terminal);
  const template = compileLoaded(loaded, location, options, terminal);
  if (template === undefined) return EXIT.refused;
  const result = renderWith(template, loaded, input, options);
  if (options.json) writeRow(result, terminal);
  else if (result.ok && result.segments !== undefined) writeSegments(result.segments, terminal);
  else writeText(result, loaded, location, terminal);
  return result.ok ? EXIT.fine : EXIT.refused;
}

/** A row for a row, in order; one that fails holds its error and ends nothing. */
async function renderLines(
  loaded: LoadedTemplate,
  location: string,
  options: RenderCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const template = compileLoaded(loaded, location, options, terminal);
  if (template === undefined) return EXIT.refused;
  let code: ExitCode = EXIT.fine;
  const file = options.input ?? "-";
  for await (const { text, number } of linesOf(file, terminal)) {
    const row = renderLine(template, loaded, text, `${placeOf(file)}:${String(number)}`, options);
    if (!row.ok) code = EXIT.refused;
    writeRow(row, terminal);
    await terminal.drained?.();
  }
  return code;
}

/** A line that is no JSON object is an error like any other of its row. */
type Row = Rendered | { readonly ok: false; readonly message: string };

function renderLine(
  template: Template,
  loaded: LoadedTemplate,
  text: string,
  place: string,
  options: RenderCommandOptions,
): Row {
  try {
    return renderWith(template, loaded, parseInput(text, place), options);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { ok: false, message: error.message };
  }
}

async function inputOf({ input }: RenderCommandOptions, terminal: Terminal): Promise<object> {
  return input === undefined ? {} : parseInput(await readText(input, terminal), placeOf(input));
}

function renderWith(
  template: Template,
  loaded: LoadedTemplate,
  input: object,
  { set, now, segments }: RenderCommandOptions,
): Rendered {
  const variables = variablesFor(loaded, input, valuesOf(set));
  return renderOnce(template, withSettings(loaded, variables), {
    now,
    segments: segments === true,
  });
}

/** One segment a line. */
function writeSegments(segments: readonly Segment[], terminal: Terminal): void {
  for (const segment of segments) terminal.out(`${JSON.stringify(segment)}\n`);
}

/** One JSON object a line. */
function writeRow(row: Row, terminal: Terminal): void {
  terminal.out(`${JSON.stringify(row.ok ? row : { ok: false, ...failureOf(row) })}\n`);
}

function failureOf(row: Extract<Row, { ok: false }>): object {
  if ("message" in row) return { phase: "input", type: "JSONDecodeError", error: row.message };
  const { phase, type, message, line, column, path }: RenderError = row.error;
  return { phase, type, error: message, line, column, path };
}

/** The text alone, with no line break added: standard output is the prompt. */
function writeText(
  result: Rendered,
  { source }: LoadedTemplate,
  location: string,
  terminal: Terminal,
): void {
  if (result.ok) terminal.out(result.output);
  else terminal.error(formatRenderError(location, source, result.error, terminal));
}
