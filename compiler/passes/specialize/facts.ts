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
  /** Whether TypeScript sees its kind too, from a typeof or a comparison with a literal. */
  readonly isTyped?: boolean;
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

/** The keys of locals, by id: asked for so often that making them anew would be much of a compilation. */
const LOCAL_KEYS: string[] = [];

export function localKey({ id }: Local): string {
  return (LOCAL_KEYS[id] ??= `#${String(id)}`);
}

/** How many changes may stand before the facts of a point are gathered in a map. */
const GATHER_AFTER = 12;

/** One change of the facts before it: a fact replaced, or all that concerns a local gone. */
type Change =
  { readonly path: string; readonly fact: Fact | undefined } | { readonly forgotten: Local };

/** Facts are changes upon earlier facts, so that a step costs nothing and two ways share what was before them. */
export class Facts {
  readonly #before: Facts | null;
  readonly #change: Change | null;
  readonly #depth: number;
  readonly #implications: readonly Implication[];
  /** All facts of this point, where they have been gathered. */
  #gathered: ReadonlyMap<string, Fact> | null;
  #ungathered: number;
  /** Whether this point is never reached. */
  readonly unreachable: boolean;

  private constructor(
    before: Facts | null,
    change: Change | null,
    implications: readonly Implication[],
    unreachable: boolean,
  ) {
    this.#before = before;
    this.#change = change;
    this.#depth = before === null ? 0 : before.#depth + 1;
    this.#implications = implications;
    this.#gathered = null;
    this.#ungathered = before === null ? 0 : before.#ungathered + 1;
    this.unreachable = unreachable;
  }

  static of(facts: ReadonlyMap<string, Fact> = new Map()): Facts {
    const first = new Facts(null, null, [], false);
    first.#gathered = facts;
    return first;
  }

  get(path: string): Fact | undefined {
    if (this.#ungathered > GATHER_AFTER) this.#gather();
    if (this.#gathered !== null) return this.#gathered.get(path);
    const change = this.#change;
    if (change !== null && "path" in change) {
      if (change.path === path) return change.fact;
    } else if (change !== null) {
      if (concerns(path, change.forgotten)) return undefined;
      const fact = this.#before?.get(path);
      return fact?.list === change.forgotten ? undefined : fact;
    }
    return this.#before?.get(path);
  }

  #gather(): ReadonlyMap<string, Fact> {
    this.#gathered ??= gatherFrom(this);
    this.#ungathered = 0;
    return this.#gathered;
  }

  /** What is gathered here already, or the change and the point before. */
  step():
    { gathered: ReadonlyMap<string, Fact> } | { change: Change | null; before: Facts | null } {
    return this.#gathered === null
      ? { change: this.#change, before: this.#before }
      : { gathered: this.#gathered };
  }

  #changed(change: Change, implications = this.#implications): Facts {
    return new Facts(this, change, implications, this.unreachable);
  }

  /** The fact replaced. */
  with(path: string, fact: Fact): Facts {
    return this.#changed({ path, fact });
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
    const kinds = without(known?.kinds ?? fallback, Undefined | None);
    let facts = this.with(path, { ...known, kinds, isTrue: true });
    for (const { when, of, then } of this.#implications) {
      if (when === path) facts = facts.with(of, then);
    }
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
    const stays = ({ when, of }: Implication): boolean =>
      !concerns(when, local) && !concerns(of, local);
    const implications = this.#implications.every(stays)
      ? this.#implications
      : this.#implications.filter(stays);
    return this.#changed({ forgotten: local }, implications);
  }

  forgetAll(locals: Iterable<Local>): Facts {
    return [...locals].reduce<Facts>((facts, local) => facts.forget(local), this);
  }

  asUnreachable(): Facts {
    return new Facts(this, null, this.#implications, true);
  }

  /** What holds after either of two ways. */
  join(other: Facts): Facts {
    if (this.unreachable || this === other) return other;
    if (other.unreachable) return this;
    const { before, changes } = Facts.#parting(this, other);
    let facts = new Facts(before, null, this.#commonImplications(other), false);
    for (const change of changes) {
      if ("forgotten" in change) facts = facts.#changed(change);
    }
    const paths = new Set(changes.map((change) => ("path" in change ? change.path : null)));
    for (const path of paths) {
      if (path === null) continue;
      const [ours, theirs] = [this.get(path), other.get(path)];
      const fact = ours === undefined || theirs === undefined ? undefined : joinFacts(ours, theirs);
      facts = facts.#changed({ path, fact });
    }
    return facts;
  }

  /** The last point that two ways have in common, and what changed on either since. */
  static #parting(one: Facts, two: Facts): { before: Facts | null; changes: readonly Change[] } {
    const changes: Change[] = [];
    let ours: Facts | null = one;
    let theirs: Facts | null = two;
    const back = (point: Facts): Facts | null => {
      if (point.#change !== null) changes.push(point.#change);
      return point.#before;
    };
    while (ours !== theirs) {
      const ourDepth = ours === null ? -1 : ours.#depth;
      const theirDepth = theirs === null ? -1 : theirs.#depth;
      if (ours !== null && ourDepth >= theirDepth) ours = back(ours);
      if (theirs !== null && theirDepth >= ourDepth) theirs = back(theirs);
    }
    return { before: ours, changes };
  }

  #commonImplications(other: Facts): readonly Implication[] {
    if (this.#implications === other.#implications) return this.#implications;
    return this.#implications.filter((one) =>
      other.#implications.some(
        (two) => one.when === two.when && one.of === two.of && sameFact(one.then, two.then),
      ),
    );
  }

  /** Adds: where `when` is true, `of` is what it is here. */
  imply(when: string, of: string, then: Fact): Facts {
    const implications = [...this.#implications, { when, of, then }];
    return new Facts(this, null, implications, this.unreachable);
  }

  listLocal(path: string): Local | undefined {
    return this.get(path)?.list;
  }

  /** The facts of locals themselves. */
  entries(): Iterable<[string, Fact]> {
    return this.#gather();
  }
}

function gatherFrom(point: Facts): ReadonlyMap<string, Fact> {
  const changes: Change[] = [];
  let facts = new Map<string, Fact>();
  for (let at: Facts | null = point; at !== null;) {
    const step = at.step();
    if ("gathered" in step) {
      facts = new Map(step.gathered);
      break;
    }
    if (step.change !== null) changes.push(step.change);
    at = step.before;
  }
  for (const change of changes.reverse()) apply(facts, change);
  return facts;
}

function concerns(path: string, local: Local): boolean {
  const key = localKey(local);
  return path.startsWith(key) && (path.length === key.length || path[key.length] === ".");
}

function apply(facts: Map<string, Fact>, change: Change): void {
  if ("path" in change) {
    if (change.fact === undefined) facts.delete(change.path);
    else facts.set(change.path, change.fact);
    return;
  }
  for (const [path, fact] of facts) {
    if (concerns(path, change.forgotten) || fact.list === change.forgotten) facts.delete(path);
  }
}

function joinFacts(a: Fact, b: Fact): Fact {
  return {
    kinds: union(a.kinds, b.kinds),
    ...(a.isTrue === true && b.isTrue === true ? { isTrue: true } : {}),
    ...(a.isNarrowed === true && b.isNarrowed === true ? { isNarrowed: true } : {}),
    ...(a.isTyped === true && b.isTyped === true ? { isTyped: true } : {}),
    ...(a.literal !== undefined && a.literal === b.literal ? { literal: a.literal } : {}),
    ...(a.macro !== undefined && a.macro === b.macro ? { macro: a.macro } : {}),
    ...(a.list !== undefined && a.list === b.list ? { list: a.list } : {}),
  };
}

function sameFact(a: Fact, b: Fact): boolean {
  return a.kinds === b.kinds && a.macro === b.macro && a.literal === b.literal && a.list === b.list;
}
