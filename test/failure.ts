/** What a render fails with. */
import { RenderError } from "../runtime/index.js";

/** The RenderError that is thrown; throws anything else, and where nothing is thrown. */
export function failureOf(run: () => unknown): RenderError {
  try {
    run();
  } catch (error) {
    if (error instanceof RenderError) return error;
    throw error;
  }
  throw new Error("it rendered");
}
