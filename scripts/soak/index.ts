/**
 * `npm run soak -- [--minutes N] [--threads N] [--seed N]`: renders in threads, two at a time, with a cache that never
 * rests; fails where a thread's heap rises after its warm-up.
 */
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { CACHED, type Sample, type Task } from "./messages.js";
import { isFlat, trendOf } from "./trend.js";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    threads: { type: "string", default: "2" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});

const THREAD = new URL("worker.mjs", import.meta.url);
/** Code is optimised in the first part of the time, and the cache must have been filled more than once. */
const WARM_UP = { time: 0.3, templates: 3 * CACHED };
const MEBIBYTE = 2 ** 20;

function isSample(message: unknown): message is Sample {
  return typeof message === "object" && message !== null && "heapBytes" in message;
}

/** The samples of one thread; what it throws is thrown. */
function samplesOf(task: Task): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const thread = new Worker(THREAD, { workerData: task });
  thread.on("message", (message: unknown) => {
    if (isSample(message)) samples.push(message);
  });
  return new Promise((resolve, reject) => {
    thread.once("error", reject);
    thread.once("exit", () => {
      resolve(samples);
    });
  });
}

/** Prints what a thread did; gives whether its heap stayed. */
function report(samples: readonly Sample[], { seed, minutes }: Task): boolean {
  const last = samples.at(-1);
  if (last === undefined) throw new Error("a thread gave no sample");
  const warm = samples.filter(
    ({ seconds, compiled }) =>
      seconds > minutes * 60 * WARM_UP.time && compiled >= WARM_UP.templates,
  );
  const trend = trendOf(warm.map(({ seconds, heapBytes }) => [seconds, heapBytes]));
  const [mean, rise] = [trend.mean, trend.rise].map((bytes) => (bytes / MEBIBYTE).toFixed(2));
  console.log(
    `seed ${String(seed)}: ${String(last.renders)} renders, ${String(last.compiled)} templates compiled, ` +
      `${String(last.refused)} refused; heap of ${String(mean)} MB rises by ${String(rise)} MB ` +
      `over ${String(warm.length)} samples: ${isFlat(trend) ? "flat" : "NOT flat"}`,
  );
  return isFlat(trend);
}

const [minutes, threads, seed] = [values.minutes, values.threads, values.seed].map(Number);
const tasks = Array.from({ length: threads ?? 2 }, (_, at) => ({
  seed: (seed ?? 0) + at,
  minutes: minutes ?? 10,
}));
const all = await Promise.all(
  tasks.map(async (task) => ({ task, samples: await samplesOf(task) })),
);
const flat = all.map(({ task, samples }) => report(samples, task));
console.log(`resident: ${(process.memoryUsage().rss / MEBIBYTE).toFixed(0)} MB at the end`);
process.exitCode = flat.every(Boolean) ? 0 : 1;
