/** What a new process needs for its first prompt: candidates bundled by esbuild, each run in processes of its own. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { build } from "esbuild";
import { makeFolder, writeModule } from "./build.js";
import { median } from "./measure.js";
import { ROOT, sourceOf, type Subject } from "./subjects.js";
import { isRecord } from "../rows.js";

/** A module that exports `start`, which gives a render function. */
export interface Candidate {
  readonly name: string;
  readonly path: string;
}

export interface Start {
  /** By the clock. */
  readonly ms: number;
  /** Of the processor, helper threads included. */
  readonly processorMs: number;
}

const STARTER = `
import { readFileSync } from "node:fs";
const [path, inputPath, from] = process.argv.slice(2);
const input = JSON.parse(readFileSync(inputPath, "utf8"));
let module = from === "start" ? await import(path) : undefined;
const used = process.cpuUsage();
const begin = performance.now();
module ??= await import(path);
const text = module.start()(input);
const ms = performance.now() - begin;
const { user, system } = process.cpuUsage(used);
console.log(JSON.stringify({ ms, processorMs: (user + system) / 1000, length: text.length }));
`;

/** The engines that a program could bundle for one template. */
export async function candidates(subject: Subject): Promise<{ folder: string; list: Candidate[] }> {
  const folder = makeFolder();
  const source = JSON.stringify(sourceOf(subject));
  const generated = await writeModule(folder, subject, "text");
  const programs: Record<string, string> = {
    generated: `import { render } from ${JSON.stringify(generated)}; export const start = () => render;`,
    template: `import { Template } from "${ROOT}compiler/template.ts"; export const start = () => {
      const template = new Template(${source}, { dialect: ${JSON.stringify(subject.dialect)} });
      return (input) => template.render(input); };`,
  };
  if (subject.limit)
    programs["limit"] =
      `import { render } from "${ROOT}scripts/bench/limit/${subject.name}.mjs"; export const start = () => render;`;
  if (subject.dialect === "jinja")
    programs["hf"] = `import { Template } from "@huggingface/jinja"; export const start = () => {
      const template = new Template(${source}); return (input) => template.render(input); };`;
  const list: Candidate[] = [];
  for (const [name, contents] of Object.entries(programs))
    list.push({ name, path: await bundleText(contents, `${folder}${name}.mjs`) });
  writeFileSync(`${folder}starter.mjs`, STARTER);
  return { folder, list };
}

async function bundleText(contents: string, outfile: string): Promise<string> {
  await build({
    stdin: { contents, resolveDir: ROOT, loader: "ts" },
    outfile,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
  });
  return outfile;
}

/** Medians over processes that take turns; `from` says whether the import counts. */
export function startAll(
  folder: string,
  list: readonly Candidate[],
  input: object,
  from: "import" | "start",
  runs: number,
  node: string,
): ReadonlyMap<string, Start> {
  const inputPath = `${folder}input.json`;
  writeFileSync(inputPath, JSON.stringify(input));
  const times = new Map<string, Start[]>(list.map(({ name }) => [name, []]));
  for (let run = 0; run < runs; run++)
    for (const { name, path } of list)
      times.get(name)?.push(start(node, [`${folder}starter.mjs`, path, inputPath, from]));
  return new Map(
    [...times].map(([name, all]) => [
      name,
      {
        ms: median(all.map(({ ms }) => ms)),
        processorMs: median(all.map(({ processorMs }) => processorMs)),
      },
    ]),
  );
}

function start(node: string, args: readonly string[]): Start {
  const { stdout, stderr, status } = spawnSync(node, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  const found: unknown = JSON.parse(stdout);
  if (!isStart(found)) throw new TypeError(`not a start: ${stdout}`);
  return found;
}

function isStart(value: unknown): value is Start {
  return (
    isRecord(value) && typeof value["ms"] === "number" && typeof value["processorMs"] === "number"
  );
}
