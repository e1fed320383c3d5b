/** Segments of random templates: joined they are the prompt, and they fail where the render fails. */
import { describe, expect, it } from "vitest";
import { CompileError, compileTemplate, type CompiledTemplate } from "../compiler/template.js";
import { parseJson } from "../runtime/index.js";
import { Random as GoRandom } from "../scripts/fuzz/go/random.js";
import { goInput, ollamaInput } from "../scripts/fuzz/go/inputs.js";
import { Templates } from "../scripts/fuzz/go/statements.js";
import { GO_STYLE, OLLAMA_STYLE } from "../scripts/fuzz/go/styles.js";
import { Inputs } from "../scripts/fuzz/jinja/inputs.js";
import { Statements } from "../scripts/fuzz/jinja/statements.js";
import { Random } from "../scripts/fuzz/random.js";
import { textOf } from "../scripts/fuzz/tree.js";
import { isRecord } from "../scripts/rows.js";

type Dialect = "jinja" | "go" | "ollama";

const SEED = 5;
const NOW = "2026-01-31T08:05:09.000007";
/** Addresses are no two renders' same. */
const ADDRESS = /0x[0-9a-f]{6,}|[0-9a-f]{10,}/;

interface Source {
  readonly template: () => string;
  readonly input: () => string;
}

function sourceOf(dialect: Dialect): Source {
  if (dialect === "jinja") {
    const random = new Random(SEED);
    const statements = new Statements(random);
    const inputs = new Inputs(random, () => undefined);
    return { template: () => textOf(statements.template()), input: () => textOf(inputs.input()) };
  }
  const random = new GoRandom(SEED);
  const isGo = dialect === "go";
  const style = isGo ? GO_STYLE : OLLAMA_STYLE;
  const templates = new Templates(random, style);
  return {
    template: () => templates.template(),
    input: () => (isGo ? goInput(random) : ollamaInput(random)),
  };
}

function compiled(source: string, dialect: Dialect, codegen: boolean): CompiledTemplate | null {
  try {
    return compileTemplate(source, { dialect, codegen });
  } catch (error) {
    if (error instanceof CompileError) return null;
    throw error;
  }
}

/** What a render gives, or how it fails. */
function outcome(render: () => string): string {
  try {
    return `text ${render()}`;
  } catch (error) {
    return String(error);
  }
}

describe("segments of random templates", () => {
  it.each(["jinja", "go", "ollama"] as const)(
    "joined are the prompt, or fail as the render does: %s",
    (dialect) => {
      const source = sourceOf(dialect);
      const options = { now: NOW };
      for (let round = 0; round < 30; round++) {
        const text = source.template();
        const input: unknown = parseJson(source.input());
        for (const codegen of [true, false]) {
          const template = compiled(text, dialect, codegen);
          if (template === null || !isRecord(input)) continue;
          const plain = outcome(() => template.render(input, options));
          if (ADDRESS.test(plain)) continue;
          const joined = outcome(() =>
            template
              .renderSegments(input, options)
              .map((segment) => segment.text)
              .join(""),
          );
          expect([text, joined]).toEqual([text, plain]);
        }
      }
    },
    60_000,
  );
});
