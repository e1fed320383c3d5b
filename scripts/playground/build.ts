/**
 * Bundles the page. It works from `file:`, where neither modules nor workers can be loaded: scripts are classic ones,
 * and the text of each worker is in a script of the page.
 */
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type Plugin } from "esbuild";

const PAGE = fileURLToPath(new URL("page", import.meta.url));

const OPTIONS = {
  bundle: true,
  format: "iife",
  platform: "browser",
  target: "es2022",
  minify: true,
  logLevel: "warning",
  loader: { ".jinja": "text", ".gotmpl": "text" },
} as const satisfies BuildOptions;

/** Writes index.html, its style and its scripts into a folder, in place of what was there. */
export async function buildPlayground(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await copyFile(join(PAGE, "index.html"), join(folder, "index.html"));
  await Promise.all([
    build({ ...OPTIONS, entryPoints: [join(PAGE, "style.css")], outdir: folder }),
    build({
      ...OPTIONS,
      entryPoints: [join(PAGE, "main.ts")],
      outfile: join(folder, "main.js"),
      plugins: [workers],
    }),
    writeEmitter(folder),
  ]);
}

/** The worker that writes modules holds TypeScript and prettier: a script of its own, loaded when it is needed. */
async function writeEmitter(folder: string): Promise<void> {
  const text = await bundled("emitter-worker.ts", [standalonePrettier, withoutLibraries]);
  await writeFile(
    join(folder, "emitter.js"),
    `globalThis.playgroundEmitter = ${JSON.stringify(text)};\n`,
  );
}

async function bundled(entry: string, plugins: Plugin[]): Promise<string> {
  const { outputFiles } = await build({
    ...OPTIONS,
    entryPoints: [join(PAGE, entry)],
    write: false,
    plugins,
  });
  return outputFiles.map(({ text }) => text).join("");
}

/** `import text from "./x-worker.ts?text"`: the worker's bundle. */
const workers: Plugin = {
  name: "workers",
  setup(hooks) {
    hooks.onResolve({ filter: /-worker\.js\?text$/ }, ({ path }) => ({
      path: path.replace(/^\.\/(.*)\.js\?text$/, "$1.ts"),
      namespace: "worker",
    }));
    hooks.onLoad({ filter: /.*/, namespace: "worker" }, async ({ path }) => ({
      contents: await bundled(path, []),
      loader: "text",
    }));
  },
};

/** prettier's own entry reads files; its standalone one wants to be given its plugins. */
const standalonePrettier: Plugin = {
  name: "standalone-prettier",
  setup(hooks) {
    hooks.onResolve({ filter: /^prettier$/ }, () => ({ path: join(PAGE, "prettier.ts") }));
  },
};

/** ts-morph brings the declarations of JavaScript's libraries, 3 MB that writing a module never asks for. */
const withoutLibraries: Plugin = {
  name: "without-libraries",
  setup(hooks) {
    hooks.onLoad({ filter: /ts-morph-common\.js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      return {
        contents: text.replace(/^const libFiles = \[.*?^\s*\}\];$/ms, "const libFiles = [];"),
      };
    });
  },
};
