/** The names of what a module holds beside the template's own code. */
import { segmentIntrinsics } from "../ir/segment-intrinsics.js";

/** What is made of gathered text that remembers its origin. */
export const PIECES = {
  prompt: "Prompt",
  segments: "segments",
  joined: "joinedParts",
} as const;

/** The name of what makes segments of what has been gathered. */
export const MAKER = "gathered";

/** The name of the function that renders; `render` wraps it so that every failure is a RenderError. */
export const PROMPT = "renderPrompt";

/** The name of the function that renders to a ByteSink. */
export const BYTE_PROMPT = "writePrompt";

export const BYTE_PROMPT_COMMENT = `/** What ${PROMPT} does, handing the text on before it grows long; returns the rest. */`;

/** Names that only modules with byte functions use. */
export const BYTE_NAMES = [
  "sink",
  BYTE_PROMPT,
  "renderBytes",
  "renderTo",
  "ByteSink",
  "encode",
  "encodeTo",
  "encodeStray",
  "encodeStrayTo",
];

/** The name of the function that renders to pieces. */
export const SEGMENT_PROMPT = "renderPieces";

export const SEGMENT_PROMPT_COMMENT = `/** What ${PROMPT} does, in pieces; \`trace\` knows from which place in the input a value comes. */`;

/** The name of a function that gives pieces, beside the one that gives a text. */
export function piecesName(name: string): string {
  return name.includes("_") ? `${name}_pieces` : `${name}Pieces`;
}

/** Names that only modules with segments use. */
export const SEGMENT_NAMES = [
  SEGMENT_PROMPT,
  MAKER,
  ...Object.values(PIECES),
  "Segment",
  "renderSegments",
  ...Object.values(segmentIntrinsics).map(({ runtime }) => runtime),
];
