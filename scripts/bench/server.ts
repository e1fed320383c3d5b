/** A process that measures: this bench's worker in some Node, or a native engine. It answers a JSON line a request. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { isRecord } from "../rows.js";

/** What an engine made of a job: the text's digest, or why it made none. */
export interface Result {
  readonly sha256?: string;
  readonly error?: string;
}

export interface Answer {
  /** The version of what runs the engines. */
  readonly version: string;
  readonly results: Readonly<Record<string, Result>>;
}

export class Server {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string, undefined>;

  constructor(command: string, args: readonly string[], cwd?: string) {
    this.#child = spawn(command, [...args], { cwd, stdio: ["pipe", "pipe", "inherit"] });
    const { stdout } = this.#child;
    if (stdout === null) throw new Error(`${command} has no output`);
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  /** Makes every engine ready for the job in a file. */
  async prepare(job: string): Promise<Answer> {
    const answer = await this.ask({ job });
    if (isAnswer(answer)) return answer;
    throw new Error(`not an answer: ${JSON.stringify(answer)}`);
  }

  /** The mean time of a render in microseconds, over so many milliseconds. */
  async time(engine: string, ms: number): Promise<number> {
    const answer = await this.ask({ engine, ms });
    if (isRecord(answer) && typeof answer["us"] === "number") return answer["us"];
    throw new Error(`not a time: ${JSON.stringify(answer)}`);
  }

  async close(): Promise<void> {
    this.#child.stdin?.end();
    if (this.#child.exitCode === null) await once(this.#child, "close");
  }

  /** The answer to a request. */
  async ask(request: object): Promise<unknown> {
    this.#child.stdin?.write(`${JSON.stringify(request)}\n`);
    return this.next();
  }

  /** What the process says next, asked or not. */
  async next(): Promise<unknown> {
    const line = await this.#lines.next();
    if (line.done === true) throw new Error(`${this.#child.spawnfile} ended`);
    return JSON.parse(line.value);
  }
}

function isAnswer(value: unknown): value is Answer {
  return isRecord(value) && typeof value["version"] === "string" && isRecord(value["results"]);
}
