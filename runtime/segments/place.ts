/** A place in the input: a key of a container, which stands at a place itself. */
export class Place {
  readonly parent: Place | null;
  readonly key: string | number;
  #path: readonly (string | number)[] | null = null;

  constructor(parent: Place | null, key: string | number) {
    this.parent = parent;
    this.key = key;
  }

  /** The place of the whole input. */
  static root(): Place {
    const root = new Place(null, "");
    root.#path = [];
    return root;
  }

  /** The keys that lead from the input to the place. */
  static path(place: Place): readonly (string | number)[] {
    place.#path ??= place.parent === null ? [place.key] : [...Place.path(place.parent), place.key];
    return place.#path;
  }

  /** Whether two lead to the same place. */
  static same(a: Place | null, b: Place | null): boolean {
    if (a === b) return true;
    if (a === null || b === null) return false;
    return a.key === b.key && Place.same(a.parent, b.parent);
  }
}
