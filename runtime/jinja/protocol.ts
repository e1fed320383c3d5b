/**
 * What the runtime's own classes answer, under symbols that no template can name. Functions ask through it, so that a
 * bundle holds only the classes that its template makes.
 */
import { Opaque } from "../values.js";

export const TRUTH: unique symbol = /* @__PURE__ */ Symbol();
export const LENGTH: unique symbol = /* @__PURE__ */ Symbol();
export const REPR: unique symbol = /* @__PURE__ */ Symbol();
export const STR: unique symbol = /* @__PURE__ */ Symbol();
export const TEXT: unique symbol = /* @__PURE__ */ Symbol();
export const OCTETS: unique symbol = /* @__PURE__ */ Symbol();
export const ITERATE: unique symbol = /* @__PURE__ */ Symbol();
export const REVERSE: unique symbol = /* @__PURE__ */ Symbol();
export const EQUALS: unique symbol = /* @__PURE__ */ Symbol();
export const CANONICAL: unique symbol = /* @__PURE__ */ Symbol();
export const HASHABLE: unique symbol = /* @__PURE__ */ Symbol();
export const CONTAINS: unique symbol = /* @__PURE__ */ Symbol();
export const ATTRIBUTE: unique symbol = /* @__PURE__ */ Symbol();
export const ITEM: unique symbol = /* @__PURE__ */ Symbol();
export const SLICE: unique symbol = /* @__PURE__ */ Symbol();
export const CALL: unique symbol = /* @__PURE__ */ Symbol();
export const CALLABLE: unique symbol = /* @__PURE__ */ Symbol();
export const SEQUENCE: unique symbol = /* @__PURE__ */ Symbol();
export const ADD: unique symbol = /* @__PURE__ */ Symbol();
export const SUBTRACT: unique symbol = /* @__PURE__ */ Symbol();
export const REPEAT: unique symbol = /* @__PURE__ */ Symbol();
export const WRAP: unique symbol = /* @__PURE__ */ Symbol();
export const MEMBERS: unique symbol = /* @__PURE__ */ Symbol();
export const ITEMS: unique symbol = /* @__PURE__ */ Symbol();
export const COMPARE: unique symbol = /* @__PURE__ */ Symbol();

/** What ATTRIBUTE and ITEM answer where there is none. */
export const ABSENT: unique symbol = /* @__PURE__ */ Symbol();

/** Where every object seems to be: an address as CPython on Linux prints it. */
export const ADDRESS = "0x7f0000000000";

/** Keyword arguments; null where there are none. */
export type Keywords = Readonly<Record<string, unknown>> | null;

/**
 * A Python object that is no JavaScript value of its own. The defaults are those of Python's `object`; what stands here
 * without a body has its default where it is asked for, so that bundles hold only what their templates ask.
 */
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
  [OCTETS]?(): string | null;

  /** A text made from this str, as Markup's methods return Markup. */
  [WRAP]?(text: string): unknown;

  /** A new iterator, null if the object is not iterable. */
  [ITERATE](_place: string): Iterator<unknown> | null {
    return null;
  }

  /** The items from the last to the first, null if the object is not reversible. */
  [REVERSE]?(): Iterator<unknown> | null;

  [EQUALS](other: unknown): boolean {
    return this === other;
  }

  /** A value that is identical for objects that are equal as keys of a dict. */
  [CANONICAL]?(place: string): unknown;

  /** Whether CANONICAL does not raise. */
  [HASHABLE]?(): boolean;

  [CONTAINS](_needle: unknown, _place: string): boolean | null {
    return null;
  }

  [ATTRIBUTE]?(name: string, place: string): unknown;

  [ITEM]?(key: unknown, place: string): unknown;

  [SLICE]?(start: unknown, stop: unknown, step: unknown, place: string): unknown;

  [CALLABLE]?(): boolean;

  /** Whether the object has a length and items, as Jinja2's test `sequence` asks. */
  [SEQUENCE](): boolean {
    return false;
  }

  /** `this + other`, or `other + this` where reflected. */
  [ADD]?(other: unknown, reflected: boolean): unknown;

  /** `this - other`, or `other - this` where reflected. */
  [SUBTRACT]?(other: unknown, reflected: boolean, place: string): unknown;

  /** `this * times`. */
  [REPEAT]?(times: number, place: string): unknown;

  /** What the object has as a set, null if it is no set. */
  [MEMBERS]?(): readonly unknown[] | null;

  /** The items of a tuple, null of anything else. */
  [ITEMS](): readonly unknown[] | null {
    return null;
  }

  /** The items by which objects of one class are ordered, null if they are not. */
  [COMPARE]?(): readonly unknown[] | null;

  /** Absent of what cannot be called. */
  [CALL]?(args: readonly unknown[], kwargs: Keywords, place: string): unknown;
}

/** A text made from this str, as Markup's methods return Markup. */
export function wrapped(object: PythonObject, text: string): unknown {
  return object[WRAP]?.(text) ?? text;
}

/** The item of a key, ABSENT if the object has none; an item may be null. */
export function itemOfObject(object: PythonObject, key: unknown, place: string): unknown {
  return object[ITEM] === undefined ? ABSENT : object[ITEM](key, place);
}
