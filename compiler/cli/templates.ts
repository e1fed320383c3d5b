/** The template that a command is about: loaded, compiled in this process, rendered. */
import { RenderError, type Dialect, type Segment } from "../../runtime/index.js";
import { withModelfile } from "../../runtime/chat/index.js";
import { CompileError } from "../diagnostics.js";
import { loadOne, type Form, type LoadedTemplate } from "../load/index.js";
import { Template } from "../template.js";
import { formatDiagnostic } from "./report.js";
import type { CommonOptions, Terminal } from "./terminal.js";

/** Options of every command that takes a template. */
export interface TemplateOptions extends CommonOptions {
  readonly dialect?: Dialect;
  readonly form?: Form;
}

export function loadTemplate(
  location: string,
  { dialect, form }: TemplateOptions,
  { directory }: Terminal,
): Promise<LoadedTemplate> {
  return loadOne(location, { dialect, form, directory });
}

/** The compiled template; undefined where it is refused, which is then reported. */
export function compileLoaded(
  { source, dialect, name }: LoadedTemplate,
  location: string,
  options: CommonOptions,
  terminal: Terminal,
): Template | undefined {
  try {
    return new Template(source, { dialect, name });
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    reportRefusal(location, error, options, terminal);
    return undefined;
  }
}

/** A refused template: its diagnostics on standard error, or as JSON on standard output. */
export function reportRefusal(
  template: string,
  { diagnostics }: CompileError,
  { json }: CommonOptions,
  terminal: Terminal,
): void {
  if (json) terminal.out(`${JSON.stringify({ ok: false, template, diagnostics }, null, 2)}\n`);
  else for (const each of diagnostics) terminal.error(formatDiagnostic(template, each, terminal));
}

/** What a render gave: the text, or the error. */
export type Rendered =
  | { readonly ok: true; readonly output: string; readonly segments?: readonly Segment[] }
  | { readonly ok: false; readonly error: RenderError };

export interface RenderOnceOptions {
  readonly now?: string | undefined;
  /** Whether the origin of the text is asked for. */
  readonly segments?: boolean;
}

/** Renders; what the template refuses is a result too. */
export function renderOnce(
  template: Template,
  input: object,
  { now, segments: isTraced = false }: RenderOnceOptions,
): Rendered {
  const options = now === undefined ? {} : { now };
  try {
    if (!isTraced) return { ok: true, output: template.render(input, options) };
    const segments = template.renderSegments(input, options);
    return { ok: true, output: segments.map(({ text }) => text).join(""), segments };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return { ok: false, error };
  }
}

/** The variables of a render: the distribution's special tokens, over them the input, over it single variables. */
export function variablesFor(
  { dialect, define }: LoadedTemplate,
  input: object,
  set: Readonly<Record<string, unknown>>,
): object {
  const tokens = dialect === "jinja" ? define : {};
  const parts = [tokens, input, set].filter((part) => Object.keys(part).length > 0);
  const [only = {}, ...rest] = parts;
  // An input that nothing is laid over stays itself, since it may hold more than a copy keeps.
  return rest.reduce((all, part) => ({ ...all, ...part }), only);
}

/** The conversation as Ollama's server opens it: with the Modelfile's SYSTEM and MESSAGE lines (server/routes.go). */
export function withSettings({ modelfile }: LoadedTemplate, input: object): object {
  if (modelfile === undefined) return input;
  const { system = "", messages = [] } = modelfile;
  if ("messages" in input && isMessages(input.messages)) {
    return { ...input, messages: withModelfile(input.messages, modelfile) };
  }
  if (system === "" && messages.length === 0) return input;
  return { system, messages, ...input };
}

type Messages = Parameters<typeof withModelfile>[0];

/** Whatever else stands there, the template's own input check refuses it. */
function isMessages(value: unknown): value is Messages {
  return Array.isArray(value);
}
