/** Python's set, which a template gets only by subtracting from a dict's keys or items. */
import { canonical } from "./hash.js";
import { drain, iterate } from "./iterate.js";
import { Method } from "./method.js";
import type { Body } from "./method.js";
import { repr } from "./print.js";
import { BaseObject } from "./object.js";
import {
  ABSENT,
  ATTRIBUTE,
  CANONICAL,
  CONTAINS,
  EQUALS,
  HASHABLE,
  HIDDEN,
  ITERATE,
  LENGTH,
  MEMBERS,
  PythonObject,
  REPR,
  SUBTRACT,
} from "./protocol.js";
import { exactly, noKeywords } from "./sequence.js";
import { fail } from "../errors.js";
import { slotOrder } from "./set-order.js";

type Members = ReadonlyMap<unknown, unknown>;

const CHANGES: ReadonlySet<string> = new Set([
  ...["add", "clear", "difference_update", "discard", "pop", "remove"],
  ...["symmetric_difference_update", "update"],
]);

/** A set: its members by what makes them the same key. */
export class PythonSet extends BaseObject {
  #members: Members;

  constructor(members: Members) {
    super("set");
    this.#members = members;
  }

  /** `set(items)`: members that cannot be hashed raise. */
  static of(items: Iterable<unknown>, place: string): PythonSet {
    return new PythonSet(membersOf(items, place));
  }

  /** `self - other` as the views of dicts have it: other is any iterable. */
  static without(set: PythonSet, other: unknown, place: string): PythonSet {
    return new PythonSet(difference(set.#members, [other], place));
  }

  #items(): readonly unknown[] {
    return slotOrder([...this.#members.values()]);
  }

  override [LENGTH](): number {
    return this.#members.size;
  }

  override [REPR](): string {
    return this.#members.size === 0 ? "set()" : `{${this.#items().map(repr).join(", ")}}`;
  }

  override [ITERATE](): Iterator<unknown> {
    return this.#items().values();
  }

  override [CONTAINS](needle: unknown, place: string): boolean {
    // Python asks for a set as for a frozen one, which no set of ours holds.
    return !(needle instanceof PythonSet) && this.#members.has(canonical(needle, place));
  }

  override [EQUALS](other: unknown): boolean {
    const others = other instanceof PythonObject ? (other[MEMBERS]?.() ?? null) : null;
    return (
      others?.length === this.#members.size &&
      others.every((member) => this.#members.has(canonical(member, "")))
    );
  }

  override [CANONICAL](place: string): never {
    return fail("TypeError", "unhashable type: 'set'", place);
  }

  override [HASHABLE](): boolean {
    return false;
  }

  override [MEMBERS](): readonly unknown[] {
    return this.#items();
  }

  override [SUBTRACT](other: unknown, reflected: boolean, place: string): unknown {
    return reflected || !(other instanceof PythonSet)
      ? ABSENT
      : PythonSet.without(this, other, place);
  }

  override [ATTRIBUTE](name: string): unknown {
    if (CHANGES.has(name)) {
      return HIDDEN;
    }
    const body = this.#method(name);
    return body === null ? ABSENT : new Method(`built-in method ${name} of set object`, body);
  }

  #method(name: string): Body | null {
    const members = this.#members;
    const combined = (combine: (others: readonly unknown[], place: string) => Members): Body => {
      return (args, kwargs, place) => {
        noKeywords(`set.${name}`, kwargs, place);
        return new PythonSet(combine(args, place));
      };
    };
    switch (name) {
      case "copy":
        return (args, kwargs, place) => {
          exactly(0, "set.copy", args, kwargs, place);
          return new PythonSet(members);
        };
      case "difference":
        return combined((others, place) => difference(members, others, place));
      case "intersection":
        return combined((others, place) => intersection(members, others, place));
      case "union":
        return combined((others, place) =>
          membersOf(
            [members.values(), ...others.map((o) => iterate(o, place))].flatMap(drained),
            place,
          ),
        );
      case "intersection_update":
        return (args, kwargs, place) => {
          noKeywords("set.intersection_update", kwargs, place);
          this.#members = intersection(members, args, place);
          return null;
        };
      default:
        return this.#relation(name);
    }
  }

  #relation(name: string): Body | null {
    const members = this.#members;
    const withOther = (relate: (other: Members) => unknown): Body => {
      return (args, kwargs, place) => {
        const other = exactly(1, `set.${name}`, args, kwargs, place);
        return relate(membersOf(drain(iterate(other, place)), place));
      };
    };
    switch (name) {
      case "isdisjoint":
        return withOther((other) => [...members.keys()].every((key) => !other.has(key)));
      case "issubset":
        return withOther((other) => [...members.keys()].every((key) => other.has(key)));
      case "issuperset":
        return withOther((other) => [...other.keys()].every((key) => members.has(key)));
      case "symmetric_difference":
        return withOther((other) => {
          const own = [...members].filter(([key]) => !other.has(key));
          return new PythonSet(
            new Map([...own, ...[...other].filter(([key]) => !members.has(key))]),
          );
        });
      default:
        return null;
    }
  }
}

function drained(iterator: Iterator<unknown>): unknown[] {
  return drain(iterator);
}

/** The members of the items; of equal ones the first stays. */
function membersOf(items: Iterable<unknown>, place: string): Members {
  const members = new Map<unknown, unknown>();
  for (const item of items) {
    const key = canonical(item, place);
    if (!members.has(key)) members.set(key, item);
  }
  return members;
}

function difference(members: Members, others: readonly unknown[], place: string): Members {
  const left = new Map(members);
  for (const other of others) {
    for (const item of drain(iterate(other, place))) left.delete(canonical(item, place));
  }
  return left;
}

function intersection(members: Members, others: readonly unknown[], place: string): Members {
  let left = members;
  for (const other of others) {
    const kept = membersOf(drain(iterate(other, place)), place);
    left = new Map([...left].filter(([key]) => kept.has(key)));
  }
  return left;
}
