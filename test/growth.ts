/** How the work of something grows with its size: processor time of one size against another, in one process. */

const ROUNDS = 3;
/** Below this, what is measured is the clock. */
const SMALLEST = 2;

function milliseconds(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The least time of the larger size over the least of the smaller; the sizes alternate, after a warm-up. */
export function cpuRatio(
  run: (size: number) => void,
  [small, large]: readonly [small: number, large: number],
): number {
  run(small);
  const times = { small: Infinity, large: Infinity };
  for (let round = 0; round < ROUNDS; round++) {
    times.small = Math.min(
      times.small,
      milliseconds(() => {
        run(small);
      }),
    );
    times.large = Math.min(
      times.large,
      milliseconds(() => {
        run(large);
      }),
    );
  }
  return times.large / Math.max(times.small, SMALLEST);
}
