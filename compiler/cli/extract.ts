/** `chat-template extract`: the text of the templates that a file, a folder or a store holds. */
import { relative, resolve } from "node:path";
import { load, type LoadedTemplate } from "../load/index.js";
import { writeModule } from "./modules.js";
import type { TemplateOptions } from "./templates.js";
import { EXIT, UsageError, type ExitCode, type Terminal } from "./terminal.js";

export interface ExtractOptions extends TemplateOptions {
  readonly outDir?: string;
}

const EXTENSIONS = { jinja: "jinja", ollama: "gotmpl", go: "gotmpl" };

export async function extract(
  location: string,
  options: ExtractOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { dialect, form, outDir, json } = options;
  const templates = await load(location, { dialect, form, directory: terminal.directory });
  if (outDir !== undefined) await writeAll(templates, outDir, options, terminal);
  else if (json) terminal.out(`${JSON.stringify(templates, null, 2)}\n`);
  else terminal.out(only(location, templates).source);
  return EXIT.fine;
}

/** Standard output is one template and nothing else. */
function only(location: string, templates: readonly LoadedTemplate[]): LoadedTemplate {
  const [first, ...rest] = templates;
  if (first !== undefined && rest.length === 0) return first;
  const names = templates.map(({ variant = "" }) => `${location}#${variant}`).join(", ");
  throw new UsageError(`${location} holds several templates: use -o, --json, or one of ${names}`);
}

async function writeAll(
  templates: readonly LoadedTemplate[],
  outDir: string,
  { json, quiet }: ExtractOptions,
  terminal: Terminal,
): Promise<void> {
  const files: string[] = [];
  for (const { name, dialect, source } of templates) {
    const path = resolve(terminal.directory, outDir, `${name}.${EXTENSIONS[dialect]}`);
    const shown = relative(terminal.directory, path).replaceAll("\\", "/");
    await writeModule(path, shown, source);
    files.push(shown);
  }
  if (json) terminal.out(`${JSON.stringify({ ok: true, files }, null, 2)}\n`);
  else if (!quiet) for (const file of files) terminal.out(`${file}: written\n`);
}
