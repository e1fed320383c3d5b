/**
 * What is known at a point of the program: of locals, inputs and fields of them ("paths"), their kinds, whether they
 * are true, which text they are, which function. Facts are values: taking a branch or a round gives new ones.
 */
import { intersect, None, Undefined, without, type Kinds } from "../../ir/kinds.js";
import type { Expr, Local } from "../../ir/nodes.js";
import { joinFacts, joinImplications, type Change, type Fact, type Implication } from "./fact.js";
import { FactStore } from "./fact-store.js";

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

/** The keys of locals, by id: asked for so often that making them anew would be much of a compilation. */
const LOCAL_KEYS: string[] = [];

export function localKey({ id }: Local): string {
  return (LOCAL_KEYS[id] ??= `#${String(id)}`);
}

/** How many implications of one path are kept: what is made of each is done again at each test of the path. */
const MOST_IMPLICATIONS = 16;

/**
 * Facts are changes upon earlier facts, so that a step costs nothing and two ways share what was before them. All
 * points of a walk share one {@link FactStore}, which goes from point to point: mostly to the next one.
 */
export class Facts {
  readonly before: Facts | null;
  readonly change: Change | null;
  readonly depth: number;
  readonly #store: FactStore;
  /** Whether this point is never reached. */
  readonly unreachable: boolean;

  private constructor(
    store: FactStore,
    before: Facts | null,
    change: Change | null,
    unreachable: boolean,
  ) {
    this.#store = store;
    this.before = before;
    this.change = change;
    this.depth = before === null ? 0 : before.depth + 1;
    this.unreachable = unreachable;
  }

  static of(facts: ReadonlyMap<string, Fact> = new Map()): Facts {
    let point = new Facts(new FactStore(), null, null, false);
    for (const [path, fact] of facts) point = point.with(path, fact);
    return point;
  }

  get(path: string): Fact | undefined {
    return this.#store.at(this).get(path);
  }

  #changed(change: Change): Facts {
    return new Facts(this.#store, this, change, this.unreachable);
  }

  /** The fact replaced. */
  with(path: string, fact: Fact | undefined): Facts {
    return this.#changed({ op: "fact", path, fact });
  }

  /** Only the kinds among `kinds` are possible; `fallback` is what is known without a fact. */
  narrow(path: string, kinds: Kinds, fallback: Kinds): Facts {
    const known = this.get(path);
    return this.with(path, { ...known, kinds: intersect(known?.kinds ?? fallback, kinds) });
  }

  exclude(path: string, kinds: Kinds, fallback: Kinds): Facts {
    const known = this.get(path);
    return this.with(path, { ...known, kinds: without(known?.kinds ?? fallback, kinds) });
  }

  /** The path is true: it is no None, no Undefined, and what follows from that. */
  assumeTrue(path: string, fallback: Kinds): Facts {
    const known = this.get(path);
    const implications = this.#store.at(this).implications(path);
    const kinds = without(known?.kinds ?? fallback, Undefined | None);
    let facts = this.with(path, { ...known, kinds, isTrue: true });
    for (const { of, then } of implications) facts = facts.with(of, then);
    return facts;
  }

  /** A test in the code shows TypeScript too that the path is there. */
  narrowed(path: string): Facts {
    const known = this.get(path);
    if (known === undefined || known.isNarrowed === true) return this;
    return this.with(path, { ...known, isNarrowed: true });
  }

  /** A test in the code shows TypeScript too of which kind the path is. */
  typed(path: string): Facts {
    const known = this.get(path);
    return known === undefined ? this : this.with(path, { ...known, isTyped: true });
  }

  /** The local has another value now: what was known of it and its fields is gone. */
  forget(local: Local): Facts {
    return this.#changed({ op: "forget", local });
  }

  forgetAll(locals: Iterable<Local>): Facts {
    return [...locals].reduce<Facts>((facts, local) => facts.forget(local), this);
  }

  asUnreachable(): Facts {
    return new Facts(this.#store, this, null, true);
  }

  /** What holds after either of two ways. */
  join(other: Facts): Facts {
    if (this.unreachable || this === other) return other;
    if (other.unreachable) return this;
    const { before, changes } = parting(this, other);
    const [paths, whens] = [new Set<string>(), new Set<string>()];
    const locals = new Set<Local>();
    for (const change of changes) {
      if (change.op === "fact") paths.add(change.path);
      else if (change.op === "imply") whens.add(change.when);
      else locals.add(change.local);
    }
    // One way after the other, so that the store goes to and fro once.
    const ours = this.#seen(paths, whens);
    const theirs = other.#seen(paths, whens);
    let facts = new Facts(this.#store, before, null, false).forgetAll(locals);
    let at = 0;
    for (const path of paths) {
      facts = facts.with(path, joinFacts(ours.facts[at], theirs.facts[at]));
      at++;
    }
    at = 0;
    for (const when of whens) {
      const [one, two] = [ours.implications[at] ?? [], theirs.implications[at] ?? []];
      facts = facts.#implying(when, joinImplications(one, two));
      at++;
    }
    return facts;
  }

  #seen(paths: Iterable<string>, whens: Iterable<string>): Seen {
    const store = this.#store.at(this);
    return {
      facts: Array.from(paths, (path) => store.get(path)),
      implications: Array.from(whens, (when) => store.implications(when)),
    };
  }

  #implying(when: string, implications: readonly Implication[]): Facts {
    return this.#changed({ op: "imply", when, implications });
  }

  /** Adds: where `when` is true, `of` is what it is here. */
  imply(when: string, of: string, then: Fact): Facts {
    const others = this.#store.at(this).implications(when);
    const kept = others.filter((one) => one.of !== of).slice(1 - MOST_IMPLICATIONS);
    return this.#implying(when, [...kept, { of, then }]);
  }

  listLocal(path: string): Local | undefined {
    return this.get(path)?.list;
  }
}

/** What a point knows of some paths, in their order. */
interface Seen {
  readonly facts: readonly (Fact | undefined)[];
  readonly implications: readonly (readonly Implication[])[];
}

/** The last point that two ways have in common, and what changed on either since. */
function parting(one: Facts, two: Facts): { before: Facts | null; changes: readonly Change[] } {
  const changes: Change[] = [];
  let ours: Facts | null = one;
  let theirs: Facts | null = two;
  const back = (point: Facts): Facts | null => {
    if (point.change !== null) changes.push(point.change);
    return point.before;
  };
  while (ours !== theirs) {
    const ourDepth = ours === null ? -1 : ours.depth;
    const theirDepth = theirs === null ? -1 : theirs.depth;
    if (ours !== null && ourDepth >= theirDepth) ours = back(ours);
    if (theirs !== null && theirDepth >= ourDepth) theirs = back(theirs);
  }
  return { before: ours, changes };
}
