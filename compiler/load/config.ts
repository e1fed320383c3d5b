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
    throw error instanceof LoadError ? error : new LoadError(file, firstLine(reasonOf(error)));
  }
}

/** The rest of a syntax error is where in jiti it was found. */
function firstLine(message: string): string {
  return message.split("\n")[0] ?? "";
}

/** What is wrong with a value; undefined where nothing is. */
type Check = (value: unknown) => string | undefined;

const isText: Check = (value) => (typeof value === "string" ? undefined : "must be a text");
const isTextList: Check = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === "string")
    ? undefined
    : "must be a list of texts";
const isObject: Check = (value) => (isPlain(value) ? undefined : "must be an object");

function isOneOf(choices: readonly string[]): Check {
  return (value) =>
    choices.some((choice) => choice === value) ? undefined : `must be one of ${choices.join(", ")}`;
}

const targets: Check = (value) =>
  Array.isArray(value)
    ? value.map(isOneOf(["text", "bytes", "segments"])).find((problem) => problem !== undefined)
    : "must be a list";

const isBoolean: Check = (value) =>
  typeof value === "boolean" ? undefined : "must be true or false";

const passes: Check = (value) => {
  if (typeof value === "boolean") return undefined;
  return isPlain(value) && "without" in value && isTextList(value.without) === undefined
    ? undefined
    : "must be true, false or { without: [names] }";
};

const OPTION_CHECKS: ReadonlyMap<string, Check> = new Map([
  ["dialect", isOneOf(["jinja", "ollama", "go"])],
  ["define", isObject],
  ["targets", targets],
  ["runtime", isText],
  ["limits", isBoolean],
  ["passes", passes],
]);

const CHECKS: ReadonlyMap<string, Check> = new Map([
  ["templates", isTextList],
  ["outDir", isText],
  ["options", optionsProblem],
]);

function namesOf(checks: ReadonlyMap<string, Check>): string {
  return [...checks.keys()].join(", ");
}

function optionsProblem(value: unknown): string | undefined {
  if (!isPlain(value)) return "must be an object";
  for (const [key, each] of Object.entries(value)) {
    const check = OPTION_CHECKS.get(key);
    if (check === undefined) return `has no option ${key}: there are ${namesOf(OPTION_CHECKS)}`;
    const problem = check(each);
    if (problem !== undefined) return `.${key} ${problem}`;
  }
  return undefined;
}

/** The configuration as it was read; throws where it does not have the type. */
function checked(file: string, value: unknown): Config {
  if (!isPlain(value)) throw new LoadError(file, "the configuration is not an object");
  for (const [key, each] of Object.entries(value)) {
    const check = CHECKS.get(key);
    const problem =
      check === undefined ? `is not known: there are ${namesOf(CHECKS)}` : check(each);
    if (problem !== undefined)
      throw new LoadError(file, problem.startsWith(".") ? key + problem : `${key} ${problem}`);
  }
  if (!isConfig(value)) throw new LoadError(file, "templates is missing");
  return value;
}

function isConfig(value: object): value is Config {
  return "templates" in value;
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
