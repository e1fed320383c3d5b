/**
 * Generation spans, counted as transformers counts them (chat_template_utils.py, AssistantTracker): a block's text is
 * taken to stand where the render has got to, also where a macro or a capture writes it somewhere else later.
 */
import type { Spanned } from "../index.js";

/** Where a span starts, in UTF-16 units of the rendered text, and its length in code points. */
export type Span = [start: number, length: number];

/** Notes a block's text; null: nobody asked where the blocks are. */
export function noteSpan(spans: Span[] | null, start: number, text: string): void {
  spans?.push([start, codePoints(text, 0, text.length)]);
}

/** The text with its spans in code points. */
export function spanned(text: string, spans: readonly Span[]): Spanned {
  let unit = 0;
  let point = 0;
  // Starts come in the order of the text, so that each stretch is counted once.
  return {
    text,
    spans: spans.map(([start, length]) => {
      point += codePoints(text, unit, start);
      unit = start;
      return [point, point + length];
    }),
  };
}

function codePoints(text: string, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) {
    const isPair = isHigh(text.charCodeAt(i)) && i + 1 < to && isLow(text.charCodeAt(i + 1));
    if (isPair) i++;
    count++;
  }
  return count;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
