/** Everything that generated code calls for Jinja templates. */
export { RenderError } from "../errors.js";
export { fail, renderError } from "../errors.js";
export { Float, float, floatValue, value } from "../values.js";
export type { Fields, Open, Value } from "../values.js";
export { add, div, floordiv, mod, mul, neg, pos, pow, sub, text } from "./arithmetic.js";
export { eq, ge, gt, has, isIn, le, lt } from "./compare.js";
export { dict, isMapping } from "./dict.js";
export { isIterable, items, list, unpack } from "./iterate.js";
export { json } from "./json.js";
export { escape, Markup, markup } from "./markup.js";
export { repr, str, truth } from "./print.js";
export {
  afterLast,
  before,
  lower,
  lstrip,
  lstripChars,
  replaceText,
  rstrip,
  rstripChars,
  sliceText,
  splitText,
  strip,
  stripChars,
  textLength,
  upper,
} from "./text.js";
export { Tuple, tuple } from "./tuple.js";
export {
  absent,
  isDefined,
  isNotDefined as isUndefined,
  missing,
  missingName,
  named,
  noElse,
  strict,
  Undefined,
  unprovided,
} from "./undefined.js";
