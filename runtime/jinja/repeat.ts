/** Repetition of sequences, `x * n`, within what memory holds. */
import { fail } from "../errors.js";
import { spendItems, spendText } from "../limits.js";

/** `s * times`. */
export function repeatText(s: string, times: number, place: string): string {
  spendText(s.length * times, place);
  return s.length * times > 0x1fffffe8 ? fail("MemoryError", "", place) : s.repeat(times);
}

/** The items, so many times. */
export function repeatItems(items: readonly unknown[], times: number, place: string): unknown[] {
  spendItems(items.length * times, place);
  if (items.length * times > 1e8) {
    return fail("MemoryError", "", place);
  }
  return Array.from({ length: items.length === 0 ? 0 : times }, () => items).flat(1);
}
