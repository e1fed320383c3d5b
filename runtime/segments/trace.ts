/**
 * Where the values of one render come from. Containers are the caller's own, or what the template made, and always hold
 * plain values: their origin stands here, beside them. So whatever a rule examines is plain, and lists that a rule
 * slices, turns round or filters keep the origin of what they hold.
 */
import { isDict, value as asValue, type Value } from "../values.js";
import { Held } from "./held.js";
import { Nearby } from "./nearby.js";
import { Place } from "./place.js";
import { isContainer, isInner, isScalar, plain, plainText, Traced, type Text } from "./traced.js";

/** How many containers that were made are compared, before there is a table. */
const FIRST = 4;

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
  readonly #input: unknown;
  /** Notes what is known from the start, once something is looked for: most renders know all places by themselves. */
  #begin: ((trace: Trace) => void) | null;
  /** The containers of the input that are being read. */
  #near: Nearby | null = null;
  /** Where the others stand: those that the walk through the input has come to, the outer ones first. */
  #places: Map<unknown, Place> | null = null;
  /** Those containers in their order, and how many of them have been looked into. */
  #found: object[] = [];
  #entered = 0;
  /** What those are made of that the template or a rule made. */
  #made: Map<unknown, Held> | null = null;
  /** The first few of those, which are compared one by one: most renders make no more. */
  readonly #firstMade: object[] = [];
  readonly #firstHeld: Held[] = [];
  #spelled: Map<unknown, Text> | null = null;
  #indexes: Map<object, ReadonlyMap<unknown, Place | null>> | null = null;
  #methods: Map<object, { readonly owner: unknown; readonly name: string }> | null = null;
  /** What the calls that are under way were given, and what the template's functions in them gave. */
  #calls: { readonly sources: readonly unknown[]; readonly results: unknown[] }[] | null = null;

  constructor(input: unknown, begin: ((trace: Trace) => void) | null = null) {
    this.#input = input;
    this.#begin = begin;
  }

  get #nearby(): Nearby {
    return (this.#near ??= new Nearby(this.#input, this.root));
  }

  #start(): void {
    const begin = this.#begin;
    this.#begin = null;
    begin?.(this);
  }

  /** Notes the place of a container and, once they are asked for, of all in it; the first of several places stays. */
  place(container: unknown, place: Place): void {
    if (Array.isArray(container) && place.parent === this.root) this.#nearby.list(container, place);
    else if (isContainer(container) && !this.#isKnown(container)) this.#note(container, place);
  }

  #note(container: object, place: Place): void {
    this.#walked().set(container, place);
    this.#found.push(container);
  }

  /** The places that the walk has noted; it begins with the whole input. */
  #walked(): Map<unknown, Place> {
    if (this.#places !== null) return this.#places;
    this.#places = new Map([[this.#input, this.root]]);
    if (isContainer(this.#input)) this.#found.push(this.#input);
    return this.#places;
  }

  #isKnown(container: object): boolean {
    return this.#places?.has(container) === true || this.#held(container) !== undefined;
  }

  /** Where a container stands, or what it is made of: the input is walked through as far as that takes. */
  #origin(container: unknown): Place | Held | undefined {
    if (this.#begin !== null) this.#start();
    return (
      this.#held(container) ??
      this.#nearby.known(container) ??
      this.#places?.get(container) ??
      this.#search(container)
    );
  }

  #search(container: unknown): Place | undefined {
    const isWalked = this.#places !== null && this.#entered === this.#found.length;
    if (isWalked || !isContainer(container)) return undefined;
    return this.#nearby.search(container) ?? this.#walk(container);
  }

  #walk(container: object): Place | undefined {
    const places = this.#walked();
    for (let next = this.#found[this.#entered]; next !== undefined;) {
      this.#entered++;
      this.#enter(next, places.get(next) ?? this.root);
      const place = places.get(container);
      if (place !== undefined) return place;
      next = this.#found[this.#entered];
    }
    return undefined;
  }

  /** Notes the places of the containers in one. */
  #enter(container: object, place: Place): void {
    if (Array.isArray(container)) {
      for (let i = 0; i < container.length; i++) {
        const item: unknown = container[i];
        if (isInner(item) && !this.#isKnown(item)) this.#note(item, new Place(place, i));
      }
    } else if (isDict(container) && !ArrayBuffer.isView(container)) {
      for (const key in container) {
        const item = container[key];
        if (isInner(item) && !this.#isKnown(item)) this.#note(item, new Place(place, key));
      }
    }
  }

  /** Notes what is known of a container. */
  know(container: object, held: Held): void {
    const first = this.#firstMade;
    const at = first.indexOf(container);
    if (at < 0 && first.length === FIRST) {
      (this.#made ??= new Map()).set(container, held);
    } else {
      this.#firstHeld[at < 0 ? first.length : at] = held;
      if (at < 0) first.push(container);
    }
  }

  #held(container: unknown): Held | undefined {
    const first = this.#firstMade;
    for (let i = 0; i < first.length; i++) {
      if (first[i] === container) return this.#firstHeld[i];
    }
    return this.#made?.get(container);
  }

  /** A box around a value: it stands where the value stands. */
  boxed(box: unknown, value: unknown): Value {
    if (isContainer(box) && box !== value) {
      const origin = this.#origin(value);
      if (origin instanceof Place) this.#walked().set(box, origin);
      else this.know(box, origin ?? new Held([value]));
    }
    return asValue(box);
  }

  /** What stands in a container of the input. */
  #at(container: Place, key: string | number, value: unknown): unknown {
    if (typeof value === "string") return Traced.item(value, container, key);
    if (value === undefined) return undefined;
    if (isScalar(value)) return Traced.item(value, container, key);
    if (isContainer(value) && this.#nearby.known(value) === undefined) {
      const place = new Place(container, key);
      if (!this.#nearby.add(value, place) && !this.#isKnown(value)) this.#note(value, place);
    }
    return value;
  }

  /** The one place of a container, where it has one. */
  placeOf(container: unknown): Place | null {
    const origin = this.#origin(container);
    return origin instanceof Place ? origin : null;
  }

  /** The place of an item of a list of the input, unless that holds another there. */
  placeAt(list: string, index: number, item: unknown): Place | null {
    const given: unknown = asValue(asValue(this.#input)?.[list])?.[index];
    return given === item ? new Place(new Place(this.root, list), index) : this.placeOf(item);
  }

  /** What stands in a container of the input, with its origin; a container is known from then on. */
  itemIn(container: Place, key: string | number, value: unknown): unknown {
    // What the input itself holds is found in any case.
    return container === this.root && isContainer(value) ? value : this.#at(container, key, value);
  }

  /** What was read of a container, with its origin. */
  item(container: unknown, key: unknown, value: unknown): unknown {
    if (value === undefined) return undefined;
    const origin = this.#origin(container);
    if (origin === undefined && !isContainer(container)) return value;
    if (origin instanceof Place && isKey(key)) return this.#at(origin, key, value);
    if (!isScalar(value)) return this.derived(value, [container]);
    const held = origin instanceof Held ? origin.at(key, value) : undefined;
    if (held !== undefined) return held;
    // A number that is none of those that the container was made of is counted, as a loop's index is.
    return typeof value === "string"
      ? this.derived(value, [container])
      : (this.#equal([container], value, 0) ?? value);
  }

  /** The same of a text, which is what most reads give. */
  text(container: unknown, key: string, text: string): unknown {
    if (this.#begin !== null) this.#start();
    const isMade = this.#held(container) !== undefined;
    const place = isMade ? undefined : this.#nearby.known(container);
    return place === undefined ? this.item(container, key, text) : Traced.item(text, place, key);
  }

  /** A key of a container: it stands where its item stands. */
  key(container: unknown, key: unknown): unknown {
    if (!isContainer(container)) return key;
    const origin = this.#origin(container);
    if (origin instanceof Held) return origin.name(key) ?? this.derived(key, [container]);
    if (origin === undefined) return this.derived(key, [container]);
    return typeof key === "string" ? Traced.item(key, origin, key) : key;
  }

  /** The pairs that a rule gave of a container: a key and its item stand in one place. */
  entries(
    pairs: readonly (readonly [unknown, unknown])[],
    container: unknown,
  ): readonly (readonly [Value, Value])[] {
    const origin = this.#origin(container);
    if (!(origin instanceof Place)) {
      return pairs.map(([key, item]) => [
        asValue(this.key(container, key)),
        asValue(this.item(container, key, item)),
      ]);
    }
    // By position: taking a pair apart costs as much as making the new one.
    return pairs.map((pair): readonly [Value, Value] => {
      const { 0: key, 1: item } = pair;
      if (!isKey(key)) return [asValue(key), asValue(this.item(container, key, item))];
      const known = typeof key === "string" ? Traced.item(key, origin, key) : key;
      return [asValue(known), asValue(this.#at(origin, key, item))];
    });
  }

  /** The same where the items are containers. */
  keys<T>(
    pairs: readonly (readonly [unknown, T])[],
    container: unknown,
  ): readonly (readonly [Value, T])[] {
    const origin = this.#origin(container);
    return pairs.map((pair): readonly [Value, T] => {
      const { 0: key, 1: item } = pair;
      if (!(origin instanceof Place) || typeof key !== "string") {
        this.item(container, key, item);
        return [asValue(this.key(container, key)), item];
      }
      this.#at(origin, key, item);
      return [asValue(Traced.item(key, origin, key)), item];
    });
  }

  /** The items of a list, those that are no containers with their origin. */
  items(list: readonly unknown[]): readonly unknown[] {
    const isPlaced = this.#origin(list) instanceof Place;
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
    this.know(list, held);
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
      held.set(key, item, key);
    }
    this.know(record, held);
    return record;
  }

  /** Notes that a container holds the item under the key from now on; `name`: the key with its origin. */
  hold(container: unknown, key: unknown, item: unknown, name?: unknown): void {
    if (!isContainer(container)) return;
    const origin = this.#origin(container);
    if (origin instanceof Held) {
      origin.set(key, item, name);
    } else if (origin === undefined) {
      const held = new Held([]);
      held.set(key, item, name);
      this.know(container, held);
    }
  }

  /**
   * The result of a rule, with its origin: the one of its sources that it equals, else input if any of its sources
   * has input, of the one place where there is one.
   */
  derived(result: unknown, sources: readonly unknown[]): unknown {
    if (isScalar(result)) return this.#scalar(result, sources);
    if (isContainer(result) && this.#origin(result) === undefined) {
      this.know(result, new Held(sources));
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

  /** Notes of what pieces a text is that is an object of its own, as safe text is. */
  spell(text: unknown, pieces: Text): void {
    (this.#spelled ??= new Map()).set(text, pieces);
  }

  /** The text that a rule wrote of sources: one of them that it equals, else input if any of them has input. */
  printed(text: unknown, sources: readonly unknown[]): unknown {
    if (text === "") return text;
    if (!isScalar(text)) return this.derived(text, sources);
    for (const source of sources) {
      if (source instanceof Traced && Traced.value(source) === text) return source;
      const spelled = this.#spelled?.get(source);
      if (spelled !== undefined && plainText(spelled) === text) return spelled;
    }
    const { isInput, place } = this.#share(sources, 0);
    return isInput ? Traced.whole(text, place) : text;
  }

  /** What a rule gave of one source: most give a text of a text. */
  derivedOf(result: unknown, source: unknown): unknown {
    if (typeof result !== "string" || result === "") return this.derived(result, [source]);
    return source instanceof Traced ? ofText(result, source) : this.derived(result, [source]);
  }

  /** The text that a rule wrote of one source: of a text, or of a container of the input. */
  printedOf(text: unknown, source: unknown): unknown {
    if (typeof text !== "string" || text === "") return this.printed(text, [source]);
    if (source instanceof Traced) return ofText(text, source);
    const place = isContainer(source) ? this.#origin(source) : undefined;
    return place instanceof Place ? Traced.whole(text, place) : this.printed(text, [source]);
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
    const origin = this.#origin(source);
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
    const known = this.#indexes?.get(container);
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
    (this.#indexes ??= new Map()).set(container, index);
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
    const origin = this.#origin(source);
    if (origin instanceof Place) return { isInput: true, place: origin };
    if (origin === undefined && Array.isArray(source) && source.length === 0) return NONE;
    if (origin === undefined || depth > DEPTH) return { isInput: true, place: null };
    return this.#share(origin.sources, depth + 1);
  }

  /** Notes that a value is a method of an owner. */
  bind(method: unknown, owner: unknown, name: string): void {
    if (isContainer(method)) (this.#methods ??= new Map()).set(method, { owner, name });
  }

  /** Whose method a value is. */
  method(value: unknown): { readonly owner: unknown; readonly name: string } | undefined {
    return isContainer(value) ? this.#methods?.get(value) : undefined;
  }

  /** Whether the template or a rule made the container. */
  isMade(container: unknown): container is object {
    return isContainer(container) && this.#origin(container) instanceof Held;
  }

  // ------------------------------------------------------------ the template's functions as values

  /** Runs a rule that may call the template's own functions. */
  within(sources: readonly unknown[], run: () => unknown): unknown {
    const call = { sources, results: [] };
    const calls = (this.#calls ??= []);
    calls.push(call);
    try {
      return this.derived(run(), [...call.results, ...sources]);
    } finally {
      calls.pop();
    }
  }

  /** An argument that a rule passes to one of the template's functions, with its origin. */
  recalled(value: unknown): unknown {
    const call = this.#calls?.at(-1);
    if (call !== undefined) return this.derived(value, call.sources);
    const isText = typeof value === "string" && value !== "";
    return isText ? Traced.whole(value, null) : value;
  }

  /** Notes what one of the template's functions gives a rule. */
  given(result: unknown): void {
    this.#calls?.at(-1)?.results.push(result);
  }
}

/** A text that a rule made of a text or number: it is the same, or comes from there. */
function ofText(text: string, source: Traced): Traced {
  if (Traced.value(source) === text) return source;
  return Traced.isWhole(source)
    ? Traced.like(text, source)
    : Traced.whole(text, Traced.place(source));
}

function isKey(key: unknown): key is string | number {
  return typeof key === "string" || typeof key === "number";
}

/** The items of JSON data by their keys. */
function members(container: object): [string | number, unknown][] {
  if (Array.isArray(container)) return container.map((item: unknown, i) => [i, item]);
  if (!isDict(container) || ArrayBuffer.isView(container)) return [];
  return Object.entries(container);
}
