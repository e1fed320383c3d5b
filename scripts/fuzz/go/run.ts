/** Random templates of the Go dialects through every engine, against the real one. */
import { difference, type Expectation } from "../../../test/compare.js";
import { createEngine, ENGINES, type Answer, type Engine } from "../../engines.js";
import { goOracle, type Oracle } from "../../oracle/engines.js";
import { parseRow } from "../../rows.js";
import { goInput, ollamaInput, withForceLegacy } from "./inputs.js";
import { Coverage } from "./coverage.js";
import { mutated } from "./mutations.js";
import { Random } from "./random.js";
import { smallerInputs, smallerTemplates } from "./shrink.js";
import { Templates } from "./statements.js";
import { GO_STYLE, OLLAMA_STYLE } from "./styles.js";

export interface FuzzOptions {
  readonly dialect: "go" | "ollama";
  readonly seed: number;
  readonly cases: number;
  /** Ends earlier when so many seconds have passed. */
  readonly seconds?: number;
}

/** Loops over large integers would not end while anybody waits. */
function isEndless(template: string): boolean {
  return template.includes("range") && /\d{4,}|\d_\d|\de\d|'[^']+'|0x/.test(template);
}

/** The input without integers that a loop of the template would count to. */
function brief(template: string, input: string): string {
  if (!template.includes("range")) return input;
  return input.replace(/(?<=[[:,]-?)\d{4,}(?=[\],}])/g, "77");
}

/** What one seed came to. */
interface SeedResult {
  readonly compared: number;
  readonly failed: number;
  /** Cases that print addresses. */
  readonly skipped: number;
  readonly coverage: Coverage;
}

const BATCH = 1200;
const INPUTS = 4;
const SHRINK_BATCH = 60;
/** Different failures that are shrunk and shown. */
const SHOWN = 20;
const NOW = "2026-03-04";
/** Go prints where values lie; that is no two runs' same. */
const ADDRESS = /%!p\(|0x[0-9a-f]{6,}|\[[^\s\]"]*[0-9a-f]{9,}|[[ ]\d{12,}[ \]]/i;

/** A verb that prints an address without the `0x` before it; of empty lists it is short. */
const BARE_POINTER = /%[^%a-zA-Z]*#[^%a-zA-Z]*p/;

interface Row {
  readonly template: string;
  readonly input: string;
}

interface Failure extends Row {
  readonly difference: string;
}

class Fuzzer {
  readonly #options: FuzzOptions;
  readonly #oracle: Oracle;
  readonly #coverage: Coverage;
  readonly #failures = new Map<string, Failure>();
  #compared = 0;
  #failed = 0;
  #skipped = 0;

  constructor(options: FuzzOptions, oracle: Oracle) {
    this.#options = options;
    this.#oracle = oracle;
    this.#coverage = new Coverage(options.dialect);
  }

  async run(): Promise<SeedResult> {
    const { seed, cases, seconds } = this.#options;
    const started = Date.now();
    const isOver = () => seconds !== undefined && Date.now() - started > seconds * 1000;
    const random = new Random(seed);
    const next = this.#templates(random);
    while (this.#compared + this.#skipped < cases && !isOver() && this.#failures.size < SHOWN) {
      const rows = random
        .times(BATCH / INPUTS, next)
        .flatMap((template) =>
          random.times(INPUTS, () => ({ template, input: brief(template, this.#input(random)) })),
        );
      for (const failure of await this.#batch(rows)) await this.#note(failure);
    }
    this.#report(started);
    const counts = { compared: this.#compared, failed: this.#failed, skipped: this.#skipped };
    return { ...counts, coverage: this.#coverage };
  }

  #templates(random: Random): () => string {
    const isGo = this.#options.dialect === "go";
    const templates = new Templates(random, isGo ? GO_STYLE : OLLAMA_STYLE);
    return () => {
      for (;;) {
        const whole = templates.template();
        const template = random.chance(0.03) ? mutated(random, whole) : whole;
        if (isEndless(template)) continue;
        this.#coverage.template(template, INPUTS);
        return template;
      }
    };
  }

  #input(random: Random): string {
    const isGo = this.#options.dialect === "go";
    const input = isGo ? goInput(random) : ollamaInput(random);
    this.#coverage.input(input);
    return !isGo && random.chance(0.03) ? withForceLegacy(input) : input;
  }

  #line(row: Row, id: number): string {
    const { dialect } = this.#options;
    const head = JSON.stringify({
      id: `fuzz/${String(id)}`,
      dialect,
      template: row.template,
      now: NOW,
    });
    return `${head.slice(0, -1)},"input":${row.input}}`;
  }

  /** The rows that an engine answers in another way than the real one. */
  async #batch(rows: readonly Row[], shown = true): Promise<Failure[]> {
    const lines = rows.map((row, id) => this.#line(row, id));
    const expected = this.#oracle.answer(lines);
    const engines = await Promise.all(
      ENGINES.map(async (name) => [name, await createEngine(name)] as const),
    );
    const failures: Failure[] = [];
    for (const [at, row] of rows.entries()) {
      const expect = expected[at];
      if (expect === undefined) throw new Error("the oracle stopped early");
      const line = lines[at] ?? "";
      const isSkipped = printsAddress(line, expect);
      if (shown) this.#count(expect, isSkipped);
      const found = isSkipped ? [] : this.#compare(line, expect, engines);
      if (found.length > 0) failures.push({ ...row, difference: found.join("\n  ") });
    }
    return this.#repeatable(failures, expected, rows);
  }

  /** Without the failures that the real engine answers in another way when it is asked again. */
  #repeatable(
    failures: readonly Failure[],
    expected: readonly Expectation[],
    rows: readonly Row[],
  ): Failure[] {
    if (failures.length === 0) return [];
    const again = this.#oracle.answer(failures.map((row, id) => this.#line(row, id)));
    return failures.filter(({ template, input }, at) => {
      const first =
        expected[rows.findIndex((row) => row.template === template && row.input === input)];
      return JSON.stringify(first) === JSON.stringify(again[at]);
    });
  }

  #count(expect: Expectation, isSkipped: boolean): void {
    if (isSkipped) this.#skipped++;
    else this.#compared++;
    const kind = expect.ok ? "ok" : `${expect.phase ?? ""}-error`;
    this.#coverage.hit(`result ${kind}`);
    if (expect.error !== undefined) this.#coverage.hit(`errors ${errorKind(expect.error)}`);
  }

  #compare(
    line: string,
    expect: Expectation,
    engines: readonly (readonly [string, Engine])[],
  ): string[] {
    if (countsPrinted(line) || printsIterator(line)) return [];
    const { dialect } = this.#options;
    return engines.flatMap(([name, engine]) => {
      const abilities = { spans: false, vars: name === "interpreter" };
      const answer = encoded(engine(parseRow(line)), expect);
      const found = difference({ id: "", dialect, expect }, answer, abilities);
      return found === undefined ? [] : [`${name}: ${found}`];
    });
  }

  /** Shrinks a failure unless one with the same engines and the same message is known already. */
  async #note(failure: Failure): Promise<void> {
    this.#failed++;
    if (this.#failures.size >= SHOWN || this.#failures.has(keyOf(failure))) return;
    const small = await this.#shrink(failure);
    this.#failures.set(keyOf(failure), small);
    const known = [...this.#failures.values()].filter((each) => keyOf(each) === keyOf(small));
    if (known.length > 1) return;
    console.log(`\n${JSON.stringify(small.template)}\n  ${small.input}\n  ${small.difference}`);
  }

  async #shrink(failure: Failure): Promise<Failure> {
    let best = failure;
    for (let next: Failure | undefined = best; next !== undefined; next = await this.#smaller(best))
      best = next;
    return best;
  }

  /** The first smaller row that fails in the same engines. */
  async #smaller(best: Failure): Promise<Failure | undefined> {
    const rows: Row[] = [];
    for (const template of smallerTemplates(best.template)) rows.push({ ...best, template });
    for (const input of smallerInputs(best.input)) rows.push({ ...best, input });
    const smaller = rows.filter((row) => sizeOf(row) < sizeOf(best));
    for (let at = 0; at < smaller.length; at += SHRINK_BATCH) {
      const failing = await this.#batch(smaller.slice(at, at + SHRINK_BATCH), false);
      const [next] = failing
        .filter((row) => sameEngines(row, best))
        .sort((a, b) => sizeOf(a) - sizeOf(b));
      if (next !== undefined) return next;
    }
    return undefined;
  }

  #report(started: number): void {
    const { seed, dialect } = this.#options;
    const took = ((Date.now() - started) / 1000).toFixed(0);
    console.log(
      `\n${dialect}, seed ${String(seed)}: ${String(this.#compared)} cases in ${took} s, ` +
        `${String(this.#failed)} differ, ${String(this.#skipped)} skipped (they print addresses)`,
    );
  }
}

function sizeOf({ template, input }: Row): number {
  return template.length + input.length;
}

/** A message with the input's lone surrogates as Go decodes them, unless Go printed bytes of its own. */
function encoded(answer: Answer, { error = "" }: Expectation): Answer {
  if (answer.ok || !error.isWellFormed()) return answer;
  return { ...answer, error: answer.error.toWellFormed() };
}

function printsAddress(line: string, { output, error = "" }: Expectation): boolean {
  const text = output ?? error;
  return ADDRESS.test(text) || (BARE_POINTER.test(line) && /[0-9a-f]{6}/.test(text));
}

/** Formats of numbers print addresses too, an iterator's as a number that is none of the heap's. */
function printsIterator(line: string): boolean {
  return /\.All\b/.test(line) && /\bprint|\b(?:html|js|urlquery)\b/.test(line);
}

/** The length of a printed list of pointers is no more fixed than they are. */
function countsPrinted(line: string): boolean {
  const prints = line.includes('"ollama"') ? /print|urlquery|html|js/ : /%[^%a-zA-Z]*p/;
  return /\blen\b/.test(line) && prints.test(line);
}

/** Which engines differ: shrinking must not leave one fault for another. */
function sameEngines(a: Failure, b: Failure): boolean {
  return enginesOf(a) === enginesOf(b);
}

function enginesOf({ difference: text }: Failure): string {
  return [...text.matchAll(/^\s*(\w+): (\w+ \w+)/gm)]
    .map((match) => `${match[1] ?? ""} ${match[2] ?? ""}`)
    .join();
}

function keyOf(failure: Failure): string {
  return failure.difference.replace(/"(?:[^"\\]|\\.)*"|\d+|<[^>]*>/g, "_").slice(0, 160);
}

function errorKind(error: string): string {
  return error
    .replace(/^template: :\d+(?::\d+)?: /, "")
    .replace(/^executing "[^"]*" at <.*?>: /s, "")
    .replace(/"(?:[^"\\]|\\.)*"|'.*?'|\d+|<.*>|0x\w+/gs, "_")
    .split(/[\s,]+/)
    .slice(0, 4)
    .join("-");
}

/** How often each item of the language has to come up in a campaign. */
const LEAST = 200;

/** What the templates and inputs of one or more seeds were made of, and what of the language came up too rarely. */
function printCoverage(coverage: Coverage): void {
  console.log("\ncoverage:");
  for (const line of coverage.report()) console.log(line);
  const rare = coverage.rare(LEAST);
  console.log(
    rare.length === 0
      ? `every item at least ${String(LEAST)} times`
      : `${String(rare.length)} items under ${String(LEAST)} times: ${rare.join(", ")}`,
  );
}

/** Runs the fuzzer with one seed and prints what it covered; gives the number of cases that differ. */
export async function fuzzGo(options: FuzzOptions): Promise<number> {
  return fuzzGoSeeds([options.seed], options);
}

/** Several seeds one after another, each with a line of its own, then what all of them covered. */
export async function fuzzGoSeeds(
  seeds: readonly number[],
  options: Omit<FuzzOptions, "seed">,
): Promise<number> {
  const oracle = goOracle();
  const coverage = new Coverage(options.dialect);
  const total = { compared: 0, failed: 0, skipped: 0 };
  for (const seed of seeds) {
    const result = await new Fuzzer({ ...options, seed }, oracle).run();
    coverage.add(result.coverage);
    total.compared += result.compared;
    total.failed += result.failed;
    total.skipped += result.skipped;
  }
  printCoverage(coverage);
  const { compared, failed, skipped } = total;
  console.log(
    `all: ${String(compared)} cases, ${String(failed)} differ, ${String(skipped)} skipped`,
  );
  return failed;
}
