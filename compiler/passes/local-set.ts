/** Sets of locals that are values: a set with one local more is another set, and costs a bit for each local. */
import type { Local } from "../ir/nodes.js";

/** Small integers have 31 bits in JavaScript engines. */
const BITS = 30;

export class LocalSet {
  static readonly none = new LocalSet([]);
  readonly #words: readonly number[];

  private constructor(words: readonly number[]) {
    this.#words = words;
  }

  has({ id }: Local): boolean {
    return ((this.#words[Math.floor(id / BITS)] ?? 0) & (1 << (id % BITS))) !== 0;
  }

  /** The very set where it has them all. */
  with(locals: readonly Local[]): LocalSet {
    const missing = locals.filter((local) => !this.has(local));
    if (missing.length === 0) return this;
    const words = this.#words.slice();
    for (const { id } of missing) {
      const at = Math.floor(id / BITS);
      while (words.length <= at) words.push(0);
      words[at] = (words[at] ?? 0) | (1 << (id % BITS));
    }
    return new LocalSet(words);
  }

  /** The very set where it has none of them. */
  without(locals: readonly Local[]): LocalSet {
    const present = locals.filter((local) => this.has(local));
    if (present.length === 0) return this;
    const words = this.#words.slice();
    for (const { id } of present) {
      const at = Math.floor(id / BITS);
      words[at] = (words[at] ?? 0) & ~(1 << (id % BITS));
    }
    return new LocalSet(words);
  }

  /** What is in either; this very set where the other has nothing more. */
  union(other: LocalSet): LocalSet {
    const [ours, theirs] = [this.#words, other.#words];
    if (ours === theirs || theirs.every((word, at) => (word & ~(ours[at] ?? 0)) === 0)) return this;
    const [longer, shorter] = ours.length < theirs.length ? [theirs, ours] : [ours, theirs];
    return new LocalSet(longer.map((word, at) => word | (shorter[at] ?? 0)));
  }
}
