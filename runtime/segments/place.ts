/** A place in the input: a key of a container, which stands at a place itself. */
export class Place {
  readonly parent: Place | null;
  readonly key: string | number;

  constructor(parent: Place | null, key: string | number) {
    this.parent = parent;
    this.key = key;
  }

  /** The place of the whole input. */
  static root(): Place {
    return new Place(null, "");
  }

  /** The keys that lead from the input to the place. */
  static path(place: Place): readonly (string | number)[] {
    let depth = 0;
    for (let at = place; at.parent !== null; at = at.parent) depth++;
    const path = new Array<string | number>(depth);
    for (let at = place; at.parent !== null; at = at.parent) path[--depth] = at.key;
    return path;
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
