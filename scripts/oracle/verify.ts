/** `npm run oracle:verify`: whether the recorded expectations are still what the real engines do. */
import { readdirSync, readFileSync } from "node:fs";
import { difference, type Case, type Expectation } from "../../test/compare.js";
import type { Answer } from "../engines.js";
import { isRecord } from "../rows.js";
import { installedOracles } from "./engines.js";

const CASES = new URL("../../test/conformance/", import.meta.url);
const SHOWN = 10;

function isCase(value: unknown): value is Case {
  return isRecord(value) && isRecord(value["expect"]);
}

function answerOf(live: Expectation): Answer {
  const { ok, phase = "render", error = "", output = "", line, spans, vars } = live;
  if (!ok) return { ok, phase, error, ...(line === undefined ? {} : { line }) };
  return {
    ok,
    output,
    ...(spans === undefined ? {} : { spans }),
    ...(vars === undefined ? {} : { vars }),
  };
}

/**
 * The rules of the comparison, and beyond them the message wherever it was recorded in full. What a
 * message has to mention is asked of our own messages, not of the real engine's.
 */
function disagreement(test: Case, live: Expectation): string | undefined {
  const { mention, ...expect } = test.expect;
  const differs = difference({ ...test, expect }, answerOf(live), { spans: true, vars: true });
  const isLoose = test.compare !== undefined || expect.ok || expect.type === "RecursionError";
  if (differs !== undefined || isLoose || mention !== undefined) return differs;
  if (expect.type !== undefined && expect.type !== live.type)
    return `type ${live.type ?? "none"} instead of ${expect.type}`;
  return live.error === expect.error
    ? undefined
    : `the message is ${JSON.stringify(live.error)} instead of ${JSON.stringify(expect.error)}`;
}

const lines = readdirSync(CASES)
  .filter((name) => name.endsWith(".jsonl"))
  .flatMap((name) => readFileSync(new URL(name, CASES), "utf8").split("\n"))
  .filter(Boolean);
const rows = lines.map((line) => {
  const test: unknown = JSON.parse(line);
  if (!isCase(test)) throw new Error(`not a case: ${line.slice(0, 100)}`);
  return { line, test };
});

for (const oracle of installedOracles((message) => {
  console.log(`skipped: ${message}`);
})) {
  const own = rows.filter(({ test }) => oracle.dialects.includes(test.dialect));
  const live = oracle.answer(own.map(({ line }) => line));
  if (live.length !== own.length) throw new Error(`${oracle.name} answered ${live.length} rows`);
  const wrong = own.flatMap(({ test }, index) => {
    const differs = disagreement(test, live[index] ?? { ok: false });
    return differs === undefined ? [] : [`${test.dialect} ${test.id}: ${differs}`];
  });
  console.log(`${oracle.name}: ${own.length - wrong.length} of ${own.length} cases still hold`);
  for (const each of wrong.slice(0, SHOWN)) console.log(`  ${each}`);
  if (wrong.length > 0) process.exitCode = 1;
}
