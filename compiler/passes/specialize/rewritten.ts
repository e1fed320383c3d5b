/**
 * What became of an expression, by the facts and the use that it was rewritten for. Rules rewrite an operand before they
 * know whether they apply, and again if they do not: nested ones would cost a power of their depth.
 */
import type { Expr, Local } from "../../ir/nodes.js";
import type { Facts } from "./facts.js";
import type { Typed, Use } from "./use.js";

/** What an outcome depends on beside the expression and its use. */
interface Surroundings {
  readonly facts: Facts;
  readonly counters: ReadonlySet<Local>;
  readonly loopItems: ReadonlyMap<string, Local>;
}

interface Outcome {
  readonly use: Use;
  readonly before: Facts;
  /** The loops around. */
  readonly counters: number;
  readonly loopItems: number;
  readonly typed: Typed;
  readonly after: Facts;
}

interface Under {
  readonly holds: boolean;
  readonly facts: Facts;
}

export class Rewritten {
  readonly #outcomes = new WeakMap<Expr, Outcome[]>();
  readonly #under = new WeakMap<Facts, Map<Expr, Under[]>>();

  find(here: Surroundings, expr: Expr, use: Use): Outcome | undefined {
    return this.#outcomes
      .get(expr)
      ?.find(
        (one) =>
          one.before === here.facts &&
          isSameUse(one.use, use) &&
          one.counters === here.counters.size &&
          one.loopItems === here.loopItems.size,
      );
  }

  /** Keeps what was found; `sx` has the facts after it. */
  keep(outcome: {
    readonly sx: Surroundings;
    readonly before: Facts;
    readonly expr: Expr;
    readonly use: Use;
    readonly typed: Typed;
  }): void {
    const { sx, before, expr, use, typed } = outcome;
    const [counters, loopItems] = [sx.counters.size, sx.loopItems.size];
    const kept = this.#outcomes.get(expr) ?? [];
    // Facts of another place do not come back.
    const others = kept.filter((one) => one.before === before);
    others.push({ use, before, counters, loopItems, typed, after: sx.facts });
    this.#outcomes.set(expr, others);
  }

  /** The facts that a test gives: the same object each time, so that what is rewritten under them is found again. */
  factsUnder(outer: Facts, test: Expr, holds: boolean, make: () => Facts): Facts {
    const tests = this.#under.get(outer) ?? new Map<Expr, Under[]>();
    this.#under.set(outer, tests);
    const known = tests.get(test) ?? [];
    const found = known.find((one) => one.holds === holds)?.facts;
    if (found !== undefined) return found;
    const facts = make();
    tests.set(test, [...known, { holds, facts }]);
    return facts;
  }
}

function isSameUse(one: Use, two: Use): boolean {
  if (one.mode !== two.mode) return false;
  return one.mode !== "strict" || two.mode !== "strict" || one.place === two.place;
}
