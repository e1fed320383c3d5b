/** Python's dict views: what keys(), values() and items() give. */
import { fail } from "../errors.js";
import { dictEntries, dictGet, dictKeys, dictSize, dictValues } from "./dict.js";
import { eq } from "./compare.js";
import { drain, iteratorOf } from "./iterate.js";
import { Method } from "./method.js";
import { repr } from "./print.js";
import {
  ABSENT,
  ATTRIBUTE,
  CANONICAL,
  CONTAINS,
  EQUALS,
  HASHABLE,
  ITERATE,
  LENGTH,
  MEMBERS,
  PythonObject,
  REPR,
  REVERSE,
} from "./protocol.js";
import { exactly } from "./sequence.js";
import { Tuple } from "./tuple.js";

type Dict = Readonly<Record<string, unknown>>;
type ViewKind = "keys" | "values" | "items";

/** A view of a dict. */
export class View extends PythonObject {
  readonly #dict: Dict;
  readonly #kind: ViewKind;

  constructor(dict: Dict, kind: ViewKind) {
    super(`dict_${kind}`);
    this.#dict = dict;
    this.#kind = kind;
  }

  #members(): unknown[] {
    switch (this.#kind) {
      case "keys":
        return dictKeys(this.#dict);
      case "values":
        return dictValues(this.#dict);
      default:
        return dictEntries(this.#dict).map((pair) => new Tuple(pair));
    }
  }

  override [LENGTH](): number {
    return dictSize(this.#dict);
  }

  override [REPR](): string {
    return `dict_${this.#kind}(${repr(this.#members())})`;
  }

  override [ITERATE](): Iterator<unknown> {
    return this.#members().values();
  }

  override [REVERSE](): Iterator<unknown> {
    return this.#members().reverse().values();
  }

  override [CONTAINS](needle: unknown, place: string): boolean {
    if (this.#kind === "keys") {
      return dictGet(this.#dict, needle, place) !== undefined;
    }
    return this.#members().some((member) => eq(member, needle));
  }

  override [EQUALS](other: unknown): boolean {
    if (this === other || this.#kind === "values" || !(other instanceof View)) {
      return this === other;
    }
    const members = this.#members();
    const others = other.#kind === "values" ? [] : other.#members();
    return members.length === others.length && members.every((one) => includes(others, one));
  }

  override [CANONICAL](place: string): unknown {
    return this[HASHABLE]()
      ? this
      : fail("TypeError", `unhashable type: 'dict_${this.#kind}'`, place);
  }

  override [HASHABLE](): boolean {
    return this.#kind === "values";
  }

  override [MEMBERS](): readonly unknown[] | null {
    return this.#kind === "values" ? null : this.#members();
  }

  override [ATTRIBUTE](name: string): unknown {
    if (name === "mapping") {
      return this.#dict;
    }
    if (name !== "isdisjoint" || this.#kind === "values") {
      return ABSENT;
    }
    return new Method(`built-in method isdisjoint`, (args, kwargs, place) => {
      const other = exactly(1, `dict_${this.#kind}.isdisjoint`, args, kwargs, place);
      const others = drain(iteratorOf(other, place) ?? [].values());
      return !this.#members().some((member) => includes(others, member));
    });
  }
}

function includes(items: readonly unknown[], wanted: unknown): boolean {
  return items.some((item) => eq(item, wanted));
}
