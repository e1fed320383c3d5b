/** What is known of a container that the template or a rule made: what it was made of. */
import { plain } from "./traced.js";

/** The origin of a container's items: by key where the key is known, else by what they equal among its sources. */
export class Held {
  readonly #made: readonly unknown[];
  #items: Map<unknown, unknown> | null = null;
  #names: Map<unknown, unknown> | null = null;

  /** `made`: what a rule made the container of. */
  constructor(made: readonly unknown[]) {
    this.#made = made;
  }

  get sources(): readonly unknown[] {
    if (this.#items === null) return this.#made;
    return [...this.#made, ...(this.#names?.values() ?? []), ...this.#items.values()];
  }

  /** Notes an item with its origin; `name`: its key, with its origin. */
  set(key: unknown, item: unknown, name?: unknown): void {
    (this.#items ??= new Map()).set(key, item);
    if (name !== undefined) (this.#names ??= new Map()).set(key, name);
  }

  /** The item as it was put in, if it is still what stands there. */
  at(key: unknown, value: unknown): unknown {
    const item = this.#items?.get(key);
    return item !== undefined && plain(item) === value ? item : undefined;
  }

  /** The key of an item as it was put in. */
  name(key: unknown): unknown {
    return this.#names?.get(key);
  }
}
