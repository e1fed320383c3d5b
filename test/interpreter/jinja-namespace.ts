/** Assignment to attributes: `{% set ns.name = value %}`. */
import { repr } from "./jinja-text.js";
import { Namespace, PyDict, PyStr, raise, str } from "./jinja-values.js";
import type { Value } from "./jinja-values.js";

/** transformers refuses names with an underscore in front on a namespace. */
export function checkNamespaceName(name: Value): void {
  if (!(name instanceof PyStr) || !name.text.startsWith("_")) return;
  const refusal = "Chat templates cannot store underscore-prefixed attributes on a namespace";
  raise("SecurityError", `${refusal}, but got ${repr(name)}. Please rename the attribute.`);
}

/** Python's `object[name] = value`, which a set block does without looking at the object. */
export function setItem(object: Value, name: string, value: Value): void {
  if (object instanceof Namespace) {
    checkNamespaceName(str(name));
    object.attributes.set(str(name), value);
  } else if (object instanceof PyDict) object.set(str(name), value);
  else raise("TypeError", `'${object.typeName}' object does not support item assignment`);
}
