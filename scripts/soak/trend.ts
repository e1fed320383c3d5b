/** Whether a heap stays as large as it is: a line through its samples. */

export interface Trend {
  readonly mean: number;
  /** What the line rises from the first sample to the last. */
  readonly rise: number;
}

/** The line of least squares through the points; a RangeError for fewer than three. */
export function trendOf(points: readonly (readonly [x: number, y: number])[]): Trend {
  const count = points.length;
  if (count < 3) throw new RangeError(`a trend needs three samples, not ${String(count)}`);
  const meanOf = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / count;
  const xs = points.map(([x]) => x);
  const [meanX, mean] = [meanOf(xs), meanOf(points.map(([, y]) => y))];
  const spread = meanOf(points.map(([x]) => (x - meanX) ** 2));
  const together = meanOf(points.map(([x, y]) => (x - meanX) * (y - mean)));
  const slope = spread === 0 ? 0 : together / spread;
  return { mean, rise: slope * (Math.max(...xs) - Math.min(...xs)) };
}

/** Engines keep some of what they learn; a leak of one small object a render is far above this. */
const SHARE = 0.03;
const BYTES = 2 ** 20;

/** Whether the heap rises by no more than a thirtieth of itself, or a mebibyte. */
export function isFlat({ mean, rise }: Trend): boolean {
  return rise <= Math.max(SHARE * mean, BYTES);
}
