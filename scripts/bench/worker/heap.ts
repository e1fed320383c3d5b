/**
 * Bytes that a render allocates: started with a job's path by `heap`, in a process whose new space is so large that
 * nothing is collected between two readings.
 */
import { readFileSync } from "node:fs";
import { ENGINES, isJob, type Prepared } from "./engines.js";

const WARM_RUNS = 300;
const RUNS = 20;

interface Bytes {
  readonly heap: number;
  /** Buffers, which live outside the heap. */
  readonly buffers: number;
}

const job: unknown = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
if (!isJob(job)) throw new TypeError("no job");
const found: Record<string, Bytes> = {};
for (const name of job.engines) {
  const make = ENGINES[name];
  if (make !== undefined) found[name] = allocated(await make(job));
}
console.log(JSON.stringify(found));

function allocated({ run }: Prepared): Bytes {
  for (let i = 0; i < WARM_RUNS; i++) run();
  collect();
  // What is rendered is kept, so that no buffer is freed in between.
  const kept = new Array<unknown>(RUNS);
  const before = process.memoryUsage();
  for (let i = 0; i < RUNS; i++) kept[i] = run();
  const after = process.memoryUsage();
  return {
    heap: (after.heapUsed - before.heapUsed) / RUNS,
    buffers: (after.arrayBuffers - before.arrayBuffers) / RUNS,
  };
}

function collect(): void {
  if (globalThis.gc === undefined) throw new Error("started without --expose-gc");
  globalThis.gc();
}
