/** The functions that a generated module exports: each gives one form of the rendered text. */
import type { Module } from "../ir/nodes.js";
import { BYTE_PROMPT, PROMPT, type BodyText } from "./body.js";
import { hasStrayBytes } from "./bytes.js";
import { withoutMarks } from "./marks.js";
import { commentText } from "./names.js";

export interface Entries {
  readonly functions: readonly string[];
  /** What they import of the runtime. */
  readonly imports: readonly string[];
}

const ALWAYS = ["checkRuntime", "renderError"] as const;

/** `render`, and what the template and the targets ask for beside it. */
export function entries(
  module: Module,
  body: BodyText,
  file: string,
  inputType: string,
  bytes: boolean,
): Entries {
  const functions = [renderFunction(body, commentText(file), inputType)];
  if (body.usesSpans) functions.push(spansFunction(body, inputType));
  if (!bytes) return { functions, imports: [...ALWAYS] };
  const [whole, inChunks] = hasStrayBytes(module)
    ? (["encodeStray", "encodeStrayTo"] as const)
    : (["encode", "encodeTo"] as const);
  functions.push(bytesFunction(body, inputType, whole), chunksFunction(body, inputType, inChunks));
  return { functions, imports: [...ALWAYS, whole, inChunks].sort() };
}

/** The head of an exported function; a parameter that the call does not pass on has an underscore. */
function head(name: string, inputType: string, call: string, own = ""): string {
  const input = /\binput\b/.test(call) ? "input" : "_input";
  const options = /\boptions\b/.test(call) ? "options" : "_options";
  return `export function ${name}(${input}: ${inputType}, ${own}${options}?: RenderOptions)`;
}

function promptCall(body: BodyText, spans: string): string {
  const noted = body.usesSpans ? `, ${spans}` : "";
  return withoutMarks(body.prompt).startsWith(`function ${PROMPT}()`)
    ? `${PROMPT}()`
    : `${PROMPT}(input${noted}${body.usesClock ? ", options" : ""})`;
}

/** What gives a ByteSink its text: the body for a ByteSink, or the one for text where they would be the same. */
export function byteCall(body: BodyText): string {
  if (body.bytePrompt === null) return `() => ${promptCall(body, "[]")}`;
  const input = body.bytePrompt.includes(`function ${BYTE_PROMPT}(input`) ? "input, " : "";
  return `(sink) => ${BYTE_PROMPT}(${input}sink${body.usesClock ? ", options" : ""})`;
}

function renderFunction(body: BodyText, file: string, inputType: string): string {
  const call = promptCall(body, "[]");
  return `/** Renders ${file}; throws a RenderError where the real engine fails. */
${head("render", inputType, call)}: string {
  try {
    return ${call};
  } catch (error) {
    throw renderError(error);
  }
}`;
}

function spansFunction(body: BodyText, inputType: string): string {
  const call = promptCall(body, "spans");
  return `/** Renders, and tells where the texts of generation blocks stand, in code points, as transformers counts them. */
${head("renderWithSpans", inputType, call)}: Spanned {
  try {
    const spans: Span[] = [];
    return spanned(${call}, spans);
  } catch (error) {
    throw renderError(error);
  }
}`;
}

function bytesFunction(body: BodyText, inputType: string, encode: string): string {
  const call = byteCall(body);
  return `/** Renders to UTF-8; the bytes are the caller's own. Throws as render does. */
${head("renderBytes", inputType, call)}: Uint8Array<ArrayBuffer> {
  return ${encode}(${call});
}`;
}

function chunksFunction(body: BodyText, inputType: string, encodeTo: string): string {
  const call = byteCall(body);
  const write = "write: (chunk: Uint8Array) => void, ";
  return `/**
 * Renders to UTF-8 in chunks, each valid only until \`write\` returns: its memory is used again. Throws as render does;
 * \`written\` of the error counts the bytes that \`write\` has got by then.
 */
${head("renderTo", inputType, call, write)}: void {
  ${encodeTo}(write, ${call});
}`;
}
