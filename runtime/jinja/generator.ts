/** Python's generators and the other iterators that are read once. */
import { fail, RenderError } from "../errors.js";
import { meter } from "../meter.js";
import { value, type Value } from "../values.js";
import { eq } from "./compare.js";
import { iterate, list } from "./iterate.js";
import { checkCount, exactly, noKeywords } from "./sequence.js";
import { Method } from "./method.js";
import { Tuple } from "./tuple.js";
import { ADDRESS, BaseObject } from "./object.js";
import { ABSENT, ATTRIBUTE, CONTAINS, HIDDEN, ITERATE, REPR, TRUTH, TYPE } from "./protocol.js";
import type { Keywords } from "./protocol.js";
import { typeName } from "./types.js";
import { Undefined } from "./undefined.js";

/** A generator as some place reads it: what goes wrong in a lazy filter does so where it is read. */
class Reading implements Iterator<unknown> {
  readonly #iterator: Iterator<unknown>;
  readonly #place: string;
  readonly #start: () => void;

  constructor(iterator: Iterator<unknown>, place: string, start: () => void) {
    this.#iterator = iterator;
    this.#place = place;
    this.#start = start;
  }

  next(): IteratorResult<unknown> {
    this.#start();
    meter?.spendItems(1, this.#place);
    try {
      return this.#iterator.next();
    } catch (error) {
      if (error instanceof RenderError && error.phase === "render" && this.#place !== "") {
        return fail(error.type, error.message, this.#place);
      }
      throw error;
    }
  }
}

/** What Jinja2's Context.call makes of a StopIteration. */
const STOPPED = "value was undefined because a callable raised a StopIteration exception";

/** A lazy iterator that can be gone through once. */
export class Generator extends BaseObject {
  readonly #iterator: Iterator<unknown>;

  readonly #name: string;

  readonly #isTemplate: boolean;

  #isStarted = false;

  /**
   * `name`: of the Python function that a generator runs. `isTemplate`: the template's own code, whose errors have a
   * line of their own.
   */
  constructor(iterator: Iterator<unknown>, name: string, type = "generator", isTemplate = false) {
    super(type);
    this.#iterator = iterator;
    this.#name = name;
    this.#isTemplate = isTemplate;
  }

  override [TRUTH](): boolean {
    return true;
  }

  override [REPR](): string {
    const name = this.#name === "" ? "" : ` ${this.#name}`;
    return `<${this[TYPE]} object${name} at ${ADDRESS}>`;
  }

  override [ITERATE](place: string): Iterator<unknown> {
    if (this.#isTemplate) return this.#iterator;
    return new Reading(this.#iterator, place, () => {
      this.#isStarted = true;
    });
  }

  override [CONTAINS](needle: unknown, place: string): boolean {
    const iterator = this[ITERATE](place);
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      if (eq(next.value, needle)) {
        return true;
      }
    }
    return false;
  }

  override [ATTRIBUTE](name: string): unknown {
    return this[TYPE] === "generator" ? this.#method(name) : ABSENT;
  }

  #method(name: string): unknown {
    switch (name) {
      case "close":
        return new Method("built-in method close of generator object", (args, kwargs, place) => {
          exactly(0, "generator.close", args, kwargs, place);
          return this.#close();
        });
      case "send":
        return new Method("built-in method send of generator object", (args, kwargs, place) =>
          this.#send(exactly(1, "generator.send", args, kwargs, place), place),
        );
      case "throw":
        return new Method("built-in method throw of generator object", raising);
      case "gi_running":
      case "gi_suspended":
        return false;
      case "gi_yieldfrom":
        return null;
      case "gi_code":
      case "gi_frame":
        return HIDDEN;
      default:
        return ABSENT;
    }
  }

  #close(): null {
    this.#iterator.return?.();
    return null;
  }

  #send(v: unknown, place: string): unknown {
    if (v !== null && !this.#isStarted) {
      return fail("TypeError", "can't send non-None value to a just-started generator", place);
    }
    const next = this[ITERATE](place).next();
    return next.done === true ? new Undefined(STOPPED) : next.value;
  }
}

/** `throw`, for which no template has an exception. */
function raising(args: readonly unknown[], kwargs: Keywords, place: string): never {
  noKeywords("generator.throw", kwargs, place);
  checkCount("throw", args, 1, 3, place);
  const message = "exceptions must be classes or instances deriving from BaseException";
  return fail("TypeError", `${message}, not ${typeName(args[0])}`, place);
}

/** What a loop filter lets through, looked for when it is asked for; `passes` writes something for it. */
export function filtered(
  v: unknown,
  passes: (item: Value) => string,
  asTuple: boolean,
  place: string,
): Value {
  return value(new Generator(passing(v, passes, asTuple, place), "", "generator", true));
}

function* passing(
  v: unknown,
  passes: (item: Value) => string,
  asTuple: boolean,
  place: string,
): IterableIterator<Value> {
  const iterator = iterate(v, place);
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    const item = value(next.value);
    if (passes(item) !== "") {
      yield asTuple ? value(new Tuple(list(item, place))) : item;
    }
  }
}
