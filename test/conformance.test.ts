/** Each column against what the real engines printed; see test/conformance and test/compare.ts. */
import { describe, expect, it } from "vitest";
import {
  COLUMNS,
  expectedFailures,
  FAMILIES,
  runColumn,
  type Disagreement,
  type Family,
} from "./columns.js";

const listed = expectedFailures();
const SHOWN = 10;

function firstOf(lines: readonly string[]): readonly string[] {
  if (lines.length <= SHOWN) return lines;
  return [...lines.slice(0, SHOWN), `… ${String(lines.length)} in all`];
}

function unlisted(found: readonly Disagreement[]): string[] {
  return found
    .filter(({ line }) => !listed.has(line))
    .map(({ line, difference }) => `${line}: ${difference}`);
}

function passing(prefix: string, found: readonly Disagreement[]): string[] {
  const failing = new Set(found.map(({ line }) => line));
  return [...listed].filter((line) => line.startsWith(prefix) && !failing.has(line));
}

describe.each(COLUMNS)("%s", (column) => {
  it.each(FAMILIES)("agrees with the real engine: %s", async (family: Family) => {
    const { total, found } = await runColumn(column, family);
    expect(total).toBeGreaterThan(0);
    expect(firstOf(unlisted(found)), "fails, and is not in expected-failures.txt").toEqual([]);
    expect(
      firstOf(passing(`${column} ${family} `, found)),
      "passes, but is in expected-failures.txt: run `npm run expected-failures`",
    ).toEqual([]);
  });
});

it("every expected failure names a column and a family", () => {
  const prefixes = COLUMNS.flatMap((column) => FAMILIES.map((family) => `${column} ${family} `));
  const strays = [...listed].filter((line) => !prefixes.some((prefix) => line.startsWith(prefix)));
  expect(strays).toEqual([]);
});
