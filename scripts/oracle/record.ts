/** `npm run oracle:record -- FILE…`: fills the `expect` of rows that have none from the real engines. */
import { readFileSync, writeFileSync } from "node:fs";
import type { Expectation } from "../../test/compare.js";
import { parseRow, rawMember } from "../rows.js";
import { installedOracles } from "./engines.js";

const ADDRESS = /\bat 0x[0-9a-f]+/g;

/** The row with its expectation appended; its own text stays as it was written. */
function withExpectation(line: string, expect: Expectation): string {
  const { output } = expect;
  const hasAddress = output !== undefined && new RegExp(ADDRESS).test(output);
  const recorded = hasAddress ? { ...expect, output: output.replace(ADDRESS, "at 0x0") } : expect;
  const compare = hasAddress ? ', "compare": "address"' : "";
  const open = line.trimEnd().replace(/\}$/, "");
  return `${open}${compare}, "expect": ${JSON.stringify(recorded)}}`;
}

function record(file: string): void {
  const lines = readFileSync(file, "utf8").split("\n");
  const oracles = installedOracles((message) => {
    console.log(`skipped: ${message}`);
  });
  let count = 0;
  for (const oracle of oracles) {
    const open = [...lines.keys()].filter((index) => {
      const line = lines[index] ?? "";
      if (line.trim() === "" || rawMember(line, "expect") !== undefined) return false;
      return oracle.dialects.includes(parseRow(line).dialect);
    });
    const live = open.length === 0 ? [] : oracle.answer(open.map((index) => lines[index] ?? ""));
    live.forEach((expect, at) => {
      const index = open[at] ?? 0;
      lines[index] = withExpectation(lines[index] ?? "", expect);
    });
    count += live.length;
  }
  writeFileSync(file, lines.join("\n"));
  console.log(`${file}: ${count} recorded`);
}

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error("usage: npm run oracle:record -- FILE…");
  process.exitCode = 2;
}
files.forEach(record);
