/** @huggingface/jinja, as the user's project has it. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { EngineError, type Engine, type EngineAnswer } from "./engine.js";

const PACKAGE = "@huggingface/jinja";

export const huggingface: Engine = {
  dialect: "jinja",
  async ask({ template, inputs, directory }) {
    const { make, version } = await find(directory);
    let compiled: Renders;
    try {
      compiled = make(template);
    } catch (error) {
      return { version, answers: inputs.map(() => failure(error, "parse")) };
    }
    return { version, answers: inputs.map((input) => answer(compiled, input)) };
  },
};

interface Renders {
  render(input: object): unknown;
}

function answer(compiled: Renders, texts: readonly string[]): EngineAnswer {
  try {
    const input: object = {};
    for (const text of texts) Object.assign(input, JSON.parse(text));
    const output = compiled.render(input);
    return { ok: true, output: Buffer.from(String(output)) };
  } catch (error) {
    return failure(error, "render");
  }
}

function failure(error: unknown, phase: "parse" | "render"): EngineAnswer {
  return { ok: false, phase, error: error instanceof Error ? error.message : String(error) };
}

async function find(
  directory: string,
): Promise<{ make: (source: string) => Renders; version: string }> {
  const require = createRequire(join(directory, "package.json"));
  let entry: string;
  try {
    entry = require.resolve(PACKAGE);
  } catch {
    throw new EngineError(
      `${PACKAGE} is not installed in ${directory}: run \`npm install ${PACKAGE}\``,
    );
  }
  const module: unknown = await import(pathToFileURL(entry).href);
  const Template: unknown = Reflect.get(Object(module), "Template");
  if (typeof Template !== "function") throw new EngineError(`${PACKAGE} exports no Template`);
  const make = (source: string): Renders => {
    const compiled: unknown = Reflect.construct(Template, [source]);
    if (!isRenders(compiled)) throw new EngineError(`${PACKAGE}'s Template does not render`);
    return compiled;
  };
  return { make, version: `${PACKAGE} ${await versionAt(entry)}` };
}

function isRenders(value: unknown): value is Renders {
  return typeof value === "object" && value !== null && "render" in value;
}

/** The version of the package that a file belongs to. */
async function versionAt(file: string): Promise<string> {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const text = await readFile(join(folder, "package.json"), "utf8").catch(() => "{}");
    const manifest: unknown = JSON.parse(text);
    if (Reflect.get(Object(manifest), "name") === PACKAGE)
      return String(Reflect.get(Object(manifest), "version"));
  }
  return "";
}
