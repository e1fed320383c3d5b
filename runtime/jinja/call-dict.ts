/** Calls of methods that of Python's builtin types only dict has. */
import { isDict, value, type Value } from "../values.js";
import { call } from "./call.js";
import { dictMethod } from "./dict-methods.js";
import { member } from "./lookup.js";
import type { Keywords } from "./protocol.js";

/** `o.name(*args, **kwargs)` for `get`, `items`, `keys` and `values`. */
export function callDict(
  o: unknown,
  name: string,
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
): Value {
  const method = isDict(o) ? dictMethod(o, name) : null;
  return method === null
    ? call(member(o, name, place), args, kwargs, place)
    : value(method(args, kwargs, place));
}
