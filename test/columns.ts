/** Runs the recorded cases of a family through one engine: a column of the comparison. */
import { readFileSync } from "node:fs";
import { createEngine, ENGINES, type EngineName } from "../scripts/engines.js";
import { parseRow } from "../scripts/rows.js";
import { difference, readCase, type Abilities } from "./compare.js";
import { createEvaluated } from "./evaluated.js";

export const FAMILIES = ["jinja", "go", "ollama", "chat"] as const;
export type Family = (typeof FAMILIES)[number];

export const COLUMNS = ENGINES;

/** The closures of Template: what they fail is what the compiled column fails (test/evaluate.test.ts). */
export const EVALUATED = "evaluated";

/** A case that does not agree with the real engine. */
export interface Disagreement {
  /** `column family id`, its line in test/expected-failures.txt: ids are unique in a family only. */
  readonly line: string;
  readonly difference: string;
}

export const EXPECTED_FAILURES = new URL("expected-failures.txt", import.meta.url);

export interface ColumnResult {
  readonly total: number;
  readonly found: readonly Disagreement[];
}

/** Every case of a family against the real engine's recorded answer. */
export async function runColumn(
  column: EngineName | typeof EVALUATED,
  family: Family,
): Promise<ColumnResult> {
  const engine = column === EVALUATED ? createEvaluated() : await createEngine(column);
  const abilities = abilitiesOf(column);
  const found: Disagreement[] = [];
  const lines = linesOf(family);
  for (const line of lines) {
    const test = readCase(line);
    const answer = engine(parseRow(line));
    const differs = difference(test, answer, abilities);
    if (differs !== undefined) {
      found.push({ line: `${column} ${family} ${test.id}`, difference: differs });
    }
  }
  return { total: lines.length, found };
}

function linesOf(family: Family): string[] {
  const file = new URL(`conformance/${family}.jsonl`, import.meta.url);
  return readFileSync(file, "utf8").split("\n").filter(Boolean);
}

function abilitiesOf(column: string): Abilities {
  return { spans: true, vars: column === "interpreter", words: column !== "interpreter" };
}

/** The lines of test/expected-failures.txt. */
export function expectedFailures(): Set<string> {
  const lines = readFileSync(EXPECTED_FAILURES, "utf8").split("\n");
  return new Set(lines.filter((line) => line !== "" && !line.startsWith("#")));
}
