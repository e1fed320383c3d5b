/** Repetition of sequences, `x * n`, within what memory holds. */
import { fail } from "../errors.js";

/** `s * times`. */
export function repeatText(s: string, times: number, place: string): string {
  return s.length * times > 0x1fffffe8 ? fail("MemoryError", "", place) : s.repeat(times);
}

/** The items, so many times. */
export function repeatItems(items: readonly unknown[], times: number, place: string): unknown[] {
  if (items.length * times > 1e8) {
    return fail("MemoryError", "", place);
  }
  return Array.from({ length: items.length === 0 ? 0 : times }, () => items).flat(1);
}
