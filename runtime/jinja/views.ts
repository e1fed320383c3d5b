/** Python's dict views: what keys(), values() and items() give. */
import { fail } from "../errors.js";
import { dictEntries, dictGet, dictKeys, dictSize, dictValues, fillDict } from "./dict.js";
import { eq } from "./compare.js";
import { drain, iterate } from "./iterate.js";
import { Method } from "./method.js";
import { repr } from "./print.js";
import { BaseObject } from "./object.js";
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
  SUBTRACT,
} from "./protocol.js";
import { MappingProxy } from "./proxy.js";
import { exactly } from "./sequence.js";
import { PythonSet } from "./sets.js";
import { Tuple } from "./tuple.js";

type Dict = Readonly<Record<string, unknown>>;
type ViewKind = "keys" | "values" | "items";

/** A view of a dict. */
export class View extends BaseObject {
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
    const members = this[MEMBERS]();
    const others = other instanceof PythonObject ? (other[MEMBERS]?.() ?? null) : null;
    if (members === null || others === null) {
      return this === other;
    }
    return members.length === others.length && members.every((one) => includes(others, one));
  }

  /** What CPython's views do with any iterable at the other side. */
  override [SUBTRACT](other: unknown, reflected: boolean, place: string): unknown {
    if (this.#kind === "values") {
      return ABSENT;
    }
    const [from, what] = reflected ? [other, this] : [this, other];
    return PythonSet.without(PythonSet.of(drain(iterate(from, place)), place), what, place);
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
      return fillDict(new MappingProxy(), dictEntries(this.#dict), "");
    }
    if (name !== "isdisjoint" || this.#kind === "values") {
      return ABSENT;
    }
    const description = `built-in method isdisjoint of dict_${this.#kind} object`;
    return new Method(description, (args, kwargs, place) => {
      const other = exactly(1, `dict_${this.#kind}.isdisjoint`, args, kwargs, place);
      // A view of keys looks each item up, so it must be one that can be a key.
      return drain(iterate(other, place)).every((item) => !this[CONTAINS](item, place));
    });
  }
}

function includes(items: readonly unknown[], wanted: unknown): boolean {
  return items.some((item) => eq(item, wanted));
}
