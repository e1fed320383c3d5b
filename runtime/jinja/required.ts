/**
 * What is undefined, and what raises where a value must be there. The class Undefined stays outside: bundles hold it only
 * where their template makes one.
 */
import { fail } from "../errors.js";
import { PythonObject, RAISE } from "./protocol.js";
import { quote } from "./quote.js";
import { qualifiedType } from "./types.js";
import type { Undefined } from "./undefined.js";

/** Whether the value is undefined, with or without a message. */
export function isUndefined(v: unknown): v is Undefined | undefined {
  return v === undefined || (v instanceof PythonObject && RAISE in v);
}

/** Raises what using the undefined value raises. */
export function failUndefined(v: Undefined | undefined, place: string): never {
  return v === undefined
    ? fail("UndefinedError", "the value is undefined", place)
    : v[RAISE](place);
}

/** Jinja2's message for a lookup that found nothing. */
export function absentMessage(owner: unknown, key: string | number): string {
  const type = owner === null ? "None" : `${qualifiedType(owner)} object`;
  return typeof key === "string"
    ? `${quote(type)} has no attribute ${quote(key)}`
    : `${type} has no element ${key}`;
}

/** For `o?.k ?? missing(o, "k", place)`: null where the value is None, else raises the UndefinedError. */
export function missing(owner: unknown, key: string | number, place: string): null {
  if (isUndefined(owner)) {
    return failUndefined(owner, place);
  }
  if (holdsNull(owner, key)) {
    return null;
  }
  return fail("UndefinedError", absentMessage(owner, key), place);
}

/** Whether the value under the key is None. */
export function holdsNull(owner: unknown, key: string | number): boolean {
  return typeof owner === "object" && owner !== null && Reflect.get(owner, key) === null;
}
