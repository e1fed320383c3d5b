/**
 * What is known at a point of the program: of locals, inputs and fields of them ("paths"), their kinds, whether they
 * are true, which text they are, which function. Facts are values: taking a branch or a round gives new ones.
 */
import { intersect, None, union, Undefined, without, type Kinds } from "../../ir/kinds.js";
import type { Expr, FunctionName, Local } from "../../ir/nodes.js";

export interface Fact {
  readonly kinds: Kinds;
  readonly isTrue?: boolean;
  /** The one text, number or boolean that it is. */
  readonly literal?: string | number | boolean;
  /** Whether TypeScript sees too, from the tests in the code, that it is neither null nor undefined. */
  readonly isNarrowed?: boolean;
  /** The function of the module that its macro value stands for. */
  readonly macro?: FunctionName;
  /** The local that holds the list of this path. */
  readonly list?: Local;
}

/** If the path `when` is true, `then` holds of the path `of`. */
interface Implication {
  readonly when: string;
  readonly of: string;
  readonly then: Fact;
}

/** The key of a path, or null for any other expression. */
export function pathOf(expr: Expr): string | null {
  switch (expr.op) {
    case "local":
      return localKey(expr.local);
    case "input":
      return `@${expr.name}`;
    case "read": {
      const object = pathOf(expr.object);
      return object === null ? null : `${object}.${expr.name}`;
    }
    case "intrinsic":
      return (expr.name === "jinja.named" || expr.name === "jinja.unset") &&
        expr.args[0] !== undefined
        ? pathOf(expr.args[0])
        : null;
    default:
      return null;
  }
}

export function localKey(local: Local): string {
  return `#${String(local.id)}`;
}

export class Facts {
  readonly #map: ReadonlyMap<string, Fact>;
  readonly #implications: readonly Implication[];
  /** Whether this point is never reached. */
  readonly unreachable: boolean;

  constructor(
    map: ReadonlyMap<string, Fact> = new Map(),
    implications: readonly Implication[] = [],
    unreachable = false,
  ) {
    this.#map = map;
    this.#implications = implications;
    this.unreachable = unreachable;
  }

  get(path: string): Fact | undefined {
    return this.#map.get(path);
  }

  /** The fact replaced. */
  with(path: string, fact: Fact): Facts {
    return new Facts(new Map(this.#map).set(path, fact), this.#implications, this.unreachable);
  }

  /** Only the kinds among `kinds` are possible; `fallback` is what is known without a fact. */
  narrow(path: string, kinds: Kinds, fallback: Kinds): Facts {
    const known = this.#map.get(path);
    return this.with(path, { ...known, kinds: intersect(known?.kinds ?? fallback, kinds) });
  }

  exclude(path: string, kinds: Kinds, fallback: Kinds): Facts {
    const known = this.#map.get(path);
    return this.with(path, { ...known, kinds: without(known?.kinds ?? fallback, kinds) });
  }

  /** The path is true: it is no None, no Undefined, and what follows from that. */
  assumeTrue(path: string, fallback: Kinds): Facts {
    const known = this.#map.get(path);
    const kinds = without(known?.kinds ?? fallback, Undefined | None);
    let facts = this.with(path, { ...known, kinds, isTrue: true });
    for (const { when, of, then } of this.#implications) {
      if (when === path) facts = facts.with(of, then);
    }
    return facts;
  }

  /** A test in the code shows TypeScript too that the path is there. */
  narrowed(path: string): Facts {
    const known = this.#map.get(path);
    return known === undefined ? this : this.with(path, { ...known, isNarrowed: true });
  }

  /** The local has another value now: what was known of it and its fields is gone. */
  forget(local: Local): Facts {
    const key = localKey(local);
    const concerns = (path: string): boolean => path === key || path.startsWith(`${key}.`);
    const map = new Map(
      [...this.#map].filter(([path, fact]) => !concerns(path) && fact.list !== local),
    );
    const implications = this.#implications.filter(
      ({ when, of }) => !concerns(when) && !concerns(of),
    );
    return new Facts(map, implications, this.unreachable);
  }

  forgetAll(locals: Iterable<Local>): Facts {
    return [...locals].reduce<Facts>((facts, local) => facts.forget(local), this);
  }

  asUnreachable(): Facts {
    return new Facts(this.#map, this.#implications, true);
  }

  /** What holds after either of two ways. */
  join(other: Facts): Facts {
    if (this.unreachable) return other;
    if (other.unreachable) return this;
    const map = new Map<string, Fact>();
    for (const [path, fact] of this.#map) {
      const theirs = other.#map.get(path);
      if (theirs !== undefined) map.set(path, joinFacts(fact, theirs));
    }
    const implications = this.#implications.filter((one) =>
      other.#implications.some(
        (two) => one.when === two.when && one.of === two.of && sameFact(one.then, two.then),
      ),
    );
    return new Facts(map, implications, false);
  }

  /** Adds: where `when` is true, `of` is what it is here. */
  imply(when: string, of: string, then: Fact): Facts {
    return new Facts(this.#map, [...this.#implications, { when, of, then }], this.unreachable);
  }

  listLocal(path: string): Local | undefined {
    return this.#map.get(path)?.list;
  }

  /** The facts of locals themselves. */
  entries(): Iterable<[string, Fact]> {
    return this.#map;
  }
}

function joinFacts(a: Fact, b: Fact): Fact {
  return {
    kinds: union(a.kinds, b.kinds),
    ...(a.isTrue === true && b.isTrue === true ? { isTrue: true } : {}),
    ...(a.isNarrowed === true && b.isNarrowed === true ? { isNarrowed: true } : {}),
    ...(a.literal !== undefined && a.literal === b.literal ? { literal: a.literal } : {}),
    ...(a.macro !== undefined && a.macro === b.macro ? { macro: a.macro } : {}),
    ...(a.list !== undefined && a.list === b.list ? { list: a.list } : {}),
  };
}

function sameFact(a: Fact, b: Fact): boolean {
  return a.kinds === b.kinds && a.macro === b.macro && a.literal === b.literal && a.list === b.list;
}
