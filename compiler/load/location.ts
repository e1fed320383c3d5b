/** Locations as people write them: a path, `hf:org/name`, `ollama:name:tag`; `#name` picks one of several templates. */
import { resolve } from "node:path";
import { entryAt } from "./files.js";

export interface Location {
  readonly from: "disk" | "hub" | "ollama";
  /** An absolute path, or the name of a model. */
  readonly name: string;
  /** What stands after `#`. */
  readonly variant?: string;
}

const STORES = [
  ["hf:", "hub"],
  ["ollama:", "ollama"],
] as const;

/** Whether a location names a model in a store instead of a file. */
export function isStored(location: string): boolean {
  return STORES.some(([prefix]) => location.startsWith(prefix));
}

/** A path that exists as it is written is that path, also with `#` or `hf:` in it. */
export async function parseLocation(text: string, directory: string): Promise<Location> {
  const path = resolve(directory, text);
  if ((await entryAt(path)) !== undefined) return { from: "disk", name: path };
  const hash = text.lastIndexOf("#");
  const whole = hash < 0 ? text : text.slice(0, hash);
  const variant = hash < 0 ? {} : { variant: text.slice(hash + 1) };
  const store = STORES.find(([prefix]) => whole.startsWith(prefix));
  if (store === undefined) return { from: "disk", name: resolve(directory, whole), ...variant };
  return { from: store[1], name: whole.slice(store[0].length), ...variant };
}
