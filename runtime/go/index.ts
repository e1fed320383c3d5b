/** What generated code and the compiler call to behave as Go's text/template does with Ollama's data and functions. */

export { currentDate, yesterdayDate } from "./date.js";
export { fail } from "./errors.js";
export { json } from "./json.js";
export * from "./model.js";
export { compareBytes, orderedKeys, sorted, sortedKeys } from "./order.js";
export { printTypes, typeCount, types } from "./types.js";
export { ollamaValues, ollamaValuesStrict, wellFormed } from "./values.js";
