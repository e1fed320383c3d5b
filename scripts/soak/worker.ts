/** A thread that renders without a pause: templates that stay, and a cache that throws out more than it keeps. */
import { setFlagsFromString, getHeapStatistics } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import {
  CompileError,
  createTemplateCache,
  RenderError,
  Template,
} from "../../compiler/template.js";
import { jinjaInput, ollamaInput, workloads } from "../bench/workloads.js";
import { Sources } from "../fuzz/mutated/cases.js";
import { mutated } from "../fuzz/mutated/mutate.js";
import { Random } from "../fuzz/random.js";
import { CACHED, type Sample, type Task } from "./messages.js";

const SAMPLE_SECONDS = 2;
/** Of so many renders one asks the cache for a template that it has not. */
const CHURN = 20;

// Where stack traces show sources, as tsx sets it, Node keeps the map of every program for ever.
process.setSourceMapsEnabled(false);

const { seed, minutes } = taskOf(workerData);
const random = new Random(seed);
const sources = new Sources();
const inputs = { jinja: workloads().map(jinjaInput), ollama: workloads().map(ollamaInput) };
const kept = sources.own.map(({ source, dialect }) => ({
  dialect,
  template: new Template(source, { dialect }),
}));
const cache = createTemplateCache(CACHED);
const counts = { renders: 0, compiled: 0, refused: 0 };

function taskOf(data: unknown): Task {
  const isTask = typeof data === "object" && data !== null && "seed" in data && "minutes" in data;
  if (!isTask || typeof data.seed !== "number" || typeof data.minutes !== "number")
    throw new TypeError("the soak's thread was told nothing");
  return { seed: data.seed, minutes: data.minutes };
}

type Language = keyof typeof inputs;

/** A template that the cache has not seen: a mutated one, or a whole one with a comment of its own. */
function newTemplate(): { readonly source: string; readonly dialect: Language } {
  const dialect = random.chance(0.7) ? "jinja" : "ollama";
  const all = dialect === "jinja" ? sources.jinja : sources.go;
  if (random.chance(0.5)) return { source: mutated(all, random), dialect };
  const mark = String(counts.compiled + counts.refused);
  const comment = dialect === "jinja" ? `{# ${mark} #}` : `{{/* ${mark} */}}`;
  return { source: comment + random.pick(all), dialect };
}

function renderNew(): void {
  const { source, dialect } = newTemplate();
  try {
    const template = cache.get(source, { dialect });
    counts.compiled++;
    // Past some renders the passes run, and code takes the place of closures.
    for (let left = random.chance(0.2) ? 40 : 1; left > 0; left--) render(template, dialect);
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    counts.refused++;
  }
}

function renderKept(): void {
  const { template, dialect } = random.pick(kept);
  render(template, dialect);
}

/** Text, bytes, chunks or pieces; what a template refuses is part of the soak. */
function render(template: Template, dialect: Language): void {
  const input = random.pick(inputs[dialect]);
  counts.renders++;
  const limits = { steps: 200_000 };
  try {
    const way = random.below(20);
    if (way === 0) template.renderSegments(input, { limits });
    else if (way === 1) template.renderWithSpans(input, { limits });
    else if (way < 4) template.renderBytes(input, { limits });
    else if (way < 8) template.renderTo(input, () => undefined, { limits });
    else template.render(input, { limits });
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
  }
}

function collector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new TypeError("no collector");
  return () => {
    Reflect.apply(collect, undefined, []);
  };
}

function soak(port: NonNullable<typeof parentPort>): void {
  const collect = collector();
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1000;
  let next = SAMPLE_SECONDS;
  while (seconds() < minutes * 60) {
    if (random.below(CHURN) === 0) renderNew();
    else renderKept();
    if (seconds() < next) continue;
    collect();
    const heapBytes = getHeapStatistics().used_heap_size;
    port.postMessage({ seconds: seconds(), heapBytes, ...counts } satisfies Sample);
    next = seconds() + SAMPLE_SECONDS;
  }
}

if (parentPort === null) throw new Error("the soak's thread has no parent");
soak(parentPort);
