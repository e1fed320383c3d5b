/** What generated code with segments calls: values keep where in the input they come from. */
export {
  traceAfter,
  traceBox,
  traceField,
  traceGoJson,
  traceIndex,
  traceJoinBytes,
  tracePrint,
  tracePrintf,
  tracePrintln,
  traceRoot,
  traceSliceAny,
  traceSliceBytes,
} from "./go-text.js";
export { startOllamaTrace, tracedOllamaValues, tracedOllamaValuesStrict } from "./ollama.js";
export { traceFilter, traceFormat } from "./percent.js";
export { joinedParts, Prompt, segments } from "./output.js";
export {
  derived,
  derivedOfAll,
  made,
  printed,
  printedOfAll,
  startTrace,
  traceAt,
  traceContainers,
  traceDict,
  traceEntries,
  traceFunction,
  traceItems,
  traceKeys,
  traceList,
  tracePairs,
  tracePush,
  traceRead,
  traceRecord,
  traceRule,
  traceSet,
  traceSlice,
} from "./rules.js";
export {
  traceAdd,
  traceCall,
  traceCase,
  traceCut,
  traceEscape,
  traceHead,
  traceIndent,
  traceItem,
  traceJoin,
  traceJson,
  traceMethod,
  traceReplace,
  traceSliced,
  traceSplit,
} from "./text-rules.js";
export { placeAt, placed, placedItem, placeIn, rootPlace } from "./standing.js";
export type { Trace } from "./trace.js";
export { join as joinTexts, plain, plainText, type Text, Traced } from "./traced.js";
export { startWriters, written } from "./writers.js";
