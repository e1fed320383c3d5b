/** Reads files; every failure names the file. */
import { readdir, readFile, stat } from "node:fs/promises";
import type { Stats } from "node:fs";
import { parseJsonObject, type JsonObject } from "./json.js";
import { LoadError } from "./loaded.js";

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "no such file"],
  ["ENOTDIR", "no such file: a folder of its path is a file"],
  ["EEXIST", "a file of that name is in the way"],
  ["ENOSPC", "no space is left"],
  ["EISDIR", "is a directory"],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["ELOOP", "is a link to itself"],
  ["ENAMETOOLONG", "the name is too long"],
]);

/** What a file system error means, in words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return REASONS.get(code) ?? error.message;
}

/** What stands at a path; undefined where nothing does. */
export async function entryAt(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

export async function isFile(path: string): Promise<boolean> {
  return (await entryAt(path))?.isFile() === true;
}

export async function isDirectory(path: string): Promise<boolean> {
  return (await entryAt(path))?.isDirectory() === true;
}

/** The names in a directory, sorted; none where it does not exist. */
export async function namesIn(directory: string): Promise<readonly string[]> {
  return (await readdir(directory).catch((): string[] => [])).toSorted();
}

/** Larger files than this are no template, whatever their names say. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

export async function readBytes(file: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(file);
    if (size > MAX_TEXT_BYTES) throw new LoadError(file, "is too large for a template");
    return await readFile(file);
  } catch (error) {
    throw error instanceof LoadError ? error : new LoadError(file, reasonOf(error));
  }
}

/** Both engines read templates as UTF-8; a byte order mark stays, as they keep it. */
export async function readText(file: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readBytes(file));
  } catch (error) {
    throw error instanceof LoadError ? error : new LoadError(file, "is not valid UTF-8");
  }
}

/** The object that a JSON file holds. */
export async function readJsonObject(file: string): Promise<JsonObject> {
  return parseJsonObject(file, await readText(file));
}
