/** What `generate` is to do: the templates, where their modules go, and with which options. */
import { stat } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { escapePath, glob } from "tinyglobby";
import type { CompileOptions } from "../options.js";
import type { Dialect } from "../../runtime/index.js";
import { CONFIG_FILES, loadConfig, type Config } from "../load/config.js";
import {
  isModelFolder,
  isStored,
  load,
  TEMPLATE_EXTENSIONS,
  type Form,
  type LoadedTemplate,
} from "../load/index.js";
import { asImported, declarationFile } from "./declarations.js";
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
  readonly form?: Form | undefined;
  /** Whether the types of the templates are to be written beside them, instead of modules. */
  readonly dts?: true | undefined;
}

const ANY_TEMPLATE = `**/*.{${TEMPLATE_EXTENSIONS.join(",")}}`;
const DEFAULT_PATTERNS = [`templates/${ANY_TEMPLATE}`];

export async function planGeneration(request: PlanRequest): Promise<Plan> {
  const { directory, form } = request;
  const found = await loadConfig(directory, request.configFile);
  const base = found === undefined ? directory : dirname(found.file);
  const options = found?.config.options ?? {};
  const dialect = request.dialect ?? options.dialect;
  const complete = request.patterns.length === 0;
  const locations = complete
    ? await locationsOf(found?.config.templates ?? DEFAULT_PATTERNS, base)
    : await locationsOf(request.patterns, directory);
  const outDir = outDirOf(request, found?.config, base);
  const templates: PlannedTemplate[] = [];
  for (const location of locations) {
    for (const loaded of await load(location, { dialect, form, directory })) {
      const template = request.dts ? asImported(loaded) : loaded;
      const file = shownFrom(directory, template.file);
      const shown = { ...template, file: shownFrom(base, template.file) };
      const output = request.dts ? declarationFile(file) : outputOf(template, outDir, directory);
      templates.push({ template: shown, file, output });
    }
  }
  refuseClashes(templates);
  return { templates, outDir, complete, options };
}

/** What a change of can change the plan: the paths to watch. */
export async function pathsOf(request: PlanRequest): Promise<readonly string[]> {
  const { directory, configFile } = request;
  const configs = configFile === undefined ? CONFIG_FILES : [configFile];
  const config = await loadConfig(directory, configFile).catch(() => undefined);
  const base =
    config === undefined || request.patterns.length > 0 ? directory : dirname(config.file);
  const patterns =
    request.patterns.length > 0 ? request.patterns : (config?.config.templates ?? DEFAULT_PATTERNS);
  return [
    ...configs.map((name) => resolve(directory, name)),
    ...patterns
      .filter((pattern) => !isStored(pattern))
      .map((pattern) => resolve(base, pattern.replace(/(^|\/)[^/]*[*?{[(!][^]*$|#[^/]*$/, ""))),
  ];
}

function outDirOf(request: PlanRequest, config: Config | undefined, base: string): string {
  if (request.outDir !== undefined) return resolve(request.directory, request.outDir);
  return resolve(base, config?.outDir ?? "generated");
}

/** A name that came with a template never leads out of the folder for modules. */
function outputOf({ name }: LoadedTemplate, outDir: string, directory: string): string {
  const path = resolve(outDir, `${name}.ts`);
  if (dirname(path) !== outDir) throw new UsageError(`${name} is no name for a module`);
  return fromDirectory(directory, path);
}

/** The locations that the patterns name, each once: files and folders as absolute paths in order of name, then stores. */
async function locationsOf(patterns: readonly string[], base: string): Promise<readonly string[]> {
  const paths = new Set<string>();
  const stored = new Set<string>();
  for (const pattern of patterns) {
    const found = await pathsOfPattern(pattern, base);
    if (found === undefined) stored.add(pattern);
    else if (found.length === 0) throw new UsageError(`no template matches ${pattern}`);
    for (const path of found ?? []) paths.add(path);
  }
  return [...[...paths].toSorted(), ...stored];
}

/** The paths that a pattern matches; undefined for a model in a store. A name that exists is that file, whatever it holds. */
async function pathsOfPattern(
  pattern: string,
  base: string,
): Promise<readonly string[] | undefined> {
  const path = resolve(base, pattern);
  const entry = await stat(path).catch(() => undefined);
  if (entry?.isDirectory() === true) {
    if (await isModelFolder(path)) return [path];
    return matches(`${escapePath(pattern.replaceAll("\\", "/"))}/${ANY_TEMPLATE}`, base);
  }
  if (entry !== undefined) return [path];
  if (isStored(pattern)) return undefined;
  const hash = pattern.lastIndexOf("#");
  if (hash > 0 && (await exists(resolve(base, pattern.slice(0, hash))))) return [path];
  return matches(pattern.replaceAll("\\", "/"), base);
}

function matches(pattern: string, base: string): Promise<readonly string[]> {
  return glob(pattern, { cwd: base, absolute: true });
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** A path as people read it from a directory; a location in a store as it is. */
function shownFrom(directory: string, file: string): string {
  return isAbsolute(file) ? fromDirectory(directory, file) : file;
}

function fromDirectory(directory: string, file: string): string {
  return relative(directory, file).replaceAll("\\", "/");
}

function refuseClashes(templates: readonly PlannedTemplate[]): void {
  const outputs = new Map<string, string>();
  for (const { file, output } of templates) {
    const other = outputs.get(output.toLowerCase());
    if (other !== undefined) {
      const isStandard = /(^|\/)(chat_template|tokenizer_config)\b/.test(output);
      const hint = isStandard ? "; give the folders instead, their names differ" : "";
      throw new UsageError(`${other} and ${file} would both be written to ${output}${hint}`);
    }
    outputs.set(output.toLowerCase(), file);
  }
}
