/**
 * What the runtime's own classes answer, under symbols that no template can name. Functions ask through it, so that a
 * bundle holds only the classes that its template makes.
 */
import { Opaque } from "../values.js";

export const TYPE: unique symbol = /* @__PURE__ */ Symbol();
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
export const RAISE: unique symbol = /* @__PURE__ */ Symbol();

/** What ATTRIBUTE and ITEM answer where there is none. */
export const ABSENT: unique symbol = /* @__PURE__ */ Symbol();
/** What an object gives for an attribute that it has and the sandbox hides. */
export const HIDDEN: unique symbol = /* @__PURE__ */ Symbol();

/** Keyword arguments; null where there are none. */
export type Keywords = Readonly<Record<string, unknown>> | null;

/**
 * A Python object that is no JavaScript value of its own: what functions may ask of it, and no code, so that bundles hold
 * only the classes that their templates make (see `object.ts`).
 */
export abstract class PythonObject extends Opaque {
  /** The class with its module, "jinja2.utils.Cycler"; builtins have none. */
  abstract readonly [TYPE]: string;

  abstract [TRUTH](): boolean;

  abstract [LENGTH](): number | null;

  abstract [REPR](): string;

  abstract [STR](): string;

  /** The characters, of an object that is a Python str. */
  abstract [TEXT](): string | null;

  /** The bytes, each as one character, of an object that is Python's bytes. */
  [OCTETS]?(): string | null;

  /** A text made from this str, as Markup's methods return Markup. */
  [WRAP]?(text: string): unknown;

  /** A new iterator, null if the object is not iterable. */
  abstract [ITERATE](place: string): Iterator<unknown> | null;

  /** The items from the last to the first, null if the object is not reversible. */
  [REVERSE]?(): Iterator<unknown> | null;

  abstract [EQUALS](other: unknown): boolean;

  /** A value that is identical for objects that are equal as keys of a dict. */
  [CANONICAL]?(place: string): unknown;

  /** Whether CANONICAL does not raise. */
  [HASHABLE]?(): boolean;

  /** Whether the needle is in it, by the equality that is given; raises for what is no container. */
  abstract [CONTAINS](needle: unknown, place: string, equal: Equality): boolean;

  [ATTRIBUTE]?(name: string, place: string): unknown;

  [ITEM]?(key: unknown, place: string): unknown;

  [SLICE]?(start: unknown, stop: unknown, step: unknown, place: string): unknown;

  [CALLABLE]?(): boolean;

  /** Whether the object has a length and items, as Jinja2's test `sequence` asks. */
  abstract [SEQUENCE](): boolean;

  /** `this + other`, or `other + this` where reflected. */
  [ADD]?(other: unknown, reflected: boolean): unknown;

  /** `this - other`, or `other - this` where reflected. */
  [SUBTRACT]?(other: unknown, reflected: boolean, place: string): unknown;

  /** `this * times`. */
  [REPEAT]?(times: number, place: string): unknown;

  /** What the object has as a set, null if it is no set. */
  [MEMBERS]?(): readonly unknown[] | null;

  /** The items, of a tuple alone. */
  [ITEMS]?(): readonly unknown[];

  /** The items by which objects of one class are ordered, null if they are not. */
  [COMPARE]?(): readonly unknown[] | null;

  /** Absent of what cannot be called. */
  [CALL]?(args: readonly unknown[], kwargs: Keywords, place: string): unknown;

  /** Raises what using an Undefined raises; absent of everything else. */
  [RAISE]?(place: string): never;
}

/** Python's `==`. */
export type Equality = (a: unknown, b: unknown) => boolean;

/** A text made from this str, as Markup's methods return Markup. */
export function wrapped(object: PythonObject, text: string): unknown {
  return object[WRAP]?.(text) ?? text;
}

/** The item of a key, ABSENT if the object has none; an item may be null. */
export function itemOfObject(object: PythonObject, key: unknown, place: string): unknown {
  return object[ITEM] === undefined ? ABSENT : object[ITEM](key, place);
}
