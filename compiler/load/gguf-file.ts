/** GGUF files on disk, of which only what is asked for is read. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { checkIsFile, READING, reasonOf } from "./files.js";
import { templatesInGguf } from "./gguf.js";
import { LoadError, type LoadedTemplate } from "./loaded.js";

export function loadGguf(file: string, name: string): readonly LoadedTemplate[] {
  const descriptor = attempt(file, () => openSync(file, READING));
  try {
    const entry = attempt(file, () => fstatSync(descriptor));
    checkIsFile(file, entry);
    const { size } = entry;
    const read = (from: number, length: number): Uint8Array => {
      const bytes = new Uint8Array(length);
      const count = attempt(file, () => readSync(descriptor, bytes, 0, length, from));
      return bytes.subarray(0, count);
    };
    return templatesInGguf({ file, size, read }, name);
  } finally {
    closeSync(descriptor);
  }
}

function attempt<T>(file: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new LoadError(file, reasonOf(error));
  }
}
