/** What a thread of the soak is told, and what it tells. */

/** Templates that a thread's cache keeps. */
export const CACHED = 12;

export interface Task {
  readonly seed: number;
  readonly minutes: number;
}

/** The heap of a thread after a collection. */
export interface Sample {
  readonly seconds: number;
  readonly heapBytes: number;
  readonly renders: number;
  readonly compiled: number;
  readonly refused: number;
}
