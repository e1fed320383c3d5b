/** Reads files; every failure names the file. */
import { constants, type Stats } from "node:fs";
import { open, readdir, stat, type FileHandle } from "node:fs/promises";
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

/** How files are opened: a pipe without a writer would else be waited for. */
export const READING = constants.O_RDONLY | constants.O_NONBLOCK;

/** Of a link only what it leads to counts; a device or a pipe may have no end, and a model's folder may link to one. */
export function checkIsFile(file: string, entry: Stats): void {
  if (entry.isDirectory()) throw new LoadError(file, "is a directory");
  if (!entry.isFile()) throw new LoadError(file, "is a device, a pipe or a socket");
}

/** What `read` gives of an open file; throws a LoadError where that fails, and where there is no regular file. */
export async function withFile<T>(
  file: string,
  read: (handle: FileHandle, size: number) => Promise<T>,
): Promise<T> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, READING);
    const entry = await handle.stat();
    checkIsFile(file, entry);
    return await read(handle, entry.size);
  } catch (error) {
    throw error instanceof LoadError ? error : new LoadError(file, reasonOf(error));
  } finally {
    await handle?.close();
  }
}

/** Files of /proc and the like have no size, and files may grow: what is read is counted. */
export async function readBytes(file: string): Promise<Uint8Array> {
  return withFile(file, async (handle, size) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for (let room = size + 1; length <= MAX_TEXT_BYTES && size <= MAX_TEXT_BYTES; room = 65_536) {
      const { buffer, bytesRead } = await handle.read(new Uint8Array(room), 0, room, null);
      if (bytesRead === 0) return Buffer.concat(chunks);
      chunks.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
    }
    throw new LoadError(file, "is too large for a template");
  });
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
