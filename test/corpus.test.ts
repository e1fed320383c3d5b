/**
 * Real templates against what the real engines printed for them. They are other people's, so they
 * stand beside the repository and not in it; without them this file has nothing to run.
 */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createEngine, ENGINES } from "../scripts/engines.js";
import { isRecord, rawMember, type Row } from "../scripts/rows.js";
import { difference, type Expectation } from "./compare.js";

const CORPUS = new URL("../../shared/corpus/", import.meta.url);
const LANGUAGES = ["jinja", "go"] as const;
const SEEDS = ["seed-glm.jinja", "seed-mimo.gotmpl", "seed-qwen3-coder.gotmpl"];
const SHOWN = 10;

interface CorpusCase {
  readonly row: Row;
  readonly templateFile: string;
  readonly expect: Expectation;
}

/** A row of the corpus: it names its template and its conversation. */
interface CorpusRow {
  readonly id: string;
  readonly dialect: string;
  readonly templateFile: string;
  readonly conversation: string;
  readonly now?: string;
  readonly expect: Expectation;
}

function isCorpusRow(value: unknown): value is CorpusRow {
  return isRecord(value) && typeof value["templateFile"] === "string" && isRecord(value["expect"]);
}

function read(path: string): string {
  return readFileSync(new URL(path, CORPUS), "utf8");
}

function readCases(language: string): CorpusCase[] {
  const conversations = read(`${language}/conversations.json`);
  const templates = new Map<string, string>();
  const inputs = new Map<string, string>();
  return read(`${language}/cases.jsonl`)
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const value: unknown = JSON.parse(line);
      if (!isCorpusRow(value)) throw new Error(`not a case: ${line.slice(0, 100)}`);
      const { id, dialect, templateFile, conversation, now } = value;
      const template = known(templates, templateFile, () =>
        read(`${language}/templates/${templateFile}`),
      );
      const input = known(inputs, conversation, () => rawMember(conversations, conversation) ?? "");
      const row = { id, dialect, template, input, runs: 1, ...(now === undefined ? {} : { now }) };
      return { row, templateFile, expect: value.expect };
    });
}

function known(map: Map<string, string>, key: string, make: () => string): string {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

function firstOf(lines: readonly string[]): readonly string[] {
  if (lines.length <= SHOWN) return lines;
  return [...lines.slice(0, SHOWN), `… ${lines.length} in all`];
}

async function differences(
  engineName: (typeof ENGINES)[number],
  cases: readonly CorpusCase[],
): Promise<string[]> {
  const engine = await createEngine(engineName);
  return cases.flatMap(({ row, expect }) => {
    const test = { id: String(row.id), dialect: row.dialect, expect };
    const differs = difference(test, engine(row), { spans: false, vars: false });
    return differs === undefined ? [] : [`${test.id}: ${differs}`];
  });
}

const isHere = existsSync(CORPUS);
const cases = isHere ? LANGUAGES.flatMap(readCases) : [];
if (!isHere) console.warn(`skipped: no corpus at ${CORPUS.pathname}, nothing to compare with`);

describe.runIf(isHere)("the corpus of real templates", () => {
  const seeds = cases.filter(({ templateFile }) => SEEDS.includes(templateFile));

  it.each(ENGINES)("%s equals the real engine on the three templates", async (engine) => {
    expect(seeds.length).toBeGreaterThan(30);
    expect(firstOf(await differences(engine, seeds))).toEqual([]);
  });

  it.each(["jinja", "ollama"])("every render equals the real engine: %s", async (dialect) => {
    const some = cases.filter(({ row }) => row.dialect === dialect);
    expect(firstOf(await differences("compiled", some))).toEqual([]);
  });
});
