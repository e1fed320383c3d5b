/** What a file's name, or the start of its text, tells of what it holds. */
import type { Dialect } from "../../runtime/index.js";

/** The text of one template; a JSON file with `chat_template`; a model's folder; a GGUF file; an Ollama Modelfile. */
export const FORMS = ["template", "json", "folder", "gguf", "modelfile"] as const;
export type Form = (typeof FORMS)[number];

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
  return DIALECTS.get(extensionOf(file));
}

/** The form that a file's name tells. */
export function formOfName(file: string): Form | undefined {
  if (dialectOf(file) !== undefined) return "template";
  if (/(?:^|[\\/])modelfile(?:[.-][^\\/]*)?$|\.modelfile$/i.test(file)) return "modelfile";
  const extension = extensionOf(file);
  if (extension === ".gguf") return "gguf";
  return extension === ".json" ? "json" : undefined;
}

/** The form that the start of a file's text tells: a template where nothing else does. */
export function formOfText(start: string): Form {
  if (start.startsWith("GGUF")) return "gguf";
  if (/^(\s|#.*\n)*FROM[ \t]+\S/i.test(start)) return "modelfile";
  return /^\s*\{\s*"/.test(start) ? "json" : "template";
}

/** From the last dot of the name on, in lower case; a dot at its start begins no extension. */
function extensionOf(file: string): string {
  return (/[^\\/](\.[^\\/.]*)$/.exec(file)?.[1] ?? "").toLowerCase();
}
