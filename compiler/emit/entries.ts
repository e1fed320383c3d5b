/** The functions that a generated module exports: each gives one form of the rendered text. */
import type { Module } from "../ir/nodes.js";
import type { BodyText } from "./body.js";
import { hasStrayBytes } from "./bytes.js";
import { withoutMarks } from "./marks.js";
import { BYTE_PROMPT, PROMPT, SEGMENT_PROMPT } from "./module-names.js";
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
  { bytes, limits, traced }: Targets,
): Entries {
  const always = limits ? [...ALWAYS, "limited"] : ALWAYS;
  const functions = [renderFunction(body, commentText(file), inputType, limits)];
  if (body.usesSpans) functions.push(spansFunction(body, inputType, limits));
  if (traced !== null) functions.push(segmentsFunction(traced, inputType, limits));
  if (!bytes) return { functions, imports: [...always].sort() };
  const [whole, inChunks] = hasStrayBytes(module)
    ? (["encodeStray", "encodeStrayTo"] as const)
    : (["encode", "encodeTo"] as const);
  const call = byteCall(body, limits);
  functions.push(bytesFunction(call, inputType, whole), chunksFunction(call, inputType, inChunks));
  return { functions, imports: [...always, whole, inChunks].sort() };
}

/** What a module has beside `render`, and whether it counts what it does. */
interface Targets {
  readonly bytes: boolean;
  readonly limits: boolean;
  /** The body that renders to pieces. */
  readonly traced: BodyText | null;
}

function underLimits(call: string, limits: boolean): string {
  return limits ? `limited(options, () => ${call})` : call;
}

/** The head of an exported function; a parameter that the call does not pass on has an underscore. */
function head(name: string, inputType: string, call: string, own = ""): string {
  const input = /\binput\b/.test(call) ? "input" : "_input";
  const options = /\boptions\b/.test(call) ? "options" : "_options";
  return `export function ${name}(${input}: ${inputType}, ${own}${options}?: RenderOptions)`;
}

export function promptCall(body: BodyText, spans: string): string {
  const noted = body.usesSpans ? `, ${spans}` : "";
  return withoutMarks(body.prompt).startsWith(`function ${PROMPT}()`)
    ? `${PROMPT}()`
    : `${PROMPT}(input${noted}${body.usesClock ? ", options" : ""})`;
}

/** What gives a ByteSink its text: the body for a ByteSink, or the one for text where they would be the same. */
export function byteCall(body: BodyText, limits: boolean): string {
  if (body.bytePrompt === null) return `() => ${underLimits(promptCall(body, "null"), limits)}`;
  const input = body.bytePrompt.includes(`function ${BYTE_PROMPT}(input`) ? "input, " : "";
  const call = `${BYTE_PROMPT}(${input}sink${body.usesClock ? ", options" : ""})`;
  return `(sink) => ${underLimits(call, limits)}`;
}

function renderFunction(body: BodyText, file: string, inputType: string, limits: boolean): string {
  const call = underLimits(promptCall(body, "null"), limits);
  return `/** Renders ${file}; throws a RenderError where the real engine fails. */
${head("render", inputType, call)}: string {
  try {
    return ${call};
  } catch (error) {
    throw renderError(error);
  }
}`;
}

function spansFunction(body: BodyText, inputType: string, limits: boolean): string {
  const call = underLimits(promptCall(body, "spans"), limits);
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

/** The call of the function that renders to pieces. */
export function segmentCall(body: BodyText): string {
  const clock = body.usesClock ? ", options" : "";
  return `${SEGMENT_PROMPT}(input${clock})`;
}

function segmentsFunction(body: BodyText, inputType: string, limits: boolean): string {
  const call = underLimits(segmentCall(body), limits);
  return `/** Renders in pieces, each the template's own or from a place in the input. Throws as render does. */
${head("renderSegments", inputType, call)}: Segment[] {
  try {
    return ${call};
  } catch (error) {
    throw renderError(error);
  }
}`;
}

function bytesFunction(call: string, inputType: string, encode: string): string {
  return `/** Renders to UTF-8; the bytes are the caller's own. Throws as render does. */
${head("renderBytes", inputType, call)}: Uint8Array<ArrayBuffer> {
  return ${encode}(${call});
}`;
}

function chunksFunction(call: string, inputType: string, encodeTo: string): string {
  const write = "write: (chunk: Uint8Array) => void, ";
  return `/**
 * Renders to UTF-8 in chunks, each valid only until \`write\` returns: its memory is used again. Throws as render does;
 * \`written\` of the error counts the bytes that \`write\` has got by then.
 */
${head("renderTo", inputType, call, write)}: void {
  ${encodeTo}(write, ${call});
}`;
}
