/** `npm run --silent cases -- --engine NAME`: JSON lines of cases in, one answer a line out, in order. */
import { Worker } from "node:worker_threads";
import { parseArgs } from "node:util";
import { ENGINES, isEngineName, type EngineName } from "./engines.js";
import { parseRow, RowError } from "./rows.js";

/** How long a row may take, its template's compilation included. */
const ROW_MILLISECONDS = 5_000;
const START_MILLISECONDS = 60_000;
/** Rows a thread holds at most: enough to keep it busy, few enough to send again after a restart. */
const WINDOW = 128;

const WORKER = new URL("./cases-worker.mjs", import.meta.url);

/** Runs lines in one thread; a row that takes too long or kills the thread costs only itself. */
class Runner {
  readonly #engine: EngineName;
  readonly #write: (row: string) => void;
  readonly #waiting: string[] = [];
  #sent: string[] = [];
  #worker: Worker | undefined;
  #ready = false;
  /** Why no thread can be started, so that every row gets an error at once. */
  #broken: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #onRoom: (() => void) | undefined;

  constructor(engine: EngineName, write: (row: string) => void) {
    this.#engine = engine;
    this.#write = write;
  }

  /** Queues a line; resolves when there is room for the next. */
  async push(line: string): Promise<void> {
    this.#waiting.push(line);
    this.#pump();
    if (this.#waiting.length >= WINDOW) await this.#room();
  }

  /** Resolves when every line is answered. */
  async finish(): Promise<void> {
    while (this.#waiting.length + this.#sent.length > 0) await this.#room();
    clearTimeout(this.#timer);
    await this.#worker?.terminate();
  }

  #room(): Promise<void> {
    return new Promise((resolve) => (this.#onRoom = resolve));
  }

  #pump(): void {
    if (this.#broken !== undefined) {
      for (const line of this.#waiting.splice(0)) this.#write(failedRow(line, this.#broken));
    }
    if (this.#waiting.length === 0) return;
    this.#worker ??= this.#start();
    if (!this.#ready || this.#sent.length > WINDOW / 2) return;
    const lines = this.#waiting.splice(0, WINDOW - this.#sent.length);
    if (this.#sent.length === 0) this.#arm(ROW_MILLISECONDS);
    this.#sent.push(...lines);
    this.#worker.postMessage(lines);
  }

  #start(): Worker {
    const worker = new Worker(WORKER, {
      workerData: this.#engine,
      stdout: true,
      resourceLimits: { stackSizeMb: 16 },
    });
    worker.stdout.pipe(process.stderr);
    worker.on("message", (message: string) => {
      if (this.#worker === worker) this.#receive(message);
    });
    worker.on("error", (error) => {
      if (this.#worker === worker) this.#fail(error.message);
    });
    worker.on("exit", () => {
      if (this.#worker === worker) this.#fail("the thread that renders ended");
    });
    this.#arm(START_MILLISECONDS);
    return worker;
  }

  #receive(message: string): void {
    if (this.#ready) {
      this.#sent.shift();
      this.#write(message);
      this.#arm(ROW_MILLISECONDS);
    }
    this.#ready = true;
    if (this.#sent.length === 0) clearTimeout(this.#timer);
    this.#pump();
    this.#signal();
  }

  /** Restarts the clock of the row that the thread is on. */
  #arm(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const seconds = String(milliseconds / 1000);
      this.#fail(`time limit: the row took more than ${seconds} s`);
    }, milliseconds);
  }

  /** Answers the row that the thread is on with an error; the rows behind it go to a new thread. */
  #fail(reason: string): void {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    if (!this.#ready) this.#broken = `the engine does not start: ${reason}`;
    this.#worker = undefined;
    this.#ready = false;
    void worker?.terminate();
    const failed = this.#sent.shift();
    this.#waiting.unshift(...this.#sent);
    this.#sent = [];
    if (failed !== undefined) this.#write(failedRow(failed, reason));
    this.#pump();
    this.#signal();
  }

  #signal(): void {
    const resolve = this.#onRoom;
    this.#onRoom = undefined;
    resolve?.();
  }
}

function failedRow(line: string, error: string): string {
  return JSON.stringify({ id: idOf(line), ok: false, phase: "render", error });
}

function idOf(line: string): unknown {
  try {
    return parseRow(line).id;
  } catch (error) {
    return error instanceof RowError ? error.id : null;
  }
}

/** Lines end at "\n" alone: JSON text may hold U+2028, at which node:readline would split. */
async function* linesOf(input: NodeJS.ReadStream): AsyncGenerator<string> {
  input.setEncoding("utf8");
  let rest = "";
  for await (const chunk of input) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}

function engineOf(argv: string[]): EngineName | undefined {
  try {
    const { engine } = parseArgs({ args: argv, options: { engine: { type: "string" } } }).values;
    return engine !== undefined && isEngineName(engine) ? engine : undefined;
  } catch {
    return undefined;
  }
}

async function main(): Promise<void> {
  const engine = engineOf(process.argv.slice(2));
  if (engine === undefined) {
    process.stderr.write(`usage: npm run --silent cases -- --engine ${ENGINES.join("|")}\n`);
    process.exitCode = 2;
    return;
  }
  process.stdout.on("error", () => process.exit());
  const runner = new Runner(engine, (row) => process.stdout.write(`${row}\n`));
  for await (const line of linesOf(process.stdin)) {
    if (line.trim() !== "") await runner.push(line);
  }
  await runner.finish();
}

await main();
