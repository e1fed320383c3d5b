/** `chat-template inspect`: what a template needs and what of a conversation it shows. */
import { CompileError, type Diagnostic } from "../diagnostics.js";
import { inspect as describe } from "../index.js";
import type { LoadedTemplate } from "../load/index.js";
import { compileTemplate } from "../template.js";
import type { TemplateMeta } from "../../runtime/index.js";
import { reportInspection } from "./inspect-report.js";
import { loadTemplate, reportRefusal, type TemplateOptions } from "./templates.js";
import { EXIT, type ExitCode, type Terminal } from "./terminal.js";

/** All that is known of a template. */
export interface Inspection {
  readonly loaded: LoadedTemplate;
  readonly meta: TemplateMeta;
  readonly diagnostics: readonly Diagnostic[];
}

export async function inspect(
  location: string,
  options: TemplateOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const loaded = await loadTemplate(location, options, terminal);
  const { source, dialect, name } = loaded;
  try {
    const meta = { ...describe(source, { dialect }), name };
    const { diagnostics } = compileTemplate(source, { dialect, name, codegen: false });
    reportInspection(location, { loaded, meta, diagnostics }, options, terminal);
    return EXIT.fine;
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    reportRefusal(location, error, options, terminal);
    return EXIT.refused;
  }
}
