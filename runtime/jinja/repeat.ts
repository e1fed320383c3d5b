/** Repetition of sequences, `x * n`, within what memory holds. */
import { fail } from "../errors.js";
import { meter } from "../meter.js";

/** `s * times`. */
export function repeatText(s: string, times: number, place: string): string {
  const length = s.length * times;
  if (length > 0x1fffffe8) {
    return fail("MemoryError", "", place);
  }
  meter?.spendText(length, place);
  return s.repeat(times);
}

/** The items, so many times. */
export function repeatItems(items: readonly unknown[], times: number, place: string): unknown[] {
  if (items.length * times > 1e8) {
    return fail("MemoryError", "", place);
  }
  meter?.spendItems(items.length * times, place);
  return Array.from({ length: items.length === 0 ? 0 : times }, () => items).flat(1);
}
