/** `size`: what a program carries for a template, minified by esbuild, and gzipped. */
import { rmSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { makeFolder, writeModule } from "../build.js";
import { output, type OutputOptions } from "../output.js";
import { ROOT, SUBJECTS, type Subject } from "../subjects.js";

export interface SizeOptions extends OutputOptions {
  readonly only?: readonly Subject[];
}

interface Size {
  readonly what: string;
  readonly minified: number;
  readonly gzipped: number;
}

export async function size(options: SizeOptions): Promise<void> {
  const folder = makeFolder();
  const found: Size[] = [];
  for (const subject of options.only ?? SUBJECTS) {
    for (const [variant, names] of [
      ["text", "render"],
      ["bytes", "render, renderBytes, renderTo"],
    ] as const) {
      const module = await writeModule(folder, subject, variant);
      const program = `export { ${names} } from ${JSON.stringify(module)};`;
      found.push(await sizeOf(`${subject.name}, ${variant}, with its runtime`, program));
    }
    if (subject.limit) {
      const limit = `export { render } from "${ROOT}scripts/bench/limit/${subject.name}.mjs";`;
      found.push(await sizeOf(`${subject.name}, hand-written`, limit));
    }
  }
  rmSync(folder, { recursive: true });
  const entry = `export { Template } from "${ROOT}compiler/template.ts";`;
  found.push(await sizeOf("chat-template-compiler/template", entry));
  found.push(await sizeOf("@huggingface/jinja", `export { Template } from "@huggingface/jinja";`));
  const head = ["what", "minified", "gzipped"];
  const body = found.map(({ what, minified, gzipped }) => [
    what,
    kilobytes(minified),
    kilobytes(gzipped),
  ]);
  output([{ title: "Sizes of bundles", head, body }], found, options);
}

async function sizeOf(what: string, contents: string): Promise<Size> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT, loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "es2023",
    logLevel: "error",
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  return { what, minified: code.length, gzipped: gzipSync(code, { level: 9 }).length };
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}
