/** The evaluator as a column: closures over what lowering gives, and over the optimised module, which must answer alike. */
import { passes } from "../compiler/passes/index.js";
import { compileTemplate, type CompiledTemplate } from "../compiler/template.js";
import { parseJson, type RenderOptions } from "../runtime/index.js";
import { renderChat } from "../scripts/chat-rows.js";
import { failure, type Answer, type Engine, type Success } from "../scripts/engines.js";
import type { Row } from "../scripts/rows.js";

type Prepared = (row: Row) => Success;

/** What Template starts with: Go is lowered as for the passes, and none runs. */
const PLAIN = { without: passes.map(({ name }) => name) };

export function createEvaluated(): Engine {
  const known = new Map<string, readonly (Prepared | Answer)[]>();
  return (row) => {
    const isLegacy = row.dialect === "ollama" && row.input.includes('"forceLegacy"');
    const key = `${row.dialect} ${String(isLegacy)}\n${row.template}`;
    const engines = known.get(key) ?? [prepare(row, PLAIN), prepare(row, true)];
    known.set(key, engines);
    const [plain, optimized] = engines.map((engine) => answer(engine, row));
    if (plain === undefined) throw new Error("no engine");
    return JSON.stringify(plain) === JSON.stringify(optimized)
      ? plain
      : failure(new Error(`passes change the answer: ${JSON.stringify(optimized)}`), "render");
  };
}

function answer(engine: Prepared | Answer, row: Row): Answer {
  if (typeof engine !== "function") return engine;
  try {
    return engine(row);
  } catch (error) {
    return failure(error, "render");
  }
}

function prepare(row: Row, selection: typeof PLAIN | true): Prepared | Answer {
  try {
    const dialect = row.dialect === "go" || row.dialect === "ollama" ? row.dialect : "jinja";
    const forceLegacy = row.input.includes('"forceLegacy"');
    const compiled = compileTemplate(row.template, {
      dialect,
      name: "case",
      passes: selection,
      codegen: false,
      forceLegacy,
    });
    return prepared(compiled, row.dialect);
  } catch (error) {
    return failure(error, "compile");
  }
}

/** Dialect go takes any JSON value, so the parameters are wider here. */
interface Wide {
  render(input: unknown, options: RenderOptions): string;
}

function prepared(compiled: CompiledTemplate, dialect: string): Prepared {
  const wide: Wide = compiled;
  const once = (row: Row): Success => {
    const options = row.now === undefined ? {} : { now: row.now };
    if (dialect === "chat") return { ok: true, output: renderChat(compiled, row, options) };
    const input = parseJson(row.input);
    if (dialect === "go") return { ok: true, output: wide.render(input, options) };
    if (typeof input !== "object" || input === null || Array.isArray(input)) {
      throw Object.assign(new Error("the input is not an object"), { phase: "input" });
    }
    const { text, spans } = compiled.renderWithSpans(input, options);
    const output = dialect === "ollama" && !compiled.strayBytes ? text.toWellFormed() : text;
    return { ok: true, output, ...(spans.length === 0 ? {} : { spans }) };
  };
  return (row) => {
    const first = once(row);
    for (let run = 2; run <= row.runs; run++) {
      if (once(row).output !== first.output) throw new Error(`render ${run} differs from render 1`);
    }
    return first;
  };
}
