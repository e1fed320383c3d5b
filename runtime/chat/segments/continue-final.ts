/** A prompt cut right after the final message, by the origin of its characters instead of a search for its text. */
import { failInput } from "../../errors.js";
import type { Segment } from "../../segments/segment.js";

export interface ContinueFinalOptions {
  /** The index of the message that stays open; default: the last one that shows in the prompt. */
  readonly index?: number;
  /** The field of the message that the model goes on with. Default: "content". */
  readonly field?: string;
}

/**
 * The segments up to the last character that comes from the field of the final message: what the model is to go on
 * with. transformers' `continue_final_message` looks for the text instead, by a mark that it adds to it; where a template
 * changes the text (`upper`, `trim`, slices), shows it twice, or tests it, origin still tells. Throws a RenderError of
 * phase "input" where the prompt shows nothing of the field.
 */
export function continueFinal(
  segments: readonly Segment[],
  { index, field = "content" }: ContinueFinalOptions = {},
): readonly Segment[] {
  const final = index ?? lastMessage(segments);
  const last = segments.findLastIndex(
    ({ path }) => path?.[0] === "messages" && path[1] === final && path[2] === field,
  );
  if (last < 0) {
    const path = final < 0 ? "messages" : `messages[${final}].${field}`;
    return failInput(
      "ValueError",
      `the prompt shows nothing of ${path} that could be continued`,
      path,
    );
  }
  return segments.slice(0, last + 1);
}

function lastMessage(segments: readonly Segment[]): number {
  return segments.reduce(
    (last, { path }) =>
      path?.[0] === "messages" && typeof path[1] === "number" ? Math.max(last, path[1]) : last,
    -1,
  );
}
