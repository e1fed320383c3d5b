/**
 * Attributes and items under keys that are written in the template, and that no builtin type of Python has: most lookups.
 * Bundles hold no methods for them, but those of the classes that their templates make (`access.ts` has the whole rule).
 */
import { isDict, value, type Value } from "../values.js";
import { dictGet, field } from "./dict.js";
import { Method } from "./method.js";
import { ABSENT, ATTRIBUTE, HIDDEN, itemOfObject, PythonObject, TEXT } from "./protocol.js";
import { failUndefined, isUndefined } from "./required.js";
import { characterAt } from "./text.js";
import { typeName } from "./types.js";
import { absentValue, strict, unsafe } from "./undefined.js";

/** `o.name`: the attribute, else the item. */
export function member(o: unknown, name: string, place: string): Value {
  const found = o instanceof PythonObject ? ownAttribute(o, name, place) : ABSENT;
  if (found !== ABSENT) return value(found);
  if (isUndefined(o)) return failUndefined(o, place);
  return given(itemAt(o, name, place), o, name);
}

/** `o[key]`: the item, else the attribute. A number is an int. */
export function entry(o: unknown, key: string | number, place: string): Value {
  if (Array.isArray(o) && typeof key === "number" && key >= 0 && key < o.length) {
    return value(o[key]);
  }
  if (isUndefined(o)) return failUndefined(o, place);
  const found = itemAt(o, key, place);
  if (found !== ABSENT || typeof key === "number" || !(o instanceof PythonObject)) {
    return given(found, o, key);
  }
  return given(ownAttribute(o, key, place), o, key);
}

/** {@link entry} of what must be there: the error of an Undefined is raised at once. */
export function entryOf(o: unknown, key: string | number, place: string): Value {
  return strict(entry(o, key, place), place);
}

/** `o[i]` for a number that is an int. */
export function index(o: unknown, i: number, place: string): Value {
  return Array.isArray(o) && i >= 0 && i < o.length ? value(o[i]) : entry(o, i, place);
}

function given(found: unknown, owner: unknown, key: string | number): Value {
  return found === ABSENT ? absentValue(owner, key) : value(found);
}

/** A str has no other attributes than its methods. */
function ownAttribute(o: PythonObject, name: string, place: string): unknown {
  const own = o[ATTRIBUTE] === undefined ? ABSENT : o[ATTRIBUTE](name, place);
  if (own === HIDDEN) return unsafe(typeName(o), name);
  return o[TEXT]() === null ? Method.bind(own, o) : ABSENT;
}

/** The item of a key that can be one, ABSENT if there is none. */
function itemAt(o: unknown, key: string | number, place: string): unknown {
  if (isDict(o)) {
    const found = typeof key === "string" ? field(o, key) : dictGet(o, key, place);
    return found === undefined ? ABSENT : found;
  }
  if (o instanceof PythonObject) return itemOfObject(o, key, place);
  if (typeof key === "string") return ABSENT;
  if (Array.isArray(o)) {
    const found: unknown = o.at(key);
    return key < o.length && key >= -o.length ? found : ABSENT;
  }
  return typeof o === "string" ? (characterAt(o, key) ?? ABSENT) : ABSENT;
}
