/** CPython as a process that answers row after row; it is started anew where it dies or hangs. */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Expectation } from "../../../test/compare.js";
import { jinjaRow, readJinjaAnswer } from "../../oracle/engines.js";

const BATCH = fileURLToPath(new URL("../../oracle/jinja/batch.py", import.meta.url));
/** Beyond the program's own limit: it hangs in C code. */
const PATIENCE = 30_000;
const LIMIT: Expectation = { ok: false, phase: "render", error: "time limit", type: "TimeLimit" };

interface Settings {
  /** Decides the order of sets of texts. */
  readonly hashSeed?: string;
  /** Powers of floats are rounded correctly, as the C library does not always. */
  readonly exactPowers?: boolean;
}

export class Python {
  readonly #python: string;
  #child: ChildProcessByStdio<Writable, Readable, null> | undefined;
  #lines: AsyncIterator<string> | undefined;
  #reader: Interface | undefined;

  readonly #settings: Settings;

  constructor(python: string, settings: Settings = {}) {
    this.#python = python;
    this.#settings = settings;
  }

  /** Answers rows of a cases file, in order. */
  async answer(lines: readonly string[]): Promise<readonly Expectation[]> {
    const answers: Expectation[] = [];
    while (answers.length < lines.length) {
      const open = lines.slice(answers.length);
      this.#send(open);
      for (const _row of open) {
        const line = await this.#next();
        if (line === undefined) {
          answers.push(LIMIT);
          this.stop();
          break;
        }
        answers.push(readJinjaAnswer(JSON.parse(line)));
      }
    }
    return answers;
  }

  stop(): void {
    this.#reader?.close();
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }

  #send(lines: readonly string[]): void {
    if (this.#child === undefined) {
      const { hashSeed = "0", exactPowers = false } = this.#settings;
      this.#child = spawn(this.#python, ["-W", "ignore", BATCH], {
        stdio: ["pipe", "pipe", "inherit"],
        env: {
          ...process.env,
          PYTHONHASHSEED: hashSeed,
          BATCH_EXACT_POWERS: exactPowers ? "1" : "",
        },
      });
      // A row that kills the process is a row that ran into a limit.
      this.#child.stdin.on("error", () => undefined);
      this.#reader = createInterface({ input: this.#child.stdout });
      this.#lines = this.#reader[Symbol.asyncIterator]();
    }
    this.#child.stdin.write(lines.map((line) => `${jinjaRow(line)}\n`).join(""));
  }

  async #next(): Promise<string | undefined> {
    const timer = setTimeout(() => this.#child?.kill("SIGKILL"), PATIENCE);
    const result = await this.#lines?.next();
    clearTimeout(timer);
    return result === undefined || result.done === true ? undefined : result.value;
  }
}
