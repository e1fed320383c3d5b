/** Python's tuple. */
import { meter } from "../meter.js";
import { value, type Value } from "../values.js";
import { eqItems } from "./compare.js";
import { canonical, isHashable } from "./hash.js";
import { Method } from "./method.js";
import { repr } from "./print.js";
import { BaseObject } from "./object.js";
import {
  ABSENT,
  ADD,
  ATTRIBUTE,
  CANONICAL,
  COMPARE,
  EQUALS,
  HASHABLE,
  ITEM,
  ITEMS,
  ITERATE,
  LENGTH,
  REPEAT,
  REPR,
  REVERSE,
  SEQUENCE,
  SLICE,
  TYPE,
} from "./protocol.js";
import { repeatItems } from "./repeat.js";
import { countItems, indexItem, sliceItems } from "./sequence.js";
import { smallInt } from "./numbers.js";

/** A tuple; it is no Array, so that lists and tuples stay apart. */
export class Tuple extends BaseObject {
  readonly #items: readonly unknown[];

  constructor(items: readonly unknown[], type = "tuple") {
    super(type);
    meter?.spendItems(items.length);
    this.#items = items;
  }

  static items(tuple: Tuple): readonly unknown[] {
    return tuple.#items;
  }

  override [LENGTH](): number {
    return this.#items.length;
  }

  override [REPR](): string {
    const inner = this.#items.map(repr).join(", ");
    return this.#items.length === 1 ? `(${inner},)` : `(${inner})`;
  }

  override [ITERATE](): Iterator<unknown> {
    return this.#items.values();
  }

  override [REVERSE](): Iterator<unknown> {
    return [...this.#items].reverse().values();
  }

  override [EQUALS](other: unknown): boolean {
    return other instanceof Tuple && eqItems(this.#items, other.#items);
  }

  override [CANONICAL](place: string): unknown {
    const parts = this.#items.map((item) => canonical(item, place));
    const simple = parts.every((part) => part === null || typeof part !== "object");
    return simple ? Symbol.for(`tuple(${parts.map(tag).join()})`) : this;
  }

  override [HASHABLE](): boolean {
    return this.#items.every(isHashable);
  }

  override [ITEMS](): readonly unknown[] {
    return this.#items;
  }

  override [COMPARE](): readonly unknown[] {
    return this.#items;
  }

  override [ADD](other: unknown, reflected: boolean): unknown {
    return other instanceof Tuple && !reflected
      ? new Tuple([...this.#items, ...other.#items])
      : ABSENT;
  }

  override [REPEAT](times: number, place: string): Tuple {
    return new Tuple(repeatItems(this.#items, times, place));
  }

  override [ITEM](key: unknown): unknown {
    const i = smallInt(key);
    return i === null ? ABSENT : itemAt(this.#items, i);
  }

  override [SLICE](start: unknown, stop: unknown, step: unknown, place: string): Tuple {
    return new Tuple(sliceItems(this.#items, start, stop, step, place));
  }

  #methodText(name: string): string {
    const type = this[TYPE];
    return `built-in method ${name} of ${type.slice(type.lastIndexOf(".") + 1)} object`;
  }

  override [ATTRIBUTE](name: string): unknown {
    switch (name) {
      case "count":
        return new Method(this.#methodText(name), countItems("tuple", this.#items));
      case "index":
        return new Method(this.#methodText(name), indexItem("tuple", this.#items));
      default:
        return ABSENT;
    }
  }

  override [SEQUENCE](): boolean {
    return true;
  }
}

/** A text of the canonical key that no other key has. */
function tag(part: unknown): string {
  return typeof part === "string" ? JSON.stringify(part) : String(part);
}

/** The item with that index, counted from the end where negative. */
export function itemAt(items: readonly unknown[], i: number): unknown {
  const at = i < 0 ? i + items.length : i;
  return at >= 0 && at < items.length ? items[at] : ABSENT;
}

/** A tuple of the items. */
export function tuple(items: readonly unknown[]): Value {
  return value(new Tuple(items));
}
