/**
 * What the runtime's own classes answer, under symbols that no template can name. Functions ask through it, so that a
 * bundle holds only the classes that its template makes.
 */
import { fail } from "../errors.js";
import { Opaque } from "../values.js";

export const TRUTH: unique symbol = /* @__PURE__ */ Symbol("truth");
export const LENGTH: unique symbol = /* @__PURE__ */ Symbol("length");
export const REPR: unique symbol = /* @__PURE__ */ Symbol("repr");
export const STR: unique symbol = /* @__PURE__ */ Symbol("str");
export const TEXT: unique symbol = /* @__PURE__ */ Symbol("text");
export const OCTETS: unique symbol = /* @__PURE__ */ Symbol("octets");
export const ITERATE: unique symbol = /* @__PURE__ */ Symbol("iterate");
export const REVERSE: unique symbol = /* @__PURE__ */ Symbol("reverse");
export const EQUALS: unique symbol = /* @__PURE__ */ Symbol("equals");
export const CANONICAL: unique symbol = /* @__PURE__ */ Symbol("canonical");
export const HASHABLE: unique symbol = /* @__PURE__ */ Symbol("hashable");
export const CONTAINS: unique symbol = /* @__PURE__ */ Symbol("contains");
export const ATTRIBUTE: unique symbol = /* @__PURE__ */ Symbol("attribute");
export const ITEM: unique symbol = /* @__PURE__ */ Symbol("item");
export const SLICE: unique symbol = /* @__PURE__ */ Symbol("slice");
export const CALL: unique symbol = /* @__PURE__ */ Symbol("call");
export const CALLABLE: unique symbol = /* @__PURE__ */ Symbol("callable");
export const SEQUENCE: unique symbol = /* @__PURE__ */ Symbol("sequence");
export const ADD: unique symbol = /* @__PURE__ */ Symbol("add");
export const SUBTRACT: unique symbol = /* @__PURE__ */ Symbol("subtract");
export const REPEAT: unique symbol = /* @__PURE__ */ Symbol("repeat");
export const WRAP: unique symbol = /* @__PURE__ */ Symbol("wrap");
export const MEMBERS: unique symbol = /* @__PURE__ */ Symbol("members");
export const ITEMS: unique symbol = /* @__PURE__ */ Symbol("items");
export const COMPARE: unique symbol = /* @__PURE__ */ Symbol("compare");

/** What ATTRIBUTE and ITEM answer where there is none. */
export const ABSENT: unique symbol = /* @__PURE__ */ Symbol("absent");

/** Where every object seems to be: an address as CPython on Linux prints it. */
export const ADDRESS = "0x7f0000000000";

/** Keyword arguments; null where there are none. */
export type Keywords = Readonly<Record<string, unknown>> | null;

/** A Python object that is no JavaScript value of its own. The defaults are those of Python's `object`. */
export class PythonObject extends Opaque {
  readonly #type: string;

  /** `type` is the class with its module, "jinja2.utils.Cycler"; builtins have none. */
  constructor(type: string) {
    super();
    this.#type = type;
  }

  static typeOf(object: PythonObject): string {
    return object.#type;
  }

  [TRUTH](): boolean {
    return this[LENGTH]() !== 0;
  }

  [LENGTH](): number | null {
    return null;
  }

  [REPR](): string {
    return `<${this.#type} object at ${ADDRESS}>`;
  }

  [STR](): string {
    return this[REPR]();
  }

  /** The characters, of an object that is a Python str. */
  [TEXT](): string | null {
    return null;
  }

  /** The bytes, each as one character, of an object that is Python's bytes. */
  [OCTETS](): string | null {
    return null;
  }

  /** A text made from this str, as Markup's methods return Markup. */
  [WRAP](text: string): unknown {
    return text;
  }

  /** A new iterator, null if the object is not iterable. */
  [ITERATE](_place: string): Iterator<unknown> | null {
    return null;
  }

  /** The items from the last to the first, null if the object is not reversible. */
  [REVERSE](): Iterator<unknown> | null {
    return null;
  }

  [EQUALS](other: unknown): boolean {
    return this === other;
  }

  /** A value that is identical for objects that are equal as keys of a dict. */
  [CANONICAL](_place: string): unknown {
    return this;
  }

  /** Whether CANONICAL does not raise. */
  [HASHABLE](): boolean {
    return true;
  }

  [CONTAINS](_needle: unknown, _place: string): boolean | null {
    return null;
  }

  [ATTRIBUTE](_name: string, _place: string): unknown {
    return ABSENT;
  }

  [ITEM](_key: unknown, _place: string): unknown {
    return ABSENT;
  }

  [SLICE](_start: unknown, _stop: unknown, _step: unknown, _place: string): unknown {
    return ABSENT;
  }

  [CALLABLE](): boolean {
    return false;
  }

  /** Whether the object has a length and items, as Jinja2's test `sequence` asks. */
  [SEQUENCE](): boolean {
    return false;
  }

  /** `this + other`, or `other + this` where reflected. */
  [ADD](_other: unknown, _reflected: boolean): unknown {
    return ABSENT;
  }

  /** `this - other`, or `other - this` where reflected. */
  [SUBTRACT](_other: unknown, _reflected: boolean, _place: string): unknown {
    return ABSENT;
  }

  /** `this * times`. */
  [REPEAT](_times: number, _place: string): unknown {
    return ABSENT;
  }

  /** What the object has as a set, null if it is no set. */
  [MEMBERS](): readonly unknown[] | null {
    return null;
  }

  /** The items of a tuple, null of anything else. */
  [ITEMS](): readonly unknown[] | null {
    return null;
  }

  /** The items by which objects of one class are ordered, null if they are not. */
  [COMPARE](): readonly unknown[] | null {
    return null;
  }

  [CALL](_args: readonly unknown[], _kwargs: Keywords, place: string): unknown {
    const name = this.#type.slice(this.#type.lastIndexOf(".") + 1);
    return fail("TypeError", `'${name}' object is not callable`, place);
  }
}
