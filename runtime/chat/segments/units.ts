/** Offsets of a text in the units that its readers count: JavaScript's, Python's, or those of UTF-8. */

/** UTF-16 units as JavaScript counts, code points as Python and tokenizers' offsets do, or bytes of UTF-8. */
export type Unit = "utf16" | "codePoints" | "bytes";

/** From `start` up to, not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Spans of UTF-16 units, in order and apart, in other units. A lone surrogate is a code point, and three bytes. */
export function inUnit(text: string, spans: readonly Span[], unit: Unit): readonly Span[] {
  if (unit === "utf16") return spans;
  const count = counter(text, unit);
  return spans.map(({ start, end }) => ({ start: count(start), end: count(end) }));
}

/** Spans of code points, in order and apart, in UTF-16 units. */
export function fromCodePoints(
  text: string,
  spans: readonly (readonly [start: number, end: number])[],
): readonly Span[] {
  let [at, points] = [0, 0];
  const unitsTo = (point: number): number => {
    for (; points < point && at < text.length; points++) at += sizeAt(text, at);
    return at;
  };
  return spans.map(([start, end]) => ({ start: unitsTo(start), end: unitsTo(end) }));
}

/** Counts up to offsets that never decrease. */
function counter(text: string, unit: "codePoints" | "bytes"): (offset: number) => number {
  let [at, counted] = [0, 0];
  return (offset) => {
    while (at < offset) {
      counted += unit === "bytes" ? bytesAt(text, at) : 1;
      at += sizeAt(text, at);
    }
    return counted;
  };
}

function sizeAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

function bytesAt(text: string, at: number): number {
  const point = text.codePointAt(at) ?? 0;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
