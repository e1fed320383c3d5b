/**
 * The facts of one point of the program at a time. The points are a tree, each with its change upon the one before. The
 * store goes from one to another over the changes between them, so that a look at the next point costs one change,
 * however much is known.
 */
import type { Change, Fact, Implication } from "./fact.js";

export interface Point {
  /** Null at the first point of all. */
  readonly before: Point | null;
  readonly change: Change | null;
  readonly depth: number;
}

/** Something said of a path: it holds until the local that the path begins at gets another value. */
interface Held<T> {
  readonly said: T;
  readonly local: number;
  readonly stamp: number;
}

/** A fact of a list holds until the local that has the list gets another value, too. */
interface HeldFact {
  readonly fact: Fact | undefined;
  readonly list: Held<null> | null;
}

/** No local: what is said of an input holds for ever. */
const NONE = -1;

export class FactStore {
  #point: Point | null = null;
  readonly #facts = new Map<string, Held<HeldFact> | undefined>();
  readonly #implications = new Map<string, Held<readonly Held<Implication>[]> | undefined>();
  /** A number that no value of a local before the present one had, by the local's id. */
  readonly #stamps: (number | undefined)[] = [];
  #stamp = 0;
  /** How each change on the way to the point is undone. */
  readonly #undo: (() => void)[] = [];

  /** Goes to the point. */
  at(point: Point): this {
    if (point === this.#point) return this;
    const ahead: Point[] = [];
    let to: Point | null = point;
    let from: Point | null = this.#point;
    while (to !== from) {
      if (to === null || (from !== null && from.depth >= to.depth)) {
        this.#undo.pop()?.();
        from = from?.before ?? null;
      } else {
        ahead.push(to);
        to = to.before;
      }
    }
    for (const next of ahead.reverse()) this.#undo.push(this.#apply(next.change));
    this.#point = point;
    return this;
  }

  get(path: string): Fact | undefined {
    const held = this.#facts.get(path);
    if (held === undefined || !this.#holds(held)) return undefined;
    const { list, fact } = held.said;
    return list === null || this.#holds(list) ? fact : undefined;
  }

  implications(when: string): readonly Implication[] {
    const held = this.#implications.get(when);
    if (held === undefined || !this.#holds(held)) return [];
    return held.said.filter((one) => this.#holds(one)).map(({ said }) => said);
  }

  #holds({ local, stamp }: Held<unknown>): boolean {
    return local === NONE || this.#stamps[local] === stamp;
  }

  #held<T>(said: T, local: number): Held<T> {
    return { said, local, stamp: local === NONE ? 0 : (this.#stamps[local] ??= ++this.#stamp) };
  }

  /** Gives what undoes the change. */
  #apply(change: Change | null): () => void {
    switch (change?.op) {
      case undefined:
        return NOTHING;
      case "fact": {
        const { path, fact } = change;
        const list = fact?.list === undefined ? null : this.#held(null, fact.list.id);
        return replace(this.#facts, path, this.#held({ fact, list }, localOf(path)));
      }
      case "imply": {
        const { when, implications } = change;
        const held = implications.map((one) => this.#held(one, localOf(one.of)));
        return replace(this.#implications, when, this.#held(held, localOf(when)));
      }
      case "forget": {
        const { id } = change.local;
        const before = this.#stamps[id];
        this.#stamps[id] = ++this.#stamp;
        return () => {
          this.#stamps[id] = before;
        };
      }
    }
  }
}

const NOTHING = (): void => undefined;

function replace<T>(map: Map<string, T | undefined>, key: string, value: T): () => void {
  const before = map.get(key);
  map.set(key, value);
  return () => {
    map.set(key, before);
  };
}

/** The id of the local that a path begins at: keys are `#12` or `#12.name`, or an input's. */
function localOf(path: string): number {
  return path.startsWith("#") ? Number.parseInt(path.slice(1), 10) : NONE;
}
