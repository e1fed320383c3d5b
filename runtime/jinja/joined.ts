/** Jinja2's filter `join` without an attribute to look up. */
import { list } from "./iterate.js";
import { str } from "./print.js";

/** `v | join(d)`; no attribute is given. */
export function joined(v: unknown, d: unknown, _attribute: null, place: string): string {
  return list(v, place).map(str).join(str(d));
}
