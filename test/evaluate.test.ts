/** The evaluator: every recorded case, its rules of scope, and random templates, against what generated code answers. */
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../compiler/template.js";
import { createEngine, type Answer } from "../scripts/engines.js";
import { goInput, ollamaInput } from "../scripts/fuzz/go/inputs.js";
import { Random as GoRandom } from "../scripts/fuzz/go/random.js";
import { goShapes, ollamaShapes } from "../scripts/fuzz/go/shapes.js";
import { Templates } from "../scripts/fuzz/go/statements.js";
import { Inputs } from "../scripts/fuzz/jinja/inputs.js";
import { Statements } from "../scripts/fuzz/jinja/statements.js";
import { Random } from "../scripts/fuzz/random.js";
import { textOf } from "../scripts/fuzz/tree.js";
import { parseRow } from "../scripts/rows.js";
import { EVALUATED, expectedFailures, FAMILIES, runColumn } from "./columns.js";
import { createEvaluated } from "./evaluated.js";

describe("evaluated", () => {
  it.each(FAMILIES)("agrees with the real engine where generated code does: %s", async (family) => {
    const { total, found } = await runColumn(EVALUATED, family);
    const known = expectedFailures();
    const unlisted = found.filter(({ line }) => !known.has(line.replace(EVALUATED, "compiled")));
    expect(total).toBeGreaterThan(0);
    expect(unlisted.map(({ line, difference }) => `${line}: ${difference}`)).toEqual([]);
  });
});

/** What closures answer, which must be what code answers. */
function answerOf(template: string, input: object = {}): string {
  const [evaluated, compiled] = [false, true].map((codegen) =>
    compileTemplate(template, { dialect: "jinja", passes: false, codegen }).render(input),
  );
  expect(evaluated).toBe(compiled);
  return String(evaluated);
}

describe("variables", () => {
  it("a macro that outlives a loop's turn shows the variables of the turn at hand", () => {
    const template =
      "{% set ns = namespace(f=none) %}{% for x in [1, 2, 3] %}{% set y = x * 10 %}" +
      "{% macro f() %}{{ x }}:{{ y }};{% endmacro %}" +
      "{% if loop.first %}{% set ns.f = f %}{% endif %}{{ ns.f() }}{{ f() }}{% endfor %}";
    expect(answerOf(template)).toBe("1:10;1:10;2:20;2:20;3:30;3:30;");
  });

  it("each call of a macro has variables of its own", () => {
    const template =
      "{% macro down(n) %}{% set mine = n %}{% if n > 0 %}{{ down(n - 1) }}{% endif %}{{ mine }}{% endmacro %}{{ down(3) }}";
    expect(answerOf(template)).toBe("0123");
  });

  it("a turn of a loop starts without the last turn's variables", () => {
    const template =
      "{% for x in [1, 2, 3] %}{% if x == 1 %}{% set seen = x %}{% endif %}[{{ seen }}]{% endfor %}";
    expect(answerOf(template)).toBe("[1][][]");
    expect(answerOf(template, { seen: "i" })).toBe("[1][i][i]");
  });

  it("a macro keeps the variables of the loop around the loop", () => {
    const template =
      "{% for a in 'xy' %}{% for b in [1, 2] %}{% macro m(c) %}{{ a }}{{ b }}{{ c }}{% endmacro %}" +
      "{% for c in 'pq' %}{{ m(c) }} {% endfor %}{% endfor %}{% endfor %}";
    expect(answerOf(template)).toBe("x1p x1q x2p x2q y1p y1q y2p y2q ");
  });
});

describe("control flow", () => {
  it("break and continue end what they stand in, also in a captured text", () => {
    const template =
      "{% for x in [1, 2, 3, 4] %}{% set t %}<{{ x }}{% if x == 2 %}{% continue %}{% endif %}>{% endset %}" +
      "{{ t }}{% if x == 3 %}{% break %}{% endif %}{% else %}none{% endfor %}";
    expect(answerOf(template)).toBe("<1><3>");
  });

  it("names that every JavaScript object has are the input's own or none", () => {
    const template = "{{ constructor is defined }}{{ toString is defined }}{{ toString }}";
    expect(answerOf(template)).toBe("FalseFalse");
    expect(answerOf(template, { toString: "own" })).toBe("FalseTrueown");
  });
});

// ---------------------------------------------------------------- random templates

const SEED = 20260131;
const NOW = "2026-01-31T08:05:09.000007";

function row(dialect: string, template: string, input: string): string {
  const head = JSON.stringify({ id: "case", dialect, template, now: NOW });
  return `${head.slice(0, -1)},"input":${input}}`;
}

function jinjaRows(count: number): string[] {
  const random = new Random(SEED);
  const statements = new Statements(random);
  const inputs = new Inputs(random, () => undefined);
  return Array.from({ length: count }, () =>
    row("jinja", textOf(statements.template()), textOf(inputs.input())),
  );
}

function goRows(dialect: "go" | "ollama", count: number): string[] {
  const random = new GoRandom(SEED);
  const shapes = dialect === "go" ? goShapes : ollamaShapes;
  const templates = new Templates(random, { shapes, chat: [] });
  const rows: string[] = [];
  while (rows.length < count) {
    const template = templates.template();
    // Loops over large integers would not end while anybody waits.
    if (template.includes("range") && /\d/.test(template)) continue;
    const input = dialect === "go" ? goInput(random) : ollamaInput(random);
    rows.push(row(dialect, template, input.replace(/(?<=[[:,]-?)\d{4,}(?=[\],}])/g, "77")));
  }
  return rows;
}

/** Python's random order and addresses are no two renders' same. */
function isRepeatable(line: string): boolean {
  return !/random|shuffle|lipsum/.test(line);
}

describe("random templates render, fail and note spans as generated code does", () => {
  it.each([
    ["jinja", () => jinjaRows(100)],
    ["go", () => goRows("go", 150)],
    ["ollama", () => goRows("ollama", 150)],
  ] as const)("%s", async (_, make) => {
    const rows = make();
    const compiled = await createEngine("compiled");
    const evaluated = createEvaluated();
    const differing: string[] = [];
    let rendered = 0;
    for (const line of rows.filter(isRepeatable)) {
      const expected = compiled(parseRow(line));
      const actual: Answer = evaluated(parseRow(line));
      if (expected.ok) rendered++;
      if (JSON.stringify(actual) !== JSON.stringify(expected)) {
        differing.push(`${line}\n${JSON.stringify(actual)}\n${JSON.stringify(expected)}`);
      }
    }
    expect(differing.slice(0, 5)).toEqual([]);
    expect(rendered).toBeGreaterThan(rows.length / 10);
  });
});
