/** What is known of a container that the template or a rule made: what it was made of. */
import { plain } from "./traced.js";

/** The origin of a container's items: by key where the key is known, else by what they equal among its sources. */
export class Held {
  readonly #made: readonly unknown[];
  readonly #keyed = new Map<unknown, unknown>();

  /** `made`: what a rule made the container of. */
  constructor(made: readonly unknown[]) {
    this.#made = made;
  }

  get sources(): readonly unknown[] {
    return this.#keyed.size === 0 ? this.#made : [...this.#made, ...this.#keyed.values()];
  }

  /** Notes an item with its origin. */
  set(key: unknown, item: unknown): void {
    this.#keyed.set(key, item);
  }

  /** The item as it was put in, if it is still what stands there. */
  at(key: unknown, value: unknown): unknown {
    const item = this.#keyed.get(key);
    return item !== undefined && plain(item) === value ? item : undefined;
  }
}
