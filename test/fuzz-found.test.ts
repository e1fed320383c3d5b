/** What `npm run fuzz` has found: a row for each kind of fault, with what the real engine answered. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createEngine } from "../scripts/engines.js";
import { parseRow } from "../scripts/rows.js";
import { COLUMNS } from "./columns.js";
import { difference, readCase } from "./compare.js";

const FIXTURE = new URL("fixtures/jinja-fuzz-found.jsonl", import.meta.url);
const lines = readFileSync(FIXTURE, "utf8").split("\n").filter(Boolean);

describe.each(COLUMNS)("%s", (column) => {
  it.each(lines.map((line) => ({ line, test: readCase(line) })))("$test.id", async (each) => {
    const engine = await createEngine(column);
    const answer = engine(parseRow(each.line));
    expect(difference(each.test, answer, { spans: column === "interpreter", vars: false })).toBe(
      undefined,
    );
  });
});
