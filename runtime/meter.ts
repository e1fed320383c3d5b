/** What counts the work of rules while a render has limits; plain modules import no more of limits than this. */

/** What a render that has limits may still do. */
export interface Meter {
  /** Units of text that a rule is about to read or make. */
  spendText(units: number, place?: string): void;
  /** A list or dict that a rule is about to read or make, by the number of its items. */
  spendItems(count: number, place?: string): void;
  /** A text or list that a rule reads or makes. */
  weigh(value: unknown, place: string): void;
  /** Where the render is, for what has no place of its own. */
  notePlace(place: string): void;
  /** Output that has left the render's text. */
  noteOutput(units: number): void;
  /** Runs what is none of the render's business, such as the caller's own code, without its limits. */
  pause(run: () => void): void;
}

/** That of the render that is running; null where none has limits. Renders do not overlap, they nest. */
export let meter: Meter | null = null;

/** Sets it: only for `limits.ts`, so that whoever imports no limits has a constant here. */
export function setMeter(next: Meter | null): void {
  meter = next;
}
