/** What generated code with segments calls: values keep where in the input they come from. */
export { startOllamaTrace, tracedOllamaValues, tracedOllamaValuesStrict } from "./ollama.js";
export { Output, segments } from "./output.js";
export * from "./rules.js";
export type { Trace } from "./trace.js";
export { join as joinTexts, plain, plainAs, plainText, type Text, Traced } from "./traced.js";
export { startWriters, written } from "./writers.js";
