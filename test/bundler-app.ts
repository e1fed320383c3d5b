/** Apps for the bundler plugin, written to a folder; the plugin comes from the installed package. */
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Plugins from "../compiler/bundler/index.js";
import { isRecord } from "../scripts/rows.js";

export const BUNDLERS = ["vite", "rollup", "rolldown", "webpack", "rspack", "esbuild"] as const;
export type Bundler = (typeof BUNDLERS)[number];

/** The plugin as an app imports it, each bundler's from an entry of its own. */
export async function installedPlugins(directory: string): Promise<typeof Plugins> {
  const require = createRequire(join(directory, "package.json"));
  const plugins: Record<string, unknown> = {};
  for (const name of BUNDLERS) {
    const path = require.resolve(`chat-template-compiler/${name}`);
    const entry: unknown = await import(pathToFileURL(path).href);
    plugins[name] = isRecord(entry) ? entry["default"] : undefined;
  }
  if (!arePlugins(plugins)) throw new Error("an entry has no default export");
  return plugins;
}

function arePlugins(plugins: object): plugins is typeof Plugins {
  return Object.values(plugins).every((each) => typeof each === "function");
}

export async function writeFiles(
  directory: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content);
  }
}
