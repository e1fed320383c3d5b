/** Kinds of faults that `npm run fuzz` has found in the Go dialects, each with the answer of Go 1.26.8 and Ollama v0.32.15. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createEngine, ENGINES } from "../scripts/engines.js";
import { parseRow } from "../scripts/rows.js";
import { difference, readCase } from "./compare.js";

const FIXTURE = new URL("fixtures/go-fuzz-found.jsonl", import.meta.url);
const lines = readFileSync(FIXTURE, "utf8").split("\n").filter(Boolean);

describe.each(ENGINES)("%s", (name) => {
  it.each(lines.map((line) => ({ line, test: readCase(line) })))("$test.id", async (each) => {
    const engine = await createEngine(name);
    const answer = engine(parseRow(each.line));
    expect(difference(each.test, answer, { spans: false, vars: false })).toBeUndefined();
  });
});
