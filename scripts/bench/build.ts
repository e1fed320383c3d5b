/** Compiles the measured templates and bundles them with the worker, so that any Node can run what is measured. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { compile, type CompileOptions } from "../../compiler/index.js";
import type { Target } from "../../compiler/options.js";
import { ROOT, sourceOf, type Subject } from "./subjects.js";

/** Inside node_modules, so that the bundle finds the packages it is compared with. */
const CACHE = `${ROOT}node_modules/.cache/chat-template-bench/`;

export interface Build {
  readonly folder: string;
  readonly worker: string;
  /** The worker that counts allocations. */
  readonly heap: string;
  /** The bundled modules of a template, by engine. */
  modules(subject: Subject): Readonly<Record<string, string>>;
  remove(): void;
}

const TARGETS: readonly Target[] = ["text", "bytes"];

const VARIANTS: Readonly<Record<string, Partial<CompileOptions>>> = {
  text: {},
  bytes: { targets: TARGETS },
  unoptimized: { passes: false },
};

/** A new folder in the cache; whoever made it removes it. */
export function makeFolder(): string {
  mkdirSync(CACHE, { recursive: true });
  return `${mkdtempSync(CACHE)}/`;
}

/** Writes a template's module and gives its path. */
export async function writeModule(
  folder: string,
  subject: Subject,
  variant: string,
): Promise<string> {
  const { name, dialect, file } = subject;
  const { code } = await compile(sourceOf(subject), {
    name,
    dialect,
    file,
    runtime: `${ROOT}runtime`,
    ...VARIANTS[variant],
  });
  const path = `${folder}${name}.${variant}.ts`;
  writeFileSync(path, code);
  return path;
}

export async function buildWorker(subjects: readonly Subject[]): Promise<Build> {
  const folder = makeFolder();
  const generated: string[] = [];
  for (const subject of subjects)
    for (const variant of Object.keys(VARIANTS))
      generated.push(await writeModule(folder, subject, variant));
  const limits = subjects
    .filter(({ limit }) => limit)
    .map(({ name }) => `${ROOT}scripts/bench/limit/${name}.mjs`);
  const workers = ["worker", "heap"].map((name) => `${ROOT}scripts/bench/worker/${name}.ts`);
  await bundle([...workers, ...generated, ...limits], `${folder}out`);
  return {
    folder,
    worker: `${folder}out/worker.mjs`,
    heap: `${folder}out/heap.mjs`,
    modules: ({ name, limit }) => ({
      ...Object.fromEntries(
        Object.keys(VARIANTS).map((each) => [each, `${folder}out/${name}.${each}.mjs`]),
      ),
      ...(limit ? { limit: `${folder}out/${name}.mjs` } : {}),
    }),
    remove: () => {
      rmSync(folder, { recursive: true });
    },
  };
}

/** All entries share one copy of the runtime, as the modules of a program do. */
export async function bundle(entryPoints: readonly string[], outdir: string): Promise<void> {
  await build({
    entryPoints: [...entryPoints],
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    entryNames: "[name]",
    outExtension: { ".js": ".mjs" },
    logLevel: "error",
  });
}
