/**
 * Measures what it is told, a JSON line a request: `{"job": path}` prepares every engine for one template and input and
 * answers what each renders; `{"engine": name, "ms": budget}` answers the mean time of a render in microseconds.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { measure } from "mitata";
import { isRecord } from "../../rows.js";
import { ENGINES, isJob, type Prepared } from "./engines.js";

/** A batch lasts so long that reading the clock is a thousandth of it. */
const BATCH_NS = 500_000;
const MAX_BATCH = 4096;

const ready = new Map<string, Prepared>();

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
}

async function answer(request: unknown): Promise<object> {
  if (!isRecord(request)) throw new TypeError("a request is an object");
  const { job, engine, ms } = request;
  if (typeof job === "string") return prepare(job);
  if (typeof engine === "string" && typeof ms === "number") return { us: await time(engine, ms) };
  throw new TypeError("a request names a job, or an engine and milliseconds");
}

async function prepare(path: string): Promise<object> {
  const job: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (!isJob(job)) throw new TypeError(`${path} holds no job`);
  ready.clear();
  const results: Record<string, object> = {};
  for (const [name, make] of Object.entries(ENGINES)) {
    if (!job.engines.includes(name)) continue;
    try {
      const prepared = await make(job);
      results[name] = { sha256: createHash("sha256").update(prepared.output()).digest("hex") };
      ready.set(name, prepared);
    } catch (error) {
      results[name] = { error: error instanceof Error ? error.message : String(error) };
    }
  }
  return { version: process.version, results };
}

/** The processor's time that this process has had, in nanoseconds: on a busy machine the clock measures the others too. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

/** Microseconds a render takes: the mean, since collecting what it leaves behind is part of its cost. */
async function time(engine: string, ms: number): Promise<number> {
  const run = ready.get(engine)?.run;
  if (run === undefined) throw new Error(`${engine} is not ready`);
  const start = processorTime();
  run();
  const once = processorTime() - start;
  const budget = ms * 1e6;
  if (once > budget) return once / 1000;
  const { avg } = await measure(run, {
    now: processorTime,
    gc: false,
    min_samples: 1,
    min_cpu_time: budget,
    batch_unroll: 1,
    batch_samples: Math.max(1, Math.min(MAX_BATCH, Math.floor(BATCH_NS / Math.max(once, 1)))),
  });
  return avg / 1000;
}
