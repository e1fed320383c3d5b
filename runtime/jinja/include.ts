/** Jinja2's include where no loader is: what is left of get_template and select_template (environment.py). */
import { fail } from "../errors.js";
import { iterate } from "./iterate.js";
import { truth } from "./print.js";
import { textOf } from "./types.js";
import { failUndefined, isUndefined } from "./required.js";

/** A name has no loader; of a list of names, an empty one can be missing. `isList`: a list that is spelt out. */
export function includeTemplate(
  v: unknown,
  isList: boolean,
  ignoresMissing: boolean,
  place: string,
): void {
  const isName = !isList && (textOf(v) !== null || isUndefined(v));
  if (!isName && isUndefined(v)) failUndefined(v, place);
  if (!isName && !truth(v)) {
    if (ignoresMissing) return;
    fail("TemplatesNotFound", "Tried to select from an empty list of templates.", place);
  }
  if (!isName) iterate(v, place);
  fail("TypeError", "no loader for this environment specified (include)", place);
}
