/** The configuration file `chat-template.config.{ts,js,mjs,json}`. */
import { resolve } from "node:path";
import { lilconfig } from "lilconfig";
import type { CompileOptions } from "../options.js";
import { reasonOf } from "./files.js";
import { LoadError } from "./loaded.js";

export interface Config {
  /** Files or glob patterns, relative to the configuration file. */
  readonly templates: readonly string[];
  /** Where the modules go, relative to the configuration file; `generated` by default. */
  readonly outDir?: string;
  readonly options?: Partial<CompileOptions>;
}

/** A configuration and the file that it stands in. */
export interface LoadedConfig {
  readonly file: string;
  readonly config: Config;
}

/** Gives a configuration file written in TypeScript or JavaScript its type. */
export function defineConfig(config: Config): Config {
  return config;
}

const NAME = "chat-template";
const EXTENSIONS = ["ts", "js", "mjs", "json"];
/** The names that are looked for, in order. */
export const CONFIG_FILES: readonly string[] = EXTENSIONS.map(
  (extension) => `${NAME}.config.${extension}`,
);

/** The configuration of a directory, or the file that is named; undefined where there is none. */
export async function loadConfig(
  directory: string,
  file?: string,
): Promise<LoadedConfig | undefined> {
  const searcher = lilconfig(NAME, {
    searchPlaces: [...CONFIG_FILES],
    stopDir: directory,
    loaders: {
      ".ts": importModule,
      ".js": importModule,
      ".mjs": importModule,
      ".json": parseFile,
    },
  });
  const found = await attempt(file ?? directory, () =>
    file === undefined ? searcher.search(directory) : searcher.load(resolve(directory, file)),
  );
  if (found === null) return undefined;
  return { file: found.filepath, config: checked(found.filepath, found.config) };
}

/** Loads TypeScript too; jiti only then, since it takes longer to start than all the rest. */
async function importModule(file: string): Promise<unknown> {
  const { createJiti } = await import("jiti");
  // `--watch` reads the file again after each change.
  const jiti = createJiti(import.meta.url, { moduleCache: false });
  return attempt(file, () => jiti.import(file, { default: true }));
}

function parseFile(file: string, content: string): Promise<unknown> {
  return attempt(file, (): unknown => JSON.parse(content));
}

/** Names the file in whatever goes wrong with it. */
async function attempt<T>(file: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof LoadError ? error : new LoadError(file, reasonOf(error));
  }
}

const CHECKS: ReadonlyMap<string, (value: unknown) => string | undefined> = new Map([
  ["templates", (value) => (isTexts(value) ? undefined : "must be a list of texts")],
  ["outDir", (value) => (typeof value === "string" ? undefined : "must be a text")],
  ["options", optionsProblem],
]);

const OPTIONS = new Set(["dialect", "define", "targets", "runtime", "passes"]);

function optionsProblem(value: unknown): string | undefined {
  if (!isPlain(value)) return "must be an object";
  const unknown = Object.keys(value).find((key) => !OPTIONS.has(key));
  return unknown === undefined ? undefined : `has no option ${unknown}`;
}

/** The configuration as it was read; throws where it does not have the type. */
function checked(file: string, value: unknown): Config {
  if (!isPlain(value)) throw new LoadError(file, "the configuration is not an object");
  for (const [key, each] of Object.entries(value)) {
    const check = CHECKS.get(key);
    const problem = check === undefined ? "is not known" : check(each);
    if (problem !== undefined) throw new LoadError(file, `${key} ${problem}`);
  }
  if (!isConfig(value)) throw new LoadError(file, "templates is missing");
  return value;
}

function isConfig(value: object): value is Config {
  return "templates" in value;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
