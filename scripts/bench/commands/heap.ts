/** `heap`: what a render allocates. */
import { spawnSync } from "node:child_process";
import { buildWorker } from "../build.js";
import { writeJob } from "../measure.js";
import { output, type OutputOptions } from "../output.js";
import { casesOf, SUBJECTS, type Subject } from "../subjects.js";
import { isRecord } from "../../rows.js";

export interface HeapOptions extends OutputOptions {
  readonly only?: readonly Subject[];
  readonly node?: readonly string[];
}

interface Found {
  readonly template: string;
  readonly workload: string;
  readonly engine: string;
  readonly heap: number;
  readonly buffers: number;
}

const ENGINES = ["text", "bytes", "chunks", "limit", "limit-copy", "hf"];
const WORKLOADS = ["a", "b", "c"];
const FLAGS = ["--expose-gc", "--max-semi-space-size=512", "--min-semi-space-size=512"];

export async function heap(options: HeapOptions): Promise<void> {
  const { only = SUBJECTS, node: [node = process.execPath] = [] } = options;
  const build = await buildWorker(only, ENGINES);
  const found: Found[] = [];
  try {
    for (const subject of only)
      for (const each of casesOf(subject, WORKLOADS)) {
        const job = writeJob({ build, engines: ENGINES }, subject, each);
        const place = { template: subject.name, workload: each.workload };
        for (const [engine, bytes] of allocations(node, build.heap, job))
          found.push({ ...place, engine, ...bytes });
      }
  } finally {
    build.remove();
  }
  const head = ["template", "workload", "engine", "heap", "buffers"];
  const body = found.map(({ template, workload, engine, heap: onHeap, buffers }) => [
    template,
    workload,
    engine,
    kilobytes(onHeap),
    kilobytes(buffers),
  ]);
  output([{ title: "Kilobytes that a render allocates", head, body }], found, options);
}

type Bytes = Pick<Found, "heap" | "buffers">;

function allocations(
  node: string,
  worker: string,
  job: string,
): readonly (readonly [string, Bytes])[] {
  const { stdout, stderr, status } = spawnSync(node, [...FLAGS, worker, job], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  const found: unknown = JSON.parse(stdout);
  if (!isRecord(found)) throw new TypeError(`no allocations: ${stdout}`);
  return Object.entries(found).map(([engine, bytes]) => {
    if (!isBytes(bytes)) throw new TypeError(`no allocations: ${stdout}`);
    return [engine, bytes];
  });
}

function isBytes(value: unknown): value is Bytes {
  return (
    isRecord(value) && typeof value["heap"] === "number" && typeof value["buffers"] === "number"
  );
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
