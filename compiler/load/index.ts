/** Loads templates from where they are published: for now from files that hold one template. */
import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { Dialect } from "../../runtime/index.js";

export interface LoadedTemplate {
  readonly name: string;
  readonly dialect: Dialect;
  readonly source: string;
  readonly file: string;
  /** Constants that the distribution fixes, such as special tokens. */
  readonly define: Readonly<Record<string, string>>;
}

/** The location holds no template that can be read. */
export class LoadError extends Error {
  readonly file: string;

  constructor(file: string, message: string) {
    super(`${file}: ${message}`);
    this.name = "LoadError";
    this.file = file;
  }
}

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

/** The templates of a location; `dialect` is for files whose names do not tell it. */
export async function load(
  location: string,
  options: { readonly dialect?: Dialect | undefined } = {},
): Promise<readonly LoadedTemplate[]> {
  const source = decode(location, await read(location));
  const dialect = options.dialect ?? dialectOf(location);
  if (dialect === undefined) {
    throw new LoadError(location, "the name does not tell the dialect (jinja, ollama, go)");
  }
  const name = basename(location, extname(location));
  return [{ name, dialect, source, file: location.replaceAll("\\", "/"), define: {} }];
}

async function read(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new LoadError(file, reasonOf(error));
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "no such file"],
  ["ENOTDIR", "no such file"],
  ["EISDIR", "is a directory"],
  ["EACCES", "permission denied"],
]);

/** What a file system error means, in words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return REASONS.get(code) ?? error.message;
}

/** Both engines read templates as UTF-8; a byte order mark stays, as they keep it. */
function decode(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new LoadError(file, "is not valid UTF-8");
  }
}
