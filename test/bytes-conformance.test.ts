/** Every recorded case once more, rendered to bytes: the real engine's text, as UTF-8. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../compiler/template.js";
import { parseJson } from "../runtime/index.js";
import { isRecord, parseRow, type Row } from "../scripts/rows.js";
import { expectedFailures } from "./columns.js";

const DIALECTS = ["jinja", "go", "ollama"] as const;
type Dialect = (typeof DIALECTS)[number];

interface Recorded {
  readonly row: Row;
  readonly output: string;
}

const known = expectedFailures();

function recorded(dialect: Dialect): Recorded[] {
  const file = new URL(`conformance/${dialect}.jsonl`, import.meta.url);
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.flatMap((line) => {
    const test: unknown = JSON.parse(line);
    if (!isRecord(test) || !isRecord(test["expect"])) throw new Error(`not a case: ${line}`);
    const { output } = test["expect"];
    const isKnown = known.has(`compiled ${dialect} ${String(test["id"])}`);
    if (typeof output !== "string" || isKnown || test["compare"] === "address") return [];
    return [{ row: parseRow(line), output }];
  });
}

/** Go's texts are recorded with a stray byte as U+DC80 + (byte − 0x80); nothing else is recorded as a lone surrogate. */
function recordedBytes(output: string): Buffer {
  const parts = output.split(/([\udc80-\udcff])/u).map((part, i) => {
    return i % 2 === 0 ? Buffer.from(part) : Buffer.from([part.charCodeAt(0) & 0xff]);
  });
  return Buffer.concat(parts);
}

/** The method's parameter is wider here than a template's: dialect go takes any JSON value. */
interface ByteRenderer {
  renderBytes(input: unknown, options?: { now?: string }): Uint8Array;
}

function compiled({ template, input }: Row, dialect: Dialect): ByteRenderer {
  const forceLegacy = dialect === "ollama" && input.includes('"forceLegacy"');
  return compileTemplate(template, { dialect, name: "case", forceLegacy });
}

describe.each(DIALECTS)("%s", (dialect) => {
  const cases = recorded(dialect);

  it(`${String(cases.length)} cases render to the real engine's bytes`, () => {
    const templates = new Map<string, ByteRenderer>();
    const different: unknown[] = [];
    for (const { row, output } of cases) {
      const key = `${row.template} ${String(row.input.includes('"forceLegacy"'))}`;
      const template = templates.get(key) ?? compiled(row, dialect);
      templates.set(key, template);
      const options = row.now === undefined ? {} : { now: row.now };
      const bytes = template.renderBytes(parseJson(row.input), options);
      if (!recordedBytes(output).equals(bytes)) different.push(row.id);
    }
    expect(different).toEqual([]);
  });
});
