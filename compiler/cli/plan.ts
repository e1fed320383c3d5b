/** What `generate` is to do: the templates, where their modules go, and with which options. */
import { stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { escapePath, glob } from "tinyglobby";
import type { CompileOptions } from "../options.js";
import type { Dialect } from "../../runtime/index.js";
import { loadConfig, type Config } from "../load/config.js";
import { load, TEMPLATE_EXTENSIONS, type LoadedTemplate } from "../load/index.js";
import { UsageError } from "./terminal.js";

/** A template and the module that it becomes; paths are relative to the working directory. */
export interface PlannedTemplate {
  readonly template: LoadedTemplate;
  readonly file: string;
  readonly output: string;
}

export interface Plan {
  readonly templates: readonly PlannedTemplate[];
  readonly outDir: string;
  /** Whether these are all templates whose modules stand in `outDir`. */
  readonly complete: boolean;
  readonly options: Partial<CompileOptions>;
}

export interface PlanRequest {
  readonly directory: string;
  readonly patterns: readonly string[];
  readonly outDir?: string | undefined;
  readonly configFile?: string | undefined;
  readonly dialect?: Dialect | undefined;
}

const ANY_TEMPLATE = `**/*.{${TEMPLATE_EXTENSIONS.join(",")}}`;

export async function planGeneration(request: PlanRequest): Promise<Plan> {
  const { directory } = request;
  const found = await loadConfig(directory, request.configFile);
  const base = found === undefined ? directory : dirname(found.file);
  const options = found?.config.options ?? {};
  const dialect = request.dialect ?? options.dialect;
  const complete = request.patterns.length === 0;
  const files = complete
    ? await filesOf(found?.config.templates ?? [`templates/${ANY_TEMPLATE}`], base)
    : await filesOf(request.patterns, directory);
  const outDir = outDirOf(request, found?.config, base);
  const templates: PlannedTemplate[] = [];
  for (const absolute of files) {
    const file = fromDirectory(directory, absolute);
    for (const template of await load(absolute, { dialect })) {
      const shown = { ...template, file: fromDirectory(base, absolute) };
      const output = fromDirectory(directory, join(outDir, `${template.name}.ts`));
      templates.push({ template: shown, file, output });
    }
  }
  refuseClashes(templates);
  return { templates, outDir, complete, options };
}

function outDirOf(request: PlanRequest, config: Config | undefined, base: string): string {
  if (request.outDir !== undefined) return resolve(request.directory, request.outDir);
  return resolve(base, config?.outDir ?? "generated");
}

/** The absolute paths of the files that the patterns name, each once, in order of name. */
async function filesOf(patterns: readonly string[], base: string): Promise<readonly string[]> {
  const files = new Set<string>();
  for (const pattern of patterns) {
    const matched = await glob(await globOf(pattern, base), { cwd: base, absolute: true });
    if (matched.length === 0) throw new UsageError(`no template matches ${pattern}`);
    for (const file of matched) files.add(file);
  }
  return [...files].toSorted();
}

/** A name that exists is that file or directory, whatever characters it holds. */
async function globOf(pattern: string, base: string): Promise<string> {
  const entry = await stat(resolve(base, pattern)).catch(() => undefined);
  const path = pattern.replaceAll("\\", "/");
  if (entry?.isDirectory() === true) return `${escapePath(path)}/${ANY_TEMPLATE}`;
  return entry === undefined ? path : escapePath(path);
}

function fromDirectory(directory: string, file: string): string {
  return relative(directory, file).replaceAll("\\", "/");
}

function refuseClashes(templates: readonly PlannedTemplate[]): void {
  const outputs = new Map<string, string>();
  for (const { file, output } of templates) {
    const other = outputs.get(output.toLowerCase());
    if (other !== undefined) {
      throw new UsageError(`${other} and ${file} would both be written to ${output}`);
    }
    outputs.set(output.toLowerCase(), file);
  }
}
