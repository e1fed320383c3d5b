/** Jinja2's attribute paths (`make_attrgetter`), which several filters share. */
import { environmentItem } from "./jinja-attributes.js";
import { lower } from "./jinja-unicode.js";
import { int, Markup, PyNone, PyStr, str, Undefined } from "./jinja-values.js";
import type { Value } from "./jinja-values.js";
import { decimalValue } from "./jinja-unicode.js";

/** `a.0.b`: parts of digits are integers; an attribute that is no text is one part; none is no part. */
function partsOf(attribute: Value): Value[] {
  if (attribute instanceof PyNone) return [];
  if (!(attribute instanceof PyStr)) return [attribute];
  return attribute.text.split(".").map((part) => {
    const digits = Array.from(part).map((char) => decimalValue(char));
    return part !== "" && !digits.includes(null)
      ? int(BigInt(digits.join("")))
      : attribute instanceof Markup
        ? new Markup(part)
        : str(part);
  });
}

export type Getter = (item: Value) => Value;

/** Jinja2's `ignore_case`: text in lower case, everything else as it is. */
export function ignoreCase(value: Value): Value {
  if (!(value instanceof PyStr)) return value;
  return value instanceof Markup ? new Markup(lower(value.text)) : str(lower(value.text));
}

/** Looks an attribute path up; `otherwise` replaces what is undefined on the way. */
export function getter(attribute: Value, otherwise?: Value): Getter {
  const parts = partsOf(attribute);
  return (item) =>
    parts.reduce((object, part) => {
      const found = environmentItem(object, part);
      const replaced = found instanceof Undefined && otherwise !== undefined;
      return replaced && !(otherwise instanceof PyNone) ? otherwise : found;
    }, item);
}

/** The key by which items compare: their attribute, in lower case unless the case matters. */
export function sortKey(attribute: Value, caseSensitive: boolean, otherwise?: Value): Getter {
  const get = getter(attribute, otherwise);
  return caseSensitive ? get : (item) => ignoreCase(get(item));
}
