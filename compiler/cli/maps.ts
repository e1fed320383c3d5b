/** The source maps that `--source-map` writes beside modules. */
import { rm } from "node:fs/promises";
import { basename, dirname, relative, resolve } from "node:path";
import type { CompileResult } from "../index.js";
import { isStored } from "../load/index.js";
import { readModule } from "./modules.js";
import type { PlannedTemplate } from "./plan.js";

/** A module whose last line names its map, and the map, whose source leads from the module's folder to the template. */
export function withMap(
  { code, map }: Pick<CompileResult, "code" | "map">,
  { file, output }: Pick<PlannedTemplate, "file" | "output">,
): { readonly code: string; readonly map: string } {
  const source = isStored(file) ? file : relative(dirname(output), file).replaceAll("\\", "/");
  const parsed: unknown = JSON.parse(map);
  const linked = Object.assign(headOf(output), parsed, { sources: [urlOf(source)] });
  return {
    code: `${code}//# sourceMappingURL=${urlOf(mapOf(basename(output)))}\n`,
    map: `${JSON.stringify(linked)}\n`,
  };
}

/** Where the map of a module stands. */
export function mapOf(output: string): string {
  return `${output}.map`;
}

/** The map beside a module, if it is one that `--source-map` wrote. */
export async function writtenMap(output: string, directory: string): Promise<string | undefined> {
  const map = await readModule(resolve(directory, mapOf(output)));
  const head = JSON.stringify(headOf(output)).slice(0, -1);
  return map?.startsWith(head) === true ? map : undefined;
}

/** Removes a map that a run with `--source-map` wrote. */
export async function removeMap(output: string, directory: string): Promise<void> {
  await rm(resolve(directory, mapOf(output)), { force: true });
}

/** How the maps of a module begin. */
function headOf(output: string): { readonly version: 3; readonly file: string } {
  return { version: 3, file: basename(output) };
}

/** A path as a relative URL. */
function urlOf(path: string): string {
  return encodeURI(path.toWellFormed()).replaceAll("#", "%23").replaceAll("?", "%3F");
}
