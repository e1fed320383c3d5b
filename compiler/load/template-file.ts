/** Files that hold one template's text and nothing else. */
import { extname } from "node:path";
import type { Dialect } from "../../runtime/index.js";
import { readText } from "./files.js";
import { LoadError, type LoadedTemplate } from "./loaded.js";

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  [".jinja", "jinja"],
  [".j2", "jinja"],
  [".gotmpl", "ollama"],
  [".tmpl", "ollama"],
]);

/** The extensions, without the dot, of files whose dialect is known from the name. */
export const TEMPLATE_EXTENSIONS: readonly string[] = [...DIALECTS.keys()].map((dotted) =>
  dotted.slice(1),
);

/** The dialect that a file's name tells: `.jinja`, `.j2` → jinja; `.gotmpl`, `.tmpl` → ollama. */
export function dialectOf(file: string): Dialect | undefined {
  return DIALECTS.get(extname(file).toLowerCase());
}

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
