/** In what form a file or folder holds its templates. */
import { open } from "node:fs/promises";
import { basename, extname } from "node:path";
import { isDirectory, reasonOf } from "./files.js";
import { LoadError } from "./loaded.js";
import { dialectOf } from "./template-file.js";

/** The text of one template; a JSON file with `chat_template`; a model's folder; a GGUF file; an Ollama Modelfile. */
export const FORMS = ["template", "json", "folder", "gguf", "modelfile"] as const;
export type Form = (typeof FORMS)[number];

/** The form that the name tells, else the content; a file of unknown form is a template whose dialect must be given. */
export async function formOf(path: string, isDialectGiven: boolean): Promise<Form> {
  if (await isDirectory(path)) return "folder";
  const named = formOfName(path);
  if (named !== undefined) return named;
  const head = await headOf(path);
  if (head.startsWith("GGUF")) return "gguf";
  if (isDialectGiven) return "template";
  if (/^(\s|#.*\n)*FROM[ \t]+\S/i.test(head)) return "modelfile";
  return /^\s*\{\s*"/.test(head) ? "json" : "template";
}

function formOfName(path: string): Form | undefined {
  if (dialectOf(path) !== undefined) return "template";
  const name = basename(path).toLowerCase();
  if (/^modelfile([.-]|$)|\.modelfile$/.test(name)) return "modelfile";
  const extension = extname(name);
  if (extension === ".gguf") return "gguf";
  return extension === ".json" ? "json" : undefined;
}

const HEAD_BYTES = 4096;

async function headOf(path: string): Promise<string> {
  const handle = await open(path).catch((error: unknown) => {
    throw new LoadError(path, reasonOf(error));
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } catch (error) {
    throw new LoadError(path, reasonOf(error));
  } finally {
    await handle.close();
  }
}
