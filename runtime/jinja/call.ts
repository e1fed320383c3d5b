/** Calls of values and of methods. */
import { fail } from "../errors.js";
import { isDict, value, type Value } from "../values.js";
import { attr } from "./access.js";
import { getOr } from "./dict-methods.js";
import { CALL, PythonObject } from "./protocol.js";
import type { Keywords } from "./protocol.js";
import { textMethod } from "./str-methods.js";
import { typeName } from "./types.js";
import { failUndefined } from "./required.js";

/** `f(*args, **kwargs)`. */
export function call(f: unknown, args: readonly unknown[], kwargs: Keywords, place: string): Value {
  if (f instanceof PythonObject && f[CALL] !== undefined) {
    return value(f[CALL](args, kwargs, place));
  }
  return f === undefined
    ? failUndefined(f, place)
    : fail("TypeError", `'${typeName(f)}' object is not callable`, place);
}

/** `o.name(*args, **kwargs)`. */
export function callMethod(
  o: unknown,
  name: string,
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
): Value {
  if (typeof o === "string") {
    const method = textMethod(name);
    if (method !== null) {
      return value(method(o, args, kwargs, place));
    }
  } else if (name === "get" && kwargs === null && isDict(o)) {
    return value(getOr(o, args, place));
  }
  return call(attr(o, name, place), args, kwargs, place);
}
