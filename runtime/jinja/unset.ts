/** Attributes of namespaces that compiled code keeps in variables. */
import { value, type Value } from "../values.js";
import { namespace } from "./namespace.js";
import { absent } from "./undefined.js";

/** The attribute, or the Undefined that a namespace without it gives. */
export function unset(v: unknown, name: string): Value {
  return v === undefined ? absent(namespace([], null, ""), name) : value(v);
}
