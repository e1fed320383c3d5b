/** Mutated templates rendered beside the real engine: the same text, or the same refusal. */
import { existsSync, readFileSync } from "node:fs";
import { difference, type Case, type Expectation } from "../../../test/compare.js";
import { createEngine, type Answer, type Engine } from "../../engines.js";
import { hasAddress } from "../../oracle/addresses.js";
import { goOracle, oraclePython } from "../../oracle/engines.js";
import { isRecord, parseRow, rawMember } from "../../rows.js";
import { comparable, isLimited } from "../jinja/answers.js";
import { Python } from "../jinja/oracle.js";
import { Random } from "../random.js";
import { caseOf, Sources, type MutatedDialect } from "./cases.js";

const BATCH = 500;
/** Of Ollama's clock only the day shows. */
const NOW = { jinja: "2026-03-04T05:06:07", go: "2026-03-04", ollama: "2026-03-04" };
/** Characters of a case that are printed. */
const SHOWN = 700;
/** Conversations where the corpus is not there. */
const OWN = [
  '{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}],"add_generation_prompt":true}',
  '{"messages":[{"role":"user","content":"<b>2 & 3</b>"},{"role":"assistant","content":"5"}],"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}}]}',
];
/** Go prints where values lie; that is no two runs' same. */
const GO_ADDRESS = /0x[0-9a-f]{6,}/i;

function conversations(language: "jinja" | "go"): readonly string[] {
  const file = new URL(`../../../../shared/corpus/${language}/conversations.json`, import.meta.url);
  if (!existsSync(file)) return OWN;
  const text = readFileSync(file, "utf8");
  const all: unknown = JSON.parse(text);
  if (!isRecord(all)) return OWN;
  // A row is a line; inside its texts JSON has no line breaks.
  return Object.keys(all).flatMap((name) => rawMember(text, name)?.replace(/\n\s*/g, " ") ?? []);
}

type Oracle = (lines: readonly string[]) => Promise<readonly Expectation[]>;

function oracleOf(dialect: MutatedDialect): { readonly answer: Oracle; stop(): void } {
  if (dialect === "jinja") {
    const python = new Python(oraclePython());
    return {
      answer: (lines) => python.answer(lines),
      stop: () => {
        python.stop();
      },
    };
  }
  const go = goOracle();
  return { answer: (lines) => Promise.resolve(go.answer(lines)), stop: () => undefined };
}

/** Loops over large integers would not end while anybody waits. */
function isEndless(template: string): boolean {
  return template.includes("range") && /\d{5,}|1e|0x|1_/.test(template);
}

function lineOf(dialect: MutatedDialect, template: string, input: string): string {
  // A text of Go holds no half of a surrogate pair; Go's JSON makes U+FFFD of it.
  const text = dialect === "jinja" ? template : template.replace(/\p{Surrogate}/gu, "\ufffd");
  const members = `"dialect":"${dialect}","template":${JSON.stringify(text)}`;
  return `{"id":"mutated",${members},"input":${input},"now":"${NOW[dialect]}"}`;
}

/** What no two runs of the real engine have in common, and what only its limits end. */
function isSkipped(expect: Expectation): boolean {
  const { type, output = "", error = "" } = expect;
  if (hasAddress(output + error) || GO_ADDRESS.test(output + error)) return true;
  return isLimited(expect) || type === "RecursionError";
}

function differs(dialect: MutatedDialect, expect: Expectation, answer: Answer): string | undefined {
  const test: Case = { id: "mutated", dialect, expect: comparable(expect) };
  return difference(test, answer, { spans: false, vars: false });
}

/** The next templates of a dialect, each with a conversation. */
function* linesFrom(seed: number, dialect: MutatedDialect): Generator<string, void> {
  const sources = new Sources();
  const inputs = conversations(dialect === "jinja" ? "jinja" : "go");
  const random = new Random(seed);
  for (let number = 0; ; number++) {
    const { dialect: drawn, template, isDeep } = caseOf(sources, seed, number);
    if (drawn !== dialect || isDeep || isEndless(template)) continue;
    yield lineOf(dialect, template, random.pick(inputs));
  }
}

/** Compares so many templates; prints what differs and a summary, and gives how many did. */
export async function fuzzRender(
  dialect: MutatedDialect,
  seed: number,
  cases: number,
): Promise<number> {
  const oracle = oracleOf(dialect);
  const lines = linesFrom(seed, dialect);
  const counts = { text: 0, refused: 0, skipped: 0, different: 0 };
  for (let done = 0; done < cases; done += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, cases - done) }, () => nextOf(lines));
    const answers = await oracle.answer(batch);
    // A new engine a batch: it keeps every template that it has compiled.
    compare(dialect, batch, answers, await createEngine("compiled"), counts);
  }
  oracle.stop();
  console.log(`${dialect}, seed ${seed}: ${JSON.stringify(counts)}`);
  return counts.different;
}

function nextOf(lines: Generator<string, void>): string {
  const next = lines.next();
  if (next.done === true) throw new Error("the cases have an end");
  return next.value;
}

interface Counts {
  text: number;
  refused: number;
  skipped: number;
  different: number;
}

function compare(
  dialect: MutatedDialect,
  lines: readonly string[],
  answers: readonly Expectation[],
  engine: Engine,
  counts: Counts,
): void {
  for (const [at, line] of lines.entries()) {
    const expect = answers[at];
    if (expect === undefined) throw new Error("an answer is missing");
    if (isSkipped(expect)) {
      counts.skipped++;
      continue;
    }
    counts[expect.ok ? "text" : "refused"]++;
    const found = differs(dialect, expect, engine(parseRow(line)));
    if (found === undefined) continue;
    counts.different++;
    console.log(`${found}\n  ${line.slice(0, SHOWN)}\n  ${JSON.stringify(expect).slice(0, SHOWN)}`);
  }
}
