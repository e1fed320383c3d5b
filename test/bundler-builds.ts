/** The six bundlers behind one signature: an app's entry file in, a module that Node runs and the messages out. */
import { join } from "node:path";
import { rspack as runRspack, type Configuration as RspackConfiguration } from "@rspack/core";
import { build as runEsbuild, type Message } from "esbuild";
import { rolldown } from "rolldown";
import { rollup } from "rollup";
import { build as runVite, createLogger } from "vite";
import runWebpack, { type Configuration as WebpackConfiguration } from "webpack";
import type * as Plugins from "../compiler/bundler/index.js";
import type { Bundler } from "./bundler-app.js";

export interface App {
  /** Absolute; the entry is src/main.js in it. */
  readonly directory: string;
  readonly plugins: typeof Plugins;
  readonly options: Plugins.ChatTemplateOptions;
}

export interface Built {
  readonly file: string;
  readonly warnings: readonly string[];
}

/** Rejects where the build fails, with what the bundler says about it. */
export type Build = (app: App) => Promise<Built>;

export const builds: Readonly<Record<Bundler, Build>> = {
  async vite({ directory, plugins, options }) {
    const warnings: string[] = [];
    const logger = createLogger("silent");
    logger.warn = (message) => warnings.push(message);
    const outDir = join(directory, "out-vite");
    await runVite({
      root: directory,
      configFile: false,
      logLevel: "warn",
      customLogger: logger,
      plugins: [plugins.vite(options)],
      build: {
        outDir,
        lib: { entry: "src/main.js", formats: ["es"], fileName: "main" },
        minify: false,
        sourcemap: true,
      },
    });
    return { file: join(outDir, "main.js"), warnings };
  },

  async rollup({ directory, plugins, options }) {
    const warnings: string[] = [];
    const bundle = await rollup({
      input: join(directory, "src/main.js"),
      plugins: [plugins.rollup(options)],
      onLog: (_level, log) => warnings.push(`${log.message}\n${log.frame ?? ""}`),
    });
    const file = join(directory, "out-rollup/main.mjs");
    await bundle.write({ file, sourcemap: true });
    await bundle.close();
    return { file, warnings };
  },

  async rolldown({ directory, plugins, options }) {
    const warnings: string[] = [];
    const bundle = await rolldown({
      cwd: directory,
      input: "src/main.js",
      platform: "node",
      plugins: [plugins.rolldown(options)],
      onLog: (_level, log) => warnings.push(log.message),
    });
    const file = join(directory, "out-rolldown/main.mjs");
    await bundle.write({ file, sourcemap: true });
    await bundle.close();
    return { file, warnings };
  },

  webpack({ directory, plugins, options }) {
    const config: WebpackConfiguration = {
      ...configuration(directory, "webpack"),
      experiments: { outputModule: true },
      plugins: [plugins.webpack(options)],
    };
    return run((done) => runWebpack(config, done), directory, "webpack");
  },

  rspack({ directory, plugins, options }) {
    const config: RspackConfiguration = {
      ...configuration(directory, "rspack"),
      plugins: [plugins.rspack(options)],
    };
    return run((done) => runRspack(config, done), directory, "rspack");
  },

  async esbuild({ directory, plugins, options }) {
    const file = join(directory, "out-esbuild/main.mjs");
    const { warnings } = await runEsbuild({
      absWorkingDir: directory,
      entryPoints: ["src/main.js"],
      outfile: file,
      bundle: true,
      format: "esm",
      sourcemap: true,
      logLevel: "silent",
      plugins: [plugins.esbuild(options)],
    });
    return { file, warnings: warnings.map(esbuildText) };
  },
};

function esbuildText({ text, location, notes }: Message): string {
  const place = location === null ? "" : `${location.file}:${location.line}:${location.column}: `;
  return [`${place}${text}`, location?.lineText, ...notes.map((note) => note.text)].join("\n");
}

/** What webpack and Rspack read alike. */
function configuration(directory: string, name: string) {
  return {
    context: directory,
    mode: "production" as const,
    target: "node" as const,
    devtool: "source-map" as const,
    entry: "./src/main.js",
    optimization: { minimize: false },
    output: {
      path: join(directory, `out-${name}`),
      filename: "main.mjs",
      library: { type: "module" as const },
    },
  };
}

interface Stats {
  toJson(options: object): {
    readonly errors?: readonly { readonly message: string }[];
    readonly warnings?: readonly { readonly message: string }[];
  };
}

interface Compiler {
  close(done: () => void): void;
}

function run(
  start: (
    done: (error: Error | null | undefined, stats?: Stats) => void,
  ) => Compiler | null | undefined,
  directory: string,
  name: string,
): Promise<Built> {
  return new Promise((resolve, reject) => {
    const compiler = start((error, stats) => {
      const { errors = [], warnings = [] } = stats?.toJson({ errors: true, warnings: true }) ?? {};
      const failure = error ?? (errors[0] === undefined ? null : new Error(errors[0].message));
      const settle = (): void => {
        if (failure !== null) reject(failure);
        else
          resolve({
            file: join(directory, `out-${name}/main.mjs`),
            warnings: warnings.map(({ message }) => message),
          });
      };
      if (compiler) compiler.close(settle);
      else settle();
    });
  });
}
