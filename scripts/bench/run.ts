/** `npm run bench`: the generated modules beside a template engine and hand-written code, in one process, in turns. */
import { readFileSync } from "node:fs";
import { Template as HuggingFaceTemplate } from "@huggingface/jinja";
import { render as renderGlm } from "../../generated/glm.js";
import { jinjaInput, workloads } from "./workloads.js";

interface Side {
  readonly name: string;
  readonly run: () => Buffer;
  readonly times: number[];
}

const ROUNDS = 15;
const ROUND_MS = 60;

const { render: renderLimit } = await importLimit("./limit/glm.mjs");
const source = readFileSync(new URL("../../templates/glm.jinja", import.meta.url), "utf8");
const peer = new HuggingFaceTemplate(source);

console.log(
  `GLM, UTF-8 included, Node ${process.version}; medians of ${String(ROUNDS)} rounds in turns\n`,
);
console.log(
  "| workload | compiled µs | hand-written | ratio | @huggingface/jinja | times as fast |",
);
console.log("|---|---|---|---|---|---|");
for (const workload of workloads().filter(({ name }) => !name.startsWith("d"))) {
  const input = jinjaInput(workload);
  const sides: Side[] = [
    side("compiled", () => Buffer.from(renderGlm({ ...input, messages: workload.messages }))),
    side("limit", () => Buffer.from(renderLimit(input))),
    side("peer", () => Buffer.from(peer.render(input))),
  ];
  const texts = sides.map(({ run }) => run().toString());
  if (new Set(texts).size !== 1) console.log(`| ${workload.name} | the texts differ |`);
  measure(sides);
  const [compiled, limit, other] = sides.map(({ times }) => median(times));
  if (compiled === undefined || limit === undefined || other === undefined) continue;
  console.log(
    `| ${workload.name} | ${compiled.toFixed(2)} | ${limit.toFixed(2)} | ${(compiled / limit).toFixed(2)} | ${other.toFixed(1)} | ${(other / compiled).toFixed(1)} |`,
  );
}

function side(name: string, run: () => Buffer): Side {
  return { name, run, times: [] };
}

/** Each round starts with another side: what runs after another engine is slower. */
function measure(sides: readonly Side[]): void {
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < sides.length; i++) {
      const current = sides[(round + i) % sides.length];
      current?.times.push(timeOf(current.run));
    }
  }
}

/** Microseconds a run takes. */
function timeOf(run: () => Buffer): number {
  let runs = 0;
  const start = performance.now();
  let now: number;
  do {
    for (let i = 0; i < 10; i++) run();
    runs += 10;
    now = performance.now();
  } while (now - start < ROUND_MS);
  return ((now - start) * 1000) / runs;
}

function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

async function importLimit(path: string): Promise<{ render: (input: unknown) => string }> {
  const module: unknown = await import(path);
  if (!isLimit(module)) throw new TypeError(`${path} renders nothing`);
  return module;
}

function isLimit(module: unknown): module is { render: (input: unknown) => string } {
  return typeof module === "object" && module !== null && "render" in module;
}
