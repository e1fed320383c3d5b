/**
 * `cold`: from the start of a process to its first prompt, the import of the bundled module included. `template`: the
 * same without the import, which is what a server pays for a template that it has not seen.
 */
import { rmSync } from "node:fs";
import { output, type OutputOptions } from "../output.js";
import { figure } from "../report.js";
import { candidates, startAll, type Start } from "../starts.js";
import { casesOf, SUBJECTS, type Subject } from "../subjects.js";

export interface ColdOptions extends OutputOptions {
  readonly only?: readonly Subject[];
  readonly quick?: boolean;
  readonly node?: readonly string[];
}

interface Found extends Start {
  readonly template: string;
  readonly workload: string;
  readonly engine: string;
  readonly node: string;
}

const RUNS = 20;
const QUICK_RUNS = 3;
const WORKLOADS = ["a", "b"];

export async function cold(options: ColdOptions): Promise<void> {
  const found = await starts(options, "import", ["generated", "limit", "template", "hf"]);
  show("Milliseconds of a new process for import and first render", found, options);
}

export async function template(options: ColdOptions): Promise<void> {
  const only = options.only ?? SUBJECTS.filter(({ name }) => name === "glm");
  const found = await starts({ ...options, only }, "start", ["template", "hf"]);
  show(
    "Milliseconds of a new process to parse and first render, without the import",
    found,
    options,
  );
}

async function starts(
  options: ColdOptions,
  from: "import" | "start",
  engines: readonly string[],
): Promise<readonly Found[]> {
  const { only = SUBJECTS, node: nodes = [process.execPath], quick = false } = options;
  const found: Found[] = [];
  for (const subject of only) {
    const { folder, list } = await candidates(subject);
    const wanted = list.filter(({ name }) => engines.includes(name));
    for (const node of nodes)
      for (const { workload, input } of casesOf(subject, WORKLOADS)) {
        const times = startAll(folder, wanted, input, from, quick ? QUICK_RUNS : RUNS, node);
        for (const [engine, time] of times)
          found.push({ template: subject.name, workload, engine, node, ...time });
      }
    rmSync(folder, { recursive: true });
  }
  return found;
}

function show(title: string, found: readonly Found[], options: ColdOptions): void {
  const head = ["template", "workload", "engine", "Node", "ms", "ms of the processor"];
  const body = found.map(({ template, workload, engine, node, ms, processorMs }) => [
    template,
    workload,
    engine,
    node,
    figure(ms),
    figure(processorMs),
  ]);
  output([{ title, head, body }], found, options);
}
