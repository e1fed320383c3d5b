/** `chat-template render`: renders a template in this process. */
import { resolve } from "node:path";
import { RenderError, type Dialect } from "../../runtime/index.js";
import { CompileError } from "../diagnostics.js";
import { load, type LoadedTemplate } from "../load/index.js";
import { Template } from "../template.js";
import { parseInput, placeOf, readText, type Assignments } from "./arguments.js";
import { formatDiagnostic, formatRenderError } from "./report.js";
import { EXIT, UsageError, type CommonOptions, type ExitCode, type Terminal } from "./terminal.js";

export interface RenderCommandOptions extends CommonOptions {
  readonly input?: string;
  readonly set?: Assignments;
  readonly now?: string;
  readonly jsonl?: true;
  readonly dialect?: Dialect;
}

/** What a render gave: the text, or the error. */
type Rendered =
  | { readonly ok: true; readonly output: string }
  | { readonly ok: false; readonly error: RenderError };

export async function render(
  location: string,
  options: RenderCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const path = resolve(terminal.directory, location);
  const [loaded] = await load(path, { dialect: options.dialect });
  if (loaded === undefined) throw new UsageError(`${location}: holds no template`);
  const inputs = await inputsOf(options, terminal);
  const template = prepare(loaded, location, terminal);
  if (template === undefined) return EXIT.refused;
  const results = inputs.map((input) => renderOne(template, input, options));
  if (options.jsonl || options.json) writeRows(results, terminal);
  else writeText(results, loaded, location, terminal);
  return results.every(({ ok }) => ok) ? EXIT.fine : EXIT.refused;
}

/** The inputs, all read before the first render: a bad line is an error before any output. */
async function inputsOf(
  options: RenderCommandOptions,
  terminal: Terminal,
): Promise<readonly object[]> {
  const set = options.set ?? {};
  const file = options.input ?? (options.jsonl ? "-" : undefined);
  if (file === undefined) return [set];
  const text = await readText(file, terminal);
  const place = placeOf(file);
  if (!options.jsonl) return [withSet(parseInput(text, place), set)];
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    return [withSet(parseInput(line, `${place}:${String(index + 1)}`), set)];
  });
}

/** The input with the `-k` variables; the input itself where there are none, since it may hold more than a copy keeps. */
function withSet(input: object, set: Assignments): object {
  return Object.keys(set).length === 0 ? input : { ...input, ...set };
}

function prepare(
  { source, dialect, name }: LoadedTemplate,
  location: string,
  terminal: Terminal,
): Template | undefined {
  try {
    return new Template(source, { dialect, name });
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    for (const each of error.diagnostics)
      terminal.error(formatDiagnostic(location, each, terminal));
    return undefined;
  }
}

function renderOne(template: Template, input: object, { now }: RenderCommandOptions): Rendered {
  try {
    return { ok: true, output: template.render(input, now === undefined ? {} : { now }) };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return { ok: false, error };
  }
}

/** One JSON object a line, in the order of the inputs. */
function writeRows(results: readonly Rendered[], terminal: Terminal): void {
  for (const result of results) {
    const row = result.ok ? result : { ok: false, ...rowOf(result.error) };
    terminal.out(`${JSON.stringify(row)}\n`);
  }
}

function rowOf({ phase, type, message, line, column, path }: RenderError): object {
  return { phase, type, error: message, line, column, path };
}

/** The text alone, with no line break added: standard output is the prompt. */
function writeText(
  results: readonly Rendered[],
  { source }: LoadedTemplate,
  location: string,
  terminal: Terminal,
): void {
  for (const result of results) {
    if (result.ok) terminal.out(result.output);
    else terminal.error(formatRenderError(location, source, result.error, terminal));
  }
}
