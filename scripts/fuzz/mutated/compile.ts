/** Compiles mutated templates in a process of 512 MB that is watched: no crash, no hang, no heap without end. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { caseOf, Sources } from "./cases.js";

/** How one template ended. */
export interface Outcome {
  readonly number: number;
  readonly kind: "compiled" | "refused" | "crash" | "hang" | "died";
  readonly error: string;
  readonly milliseconds: number;
}

const CHILD = fileURLToPath(new URL("compile-child.ts", import.meta.url));
const HEAP_MEGABYTES = 512;
const PATIENCE = 5_000;
/** A process is replaced after so many, so that none grows old. */
const CHUNK = 20_000;
/** Characters of a template that are printed; the case is found again by its number. */
const SHOWN = 400;

/** The outcomes of a range of cases; those that end a process are tried once more by themselves. */
async function compileRange(
  seed: number,
  from: number,
  to: number,
  note: (outcome: Outcome) => void,
): Promise<void> {
  let next = from;
  while (next < to) {
    const end = Math.min(next + CHUNK, to);
    const broken = await runChild(seed, next, end, (outcome) => {
      next = outcome.number + 1;
      note(outcome);
    });
    if (broken === undefined) continue;
    const again = await runChild(seed, next, next + 1, note);
    if (again !== undefined) note({ number: next, kind: again, error: "", milliseconds: PATIENCE });
    next++;
  }
}

/** Gives how the process failed, where it did. */
function runChild(
  seed: number,
  from: number,
  to: number,
  note: (outcome: Outcome) => void,
): Promise<"hang" | "died" | undefined> {
  const child = fork(CHILD, [seed, from, to].map(String), {
    execArgv: [...process.execArgv, `--max-old-space-size=${HEAP_MEGABYTES}`],
  });
  let isHanging = false;
  const hang = (): void => {
    isHanging = true;
    child.kill("SIGKILL");
  };
  // Loading the compiler takes longer than any template.
  let timer = setTimeout(hang, PATIENCE * 12);
  child.on("message", (message) => {
    clearTimeout(timer);
    timer = setTimeout(hang, PATIENCE);
    if (isOutcome(message)) note(message);
  });
  return new Promise((resolve) => {
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve(isHanging ? "hang" : code === 0 ? undefined : "died");
    });
  });
}

function isOutcome(message: unknown): message is Outcome {
  return typeof message === "object" && message !== null && "number" in message;
}

/** Prints what went wrong and a summary; gives how many templates did. */
export async function fuzzCompile(seed: number, cases: number): Promise<number> {
  const sources = new Sources();
  const counts = { compiled: 0, refused: 0, crash: 0, hang: 0, died: 0 };
  let slowest = 0;
  await compileRange(seed, 0, cases, ({ number, kind, error, milliseconds }) => {
    counts[kind]++;
    slowest = Math.max(slowest, milliseconds);
    if (kind === "compiled" || kind === "refused") return;
    const { dialect, template } = caseOf(sources, seed, number);
    console.log(
      `${kind} ${number} ${dialect} ${error}\n  ${JSON.stringify(template).slice(0, SHOWN)}`,
    );
  });
  console.log(
    `seed ${seed}: ${Object.entries(counts)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(", ")}; the slowest took ${slowest.toFixed(0)} ms`,
  );
  return counts.crash + counts.hang + counts.died;
}
