/** The names of what a module holds beside the template's own code. */
import { segmentIntrinsics } from "../ir/segment-intrinsics.js";

/** What gathers text that remembers its origin, and makes segments of it. */
export const PIECES = { output: "Output", prompt: "Prompt", segments: "segments" } as const;

/** The name of the function that renders; `render` wraps it so that every failure is a RenderError. */
export const PROMPT = "renderPrompt";

/** The name of the function that renders to a ByteSink. */
export const BYTE_PROMPT = "writePrompt";

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

/** Names that only modules with segments use. */
export const SEGMENT_NAMES = [
  SEGMENT_PROMPT,
  ...Object.values(PIECES),
  "Segment",
  "renderSegments",
  ...Object.values(segmentIntrinsics).map(({ runtime }) => runtime),
];
