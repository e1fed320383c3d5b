/** Compiles mutated templates in a process of 512 MB that is watched: no crash, no hang, no heap without end. */
import { fork, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { caseOf, Sources } from "./cases.js";

/** How one template ended. */
export interface Outcome {
  readonly number: number;
  readonly kind: "compiled" | "refused" | "crash" | "slow" | "hang" | "died";
  readonly error: string;
  readonly milliseconds: number;
}

const CASES = new URL("cases.ts", import.meta.url).href;
const CHILD = fileURLToPath(new URL("compile-child.ts", import.meta.url));
const HEAP_MEGABYTES = 512;
/** Milliseconds that a template may take, if it takes them a second time too. */
const PATIENCE = 5_000;
/** A process is replaced after so many, so that none grows old. */
const CHUNK = 20_000;
/** Characters of a template that are printed; the case is found again by its number. */
const SHOWN = 400;

interface Range {
  readonly seed: number;
  readonly from: number;
  readonly to: number;
}

type Note = (outcome: Outcome) => void;

/** Without the loader's names for functions the compiler takes two thirds of the time. */
async function bundledChild(folder: string): Promise<string> {
  const outfile = join(folder, "compile-child.mjs");
  await build({ entryPoints: [CHILD], bundle: true, platform: "node", format: "esm", outfile });
  return outfile;
}

/** The outcomes of a range of cases; those that end a process or take too long are tried once more by themselves. */
async function compileRange(child: string, { seed, from, to }: Range, note: Note): Promise<void> {
  let next = from;
  while (next < to) {
    const end = Math.min(next + CHUNK, to);
    const slow: number[] = [];
    const broken = await runChild(child, { seed, from: next, to: end }, (outcome) => {
      next = outcome.number + 1;
      if (outcome.milliseconds > PATIENCE) slow.push(outcome.number);
      else note(outcome);
    });
    for (const number of broken === undefined ? slow : [...slow, next]) {
      await compileAgain(child, seed, number, note);
    }
    if (broken !== undefined) next++;
  }
}

async function compileAgain(
  child: string,
  seed: number,
  number: number,
  note: Note,
): Promise<void> {
  const broken = await runChild(child, { seed, from: number, to: number + 1 }, (outcome) => {
    note(outcome.milliseconds > PATIENCE ? { ...outcome, kind: "slow" } : outcome);
  });
  if (broken !== undefined) note({ number, kind: broken, error: "", milliseconds: PATIENCE });
}

/** Gives how the process failed, where it did. */
function runChild(
  path: string,
  { seed, from, to }: Range,
  note: Note,
): Promise<"hang" | "died" | undefined> {
  const child = fork(path, [CASES, ...[seed, from, to].map(String)], {
    execArgv: [`--max-old-space-size=${String(HEAP_MEGABYTES)}`],
  });
  // Loading the compiler takes longer than any template.
  const watch = new Watch(child, 2 * PATIENCE);
  child.on("message", (message) => {
    watch.restart(PATIENCE);
    if (isOutcome(message)) note(message);
  });
  return new Promise((resolve) => {
    child.on("close", (code) => {
      watch.stop();
      resolve(watch.isHanging ? "hang" : code === 0 ? undefined : "died");
    });
  });
}

/** Kills a process that works on one template for too long; where others have the processor, it may wait for it. */
class Watch {
  readonly #child: ChildProcess;
  #timer: NodeJS.Timeout;
  /** The processor time from which it hangs. */
  #until: number;
  isHanging = false;

  constructor(child: ChildProcess, patience: number) {
    this.#child = child;
    this.#until = patience;
    this.#timer = setTimeout(this.#look, patience);
  }

  restart(patience: number): void {
    clearTimeout(this.#timer);
    this.#until = NaN;
    this.#timer = setTimeout(this.#look, patience);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  readonly #look = (): void => {
    const used = processorTime(this.#child.pid);
    if (Number.isNaN(this.#until)) this.#until = (used ?? 0) + PATIENCE / 2;
    if (used === undefined || used >= this.#until) {
      this.isHanging = true;
      this.#child.kill("SIGKILL");
    } else this.#timer = setTimeout(this.#look, PATIENCE / 2);
  };
}

const TICKS_PER_SECOND = 100;

/** Milliseconds that a process has had the processor; undefined where the system does not say. */
function processorTime(pid: number | undefined): number | undefined {
  const file = `/proc/${String(pid)}/stat`;
  if (!existsSync(file)) return undefined;
  // The name of the program stands in parentheses, and may hold spaces.
  const [, fields = ""] = readFileSync(file, "utf8").split(/\) (?=[A-Z] )/);
  const [user = 0, system = 0] = fields.split(" ").slice(11, 13).map(Number);
  return ((user + system) * 1000) / TICKS_PER_SECOND;
}

function isOutcome(message: unknown): message is Outcome {
  return typeof message === "object" && message !== null && "number" in message;
}

/** Prints what went wrong, and how far it is, by the chunk; gives how many templates did go wrong. */
export async function fuzzCompile(seed: number, from: number, cases: number): Promise<number> {
  const sources = new Sources();
  const counts = { compiled: 0, refused: 0, crash: 0, slow: 0, hang: 0, died: 0 };
  const slowest = { number: 0, milliseconds: 0 };
  let done = 0;
  const folder = mkdtempSync(join(tmpdir(), "fuzz-mutated-"));
  const range = { seed, from, to: from + cases };
  await compileRange(await bundledChild(folder), range, (outcome) => {
    const { number, kind, error, milliseconds } = outcome;
    counts[kind]++;
    if (milliseconds > slowest.milliseconds) Object.assign(slowest, { number, milliseconds });
    if (++done % CHUNK === 0 || done === cases) console.log(summaryOf(range, counts, slowest));
    if (kind === "compiled" || kind === "refused") return;
    const { dialect, template } = caseOf(sources, seed, number);
    const shown = JSON.stringify(template).slice(0, SHOWN);
    console.log(`${kind} ${String(number)} ${dialect} ${error}\n  ${shown}`);
  });
  rmSync(folder, { recursive: true });
  return cases - counts.compiled - counts.refused;
}

function summaryOf(
  { seed, from }: Range,
  counts: Readonly<Record<Outcome["kind"], number>>,
  slowest: { readonly number: number; readonly milliseconds: number },
): string {
  const kinds = Object.entries(counts).map(([kind, count]) => `${String(count)} ${kind}`);
  const longest = `the slowest, ${String(slowest.number)}, took ${slowest.milliseconds.toFixed(0)} ms`;
  return `seed ${String(seed)} from ${String(from)}: ${kinds.join(", ")}; ${longest}`;
}
