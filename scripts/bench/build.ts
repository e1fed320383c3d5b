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
  segments: { targets: ["text", "segments"] },
};

/** The variants that engines run; the others share the text's. */
const VARIANT_OF: Readonly<Record<string, string>> = {
  text: "text",
  bytes: "bytes",
  chunks: "bytes",
  unoptimized: "unoptimized",
  render: "segments",
  segments: "segments",
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

/** Compiles what the engines need and bundles it with the workers. */
export async function buildWorker(
  subjects: readonly Subject[],
  engines: readonly string[],
): Promise<Build> {
  const folder = makeFolder();
  const variants = new Set(engines.map((engine) => VARIANT_OF[engine] ?? "text"));
  const entries = ["worker", "heap"].map((name) => `${ROOT}scripts/bench/worker/${name}.ts`);
  for (const subject of subjects) {
    for (const variant of variants) entries.push(await writeModule(folder, subject, variant));
    if (subject.limit) entries.push(`${ROOT}scripts/bench/limit/${subject.name}.mjs`);
  }
  await bundle(entries, `${folder}out`);
  const bundled = (name: string): string => `${folder}out/${name}.mjs`;
  return {
    folder,
    worker: bundled("worker"),
    heap: bundled("heap"),
    modules: ({ name, limit }) => ({
      ...Object.fromEntries([...variants].map((each) => [each, bundled(`${name}.${each}`)])),
      ...(limit ? { limit: bundled(name) } : {}),
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
