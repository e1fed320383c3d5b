/** What generated code and the compiler call to behave as Go's text/template does with Ollama's data and functions. */

export type { Value } from "../values.js";
export { enter, leave, mark, round, step, weigh } from "../limits.js";
export { byteLength, fromBytes, joinBytes, sliceBytes, toBytes } from "./bytes.js";
export {
  call,
  field,
  fieldChain,
  fieldUnwrapped,
  index,
  iterate,
  iteratePairs,
  len,
  lenUnwrapped,
  slice,
} from "./collection.js";
export { eq, ge, gt, le, lt, ne, not, truth } from "./compare.js";
export { Complex } from "./complex.js";
export { currentDate, yesterdayDate } from "./date.js";
export { fail } from "./errors.js";
export { html, js, urlquery } from "./escape.js";
export { print, printf, println, text } from "./fmt.js";
export {
  Any,
  AnyList,
  AnyMap,
  Bool,
  Complex128,
  Float64,
  Int,
  Json,
  JsonList,
  JsonMap,
  Text,
  Uint8,
} from "./gotypes.js";
export { json, jsonAny } from "./json.js";
export * from "./lowered.js";
export * from "./model-json.js";
export * from "./model-print.js";
export * from "./model.js";
export { compareBytes, orderedKeys, sorted, sortedKeys } from "./order.js";
export * from "./structs.js";
export { typed, Typed, type GoType } from "./typed.js";
export { printTypes, typeCount, types, typeScriptType } from "./types.js";
export { toTypeScriptType } from "./typescript.js";
export { ollamaValues, ollamaValuesStrict, wellFormed } from "./values.js";
