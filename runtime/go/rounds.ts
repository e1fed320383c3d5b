/** How many rounds a range over an int may have. */
import { fail } from "../errors.js";

/** The numbers are a list, and one that memory does not hold ends the process; Go counts without one. */
const MOST = 2 ** 24;

/** The rounds of a range over an int, as exec.go's walkRange has them; a RenderError for more than can be held. */
export function roundsOf(count: number): number {
  return count > MOST
    ? fail("MemoryError", `range over ${String(count)} takes too much memory`, "")
    : Math.max(count, 0);
}
