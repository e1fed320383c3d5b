/** Jinja2's loop objects (runtime.py, LoopContext), for loops whose `loop` is used as a value. */
import { fail } from "../errors.js";
import { value, type Value } from "../values.js";
import { eqItems } from "./compare.js";
import { drain, iterate, lengthOrNull } from "./iterate.js";
import { Method } from "./method.js";
import { missingObject } from "./missing.js";
import { BaseObject } from "./object.js";
import { ABSENT, ATTRIBUTE, CALL, CALLABLE, ITERATE, LENGTH, REPR } from "./protocol.js";
import type { Keywords } from "./protocol.js";
import { bind, onlyPositional } from "./signature.js";
import { Tuple } from "./tuple.js";
import { Undefined } from "./undefined.js";

/** What calls the loop again on a deeper level. */
export type Recurse = (iterable: Value, depth0: number) => unknown;

/** A running loop. It reads ahead only where `last`, `nextitem` or the length is asked for. */
export class Loop extends BaseObject {
  readonly #iterable: unknown;
  readonly #depth0: number;
  readonly #recurse: Recurse | null;
  #iterator: Iterator<unknown>;
  #index0 = -1;
  #length: number | null = null;
  #after: unknown = ABSENT;
  #current: unknown = ABSENT;
  #before: unknown = ABSENT;
  #changed: readonly unknown[] | null = null;

  constructor(iterable: unknown, depth0: number, recurse: Recurse | null, place: string) {
    super("jinja2.runtime.LoopContext");
    this.#iterable = iterable;
    this.#iterator = iterate(iterable, place);
    this.#depth0 = depth0;
    this.#recurse = recurse;
  }

  static advance(loop: Loop): boolean {
    const next = loop.#after === ABSENT ? loop.#read() : loop.#after;
    loop.#after = ABSENT;
    if (next === ABSENT) {
      return false;
    }
    loop.#index0++;
    loop.#before = loop.#current;
    loop.#current = next;
    return true;
  }

  static current(loop: Loop): unknown {
    return loop.#current;
  }

  #read(): unknown {
    const next = this.#iterator.next();
    return next.done === true ? ABSENT : next.value;
  }

  /** The next item. Jinja2 marks by `missing` that it has not read ahead: an item that is `missing` is lost here. */
  #peek(): unknown {
    if (this.#after === ABSENT) {
      const next = this.#read();
      this.#after = next === missingObject() ? ABSENT : next;
    }
    return this.#after;
  }

  override [LENGTH](): number {
    this.#length ??= lengthOrNull(this.#iterable) ?? this.#drain();
    return this.#length;
  }

  /** The length of what can be read only once: reads the rest, and goes on from the copy. */
  #drain(): number {
    const rest = drain(this.#iterator);
    this.#iterator = rest.values();
    return rest.length + this.#index0 + 1 + (this.#after === ABSENT ? 0 : 1);
  }

  override [REPR](): string {
    return `<LoopContext ${this.#index0 + 1}/${this[LENGTH]()}>`;
  }

  override [ITERATE](): Iterator<unknown> {
    return {
      next: (): IteratorResult<unknown> =>
        Loop.advance(this)
          ? { done: false, value: new Tuple([this.#current, this]) }
          : { done: true, value: undefined },
    };
  }

  override [CALLABLE](): boolean {
    return true;
  }

  override [CALL](args: readonly unknown[], kwargs: Keywords, place: string): unknown {
    const parameters = [["iterable"]] as const;
    const signature = { name: "LoopContext.__call__", subject: "self", hidden: 0, parameters };
    const [iterable] = bind(signature, args, kwargs, place);
    const recursive = "The loop must have the 'recursive' marker to be called recursively.";
    return this.#recurse === null
      ? fail("TypeError", recursive, place)
      : this.#recurse(value(iterable), this.#depth0 + 1);
  }

  override [ATTRIBUTE](name: string): unknown {
    switch (name) {
      case "index0":
        return this.#index0;
      case "index":
        return this.#index0 + 1;
      case "revindex0":
        return this[LENGTH]() - this.#index0 - 1;
      case "revindex":
        return this[LENGTH]() - this.#index0;
      case "first":
        return this.#index0 === 0;
      case "last":
        return this.#peek() === ABSENT;
      case "length":
        return this[LENGTH]();
      case "depth":
        return this.#depth0 + 1;
      case "depth0":
        return this.#depth0;
      default:
        return this.#other(name);
    }
  }

  #other(name: string): unknown {
    switch (name) {
      case "previtem":
        return this.#index0 === 0 ? noItem("previous") : this.#before;
      case "nextitem":
        return this.#peek() === ABSENT ? noItem("next") : this.#after;
      case "cycle":
        return new Method(
          "LoopContext.cycle",
          (args, kwargs, place) => this.#cycle(args, kwargs, place),
          "method",
        );
      case "changed":
        return new Method(
          "LoopContext.changed",
          (args, kwargs, place) => this.#isChanged(args, kwargs, place),
          "method",
        );
      default:
        return ABSENT;
    }
  }

  #cycle(args: readonly unknown[], kwargs: Keywords, place: string): unknown {
    onlyPositional("LoopContext.cycle", kwargs, place);
    return args.length === 0
      ? fail("TypeError", "no items for cycling given", place)
      : args[this.#index0 % args.length];
  }

  #isChanged(values: readonly unknown[], kwargs: Keywords, place: string): boolean {
    onlyPositional("LoopContext.changed", kwargs, place);
    if (this.#changed !== null && eqItems(this.#changed, values)) {
      return false;
    }
    this.#changed = values;
    return true;
  }
}

/** The neighbour of the first or last item. */
export function noItem(which: string): Value {
  return value(new Undefined(`there is no ${which} item`));
}

/** Starts a loop. */
export function loop(
  iterable: unknown,
  depth0: number,
  recurse: Recurse | null,
  place: string,
): Loop {
  return new Loop(iterable, depth0, recurse, place);
}

/** Goes on to the next item; false at the end. */
export function loopNext(running: Loop, _place: string): boolean {
  return Loop.advance(running);
}

/** The current item. */
export function loopItem(running: Loop): Value {
  return value(Loop.current(running));
}
