/** `chat-template inspect`: what a template needs and what of a conversation it shows. */
import { prefixStability, type PrefixStability } from "../analysis/prefix.js";
import { CompileError, type Diagnostic } from "../diagnostics.js";
import { explainRender, segmentAt } from "../explain.js";
import { inspect as describe } from "../index.js";
import type { LoadedTemplate } from "../load/index.js";
import { compileTemplate, Template } from "../template.js";
import type { TemplateMeta } from "../../runtime/index.js";
import { reportInspection } from "./inspect-report.js";
import { loadTemplate, reportRefusal, type TemplateOptions } from "./templates.js";
import { EXIT, UsageError, type ExitCode, type Terminal } from "./terminal.js";

export interface InspectOptions extends TemplateOptions {
  readonly prefix?: true;
}

/** All that is known of a template. */
export interface Inspection {
  readonly loaded: LoadedTemplate;
  readonly meta: TemplateMeta;
  readonly diagnostics: readonly Diagnostic[];
  /** Where it was asked for: whether prompts grow with their conversations. */
  readonly prefix?: PrefixStability;
}

export async function inspect(
  location: string,
  options: InspectOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const loaded = await loadTemplate(location, options, terminal);
  const { source, dialect, name } = loaded;
  try {
    const meta = { ...describe(source, { dialect }), name };
    const { diagnostics } = compileTemplate(source, { dialect, name, codegen: false });
    const prefix = options.prefix === true ? { prefix: prefixOf(loaded) } : {};
    reportInspection(location, { loaded, meta, diagnostics, ...prefix }, options, terminal);
    return prefix.prefix?.stableInUse === false ? EXIT.refused : EXIT.fine;
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    reportRefusal(location, error, options, terminal);
    return EXIT.refused;
  }
}

function prefixOf({ source, dialect, define }: LoadedTemplate): PrefixStability {
  if (dialect === "go")
    throw new UsageError("--prefix needs conversations, and templates of dialect go take any data");
  const template = new Template(source, { dialect, define });
  const lineAt = (input: object, offset: number): number | undefined =>
    segmentAt(explainRender({ source, dialect, define }, input), offset)?.line;
  return prefixStability(dialect, (input) => template.render(input), lineAt);
}
