/** Templates in files that are opened or dropped, and in text that is pasted. */
import type { GgufBytes } from "../../../compiler/load/gguf-head.js";
import { templatesInGguf } from "../../../compiler/load/gguf.js";
import {
  field,
  isJsonObject,
  parseJsonFile,
  parseJsonObject,
} from "../../../compiler/load/json.js";
import { LoadError, nameVariants, type LoadedTemplate } from "../../../compiler/load/loaded.js";
import { templatesInModelfile } from "../../../compiler/load/modelfile.js";
import { specialTokensOf } from "../../../compiler/load/special-tokens.js";
import { templatesIn } from "../../../compiler/load/template-field.js";
import { dialectOf, formOfName, formOfText, type Form } from "../../../compiler/load/told.js";
import type { Dialect } from "../../../runtime/index.js";
import type { Opened } from "./job.js";

/** Larger files than this are no text of a template; of a GGUF file only the head is read. */
const MOST_BYTES = 64 * 2 ** 20;
const START_BYTES = 4096;

/** The templates of a file; throws a LoadError where it holds none. In a worker only: GGUF files are read on demand. */
export function openFile(file: File): readonly Opened[] {
  const bytes = bytesOf(file);
  const start = new TextDecoder().decode(bytes.read(0, Math.min(START_BYTES, file.size)));
  const form = start.startsWith("GGUF") ? "gguf" : (formOfName(file.name) ?? formOfText(start));
  const name = file.name.replace(/(?<=.)\.[^.]*$/, "");
  if (form === "gguf") return templatesInGguf(bytes, name).map(opened);
  if (file.size > MOST_BYTES) throw new LoadError(file.name, "is too large for a template");
  return templatesOf(form, file.name, name, bytes.read(0, file.size)).map(opened);
}

/** The templates of a text: itself, unless it is a JSON file with templates, or a Modelfile with one. */
export function openText(text: string): readonly Opened[] {
  const form = formOfText(text.slice(0, START_BYTES));
  const bytes = new TextEncoder().encode(text);
  const isWhole = form === "template" || (form === "json" && !holdsTemplates(text));
  return templatesOf(isWhole ? "template" : form, "pasted", "pasted", bytes).map(opened);
}

function holdsTemplates(text: string): boolean {
  try {
    const value = parseJsonFile("pasted", text);
    return isJsonObject(value) && field(value, "chat_template") !== undefined;
  } catch {
    return false;
  }
}

function bytesOf(file: File): GgufBytes {
  const read = (from: number, length: number): Uint8Array =>
    new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.slice(from, from + length)));
  return { file: file.name, size: file.size, read };
}

function templatesOf(
  form: Form,
  file: string,
  name: string,
  bytes: Uint8Array,
): readonly LoadedTemplate[] {
  if (form === "modelfile") return templatesInModelfile(file, name, bytes);
  const text = textOf(file, bytes);
  if (form !== "json") {
    return [
      { name, dialect: dialectOf(file) ?? dialectOfText(text), source: text, file, define: {} },
    ];
  }
  const config = parseJsonObject(file, text);
  const variants = templatesIn({ file, config });
  if (variants.length === 0) throw new LoadError(file, "has no chat_template");
  return nameVariants(name, variants, {
    dialect: "jinja",
    define: specialTokensOf({ file, config }),
  });
}

function textOf(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new LoadError(file, "is not valid UTF-8");
  }
}

/** What only Go's templates have between their braces: a field of the dot, a variable, a keyword at the start. */
const GO_ACTION =
  /\{\{-?\s*(?:\.|\$|\/\*|(?:if|else|end|range|with|define|block|template|break|continue)\b)/;

/** The dialect that a template's text shows; Jinja where nothing does. */
function dialectOfText(text: string): Dialect {
  return !/\{[%#]/.test(text) && GO_ACTION.test(text) ? "ollama" : "jinja";
}

function opened({ name, variant, dialect, source, define, modelfile }: LoadedTemplate): Opened {
  return {
    name,
    variant: variant ?? "default",
    dialect,
    source,
    define,
    ...(modelfile === undefined ? {} : { modelfile }),
  };
}
