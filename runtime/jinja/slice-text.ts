/** Slices of text with any step, in code points. */
import { sliceEnd, sliceItems } from "./sequence.js";
import { characters, sliceText } from "./text.js";

/** `s[start:stop:step]`; null is what is left out. */
export function sliceString(
  s: string,
  start: unknown,
  stop: unknown,
  step: unknown,
  place: string,
): string {
  if (step === null || step === 1) {
    return sliceText(s, sliceEnd(start, place), sliceEnd(stop, place));
  }
  return sliceItems(characters(s), start, stop, step, place).join("");
}
