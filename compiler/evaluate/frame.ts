/** What a running template holds: its frames, and what all of them see of the render. */

import type { Text } from "../../runtime/segments/index.js";

/** What is the same for all frames of a render. */
export interface Render {
  /** The caller's input, for names that every JavaScript object has. */
  readonly given: unknown;
  /** The fields that the template reads, each in its place. */
  readonly inputs: readonly unknown[];
  readonly clock: unknown;
  readonly spans: unknown;
}

/** The variables of a call of a function, or of one turn of a loop whose variables functions keep. */
export class Frame {
  readonly render: Render;
  /** The frame in which the function was defined, or that the loop stands in. */
  readonly parent: Frame | null;
  readonly slots: unknown[];
  /** What the function has written. */
  text = "";
  /** The same, where what is written remembers its origin. */
  traced: Text = "";

  constructor(render: Render, parent: Frame | null, size: number) {
    this.render = render;
    this.parent = parent;
    this.slots = new Array<unknown>(size).fill(undefined);
  }
}

/** The frame so many steps out. */
export function outer(frame: Frame, hops: number): Frame {
  let found = frame;
  for (let hop = 0; hop < hops && found.parent !== null; hop++) found = found.parent;
  return found;
}

/** An expression, ready to run. */
export type Evaluate = (frame: Frame) => unknown;

/** How a statement ended. */
export type Signal = 0 | 1 | 2 | 3;
export const NEXT = 0;
export const BREAK = 1;
export const CONTINUE = 2;
export const RETURN = 3;

/** A statement, ready to run. */
export type Execute = (frame: Frame) => Signal;
