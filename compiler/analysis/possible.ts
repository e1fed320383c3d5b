/** What a value can be in a render where one input is absent: that absence, literals of the template, anything else. */
import type { Local } from "../ir/nodes.js";

export type Constant = string | number | bigint | boolean | null;

export interface Possible {
  /** Whether it can be the absent input. */
  readonly isAbsent: boolean;
  /** Whether the absence is held by an Undefined with a name, which is no `undefined`. */
  readonly isNamed?: boolean;
  readonly constants: readonly Constant[];
  /** Whether it can be something that is not known here. */
  readonly isOther: boolean;
}

export const ABSENT: Possible = { isAbsent: true, constants: [], isOther: false };
export const OTHER: Possible = { isAbsent: false, constants: [], isOther: true };

export function constant(value: Constant): Possible {
  return { isAbsent: false, constants: [value], isOther: false };
}

/** The absent input and nothing else. */
export function isJustAbsent({ isAbsent, constants, isOther }: Possible): boolean {
  return isAbsent && constants.length === 0 && !isOther;
}

/** The one literal that it is; undefined where it can be another value. */
export function onlyConstant({ isAbsent, constants, isOther }: Possible): Constant | undefined {
  return isAbsent || isOther || constants.length !== 1 ? undefined : constants[0];
}

export function present(value: Possible): Possible {
  return value.isAbsent ? { ...value, isAbsent: false, isNamed: false } : value;
}

export function join(a: Possible, b: Possible): Possible {
  if (a === b) return a;
  return {
    isAbsent: a.isAbsent || b.isAbsent,
    isNamed: a.isNamed === true || b.isNamed === true,
    constants: [...new Set([...a.constants, ...b.constants])],
    isOther: a.isOther || b.isOther,
  };
}

function isSame(a: Possible, b: Possible): boolean {
  return (
    a.isAbsent === b.isAbsent &&
    (a.isNamed === true) === (b.isNamed === true) &&
    a.isOther === b.isOther &&
    a.constants.length === b.constants.length
  );
}

/** What the locals can be at a point of the program; a local that is not here can be anything. */
export class State {
  readonly #locals: Map<Local, Possible>;
  /** Tests of inputs that have come out true on the way here, as text. */
  readonly #held: Set<string>;
  /** Whether this point is never reached. */
  isDead = false;

  constructor(
    locals: ReadonlyMap<Local, Possible> = new Map(),
    held: ReadonlySet<string> = new Set(),
  ) {
    this.#locals = new Map(locals);
    this.#held = new Set(held);
  }

  get(local: Local): Possible {
    return this.#locals.get(local) ?? OTHER;
  }

  set(local: Local, value: Possible): void {
    this.#locals.set(local, value);
  }

  hold(test: string): void {
    this.#held.add(test);
  }

  holds(test: string): boolean {
    return this.#held.has(test);
  }

  copy(): State {
    const copy = new State(this.#locals, this.#held);
    copy.isDead = this.isDead;
    return copy;
  }

  /** Becomes what holds where two ways meet; says whether that is more than it was. */
  joinWith(other: State): boolean {
    if (other.isDead) return false;
    for (const test of this.#held) if (!other.#held.has(test)) this.#held.delete(test);
    if (this.isDead) {
      for (const test of other.#held) this.#held.add(test);
      this.#locals.clear();
      for (const [local, value] of other.#locals) this.#locals.set(local, value);
      this.isDead = false;
      return true;
    }
    let hasGrown = false;
    for (const local of new Set([...this.#locals.keys(), ...other.#locals.keys()])) {
      // A local that one way has not set yet is not read before it is.
      const known = this.#locals.get(local);
      const joined = join(known ?? other.get(local), other.#locals.get(local) ?? known ?? OTHER);
      if (known === undefined || !isSame(known, joined)) hasGrown = true;
      this.#locals.set(local, joined);
    }
    return hasGrown;
  }
}
