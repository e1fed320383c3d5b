/** Loads templates from where they are published, each form of distribution in a file of its own. */
import { basename, extname } from "node:path";
import type { Dialect } from "../../runtime/index.js";
import { readBytes } from "./files.js";
import { formOf } from "./form.js";
import { loadGguf } from "./gguf-file.js";
import { loadFromHub } from "./hub-cache.js";
import { loadJsonFile } from "./json-file.js";
import { DEFAULT_VARIANT, LoadError, type LoadedTemplate } from "./loaded.js";
import { parseLocation, type Location } from "./location.js";
import { templatesInModelfile } from "./modelfile.js";
import { loadModelFolder } from "./model-folder.js";
import { loadFromOllama } from "./ollama-store.js";
import { loadTemplateFile } from "./template-file.js";
import type { Form } from "./told.js";

export { reasonOf } from "./files.js";
export { LoadError, type LoadedTemplate, type ModelfileSettings } from "./loaded.js";
export { isStored } from "./location.js";
export { isModelFolder } from "./model-folder.js";
export { FORMS, TEMPLATE_EXTENSIONS, type Form } from "./told.js";

export interface LoadOptions {
  /** For files whose names do not tell it. */
  readonly dialect?: Dialect | undefined;
  /** For files whose names and content do not tell it. */
  readonly form?: Form | undefined;
  /** What relative paths start from; the working directory by default. */
  readonly directory?: string | undefined;
}

/** The templates of a location: all of them, or the one after `#`. Throws a LoadError where there is none. */
export async function load(
  location: string,
  options: LoadOptions = {},
): Promise<readonly LoadedTemplate[]> {
  const parsed = await parseLocation(location, options.directory ?? process.cwd());
  const templates = (await loadAll(parsed, options)).map(withSlashes);
  if (parsed.variant === undefined) return templates;
  const picked = templates.filter((each) => variantOf(each) === parsed.variant);
  if (picked.length > 0) return picked;
  throw new LoadError(location, `no template of that name; there are: ${namesOf(templates)}`);
}

/** The template of a location: the one after `#`, the only one, or the one named `default`. */
export async function loadOne(
  location: string,
  options: LoadOptions = {},
): Promise<LoadedTemplate> {
  const templates = await load(location, options);
  const chosen =
    templates.length === 1
      ? templates[0]
      : templates.find((each) => variantOf(each) === DEFAULT_VARIANT);
  if (chosen !== undefined) return chosen;
  throw new LoadError(
    location,
    `holds several templates, none named ${DEFAULT_VARIANT}: put # and a name after it: ${namesOf(templates)}`,
  );
}

function loadAll(
  { from, name }: Location,
  options: LoadOptions,
): Promise<readonly LoadedTemplate[]> {
  if (from === "hub") return loadFromHub(name);
  return from === "ollama" ? loadFromOllama(name) : loadPath(name, options);
}

async function loadPath(
  path: string,
  { dialect, form }: LoadOptions,
): Promise<readonly LoadedTemplate[]> {
  const name = basename(path, extname(path));
  switch (form ?? (await formOf(path, dialect !== undefined))) {
    case "folder":
      return loadModelFolder(path);
    case "gguf":
      return loadGguf(path, name);
    case "json":
      return loadJsonFile(path, name);
    case "modelfile":
      return templatesInModelfile(path, name, await readBytes(path));
    case "template":
      return loadTemplateFile(path, name, dialect);
  }
}

function variantOf({ variant = DEFAULT_VARIANT }: LoadedTemplate): string {
  return variant;
}

function namesOf(templates: readonly LoadedTemplate[]): string {
  return templates.map(variantOf).join(", ");
}

/** Headers of generated files read the same on every system. */
function withSlashes(template: LoadedTemplate): LoadedTemplate {
  return { ...template, file: template.file.replaceAll("\\", "/") };
}
