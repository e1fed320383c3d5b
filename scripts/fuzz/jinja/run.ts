/** Random templates of the Jinja dialect on random inputs, in every column against CPython. */
import { difference, type Case, type Expectation } from "../../../test/compare.js";
import { createEngine, ENGINES, type Answer, type Engine, type EngineName } from "../../engines.js";
import { hasAddress } from "../../oracle/addresses.js";
import { oraclePython } from "../../oracle/engines.js";
import { parseRow } from "../../rows.js";
import { Random } from "../random.js";
import { smaller, textOf, type Node } from "../tree.js";
import { comparable, isLimited } from "./answers.js";
import { Coverage } from "./coverage.js";
import { Inputs } from "./inputs.js";
import { Python } from "./oracle.js";
import { Statements } from "./statements.js";

export interface FuzzOptions {
  readonly seed: number;
  readonly cases: number;
  /** Ends earlier when so many seconds have passed. */
  readonly seconds?: number;
}

const BATCH = 50;
/** Inputs that a template is rendered on: they take different branches. */
const INPUTS = 8;
/** Different faults that are shrunk and shown. */
const SHOWN = 30;
/** Smaller cases tried for a fault. */
const TRIES = 600;
const NOW = "2026-01-31T08:05:09.000007";
const ALL = { spans: true, vars: false };

interface Batch {
  readonly samples: readonly Sample[];
  readonly lines: readonly string[];
  readonly answers: Promise<readonly Expectation[]>;
}

interface Sample {
  readonly template: Node;
  readonly input: Node;
}

/** What is wrong, without what depends on the case: `compiled: output differs; …`. */
type Fault = ReadonlyMap<EngineName, string>;

class Fuzzer {
  /** One answers the batches, ahead of the columns; one what is asked about single cases. */
  readonly #python: Python;
  readonly #single: Python;
  /** With other hashes of texts: what they answer otherwise depends on the run. */
  readonly #others: readonly Python[];
  /** Asked what the answer is where powers are rounded correctly. */
  readonly #exact: Python;
  readonly coverage = new Coverage();
  readonly #found = new Map<string, number>();
  #engines = new Map<EngineName, Engine>();
  compared = 0;
  skipped = 0;
  /** Cases that differ as docs/compatibility.md says of powers. */
  documented = 0;
  faults = 0;

  constructor(python: string) {
    this.#python = new Python(python);
    this.#single = new Python(python);
    this.#others = ["7", "23", "101"].map((hashSeed) => new Python(python, { hashSeed }));
    this.#exact = new Python(python, { exactPowers: true });
  }

  stop(): void {
    for (const python of [this.#python, this.#single, ...this.#others, this.#exact]) python.stop();
  }

  async run({ seed, cases, seconds }: FuzzOptions): Promise<void> {
    const started = Date.now();
    const isOver = () => seconds !== undefined && Date.now() - started > seconds * 1000;
    const random = new Random(seed);
    const statements = new Statements(random);
    const inputs = new Inputs(random, (kind) => {
      this.coverage.count("value", kind);
    });
    const next = (): Batch => {
      const samples = Array.from({ length: BATCH }, () => statements.template()).flatMap(
        (template) => Array.from({ length: INPUTS }, () => ({ template, input: inputs.input() })),
      );
      const lines = samples.map(lineOf);
      return { samples, lines, answers: this.#python.answer(lines) };
    };
    let ahead = next();
    while (this.compared + this.skipped < cases && this.#found.size < SHOWN && !isOver()) {
      const batch = ahead;
      await batch.answers;
      ahead = next();
      await this.#batch(batch, isOver);
    }
    await ahead.answers;
  }

  async #batch({ samples, lines, answers: pending }: Batch, isOver: () => boolean): Promise<void> {
    // New engines a batch: they keep every template that they have compiled.
    for (const name of ENGINES) this.#engines.set(name, await createEngine(name));
    const answers = await pending;
    for (const [at, sample] of samples.entries()) {
      if (isOver() || this.#found.size >= SHOWN) return;
      if (at % INPUTS === 0) this.coverage.template(textOf(sample.template), INPUTS);
      const [line, expect] = [lines[at], answers[at]];
      if (line === undefined || expect === undefined) throw new Error("an answer is missing");
      this.coverage.count("answer", expect.ok ? "text" : (expect.type ?? "error"));
      if (isSkipped(expect)) {
        this.skipped++;
        continue;
      }
      this.compared++;
      const fault = this.#fault(line, expect);
      if (fault.size === 0) continue;
      if (await this.#isUndetermined(line, expect)) this.skipped++;
      else if (isOfKeys(fault, expect) || (await this.#isOfPowers(sample, expect)))
        this.documented++;
      else await this.#show(sample, fault);
    }
  }

  /** Whether CPython itself answers otherwise where texts hash otherwise. */
  async #isUndetermined(line: string, expect: Expectation): Promise<boolean> {
    for (const python of this.#others) {
      const [other] = await python.answer([line]);
      if (JSON.stringify(other) !== JSON.stringify(expect)) return true;
    }
    return false;
  }

  /** Whether the columns give what CPython would, if the C library rounded powers of floats correctly. */
  async #isOfPowers(sample: Sample, expect: Expectation): Promise<boolean> {
    if (!textOf(sample.template).includes("**")) return false;
    const line = lineOf(sample);
    const [exact] = await this.#exact.answer([line]);
    if (exact === undefined || JSON.stringify(exact) === JSON.stringify(expect)) return false;
    return this.#fault(line, exact).size === 0;
  }

  /** What each column does wrong. */
  #fault(line: string, expect: Expectation): Fault {
    const test: Case = { id: "fuzz", dialect: "jinja", expect: comparable(expect) };
    const fault = new Map<EngineName, string>();
    const row = parseRow(line);
    for (const [name, engine] of this.#engines) {
      const answer = engine(row);
      if (isReordered(row.template, expect, answer)) continue;
      const differs = difference(test, answer, { ...ALL, spans: name === "interpreter" });
      if (differs !== undefined && !isLimit(answer)) fault.set(name, differs);
    }
    return fault;
  }

  async #show(sample: Sample, fault: Fault): Promise<void> {
    this.faults++;
    const shrunk = await this.#shrink(sample, kindOf(fault));
    const [expect] = await this.#single.answer([lineOf(shrunk)]);
    const key = `${kindOf(fault)} ${shapeOf(textOf(shrunk.template))}`;
    const count = (this.#found.get(key) ?? 0) + 1;
    this.#found.set(key, count);
    if (count > 1 || expect === undefined) return;
    const now = this.#fault(lineOf(shrunk), expect);
    console.log(`\n${lineOf(shrunk).slice(0, -1)},"expect":${JSON.stringify(expect)}}`);
    for (const [name, differs] of now) console.log(`  ${name}: ${differs}`);
  }

  /** The smallest case found with the same kind of fault. */
  async #shrink(sample: Sample, kind: string): Promise<Sample> {
    let best = sample;
    let tries = 0;
    for (;;) {
      let isSmaller = false;
      for (const candidate of candidates(best)) {
        if (++tries > TRIES) return best;
        if (!(await this.#hasFault(candidate, kind))) continue;
        best = candidate;
        isSmaller = true;
        break;
      }
      if (!isSmaller) return best;
    }
  }

  async #hasFault(sample: Sample, kind: string): Promise<boolean> {
    const line = lineOf(sample);
    const [expect] = await this.#single.answer([line]);
    if (expect === undefined || isSkipped(expect)) return false;
    const isSame = kindOf(this.#fault(line, expect)) === kind;
    return isSame && !(await this.#isOfPowers(sample, expect));
  }
}

function* candidates({ template, input }: Sample): Generator<Sample> {
  for (const other of smaller(template)) yield { template: other, input };
  for (const other of smaller(input)) {
    if (textOf(other).startsWith("{")) yield { template, input: other };
  }
}

function lineOf({ template, input }: Sample): string {
  const text = JSON.stringify(textOf(template));
  return `{"id":"fuzz","dialect":"jinja","template":${text},"input":${textOf(input)},"now":"${NOW}"}`;
}

/** Limits of time and memory, and texts with addresses, which no two runs have in common. */
function isSkipped(expect: Expectation): boolean {
  const { ok, output, error } = expect;
  // compare.ts asks for a message, and raise_exception('') has none.
  if (hasAddress(`${output ?? ""}${error ?? ""}`) || (!ok && error === "")) return true;
  return isLimited(expect);
}

/** Sets of texts come in an order of their own in each run: the same characters, where a view may be a set. */
function isReordered(template: string, expect: Expectation, answer: Answer): boolean {
  if (!expect.ok || !answer.ok || !/-.*\.(keys|items)\(/s.test(template)) return false;
  const sorted = (text = ""): string => Array.from(text).sort().join("");
  return expect.output !== answer.output && sorted(expect.output) === sorted(answer.output);
}

function isLimit(answer: Answer): boolean {
  return !answer.ok && /^(Invalid string length|Invalid array length|memory)/i.test(answer.error);
}

/** A dict with a key that cannot be hashed is refused early, where CPython leaves it to a render that may not reach it. */
function isOfKeys(fault: Fault, { phase }: Expectation): boolean {
  const isEarly = (differs: string): boolean =>
    /^fails (?:in phase compile \(|\(compile: )unhashable type: /.test(differs);
  return phase !== "compile" && [...fault.values()].every(isEarly);
}

function kindOf(fault: Fault): string {
  const texts = [...fault].map(([name, differs]) => {
    const plain = differs.replace(/"(\\.|[^"\\])*"?…?|\(.*\)|\d+/g, "");
    return `${name}: ${plain.split(" ").slice(0, 5).join(" ")}`;
  });
  return texts.join("; ");
}

/** A template without its names and numbers. */
function shapeOf(template: string): string {
  return template.replace(/\bv\d+b?\b/g, "v").replace(/\s+/g, " ");
}

/** Prints what it found and what it covered; gives the number of faults. */
export async function fuzzJinja(options: FuzzOptions): Promise<number> {
  const fuzzer = await fuzzSeed(options);
  console.log(`\n${fuzzer.coverage.report()}`);
  console.log(`\n${lineFor(options.seed, fuzzer)}`);
  return fuzzer.faults;
}

async function fuzzSeed(options: FuzzOptions): Promise<Fuzzer> {
  const fuzzer = new Fuzzer(oraclePython());
  try {
    await fuzzer.run(options);
  } finally {
    fuzzer.stop();
  }
  return fuzzer;
}

function lineFor(seed: number | string, counts: Counts): string {
  const { compared, skipped, documented, faults } = counts;
  return `seed ${seed}: ${compared} compared, ${skipped} skipped, documented: ${documented}, ${faults} faults`;
}

interface Counts {
  readonly compared: number;
  readonly skipped: number;
  readonly documented: number;
  readonly faults: number;
}

/** Several seeds one after another: a line for each, then what all of them covered. */
export async function fuzzJinjaSeeds(
  seeds: readonly number[],
  options: Omit<FuzzOptions, "seed">,
): Promise<number> {
  const coverage = new Coverage();
  const total = { compared: 0, skipped: 0, documented: 0, faults: 0 };
  for (const seed of seeds) {
    const fuzzer = await fuzzSeed({ ...options, seed });
    console.log(lineFor(seed, fuzzer));
    coverage.add(fuzzer.coverage);
    total.compared += fuzzer.compared;
    total.skipped += fuzzer.skipped;
    total.documented += fuzzer.documented;
    total.faults += fuzzer.faults;
  }
  console.log(`\n${coverage.report()}\n\n${lineFor("all", total)}`);
  return total.faults;
}
