/** Everything that generated code calls for Jinja templates. */
export { fail, RenderError, renderError } from "../errors.js";
export { enter, leave, mark, round, step, weigh } from "../limits.js";
export { Float, float, value } from "../values.js";
export type { Fields, Open, Value } from "../values.js";
export { attr, item, slice } from "./access.js";
export { callDict } from "./call-dict.js";
export { joined } from "./joined.js";
export { entry, entryOf, index, member } from "./lookup.js";
export { callFilter, callTest } from "./apply.js";
export {
  add,
  div,
  floordiv,
  mod,
  mul,
  neg,
  pos,
  pow,
  powOfFolded,
  sub,
  text,
} from "./arithmetic.js";
export {
  callFilterIn,
  escapeIn,
  evalContext,
  isAutoescape,
  macroIn,
  markIn,
  markupJoin,
  recurseIn,
  setAutoescape,
} from "./autoescape.js";
export { call, callMethod } from "./call.js";
export { eq, ge, gt, has, isIn, le, lt } from "./compare.js";
export { cycler, joiner } from "./cycling.js";
export { dict } from "./dict.js";
export { isDict as isMapping } from "../values.js";
export {
  attrFilter,
  batchFilter,
  defaultFilter,
  dictsortFilter,
  firstFilter,
  groupbyFilter,
  itemsFilter,
  joinFilter,
  lastFilter,
  lengthFilter,
  listFilter,
  maxFilter,
  minFilter,
  randomFilter,
  reverseFilter,
  sliceFilter,
  sortFilter,
  sumFilter,
  uniqueFilter,
} from "./filters-list.js";
export {
  absFilter,
  filesizeformatFilter,
  floatFilter,
  intFilter,
  roundFilter,
} from "./filters-number.js";
export {
  mapFilter,
  rejectattrFilter,
  rejectFilter,
  selectattrFilter,
  selectFilter,
} from "./filters-select.js";
export {
  capitalizeFilter,
  centerFilter,
  escapeFilter,
  forceescapeFilter,
  formatFilter,
  indentFilter,
  lowerFilter,
  replaceFilter,
  safeFilter,
  stringFilter,
  striptagsFilter,
  titleFilter,
  trimFilter,
  truncateFilter,
  upperFilter,
  urlencodeFilter,
  wordcountFilter,
  xmlattrFilter,
} from "./filters-text.js";
export { globalValue, raiseException } from "./globals.js";
export { fieldsIn, fieldsOf, isIterable, itemPairs, items, list, unpack } from "./iterate.js";
export { json } from "./json.js";
export { tojsonFilter } from "./json-dump.js";
export { lipsum } from "./lipsum.js";
export { finite, foldedSlice } from "./folded.js";
export { filtered } from "./generator.js";
export { Loop, loop, loopItem, loopNext, noItem } from "./loop.js";
export { Macro, macro, noCaller } from "./macros.js";
export { escape, Markup, markup } from "./markup.js";
export {
  asNamespace,
  kwSplat,
  Namespace,
  namespace,
  setAttr,
  setItem,
  splat,
} from "./namespace.js";
export { pprintFilter } from "./pprint.js";
export { includeTemplate } from "./include.js";
export { found, missingObject } from "./missing.js";
export { notePiece, pieces, startPieces, takePieces, unjoinedPiece } from "./pieces.js";
export { checkJoined, pieceText, repr, str, truth, unjoined } from "./print.js";
export { range } from "./range.js";
export { noSuper, selfReference } from "./self.js";
export { strftimeNow } from "./strftime.js";
export {
  isBoolean,
  isCallable,
  isDivisibleBy,
  isEscaped,
  isEven,
  isFalse,
  isFloat,
  isInteger,
  isLower,
  isNone,
  isNumber,
  isOdd,
  isSameAs,
  isSequence,
  isString,
  isTrue,
  isUpper,
} from "./tests.js";
export { isFilterName as isFilter } from "./filter-table.js";
export { isTestName as isTest } from "./test-table.js";
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
export { dictFor, itemOf, jsonOf, selectable, textBefore, textFor } from "./checked.js";
export { capitalize, swapcase, title } from "./text-case.js";
export { Tuple, tuple } from "./tuple.js";
export { missing } from "./required.js";
export {
  absent,
  isDefined,
  isNotDefined as isUndefined,
  missingName,
  named,
  noElse,
  strict,
  Undefined,
  unprovided,
} from "./undefined.js";
export { urlizeFilter } from "./urlize.js";
export { wordwrapFilter } from "./wordwrap.js";
export { unset } from "./unset.js";
export { noteSpan, spanned, type Span } from "./spans.js";
