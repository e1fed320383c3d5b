/** Times engines that render the same text, in turns: a ratio of two is taken within a round. */
import { writeFileSync } from "node:fs";
import type { Build } from "./build.js";
import type { Answer, Server } from "./server.js";
import { casesOf, ROOT, type Case, type Subject } from "./subjects.js";
import { JINJA_ENGINES } from "./worker/names.js";

/** A measured time, as the JSON file holds it. */
export interface Row {
  readonly template: string;
  readonly workload: string;
  readonly engine: string;
  /** The Node that the JavaScript engines of the same rounds ran in. */
  readonly node: string;
  readonly us: number;
}

/** With the time of each round; those of one case and Node belong together. */
export interface Measured extends Row {
  readonly rounds: readonly number[];
}

/** An engine that was left out, and why. */
export interface Skipped {
  readonly template: string;
  readonly workload: string;
  readonly engine: string;
  readonly node: string;
  readonly reason: string;
}

export interface Findings {
  readonly rows: readonly Measured[];
  readonly skipped: readonly Skipped[];
}

export interface Effort {
  readonly rounds: number;
  /** Milliseconds an engine has in a round. */
  readonly ms: number;
}

/** What must render the same text: where one of them differs, nothing is worth measuring. */
const OWN = [
  "text",
  "bytes",
  "chunks",
  "unoptimized",
  "template",
  "template-no-eval",
  "limit",
  "limit-bytes",
  "limit-copy",
  "render",
  "segments",
  "cpython",
  "ollama",
];

export interface Bench {
  readonly build: Build;
  readonly worker: Server;
  readonly natives: readonly Server[];
  readonly engines: readonly string[];
  readonly effort: Effort;
}

interface Side {
  readonly engine: string;
  readonly server: Server;
  readonly times: number[];
}

/** Measures a template's workloads; throws where a text differs that must not. */
export async function measureSubject(
  bench: Bench,
  subject: Subject,
  workloads: readonly string[],
): Promise<Findings> {
  const rows: Measured[] = [];
  const skipped: Skipped[] = [];
  for (const each of casesOf(subject, workloads)) {
    const found = await measureCase(bench, subject, each);
    rows.push(...found.rows);
    skipped.push(...found.skipped);
  }
  return { rows, skipped };
}

async function measureCase(bench: Bench, subject: Subject, each: Case): Promise<Findings> {
  const place = { template: subject.name, workload: each.workload };
  const path = writeJob(bench, subject, each);
  const { version: node, results } = await bench.worker.prepare(path);
  const expected = results["text"]?.sha256;
  if (expected === undefined)
    throw new Error(`${placeName(place)}: ${results["text"]?.error ?? "no text"}`);
  const sides: Side[] = [];
  const skipped: Skipped[] = [];
  const add = (server: Server, found: Answer["results"]): void => {
    const { equal, others } = compareTexts(place, expected, found);
    sides.push(...equal.map((engine) => ({ engine, server, times: [] })));
    skipped.push(...others.map((other) => ({ ...place, ...other, node })));
  };
  add(bench.worker, results);
  for (const native of bench.natives) add(native, (await native.prepare(path)).results);
  await rounds(sides, bench.effort);
  const rows = sides.map(({ engine, times }) => ({
    ...place,
    engine,
    node,
    us: median(times),
    rounds: times,
  }));
  return { rows, skipped };
}

type Place = Pick<Row, "template" | "workload">;

function placeName({ template, workload }: Place): string {
  return `${template} ${workload}`;
}

export interface Comparison {
  readonly equal: readonly string[];
  readonly others: readonly { readonly engine: string; readonly reason: string }[];
}

/** Which engines render the expected text; throws where one does not that must. */
export function compareTexts(
  place: Place,
  expected: string,
  results: Answer["results"],
): Comparison {
  const equal: string[] = [];
  const others: { engine: string; reason: string }[] = [];
  for (const [engine, { sha256, error }] of Object.entries(results)) {
    if (sha256 === expected) equal.push(engine);
    else if (sha256 !== undefined && OWN.includes(engine))
      throw new Error(`${placeName(place)}: ${engine} renders another text`);
    else others.push({ engine, reason: error ?? "another text" });
  }
  return { equal, others };
}

/** Writes what a server is to make ready, and gives the file's path. */
export function writeJob(
  bench: Pick<Bench, "build" | "engines">,
  subject: Subject,
  { input }: Case,
): string {
  const { build } = bench;
  const path = `${build.folder}job.json`;
  const { name, dialect, file, limit } = subject;
  const engines = bench.engines.filter(
    (engine) =>
      (limit || !engine.startsWith("limit")) &&
      (dialect === "jinja" || !JINJA_ENGINES.includes(engine)),
  );
  const modules = build.modules(subject);
  writeFileSync(
    path,
    JSON.stringify({ name, dialect, template: ROOT + file, modules, engines, input }),
  );
  return path;
}

/** How many rounds long an engine runs before it is timed: V8 compiles what is hot again and again in that time. */
const WARM = 8;

/** Each round starts with another side, and every second goes backwards: what runs after a slow engine is slower. */
async function rounds(sides: readonly Side[], { rounds, ms }: Effort): Promise<void> {
  for (const { server, engine } of sides) await server.time(engine, WARM * ms);
  for (let round = 0; round < rounds; round++) {
    const start = round % sides.length;
    const order = [...sides.slice(start), ...sides.slice(0, start)];
    if (round % 2 === 1) order.reverse();
    for (const { server, engine, times } of order) times.push(await server.time(engine, ms));
  }
}

export function median(list: readonly number[]): number {
  return quantile(list, 0.5);
}

export function quantile(list: readonly number[], part: number): number {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.round((sorted.length - 1) * part)] ?? NaN;
}
