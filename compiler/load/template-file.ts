/** Files that hold one template's text and nothing else. */
import type { Dialect } from "../../runtime/index.js";
import { readText } from "./files.js";
import { LoadError, type LoadedTemplate } from "./loaded.js";
import { dialectOf } from "./told.js";

/** The whole text is the template: a title line before it would be part of every prompt, so none is guessed at. */
export async function loadTemplateFile(
  file: string,
  name: string,
  given: Dialect | undefined,
): Promise<readonly LoadedTemplate[]> {
  const source = await readText(file);
  const dialect = given ?? dialectOf(file);
  if (dialect === undefined) {
    throw new LoadError(
      file,
      "the name does not tell the dialect (jinja, ollama, go): give it with --dialect",
    );
  }
  return [{ name, dialect, source, file, define: {} }];
}
