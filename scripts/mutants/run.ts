/** Judges mutants one after the other, and keeps each judgement in a file, so that a later run goes on. */
import { spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { isRecord } from "../rows.js";
import { mutatedText, type Mutant } from "./mutants.js";

/**
 * What became of a mutant: noticed by an error or a hang, by a case, by the code of our templates, or by tests; noticed
 * by nothing so far (no test was asked), or by nothing at all.
 */
const VERDICTS = ["crash", "case", "code", "test", "unnoticed", "survived"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The tests that a mutant meets: the quick ones that look at its part of the project. */
const TESTS: readonly (readonly [folder: string, tests: readonly string[]])[] = [
  [
    "compiler/passes/",
    [
      "pass",
      "fold-constants",
      "integer-set",
      "promotion",
      "chains",
      "control-flow",
      "limits",
      "emit.test",
    ],
  ],
  ["runtime/chat/", ["test/chat", "adapters-openai", "adapters-shapes", "segment-", "load-ollama"]],
  ["runtime/segments/", ["segments.test", "segment-"]],
  [
    "runtime/",
    [
      ...["runtime-", "json", "limits", "test/bytes.test", "security", "compatibility"],
      ...["hostile-input", "template.test"],
    ],
  ],
];

export interface Judgement extends Mutant {
  readonly verdict: Verdict;
  readonly detail: string;
}

const JUDGE = fileURLToPath(new URL("judge.ts", import.meta.url));
/** Milliseconds; the cases take a few seconds, and others may have the processor. */
const PATIENCE = { judge: 300_000, tests: 900_000 };
/** Seconds of the processor, and megabytes of memory, in which a judge that neither loops nor gathers is done. */
const BOUNDS = { seconds: 60, heap: 1024 };

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function run(
  program: string,
  argv: readonly string[],
  cwd: string,
  patience: number,
): Promise<Ended> {
  const child = spawn(program, argv, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const timer = setTimeout(() => child.kill("SIGKILL"), patience);
  return new Promise((resolve) => {
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
}

/** The judge with a mutant in it, or none. */
async function bundled(root: string, folder: string, mutant: Mutant | null): Promise<string> {
  const outfile = join(folder, "judge.mjs");
  await build({
    entryPoints: [JUDGE],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    logLevel: "silent",
    external: ["ts-morph", "prettier"],
    plugins: [
      {
        name: "mutant",
        setup(plugin) {
          if (mutant === null) return;
          const path = join(root, mutant.file);
          plugin.onLoad({ filter: /\.ts$/ }, (args) =>
            args.path === path
              ? { contents: mutatedText(readFileSync(path, "utf8"), mutant), loader: "ts" }
              : undefined,
          );
        },
      },
    ],
  });
  return outfile;
}

interface Judged {
  readonly code: string;
  readonly difference: string | null;
}

function judgedOf(output: string): Judged | null {
  try {
    const value: unknown = JSON.parse(output);
    if (!isRecord(value) || typeof value["code"] !== "string") return null;
    const { code, difference } = value;
    return { code, difference: typeof difference === "string" ? difference : null };
  } catch {
    return null;
  }
}

/** Judges mutants; `tests` is a copy of the repository in which survivors meet the tests that reach their file. */
export class Judging {
  readonly #root: string;
  readonly #tests: string | null;
  readonly #folder = mkdtempSync(join(tmpdir(), "mutants-"));
  #code = "";

  constructor(root: string, tests: string | null) {
    this.#root = root;
    this.#tests = tests;
  }

  /** Without a mutant all must agree. */
  async start(): Promise<void> {
    const judged = await this.#judge(null);
    const wrong = judged === null ? "no answer" : judged.difference;
    if (judged === null || wrong !== null) throw new Error(`without a mutant: ${String(wrong)}`);
    this.#code = judged.code;
  }

  end(): void {
    rmSync(this.#folder, { recursive: true });
  }

  async #judge(mutant: Mutant | null): Promise<Judged | null> {
    const file = await bundled(this.#root, this.#folder, mutant);
    const base = pathToFileURL(`${this.#root}/`).href;
    const judge = [process.execPath, `--max-old-space-size=${String(BOUNDS.heap)}`, file, base];
    const bounded = ["-c", 'ulimit -t "$0"; exec "$@"', String(BOUNDS.seconds), ...judge];
    const { output } = await run("sh", bounded, this.#root, PATIENCE.judge);
    return judgedOf(output);
  }

  async verdictOf(mutant: Mutant): Promise<Judgement> {
    // Some mutants are no code that could be bundled, such as `??` beside `&&`.
    const judged = await this.#judge(mutant).catch(() => null);
    if (judged === null) return { ...mutant, verdict: "crash", detail: "" };
    if (judged.difference !== null)
      return { ...mutant, verdict: "case", detail: judged.difference.slice(0, 200) };
    if (judged.code !== this.#code) return { ...mutant, verdict: "code", detail: "" };
    return this.byTests(mutant);
  }

  async byTests(mutant: Mutant): Promise<Judgement> {
    const root = this.#tests;
    if (root === null) return { ...mutant, verdict: "unnoticed", detail: "" };
    const path = join(root, mutant.file);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, mutatedText(text, mutant));
    try {
      const tests = TESTS.find(([folder]) => mutant.file.startsWith(folder))?.[1] ?? [];
      const argv = ["vitest", "run", "--bail", "1", ...tests];
      const { code, output } = await run("npx", argv, root, PATIENCE.tests);
      const failed = /FAIL +(.*)/.exec(output)?.[1] ?? "";
      return { ...mutant, verdict: code === 0 ? "survived" : "test", detail: failed };
    } finally {
      writeFileSync(path, text);
    }
  }
}

/** The judgements of a file, by the mutant's id. */
export function judgementsIn(file: string): ReadonlyMap<string, Verdict> {
  const known = new Map<string, Verdict>();
  if (!existsSync(file)) return known;
  for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    const row: unknown = JSON.parse(line);
    if (isRecord(row) && typeof row["id"] === "string" && isVerdict(row["verdict"]))
      known.set(row["id"], row["verdict"]);
  }
  return known;
}

function isVerdict(value: unknown): value is Verdict {
  return VERDICTS.some((verdict) => verdict === value);
}

export function keep(file: string, judgement: Judgement): void {
  appendFileSync(file, `${JSON.stringify(judgement)}\n`);
}
