/** Kinds of faults that `npm run fuzz` has found in the Go dialects, each with the answer of Go 1.26.8 and Ollama v0.32.15. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createEngine, ENGINES } from "../scripts/engines.js";
import { isRecord, parseRow } from "../scripts/rows.js";
import { difference, type Case } from "./compare.js";

const FIXTURE = new URL("fixtures/go-fuzz-found.jsonl", import.meta.url);
const lines = readFileSync(FIXTURE, "utf8").split("\n").filter(Boolean);

function readCase(line: string): Case {
  const test: unknown = JSON.parse(line);
  if (!isCase(test)) throw new Error(`not a case: ${line.slice(0, 100)}`);
  return test;
}

function isCase(value: unknown): value is Case {
  return isRecord(value) && typeof value["id"] === "string" && isRecord(value["expect"]);
}

describe.each(ENGINES)("%s", (name) => {
  it.each(lines.map((line) => ({ line, test: readCase(line) })))("$test.id", async (each) => {
    const engine = await createEngine(name);
    const answer = engine(parseRow(each.line));
    expect(difference(each.test, answer, { spans: false, vars: false })).toBeUndefined();
  });
});
