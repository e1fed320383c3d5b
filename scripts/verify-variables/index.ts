/**
 * `npm run verify:variables`: the variables that are reported for the templates of the corpus, against what the real
 * engines read of their inputs. For Jinja that is what CPython's renders of the corpus read, and what witness inputs
 * show; for Ollama the names of Template.Vars that are keys of what Execute gives to a template. None may be missing, and at most
 * 3 % of those that are reported may be others.
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { CompileError, inspect } from "../../compiler/index.js";
import { goOracle, oraclePython } from "../oracle/engines.js";
import { isRecord } from "../rows.js";

const CORPUS = fileURLToPath(new URL("../../../shared/corpus", import.meta.url));
const MOST = 0.03;

/**
 * Keys of the data that Ollama's Execute makes, by the input that each is made of: for a template that mentions
 * messages, and for one that gets turns. A request with a suffix gives its template the prompt and the suffix.
 */
const MESSAGE_KEYS = {
  system: ["System"],
  tools: ["Tools"],
  prompt: ["Prompt"],
  suffix: ["Suffix"],
};
const TURN_KEYS = { system: ["System"], prompt: ["Prompt"], suffix: ["Suffix"] };
const THINK_KEYS = { think: ["Think", "ThinkLevel", "IsThinkSet"] };

interface Tally {
  reported: number;
  read: number;
  readonly missing: string[];
  readonly others: string[];
}

interface Witness {
  readonly template: string;
  readonly variable: string;
  readonly input: object;
}

/** What answers.py says of a template that Jinja takes. */
interface Answer {
  readonly template: string;
  readonly asked: readonly string[];
  readonly read: readonly string[];
  readonly changed: readonly unknown[];
  readonly renders: number;
  readonly shown: readonly string[];
}

function isAnswer(value: unknown): value is Answer {
  return isRecord(value) && Array.isArray(value["read"]);
}

function isWitness(value: unknown): value is Witness {
  return isRecord(value) && typeof value["variable"] === "string" && isRecord(value["input"]);
}

function readWitnesses(): readonly Witness[] {
  const text = readFileSync(new URL("witnesses.jsonl", import.meta.url), "utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const row: unknown = JSON.parse(line);
      if (!isWitness(row)) throw new Error(`not a witness: ${line}`);
      return row;
    });
}

function templatesOf(language: string): ReadonlyMap<string, string> {
  const folder = join(CORPUS, language, "templates");
  return new Map(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
}

/** The names that are reported; null for a template that is refused. */
function reportedFor(source: string, dialect: "jinja" | "ollama"): ReadonlySet<string> | null {
  try {
    return new Set(inspect(source, { dialect }).variables.map(({ name }) => name));
  } catch (error) {
    if (error instanceof CompileError) return null;
    throw error;
  }
}

function count(
  tally: Tally,
  name: string,
  reported: ReadonlySet<string>,
  read: ReadonlySet<string>,
) {
  tally.reported += reported.size;
  tally.read += read.size;
  for (const each of read) if (!reported.has(each)) tally.missing.push(`${name}: ${each}`);
  for (const each of reported) if (!read.has(each)) tally.others.push(`${name}: ${each}`);
}

async function answers(rows: readonly object[]): Promise<readonly Answer[]> {
  const script = fileURLToPath(new URL("answers.py", import.meta.url));
  const child = spawn(oraclePython(), [script, join(CORPUS, "jinja")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(rows.map((row) => JSON.stringify(row)).join("\n"));
  const found: Answer[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const answer: unknown = JSON.parse(line);
    if (isAnswer(answer)) found.push(answer);
  }
  return found;
}

async function verifyJinja(): Promise<Tally> {
  const tally: Tally = { reported: 0, read: 0, missing: [], others: [] };
  const all = readWitnesses();
  const witnessesOf = (name: string) => all.filter(({ template }) => template === name);
  const reported = new Map(
    [...templatesOf("jinja")].flatMap(([name, source]) => {
      const names = reportedFor(source, "jinja");
      return names === null ? [] : [[name, names] as const];
    }),
  );
  let [asked, renders] = [0, 0];
  for (const answer of await answers(
    [...reported].map(([template, names]) => ({
      template,
      reported: [...names],
      witnesses: witnessesOf(template),
    })),
  )) {
    const { template, changed, shown } = answer;
    asked += answer.asked.length;
    renders += answer.renders;
    count(
      tally,
      template,
      reported.get(template) ?? new Set(),
      new Set([...answer.read, ...shown]),
    );
    for (const { variable } of witnessesOf(template))
      if (!shown.includes(variable)) tally.missing.push(`${template}: no witness of ${variable}`);
    if (changed.length > 0)
      tally.missing.push(`${template}: a render is changed by ${JSON.stringify(changed[0])}`);
  }
  console.log(
    `jinja: ${asked} names asked for; values for those that are not reported changed none of ${renders} renders`,
  );
  return tally;
}

function verifyOllama(): Tally {
  const tally: Tally = { reported: 0, read: 0, missing: [], others: [] };
  const templates = [...templatesOf("go")];
  const rows = templates.map(([id, template]) =>
    JSON.stringify({ id, dialect: "ollama", template, input: {} }),
  );
  goOracle()
    .answer(rows)
    .forEach((answer, at) => {
      const [name = "", source = ""] = templates[at] ?? [];
      const reported = reportedFor(source, "ollama");
      if (reported === null || answer.vars === undefined) return;
      count(tally, name, reported, ollamaInputs(source, answer.vars));
    });
  return tally;
}

/** The inputs whose keys both Template.Vars names and the template looks up; every request has messages. */
function ollamaInputs(source: string, vars: readonly string[]): ReadonlySet<string> {
  const actions = [...source.matchAll(/\{\{(?!-?\s*\/\*)(.*?)\}\}/gs)]
    .map(([, text]) => text)
    .join(" ");
  const lookedUp = new Set([...actions.matchAll(/(?<![\w)])\.([A-Za-z]+)/g)].map(([, key]) => key));
  const keys = { ...(vars.includes("messages") ? MESSAGE_KEYS : TURN_KEYS), ...THINK_KEYS };
  const read = Object.entries(keys).filter(([, own]) =>
    own.some((key) => vars.includes(key.toLowerCase()) && lookedUp.has(key)),
  );
  return new Set(["messages", ...read.map(([input]) => input)]);
}

function report(dialect: string, { reported, read, missing, others }: Tally): boolean {
  const share = others.length / reported;
  console.log(
    `${dialect}: ${reported} names reported, ${read} read; ${missing.length} missing, ` +
      `${others.length} others (${(share * 100).toFixed(1)} %)`,
  );
  for (const each of missing) console.log(`  missing: ${each}`);
  for (const each of others) console.log(`  other: ${each}`);
  return missing.length === 0 && share <= MOST;
}

if (existsSync(CORPUS)) {
  const results = [report("jinja", await verifyJinja()), report("ollama", verifyOllama())];
  process.exitCode = results.every(Boolean) ? 0 : 1;
} else {
  console.log(`skipped: no corpus at ${CORPUS}`);
}
