/** Jinja2's LoopContext: wraps an iterable, looks one item ahead only when it must. */
import { iterate, lengthOrNull } from "./jinja-operators.js";
import {
  bool,
  Described,
  int,
  MISSING,
  PyFunction,
  PyTuple,
  raise,
  Undefined,
} from "./jinja-values.js";
import type { Value } from "./jinja-values.js";
import { equal } from "./jinja-operators.js";

export type Recurse = (iterable: Value, depth: number) => Value;

export class Loop extends Described {
  readonly typeName = "LoopContext";
  override readonly module = "jinja2.runtime";
  readonly #iterable: Value;
  #iterator: Iterator<Value>;
  #index0 = -1;
  #length: number | null = null;
  #after: Value = MISSING;
  #current: Value = MISSING;
  #before: Value = MISSING;
  #lastChanged: Value = MISSING;
  readonly #recurse: Recurse | null;
  readonly #depth0: number;

  constructor(iterable: Value, recurse: Recurse | null, depth0: number) {
    super();
    this.#iterable = iterable;
    this.#iterator = iterate(iterable);
    this.#recurse = recurse;
    this.#depth0 = depth0;
  }

  /** The next item, or null at the end. */
  advance(): Value | null {
    let item = this.#after;
    if (item === MISSING) {
      const step = this.#iterator.next();
      if (step.done === true) return null;
      item = step.value;
    }
    this.#after = MISSING;
    this.#index0++;
    this.#before = this.#current;
    this.#current = item;
    return item;
  }

  /** A generator is read to its end to count it. */
  get length(): number {
    if (this.#length === null) this.#length = lengthOrNull(this.#iterable);
    if (this.#length === null) {
      const rest: Value[] = [];
      for (let step = this.#iterator.next(); step.done !== true; step = this.#iterator.next()) {
        rest.push(step.value);
      }
      this.#iterator = rest[Symbol.iterator]();
      this.#length = rest.length + this.#index0 + 1 + (this.#after === MISSING ? 0 : 1);
    }
    return this.#length;
  }

  #peek(): Value {
    if (this.#after === MISSING) {
      const step = this.#iterator.next();
      this.#after = step.done === true ? MISSING : step.value;
    }
    return this.#after;
  }

  repr(): string {
    return `<LoopContext ${this.#index0 + 1}/${this.length}>`;
  }

  call(args: readonly Value[]): Value {
    const [iterable] = args;
    if (iterable === undefined) {
      raise(
        "TypeError",
        "LoopContext.__call__() missing 1 required positional argument: 'iterable'",
      );
    }
    if (args.length > 1) {
      const given = args.length + 1;
      raise(
        "TypeError",
        `LoopContext.__call__() takes 2 positional arguments but ${given} were given`,
      );
    }
    if (this.#recurse === null) {
      raise("TypeError", "The loop must have the 'recursive' marker to be called recursively.");
    }
    return this.#recurse(iterable, this.#depth0 + 1);
  }

  attribute(name: string): Value | undefined {
    if (name === "index0") return int(this.#index0);
    if (name === "index") return int(this.#index0 + 1);
    if (name === "depth0") return int(this.#depth0);
    if (name === "depth") return int(this.#depth0 + 1);
    if (name === "length") return int(this.length);
    if (name === "revindex0") return int(this.length - this.#index0 - 1);
    if (name === "revindex") return int(this.length - this.#index0);
    if (name === "first") return bool(this.#index0 === 0);
    if (name === "last") return bool(this.#peek() === MISSING);
    if (name === "previtem") {
      return this.#index0 === 0
        ? new Undefined({ hint: "there is no previous item" })
        : this.#before;
    }
    if (name === "nextitem") {
      const next = this.#peek();
      return next === MISSING ? new Undefined({ hint: "there is no next item" }) : next;
    }
    if (name === "cycle") return this.#method("cycle", (args) => this.#cycle(args));
    if (name === "changed") return this.#method("changed", (args) => this.#changed(args));
    return undefined;
  }

  #method(name: string, body: (args: readonly Value[]) => Value): PyFunction {
    const representation = `<bound method LoopContext.${name} of ${this.repr()}>`;
    const checked = (args: readonly Value[], kwargs: Map<string, Value>): Value => {
      for (const key of kwargs.keys()) {
        raise("TypeError", `LoopContext.${name}() got an unexpected keyword argument '${key}'`);
      }
      return body(args);
    };
    return new PyFunction("method", name, representation, checked);
  }

  #cycle(args: readonly Value[]): Value {
    const item = args[this.#index0 % args.length];
    return item ?? raise("TypeError", "no items for cycling given");
  }

  #changed(args: readonly Value[]): Value {
    const value = new PyTuple(args);
    if (this.#lastChanged !== MISSING && equal(this.#lastChanged, value)) return bool(false);
    this.#lastChanged = value;
    return bool(true);
  }
}
