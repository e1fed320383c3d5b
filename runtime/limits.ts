/**
 * Limits over a whole render, for templates that are not trusted: how much it does, writes and nests. Code that was
 * compiled with `limits` counts at each round and call; rules that may do much at once say so here before they do.
 */
import { fail, RenderError } from "./errors.js";
import { setMeter, type Meter } from "./meter.js";

/** Bounds of a render; each that is left out has its default, Infinity lifts it. */
export interface Limits {
  /** Rounds of loops, calls, and what rules read and make: 8 UTF-16 units of text or 2 items a step; default 10 million. */
  readonly steps?: number | undefined;
  /** UTF-16 units of output; default 67,108,864. */
  readonly output?: number | undefined;
  /** Calls inside each other of macros, recursive loops and Go's templates; default: as many as the stack holds. */
  readonly depth?: number | undefined;
}

const TYPE = "LimitError";

const STEPS = 10_000_000;
const OUTPUT = 1 << 26;
/** More than any stack holds. */
const DEPTH = 1 << 29;

/** What a step is worth: the budget counts units of text. */
const STEP = 8;
const ITEM = 4;
/** What a list or dict costs by itself. */
const CONTAINER = 16;

/** What is left to a render, and what it had. The counters are small integers, which engines count fastest. */
class Budget implements Meter {
  readonly steps: number;
  readonly longest: number;
  readonly deepest: number;
  left: number;
  output: number;
  depth: number;
  /** Where the render was last seen, for what has no place of its own. */
  place = "";
  /** Whether the caller's own code has failed. */
  isForeign = false;

  constructor(steps: number, longest: number, deepest: number) {
    this.steps = steps;
    this.longest = longest;
    this.deepest = deepest;
    this.left = steps * STEP;
    this.output = longest;
    this.depth = deepest;
  }

  spendText(units: number, place?: string): void {
    if (place !== undefined && place !== "") this.place = place;
    // What is not above 0, such as a repetition that gives nothing, is no gain.
    this.left -= units > 0 ? units : 0;
    if (this.left < 0) exceeded(this);
  }

  spendItems(count: number, place?: string): void {
    this.spendText(count * ITEM + CONTAINER, place);
  }

  weigh(value: unknown, place: string): void {
    this.place = place;
    if (typeof value === "string") this.left -= value.length;
    else if (Array.isArray(value)) this.left -= value.length * ITEM;
    if (this.left < 0) exceeded(this);
  }

  notePlace(place: string): void {
    this.place = place;
  }

  noteOutput(units: number): void {
    this.output -= units;
  }

  pause(run: () => void): void {
    setBudget(null);
    try {
      run();
    } catch (error) {
      this.isForeign = true;
      throw error;
    } finally {
      setBudget(this);
    }
  }
}

/** A budget of the usual limits that no render has: most renders follow each other. */
let spare: Budget | null = null;

function usualBudget(): Budget {
  const own = spare;
  if (own === null) return new Budget(STEPS, OUTPUT, DEPTH);
  spare = null;
  own.left = STEPS * STEP;
  own.output = OUTPUT;
  own.depth = DEPTH;
  own.place = "";
  own.isForeign = false;
  return own;
}

function budgetOf(limits: Limits): Budget {
  return new Budget(
    bound("steps", limits.steps, STEPS),
    bound("output", limits.output, OUTPUT),
    bound("depth", limits.depth, DEPTH),
  );
}

function bound(name: string, value: number | undefined, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (typeof value === "number" && value >= 0) return value;
  const message = `the limit ${name} is no number from 0 on`;
  throw new RenderError(message, { phase: "input", type: "TypeError", path: `limits.${name}` });
}

/** The budget of the render that is running, which rules know as the meter. */
let budget: Budget | null = null;

function setBudget(next: Budget | null): void {
  budget = next;
  setMeter(next);
}

/**
 * Renders under the limits of the options. What passes them, or what memory holds, is a RenderError of type
 * "LimitError" with the template's place.
 */
export function limited<T>(options: { readonly limits?: Limits } | undefined, render: () => T): T {
  const outer = budget;
  const limits = options?.limits;
  const own = limits === undefined ? usualBudget() : budgetOf(limits);
  setBudget(own);
  try {
    const made = render();
    const isTooLong = typeof made === "string" && made.length > own.output;
    return isTooLong ? exceeded(own) : made;
  } catch (error) {
    if (own.isForeign || !isTooLarge(error)) throw error;
    return fail(TYPE, "the render makes more than memory holds", own.place);
  } finally {
    if (limits === undefined) spare = own;
    setBudget(outer);
  }
}

/** One round of a loop, or a call that is no level. */
export function step(place: string): void {
  budget?.spendText(STEP, place);
}

/** One round of a loop that writes, with the length of the text that it writes to. */
export function round(written: number, place: string): void {
  const own = budget;
  if (own === null) return;
  own.place = place;
  own.left -= STEP;
  if (own.left < 0 || written > own.output) exceeded(own);
}

/** Begins a call. */
export function enter(place: string): void {
  const own = budget;
  if (own === null) return;
  own.place = place;
  own.left -= STEP;
  own.depth--;
  if (own.left < 0 || own.depth < 0) exceeded(own);
}

/** Ends a call. */
export function leave(): void {
  if (budget !== null) budget.depth++;
}

/** A text or list that a rule reads or makes, by its length. */
export function weigh<T>(value: T, place: string): T {
  budget?.weigh(value, place);
  return value;
}

/** Tells where a rule stands that spends what it needs itself; gives the value. */
export function mark<T>(value: T, place: string): T {
  if (budget !== null) budget.place = place;
  return value;
}

/** Throws for the limit that is passed. */
function exceeded({ left, depth, steps, deepest, longest, place }: Budget): never {
  const message =
    left < 0
      ? `the render takes more than ${String(steps)} steps`
      : depth < 0
        ? `calls nest deeper than ${String(deepest)}`
        : `the output is longer than ${String(longest)} UTF-16 units`;
  return fail(TYPE, message, place);
}

/** JavaScript's refusal of a text or list that is too long; an exhausted stack is no such thing. */
function isTooLarge(error: unknown): boolean {
  return error instanceof RangeError && !error.message.includes("call stack");
}
