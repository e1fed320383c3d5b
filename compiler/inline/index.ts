/**
 * The part of the runtime that generated modules use, as files beside them: `runtime: "inline"`.
 *
 * module → names that it imports → reachable declarations of runtime/*.ts → pruned files
 */
import { importedNames } from "./imports.js";
import { printFile } from "./print.js";
import { RuntimeSources } from "./reach.js";

/** The folder beside the modules, and how a module imports from it. */
const FOLDER = "runtime";

/**
 * The files by their paths from the modules' folder, for the code of modules that were compiled for it.
 * Throws where a module imports what the runtime in `sources`, an absolute path, does not have.
 */
export function inlinedRuntime(
  modules: readonly string[],
  sources: string,
): ReadonlyMap<string, string> {
  const runtime = new RuntimeSources(sources);
  for (const code of modules) {
    for (const [entry, names] of importedNames(code, FOLDER)) {
      for (const name of names) {
        if (runtime.use(entry, name)) continue;
        const [header = ""] = code.split("\n", 1);
        throw new Error(
          `the runtime has no ${name} in ${entry}, which a module imports; generate it again: ${header}`,
        );
      }
    }
  }
  const files = new Map<string, string>();
  for (const [path, source] of runtime.files()) {
    files.set(`${FOLDER}/${path}`, printFile(source, runtime));
  }
  return files;
}
