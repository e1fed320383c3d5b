/** Statements of Jinja against what CPython printed: blocks and self, loops, macros, autoescape, constants. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createEngine } from "../scripts/engines.js";
import { parseRow } from "../scripts/rows.js";
import { COLUMNS } from "./columns.js";
import { difference, readCase } from "./compare.js";

const FIXTURE = new URL("fixtures/jinja-statements.jsonl", import.meta.url);

/** What every template of the fixture sees. */
const INPUT = JSON.stringify({
  l: [1, 2, 3],
  d: { a: 1, b: "x" },
  s: "abc",
  h: "<b>&",
  n: null,
  t: true,
  f: false,
  i: 3,
  x: "X",
  tree: [
    {
      n: "a",
      c: [
        { n: "b", c: [] },
        { n: "c", c: [{ n: "d", c: [] }] },
      ],
    },
    { n: "e", c: [] },
  ],
});

const lines = readFileSync(FIXTURE, "utf8").split("\n").filter(Boolean);

describe.each(COLUMNS)("%s", (column) => {
  it("agrees with CPython in every statement", async () => {
    const engine = await createEngine(column);
    const found = lines.flatMap((line) => {
      const test = { ...readCase(line), dialect: "jinja" };
      const row = parseRow(`{"dialect":"jinja","input":${INPUT},${line.slice(1)}`);
      const differs = difference(test, engine(row), { spans: false, vars: false });
      return differs === undefined ? [] : [`${test.id} ${row.template}: ${differs}`];
    });
    expect(found).toEqual([]);
  });
});
