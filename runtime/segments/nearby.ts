/**
 * Where the containers of the input stand that are read one after the other, as a loop over the messages reads them:
 * the lists of the input itself, and what is in the item that is being read. So few are compared one by one, which is
 * faster than a table of all that the input holds.
 */
import { isDict } from "../values.js";
import { Place } from "./place.js";
import { isContainer, isInner } from "./traced.js";

/** How many containers are compared: the input's own, and with those of the item. */
const MOST_OUTER = 16;
const MOST = 48;

/** How many of a list's next items are compared: templates leave some out. */
const AHEAD = 4;

/** A list of the input, and which of its items is being read. */
interface List {
  readonly items: readonly unknown[];
  readonly place: Place;
  index: number;
}

export class Nearby {
  /** The input and the containers in it; after them the current item and, as far as was asked, those in the item. */
  readonly #containers: unknown[] = [];
  readonly #places: Place[] = [];
  /** How many there are now; what stands behind them was of another item. */
  #size = 0;
  /** How many of them are the input's. */
  #outer = 0;
  /** How many of them have been looked into. */
  #entered = 0;
  /** The one that was asked for last. */
  #last: unknown;
  #lastPlace: Place | undefined;
  readonly #lists: List[] = [];
  #current: List | null = null;

  constructor(input: unknown, root: Place) {
    if (!isContainer(input)) return;
    this.add(input, root);
    this.#enter(input, root, MOST_OUTER);
    for (let i = 1; i < this.#size; i++) this.#addList(this.#containers[i], this.#places[i]);
    this.#outer = this.#size;
    this.#entered = this.#size;
  }

  /** Notes another list that stands in the input itself. */
  list(items: readonly unknown[], place: Place): void {
    if (this.#outer === this.#size && this.add(items, place)) {
      this.#outer++;
      this.#entered++;
    }
    this.#addList(items, place);
  }

  #addList(items: unknown, place: Place | undefined): void {
    if (Array.isArray(items) && place !== undefined) this.#lists.push({ items, place, index: -1 });
  }

  /** The place of a container that is near. */
  known(container: unknown): Place | undefined {
    return container === this.#last ? this.#lastPlace : this.#find(container);
  }

  #find(container: unknown): Place | undefined {
    const containers = this.#containers;
    for (let i = this.#size - 1; i >= 0; i--) {
      if (containers[i] === container) return this.#found(container, this.#places[i]);
    }
    const list = this.#current;
    return list === null ? undefined : this.#itemOf(list, list.index + 1, container);
  }

  #found(container: unknown, place: Place | undefined): Place | undefined {
    this.#last = container;
    this.#lastPlace = place;
    return place;
  }

  /** The same of one that stands deep in the current item, or in the next of a list. */
  search(container: unknown): Place | undefined {
    const key = keyOf(container, this.#last);
    if (key !== null && this.#lastPlace !== undefined) {
      const place = new Place(this.#lastPlace, key);
      if (this.add(container, place)) return place;
    }
    const before = this.#current;
    if (before !== null && keyOf(container, before.items[before.index + 1]) !== null) {
      this.#move(before, before.index + 1);
    }
    const place = this.#inItem(container);
    if (place !== undefined) return place;
    for (const list of this.#lists) {
      const found =
        this.#itemOf(list, list.index + 1, container) ?? this.#itemOf(list, 0, container);
      if (found !== undefined) return found;
    }
    for (const list of this.#lists) {
      const { index } = list;
      if (this.#move(list, index + 1) === undefined) continue;
      const found = this.#inItem(container);
      if (found !== undefined) return found;
      list.index = index;
    }
    if (before !== null) this.#move(before, before.index);
    return undefined;
  }

  /** Notes a container of the current item; false: there are too many. */
  add(container: unknown, place: Place): boolean {
    if (this.#size === MOST) return false;
    this.#containers[this.#size] = container;
    this.#places[this.#size++] = place;
    this.#last = container;
    this.#lastPlace = place;
    return true;
  }

  /** Looks for an item among the few that come next in a list, and goes on from it. */
  #itemOf(list: List, from: number, container: unknown): Place | undefined {
    const { items } = list;
    const end = Math.min(from + AHEAD, items.length);
    for (let i = from; i < end; i++) {
      if (items[i] === container) return this.#move(list, i);
    }
    return undefined;
  }

  #move(list: List, index: number): Place | undefined {
    const item = list.items[index];
    if (!isContainer(item)) return undefined;
    this.#current = list;
    list.index = index;
    this.#size = this.#outer;
    this.#entered = this.#outer;
    const place = new Place(list.place, index);
    this.add(item, place);
    return place;
  }

  #inItem(container: unknown): Place | undefined {
    while (this.#entered < this.#size) {
      const at = this.#entered++;
      const before = this.#size;
      this.#enter(this.#containers[at], this.#places[at], MOST);
      for (let i = before; i < this.#size; i++) {
        if (this.#containers[i] === container) return this.#found(container, this.#places[i]);
      }
    }
    return undefined;
  }

  /** Notes the containers in one, as long as there are no more than so many. */
  #enter(container: unknown, place: Place | undefined, most: number): void {
    if (place === undefined) return;
    if (Array.isArray(container)) {
      for (let i = 0; i < container.length && this.#size < most; i++) {
        const item: unknown = container[i];
        if (isInner(item)) this.add(item, new Place(place, i));
      }
    } else if (isDict(container) && !ArrayBuffer.isView(container)) {
      for (const key in container) {
        const item = container[key];
        if (isInner(item) && this.#size < most) this.add(item, new Place(place, key));
      }
    }
  }
}

/** The key under which a container stands right in an object; null: it does not. */
function keyOf(container: unknown, object: unknown): string | null {
  if (!isDict(object)) return null;
  for (const key in object) if (object[key] === container) return key;
  return null;
}
