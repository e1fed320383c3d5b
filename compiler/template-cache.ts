/** Templates by their source, the ones used last: for servers that get a template's text with each request. */
import type { Dialect } from "./options.js";
import type { Template } from "./template.js";

/** Keeps what was compiled, up to a number of templates. */
export interface TemplateCache {
  /**
   * The template of a source, compiled at most once while it is kept; a CompileError is thrown each time, since what
   * is refused takes no place.
   */
  get(source: string, options?: { readonly dialect?: Dialect }): Template;
}

interface Entry {
  readonly template: Template;
  /** When it was last asked for, in calls. */
  used: number;
}

/** A cache of the `max` templates that were used last. */
export class LruCache implements TemplateCache {
  readonly #max: number;
  readonly #make: (source: string, dialect: Dialect) => Template;
  /** By dialect, so that the text itself is the key: its hash is known from the last time. Each map's oldest is first. */
  readonly #kept: Readonly<Record<Dialect, Map<string, Entry>>> = {
    jinja: new Map(),
    ollama: new Map(),
    go: new Map(),
  };
  #calls = 0;

  constructor(max: number, make: (source: string, dialect: Dialect) => Template) {
    if (!Number.isSafeInteger(max) || max < 1) {
      throw new RangeError(
        `a template cache keeps a whole number of templates, 1 at least: ${max}`,
      );
    }
    this.#max = max;
    this.#make = make;
  }

  get(source: string, { dialect = "jinja" }: { readonly dialect?: Dialect } = {}): Template {
    const kept = this.#kept[dialect];
    const known = kept.get(source);
    const entry = known ?? { template: this.#make(source, dialect), used: 0 };
    if (known === undefined) this.#makeRoom();
    else kept.delete(source);
    entry.used = ++this.#calls;
    kept.set(source, entry);
    return entry.template;
  }

  #makeRoom(): void {
    const maps = Object.values(this.#kept);
    const size = maps.reduce((sum, map) => sum + map.size, 0);
    if (size < this.#max) return;
    let oldest: { readonly map: Map<string, Entry>; readonly key: string; used: number } | null =
      null;
    for (const map of maps) {
      const [first] = map;
      if (first === undefined) continue;
      const [key, { used }] = first;
      if (oldest === null || used < oldest.used) oldest = { map, key, used };
    }
    oldest?.map.delete(oldest.key);
  }
}
