/**
 * Limits over a whole render, for templates that are not trusted: how much it does, writes and nests. Code that was
 * compiled with `limits` counts at each round and call; rules that may do much at once say so here before they do.
 */
import { fail, RenderError } from "./errors.js";
import { setMeter, type Meter } from "./meter.js";
import type { Segment } from "./segments/segment.js";

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
export const STEP = 8;
const ITEM = 4;
/** What a list or dict costs by itself. */
const CONTAINER = 16;

/** The numbers of a render: what it had, and what is left. Engines count in small integers fastest. */
interface Counters {
  steps: number;
  longest: number;
  deepest: number;
  left: number;
  output: number;
  depth: number;
  /** Where the render was last seen, for what has no place of its own. */
  place: string;
  /** Whether the caller's own code has failed. */
  isForeign: boolean;
}

/**
 * The budget of the render that is running, which rules know as the meter. There is one: a render inside of another
 * keeps the other's counters until it ends.
 */
class Budget implements Meter, Counters {
  steps = STEPS;
  longest = OUTPUT;
  deepest = DEPTH;
  left = STEPS * STEP;
  output = OUTPUT;
  depth = DEPTH;
  place = "";
  isForeign = false;
  /** Whether a render is running. */
  isTaken = false;

  /** Begins a render with as much. */
  take(steps: number, longest: number, deepest: number): void {
    this.steps = steps;
    this.longest = longest;
    this.deepest = deepest;
    this.left = steps * STEP;
    this.output = longest;
    this.depth = deepest;
    this.place = "";
    this.isForeign = false;
    this.isTaken = true;
    setMeter(this);
  }

  /** The counters of the render that is running, for {@link resume}. */
  kept(): Counters {
    const { steps, longest, deepest, left, output, depth, place, isForeign } = this;
    return { steps, longest, deepest, left, output, depth, place, isForeign };
  }

  /** Ends the render that is running, and goes on with the one around it. */
  resume(outer: Counters | null): void {
    this.isTaken = outer !== null;
    if (outer !== null) Object.assign(this, outer);
    setMeter(outer === null ? null : this);
  }

  spendText(units: number, place?: string): void {
    if (place !== undefined && place !== "") this.place = place;
    // What is not above 0, such as a repetition that gives nothing, is no gain.
    this.left -= units > 0 ? units : 0;
    if (this.left < 0) exceeded();
  }

  spendItems(count: number, place?: string): void {
    this.spendText(count * ITEM + CONTAINER, place);
  }

  weigh(value: unknown, place: string): void {
    this.place = place;
    if (typeof value === "string") this.left -= value.length;
    else if (Array.isArray(value)) this.left -= value.length * ITEM;
    if (this.left < 0) exceeded();
  }

  notePlace(place: string): void {
    this.place = place;
  }

  noteOutput(units: number): void {
    this.output -= units;
  }

  pause(run: () => void): void {
    const own = this.kept();
    this.resume(null);
    try {
      run();
    } catch (error) {
      own.isForeign = true;
      throw error;
    } finally {
      this.resume(own);
    }
  }
}

export const budget = /* @__PURE__ */ new Budget();

function bound(name: string, value: number | undefined, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (typeof value === "number" && value >= 0) return value;
  const message = `the limit ${name} is no number from 0 on`;
  throw new RenderError(message, { phase: "input", type: "TypeError", path: `limits.${name}` });
}

/**
 * Renders under the limits of the options. What passes them, or what memory holds, is a RenderError of type
 * "LimitError" with the template's place.
 */
export function limited<T>(options: { readonly limits?: Limits } | undefined, render: () => T): T {
  const outer = begin(options?.limits);
  try {
    const made = render();
    if (unitsOf(made) > budget.output) exceeded();
    return made;
  } catch (error) {
    return refuse(error);
  } finally {
    end(outer);
  }
}

/** How long a text is, or segments together. */
function unitsOf(made: unknown): number {
  if (typeof made === "string") return made.length;
  return isSegments(made) ? made.reduce((units, { text }) => units + text.length, 0) : 0;
}

/** No other render gives a list. */
function isSegments(made: unknown): made is readonly Segment[] {
  return Array.isArray(made);
}

/** Begins a render, for code that does what {@link limited} does without a function for it; gives what ends it. */
export function begin(limits: Limits | undefined): Counters | null {
  const outer = budget.isTaken ? budget.kept() : null;
  if (limits === undefined) budget.take(STEPS, OUTPUT, DEPTH);
  else
    budget.take(
      bound("steps", limits.steps, STEPS),
      bound("output", limits.output, OUTPUT),
      bound("depth", limits.depth, DEPTH),
    );
  return outer;
}

/** What the render has made, if that is not too long. */
export function within(made: string): string {
  return made.length > budget.output ? exceeded() : made;
}

/** Throws what the render has thrown, or what that means. */
export function refuse(error: unknown): never {
  if (budget.isForeign || !isTooLarge(error)) throw error;
  return fail(TYPE, "the render makes more than memory holds", budget.place);
}

/** Ends the render that began last. */
export function end(outer: Counters | null): void {
  budget.resume(outer);
}

/** One round of a loop, or a call that is no level. */
export function step(place: string): void {
  if (place !== "") budget.place = place;
  if ((budget.left -= STEP) < 0) exceeded();
}

/** One round of a loop that writes, with the length of the text that it writes to. */
export function round(written: number, place: string): void {
  budget.place = place;
  if ((budget.left -= STEP) < 0 || written > budget.output) exceeded();
}

/** Begins a call. */
export function enter(place: string): void {
  budget.place = place;
  budget.depth--;
  if ((budget.left -= STEP) < 0 || budget.depth < 0) exceeded();
}

/** Ends a call. */
export function leave(): void {
  budget.depth++;
}

/** A text or list that a rule reads or makes, by its length. */
export function weigh<T>(value: T, place: string): T {
  budget.weigh(value, place);
  return value;
}

/** Tells where a rule stands that spends what it needs itself; gives the value. */
export function mark<T>(value: T, place: string): T {
  budget.place = place;
  return value;
}

/** Throws for the limit that is passed. */
export function exceeded(): never {
  const { left, depth, steps, deepest, longest, place } = budget;
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
