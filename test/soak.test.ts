/** The line that the soak lays through a heap's samples. */
import { describe, expect, it } from "vitest";
import { isFlat, trendOf } from "../scripts/soak/trend.js";

const MEBIBYTE = 2 ** 20;

function samples(heap: (second: number) => number): (readonly [number, number])[] {
  return Array.from({ length: 200 }, (_, second) => [second, heap(second)] as const);
}

describe("trendOf", () => {
  it("finds the rise of a line, whatever swings around it", () => {
    const { mean, rise } = trendOf(samples((x) => 1000 + 3 * x + (x % 2 === 0 ? 50 : -50)));
    expect(rise).toBeCloseTo(3 * 199, -1);
    expect(mean).toBeCloseTo(1000 + (3 * 199) / 2, 0);
  });

  it("needs samples", () => {
    expect(() => trendOf([[1, 2]])).toThrow(RangeError);
  });
});

describe("isFlat", () => {
  it("takes what swings, and what falls", () => {
    expect(isFlat(trendOf(samples((x) => 40 * MEBIBYTE + Math.sin(x) * 5 * MEBIBYTE)))).toBe(true);
    expect(isFlat(trendOf(samples((x) => (40 - x / 20) * MEBIBYTE)))).toBe(true);
  });

  it("refuses what rises", () => {
    expect(isFlat(trendOf(samples((x) => (40 + x / 50) * MEBIBYTE)))).toBe(false);
  });
});
