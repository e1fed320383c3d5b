/**
 * Where the values of one render come from. Containers are the caller's own, or what the template made, and always hold
 * plain values: their origin stands here, beside them. So whatever a rule examines is plain, and lists that a rule
 * slices, turns round or filters keep the origin of what they hold.
 */
import { isDict, type Value } from "../values.js";
import { Held } from "./held.js";
import { Place } from "./place.js";
import { isScalar, plain, Traced } from "./traced.js";

/** How many containers made of containers are looked through. */
const DEPTH = 12;

/** What is known of the input in some sources: whether there is any, and the one place that it comes from. */
interface Share {
  readonly isInput: boolean;
  readonly place: Place | null;
}

const NONE: Share = { isInput: false, place: null };

export class Trace {
  /** The place of the whole input. */
  readonly root = Place.root();
  readonly #origins = new Map<object, Place | Held>();
  readonly #indexes = new Map<object, ReadonlyMap<unknown, Place | null>>();
  readonly #methods = new Map<object, { readonly owner: unknown; readonly name: string }>();
  /** What the calls that are under way were given, and what the template's functions in them gave. */
  readonly #calls: { readonly sources: readonly unknown[]; readonly results: unknown[] }[] = [];

  constructor(input: unknown) {
    this.place(input, this.root);
  }

  /** Notes the places of a container and all containers in it; the first of several places of one stays. */
  place(container: unknown, place: Place): void {
    const waiting: [unknown, Place][] = [[container, place]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [value, at] = next;
      if (!isContainer(value) || this.#origins.has(value)) continue;
      this.#origins.set(value, at);
      const inner = members(value).filter(([, item]) => isContainer(item));
      for (const [key, item] of inner.reverse()) waiting.push([item, new Place(at, key)]);
    }
  }

  /** Notes what is known of a container. */
  know(container: object, held: Held): void {
    this.#origins.set(container, held);
  }

  /** Whether anything is known of a container. */
  knows(container: object): boolean {
    return this.#origins.has(container);
  }

  #at(place: Place, value: unknown): unknown {
    if (value === undefined) return undefined;
    if (isScalar(value)) return Traced.whole(value, place);
    if (isContainer(value) && !this.#origins.has(value)) this.place(value, place);
    return value;
  }

  /** What was read of a container, with its origin. */
  item(container: unknown, key: unknown, value: unknown): unknown {
    if (value === undefined || !isContainer(container)) return value;
    const origin = this.#origins.get(container);
    if (origin instanceof Place && isKey(key)) return this.#at(new Place(origin, key), value);
    if (!isScalar(value)) return this.derived(value, [container]);
    const held = origin instanceof Held ? origin.at(key, value) : undefined;
    if (held !== undefined) return held;
    // A number that is none of those that the container was made of is counted, as a loop's index is.
    return typeof value === "string"
      ? this.derived(value, [container])
      : (this.#equal([container], value, 0) ?? value);
  }

  /** A key of a container: it stands where its item stands. */
  key(container: unknown, key: unknown): unknown {
    if (!isContainer(container)) return key;
    const origin = this.#origins.get(container);
    if (!(origin instanceof Place)) return this.derived(key, [container]);
    return typeof key === "string" ? Traced.whole(key, new Place(origin, key)) : key;
  }

  /** The items of a list, those that are no containers with their origin. */
  items(list: readonly unknown[]): readonly unknown[] {
    const isPlaced = this.#origins.get(list) instanceof Place;
    if (isPlaced && list.every(isContainer)) return list;
    return list.map((item, i) => this.item(list, i, item));
  }

  /** A list that the template makes, of items with their origin: the list itself holds them plain. */
  list(items: readonly unknown[]): Value[] {
    const list = items.map(plain);
    const held = new Held([]);
    items.forEach((item, i) => {
      held.set(i, item);
    });
    this.#origins.set(list, held);
    return list;
  }

  /** The same of a plain object. */
  record(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const record: Record<string, unknown> = {};
    const held = new Held([]);
    for (const [key, item] of Object.entries(fields)) {
      Object.defineProperty(record, key, {
        value: plain(item),
        enumerable: true,
        configurable: true,
        writable: true,
      });
      held.set(key, item);
    }
    this.#origins.set(record, held);
    return record;
  }

  /** Notes that a container holds the item under the key from now on. */
  hold(container: unknown, key: unknown, item: unknown): void {
    if (!isContainer(container)) return;
    const origin = this.#origins.get(container);
    if (origin instanceof Held) {
      origin.set(key, item);
    } else if (origin === undefined) {
      const held = new Held([]);
      held.set(key, item);
      this.#origins.set(container, held);
    }
  }

  /**
   * The result of a rule, with its origin: the one of its sources that it equals, else input if any of its sources
   * has input, of the one place where there is one.
   */
  derived(result: unknown, sources: readonly unknown[]): unknown {
    if (isScalar(result)) return this.#scalar(result, sources);
    if (isContainer(result) && !this.#origins.has(result)) {
      this.#origins.set(result, new Held(sources));
    }
    return result;
  }

  #scalar(result: unknown, sources: readonly unknown[]): unknown {
    if (result === undefined || result === null || result === "") return result;
    const equal = this.#equal(sources, result, 0);
    if (equal !== undefined || typeof result === "boolean") return equal ?? result;
    const { isInput, place } = this.#share(sources, 0);
    return isInput ? Traced.whole(result, place) : result;
  }

  /** The source that the value equals, or an item of one; input before the template's own. */
  #equal(sources: readonly unknown[], value: unknown, depth: number): unknown {
    let own: unknown;
    for (const source of sources) {
      const found = this.#equalIn(source, value, depth);
      if (found instanceof Traced) return found;
      own ??= found;
    }
    return own;
  }

  #equalIn(source: unknown, value: unknown, depth: number): unknown {
    if (source instanceof Traced) return Traced.value(source) === value ? source : undefined;
    if (!isContainer(source)) return source === value ? source : undefined;
    const origin = this.#origins.get(source);
    if (origin instanceof Place) {
      const place = this.#index(source, origin).get(value);
      return place === undefined ? undefined : Traced.whole(value, place);
    }
    return origin === undefined || depth > DEPTH
      ? undefined
      : this.#equal(origin.sources, value, depth + 1);
  }

  /** The places of the texts and numbers in a container, the shallowest first; null where there are several. */
  #index(container: object, origin: Place): ReadonlyMap<unknown, Place | null> {
    const known = this.#indexes.get(container);
    if (known !== undefined) return known;
    const index = new Map<unknown, Place | null>();
    const seen = new Set<object>();
    let level: [object, Place][] = [[container, origin]];
    while (level.length > 0) {
      const found = new Map<unknown, Place | null>();
      const add = (value: unknown, place: Place): void => {
        const before = found.get(value);
        const isOther = before !== undefined && !Place.same(before, place);
        found.set(value, isOther ? null : place);
      };
      const next: [object, Place][] = [];
      for (const [object, at] of level) {
        if (seen.has(object)) continue;
        seen.add(object);
        for (const [key, item] of members(object)) {
          const place = new Place(at, key);
          if (typeof key === "string") add(key, place);
          if (isContainer(item)) next.push([item, place]);
          else add(item, place);
        }
      }
      for (const [value, place] of found) if (!index.has(value)) index.set(value, place);
      level = next;
    }
    this.#indexes.set(container, index);
    return index;
  }

  #share(sources: readonly unknown[], depth: number): Share {
    let share = NONE;
    for (const source of sources) {
      const { isInput, place } = this.#shareOf(source, depth);
      if (!isInput) continue;
      if (!share.isInput) share = { isInput, place };
      else if (!Place.same(share.place, place)) return { isInput, place: null };
    }
    return share;
  }

  #shareOf(source: unknown, depth: number): Share {
    if (source instanceof Traced) return { isInput: true, place: Traced.place(source) };
    if (!isContainer(source)) return NONE;
    const origin = this.#origins.get(source);
    if (origin instanceof Place) return { isInput: true, place: origin };
    if (origin === undefined || depth > DEPTH) return { isInput: true, place: null };
    return this.#share(origin.sources, depth + 1);
  }

  /** Notes that a value is a method of an owner. */
  bind(method: unknown, owner: unknown, name: string): void {
    if (isContainer(method)) this.#methods.set(method, { owner, name });
  }

  /** Whose method a value is. */
  method(value: unknown): { readonly owner: unknown; readonly name: string } | undefined {
    return isContainer(value) ? this.#methods.get(value) : undefined;
  }

  /** Whether the template or a rule made the container. */
  isMade(container: unknown): container is object {
    return isContainer(container) && this.#origins.get(container) instanceof Held;
  }

  // ------------------------------------------------------------ the template's functions as values

  /** Runs a rule that may call the template's own functions. */
  within(sources: readonly unknown[], run: () => unknown): unknown {
    const call = { sources, results: [] };
    this.#calls.push(call);
    try {
      return this.derived(run(), [...call.results, ...sources]);
    } finally {
      this.#calls.pop();
    }
  }

  /** An argument that a rule passes to one of the template's functions, with its origin. */
  recalled(value: unknown): unknown {
    const call = this.#calls.at(-1);
    return call === undefined ? value : this.derived(value, call.sources);
  }

  /** Notes what one of the template's functions gives a rule. */
  given(result: unknown): void {
    this.#calls.at(-1)?.results.push(result);
  }
}

function isKey(key: unknown): key is string | number {
  return typeof key === "string" || typeof key === "number";
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && !isScalar(value) && !(value instanceof Traced);
}

/** The items of JSON data by their keys. */
function members(container: object): [string | number, unknown][] {
  if (Array.isArray(container)) return container.map((item: unknown, i) => [i, item]);
  if (!isDict(container) || ArrayBuffer.isView(container)) return [];
  return Object.entries(container);
}
