/** The package as a project has it in node_modules, built in a moment: what `npm run build` writes, without types. */
import { cp, mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import manifest from "../package.json" with { type: "json" };
import bundles from "../tsdown.config.js";
import { isRecord } from "../scripts/rows.js";
import { ROOT } from "./terminal.js";

/** Installs the package and what it depends on into a folder's node_modules. */
export async function installPackage(directory: string): Promise<void> {
  const modules = join(directory, "node_modules");
  const target = join(modules, manifest.name);
  await mkdir(target, { recursive: true });
  for (const name of Object.keys(manifest.dependencies)) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(ROOT, "node_modules", name), join(modules, name), "dir");
  }
  for (const name of ["package.json", "client.d.ts"])
    await cp(join(ROOT, name), join(target, name));
  await build({
    entryPoints: entryPoints(),
    absWorkingDir: ROOT,
    outdir: join(target, "dist"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    packages: "external",
    logLevel: "warning",
  });
}

/** The entries of the real build, so that `exports` in package.json is held to them. */
function entryPoints(): Record<string, string> {
  const entry: unknown = isRecord(bundles) ? bundles["entry"] : undefined;
  if (!isRecord(entry)) throw new Error("tsdown.config.ts has no entries");
  return Object.fromEntries(Object.entries(entry).map(([name, path]) => [name, String(path)]));
}
