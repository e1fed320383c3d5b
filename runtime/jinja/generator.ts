/** Python's generators and the other iterators that are read once. */
import { fail, RenderError } from "../errors.js";
import { meter } from "../meter.js";
import { value, type Value } from "../values.js";
import { eq } from "./compare.js";
import { iterate, list } from "./iterate.js";
import { exactly } from "./sequence.js";
import { Method } from "./method.js";
import { Tuple } from "./tuple.js";
import { ADDRESS, BaseObject } from "./object.js";
import { ABSENT, ATTRIBUTE, CONTAINS, ITERATE, REPR, TRUTH, TYPE } from "./protocol.js";

/** A generator as some place reads it: what goes wrong in a lazy filter does so where it is read. */
class Reading implements Iterator<unknown> {
  readonly #iterator: Iterator<unknown>;
  readonly #place: string;

  constructor(iterator: Iterator<unknown>, place: string) {
    this.#iterator = iterator;
    this.#place = place;
  }

  next(): IteratorResult<unknown> {
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

/** A lazy iterator that can be gone through once. */
export class Generator extends BaseObject {
  readonly #iterator: Iterator<unknown>;

  readonly #name: string;

  readonly #isTemplate: boolean;

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
    return this.#isTemplate ? this.#iterator : new Reading(this.#iterator, place);
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
        return new Method("built-in method close of generator object", () => this.#close());
      case "send":
        return new Method("built-in method send of generator object", (args, kwargs, place) => {
          exactly(1, "generator.send", args, kwargs, place);
          return this.#advance(place);
        });
      case "throw":
        return new Method("built-in method throw of generator object", (_args, _kwargs, place) =>
          fail(
            "TypeError",
            "exceptions must be classes or instances deriving from BaseException",
            place,
          ),
        );
      case "gi_running":
      case "gi_suspended":
        return false;
      case "gi_yieldfrom":
        return null;
      default:
        return ABSENT;
    }
  }

  #close(): null {
    this.#iterator.return?.();
    return null;
  }

  #advance(place: string): unknown {
    const next = this[ITERATE](place).next();
    return next.done === true ? fail("StopIteration", "", place) : next.value;
  }
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
