/** The main benchmark: every template, workload and engine. */
import { writeFileSync } from "node:fs";
import { buildWorker, type Build } from "./build.js";
import { chart } from "./chart.js";
import {
  measureSubject,
  type Effort,
  type Findings,
  type Measured,
  type Skipped,
} from "./measure.js";
import { nativeServers } from "./native.js";
import { markdown } from "./report.js";
import { Server } from "./server.js";
import { SUBJECTS, WORKLOAD_NAMES, type Subject } from "./subjects.js";
import { ENGINE_NAMES } from "./worker/names.js";

export interface RunOptions {
  readonly json?: string;
  readonly native?: boolean;
  readonly only?: readonly Subject[];
  readonly workloads?: readonly string[];
  readonly engines?: readonly string[];
  readonly quick?: boolean;
  readonly node?: readonly string[];
}

const FULL: Effort = { rounds: 9, ms: 25 };
const QUICK: Effort = { rounds: 3, ms: 8 };

/** Measures, prints the tables, and writes them, the rows and a chart where a file is named. */
export async function run(options: RunOptions): Promise<void> {
  const findings = await measureAll(options);
  const text = markdown(findings);
  console.log(text);
  if (options.json === undefined) return;
  const rows = findings.rows.map(({ template, workload, engine, node, us }) => ({
    template,
    workload,
    engine,
    node,
    us,
  }));
  writeFileSync(options.json, `${JSON.stringify(rows, null, 1)}\n`);
  writeFileSync(`${options.json}.md`, text);
  writeFileSync(`${options.json}.svg`, chart(rows));
}

export async function measureAll(options: RunOptions): Promise<Findings> {
  const { only = SUBJECTS, node: nodes = [process.execPath], engines = ENGINE_NAMES } = options;
  const build = await buildWorker(only, engines);
  const natives = options.native === true ? nativeServers(say) : [];
  const rows: Measured[] = [];
  const skipped: Skipped[] = [];
  try {
    for (const node of nodes) {
      const found = await measureIn(node, build, natives, options);
      rows.push(...found.rows);
      skipped.push(...found.skipped);
    }
  } finally {
    for (const native of natives) await native.close();
    build.remove();
  }
  return { rows, skipped };
}

async function measureIn(
  node: string,
  build: Build,
  natives: readonly Server[],
  options: RunOptions,
): Promise<Findings> {
  const { only = SUBJECTS, workloads = WORKLOAD_NAMES, engines = ENGINE_NAMES } = options;
  const effort = options.quick === true ? QUICK : FULL;
  const rows: Measured[] = [];
  const skipped: Skipped[] = [];
  for (const subject of only) {
    // A new process a template: none inherits what another has taught the compilers of V8.
    const worker = new Server(node, [build.worker]);
    say(`${subject.name}, ${node}`);
    const bench = { build, worker, natives, engines, effort };
    const found = await measureSubject(bench, subject, workloads);
    await worker.close();
    rows.push(...found.rows);
    skipped.push(...found.skipped);
  }
  return { rows, skipped };
}

function say(message: string): void {
  process.stderr.write(`${message}\n`);
}
