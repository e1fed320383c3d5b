/** Where a container stands of which something is read. */
export abstract class Standing {
  /** Where what it holds under a key stands, if that is a container. */
  abstract in(key: string | number): Standing;
}

/** A place in the input: a key of a container, which stands at a place itself. */
export class Place extends Standing {
  readonly parent: Place | null;
  readonly key: string | number;
  /** How many keys lead to it. */
  readonly depth: number;

  constructor(parent: Place | null, key: string | number) {
    super();
    this.parent = parent;
    this.key = key;
    this.depth = parent === null ? 0 : parent.depth + 1;
  }

  override in(key: string | number): Place {
    return new Place(this, key);
  }

  /** The place of the whole input. */
  static root(): Place {
    return new Place(null, "");
  }

  /** The keys that lead from the input to the place, or to what stands there under a key. */
  static path(place: Place, key: string | number | null): readonly (string | number)[] {
    const { depth, parent } = place;
    if (key !== null && parent !== null) {
      if (depth === 1) return [place.key, key];
      if (depth === 2) return [parent.key, place.key, key];
    }
    const path = new Array<string | number>(key === null ? depth : depth + 1);
    if (key !== null) path[depth] = key;
    let at = place;
    for (let i = depth - 1; at.parent !== null; i--) {
      path[i] = at.key;
      at = at.parent;
    }
    return path;
  }

  /** The place under a key of a container; null: the key is in the place. */
  static under(place: Place | null, key: string | number | null): Place | null {
    return key === null ? place : new Place(place, key);
  }

  /** Whether two lead to the same place. */
  static same(a: Place | null, b: Place | null): boolean {
    let left = a;
    let right = b;
    while (left !== right) {
      if (left?.key !== right?.key) return false;
      if (left === null || right === null) return false;
      left = left.parent;
      right = right.parent;
    }
    return true;
  }
}
