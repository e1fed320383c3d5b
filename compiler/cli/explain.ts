/** `chat-template explain`: which line of a template wrote what of a prompt, and what comes from the input. */
import { resolve } from "node:path";
import { RenderError } from "../../runtime/index.js";
import { CompileError } from "../diagnostics.js";
import { explainRender, type ExplainedSegment } from "../explain.js";
import type { LoadedTemplate } from "../load/index.js";
import { parseInput, placeOf, readText, valuesOf, type Assignments } from "./arguments.js";
import { explainPage } from "./explain-page.js";
import { writeModule } from "./modules.js";
import { reportOffset, reportSegments } from "./explain-report.js";
import { formatRenderError } from "./report.js";
import {
  loadTemplate,
  reportRefusal,
  variablesFor,
  withSettings,
  type TemplateOptions,
} from "./templates.js";
import { EXIT, UsageError, type ExitCode, type Terminal } from "./terminal.js";

export interface ExplainOptions extends TemplateOptions {
  readonly input?: string;
  readonly set?: Assignments;
  readonly now?: string;
  /** A UTF-16 unit of the prompt. */
  readonly at?: number;
  readonly html?: string;
}

/** A prompt with the template that rendered it. */
export interface Explanation {
  readonly location: string;
  readonly loaded: LoadedTemplate;
  readonly segments: readonly ExplainedSegment[];
}

export async function explain(
  location: string,
  options: ExplainOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.input === undefined) throw new UsageError("explain needs an input: give one with -i");
  const loaded = await loadTemplate(location, options, terminal);
  const input = parseInput(await readText(options.input, terminal), placeOf(options.input));
  const variables = withSettings(loaded, variablesFor(loaded, input, valuesOf(options.set)));
  try {
    const now = options.now === undefined ? {} : { now: options.now };
    const { source, dialect, name } = loaded;
    const segments = explainRender({ source, dialect, name }, variables, now);
    await report({ location, loaded, segments }, options, terminal);
    return EXIT.fine;
  } catch (error) {
    if (error instanceof CompileError) reportRefusal(location, error, options, terminal);
    else if (error instanceof RenderError)
      terminal.error(formatRenderError(location, loaded.source, error, terminal));
    else throw error;
    return EXIT.refused;
  }
}

async function report(
  explanation: Explanation,
  options: ExplainOptions,
  terminal: Terminal,
): Promise<void> {
  if (options.at !== undefined) {
    reportOffset(explanation, options.at, options, terminal);
  } else if (options.html === undefined || options.json) {
    reportSegments(explanation, options, terminal);
  }
  if (options.html === undefined) return;
  const page = explainPage(explanation, options.at);
  await writeModule(resolve(terminal.directory, options.html), options.html, page);
  if (!options.json && !options.quiet) terminal.out(`${options.html}: written\n`);
}
