/** The engines that cases run on: the compiler with and without passes, and the reference interpreters. */
import type { Row } from "./rows.js";

export const ENGINES = ["compiled", "unoptimized", "interpreter"] as const;
export type EngineName = (typeof ENGINES)[number];

export type Phase = "compile" | "render" | "input";

export interface Success {
  readonly ok: true;
  readonly output: string;
  /** Generation spans, in code points. */
  readonly spans?: readonly (readonly [number, number])[];
  /** Ollama's Vars, sorted. */
  readonly vars?: readonly string[];
}

export interface Failure {
  readonly ok: false;
  readonly phase: Phase;
  readonly error: string;
  readonly line?: number;
  readonly column?: number;
  /** The exception of Python that it stands for. */
  readonly type?: string;
}

export type Answer = Success | Failure;

/** Answers rows, compiling each distinct template once. */
export type Engine = (row: Row) => Answer;

const DIALECTS = ["jinja", "go", "ollama", "chat"] as const;
type CaseDialect = (typeof DIALECTS)[number];

/** A compiled template: reads the row's input once, and renders it as often as the row asks. */
type Prepared = (row: Row) => Success;

type Prepare = (template: string, dialect: CaseDialect, forceLegacy: boolean) => Prepared;

export function isEngineName(name: string): name is EngineName {
  return ENGINES.some((engine) => engine === name);
}

/** The engine of a name; the compiler's own can run under limits. Its modules are loaded only here: a column needs no other column's code. */
export async function createEngine(name: EngineName, limits = false): Promise<Engine> {
  const prepare =
    name === "interpreter" ? await interpreter() : await compiler(name !== "unoptimized", limits);
  const known = new Map<string, Prepared | Failure>();
  return (row) => {
    const dialect = DIALECTS.find((each) => each === row.dialect);
    if (dialect === undefined) return unknownDialect(row.dialect);
    const forceLegacy = dialect === "ollama" && row.input.includes('"forceLegacy"');
    const key = `${dialect} ${String(forceLegacy)}\n${row.template}`;
    let prepared = known.get(key);
    if (prepared === undefined) {
      prepared = attempt("compile", () => prepare(row.template, dialect, forceLegacy));
      known.set(key, prepared);
    }
    const ready = prepared;
    return typeof ready === "function" ? attempt("render", () => ready(row)) : ready;
  };
}

async function compiler(passes: boolean, limits: boolean): Promise<Prepare> {
  const { compileTemplate } = await import("../compiler/template.js");
  const { registerCharacterNames } = await import("../compiler/character-names.js");
  registerCharacterNames();
  const { parseJson } = await import("../runtime/index.js");
  const { renderChat } = await import("./chat-rows.js");
  return (template, dialect, forceLegacy) => {
    if (dialect === "chat") {
      const renderer = compileTemplate(template, {
        dialect: "jinja",
        name: "case",
        passes,
        limits,
      });
      return (row) =>
        repeat(row.runs, () => ({ ok: true, output: renderChat(renderer, row, clock(row)) }));
    }
    if (dialect === "jinja") {
      const compiled = compileTemplate(template, { dialect, name: "case", passes, limits });
      return (row) => {
        const input: unknown = parseJson(row.input);
        requireObject(input);
        return repeat(row.runs, () => {
          const { text, spans } = compiled.renderWithSpans(input, clock(row));
          return { ok: true, output: text, ...(spans.length === 0 ? {} : { spans }) };
        });
      };
    }
    // The method's parameter is wider here than compileTemplate's: dialect go takes any JSON value.
    const compiled: Compiled = compileTemplate(template, {
      dialect,
      name: "case",
      passes,
      limits,
      forceLegacy,
    });
    return (row) => {
      const input = parseJson(row.input);
      if (dialect !== "go") requireObject(input);
      return repeat(row.runs, () => ({
        ok: true,
        output: encodable(compiled, dialect, compiled.render(input, clock(row))),
      }));
    };
  };
}

interface Compiled {
  readonly strayBytes: boolean;
  render(input: unknown, options?: { now?: string }): string;
}

/** Lone surrogates of the input as every encoder writes them and Go reads them. */
function encodable({ strayBytes }: Compiled, dialect: CaseDialect, output: string): string {
  return dialect === "ollama" && !strayBytes ? output.toWellFormed() : output;
}

async function interpreter(): Promise<Prepare> {
  const { prepareJinja } = await import("../test/interpreter/jinja.js");
  const { prepareGo } = await import("../test/interpreter/go.js");
  const { prepareChat } = await import("../test/interpreter/chat.js");
  return (template, dialect) => {
    if (dialect === "chat") {
      const prepared = prepareChat(template);
      return (row) => {
        const options = { ...clock(row), continueFinalMessage: row.continueFinalMessage };
        return repeat(row.runs, () => ({ ok: true, output: prepared.render(row.input, options) }));
      };
    }
    if (dialect === "jinja") {
      const prepared = prepareJinja(template);
      return (row) =>
        repeat(row.runs, () => {
          const { output, spans } = prepared.render(row.input, clock(row));
          return { ok: true, output, ...(spans.length === 0 ? {} : { spans }) };
        });
    }
    const prepared = prepareGo(template, dialect);
    const vars = prepared.vars.toSorted();
    return (row) =>
      repeat(row.runs, () => {
        const { output } = prepared.render(row.input, clock(row));
        return dialect === "ollama" ? { ok: true, output, vars } : { ok: true, output };
      });
  };
}

function clock(row: Row): { now?: string } {
  return row.now === undefined ? {} : { now: row.now };
}

function requireObject(input: unknown): asserts input is object {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return;
  throw Object.assign(new Error("the input is not an object"), { phase: "input" });
}

/** Renders several times: a template must not change its input or keep anything between renders. */
function repeat(runs: number, render: () => Success): Success {
  const first = render();
  for (let run = 2; run <= runs; run++) {
    if (render().output !== first.output)
      throw new Error(`render ${String(run)} differs from render 1`);
  }
  return first;
}

function unknownDialect(dialect: string): Failure {
  return { ok: false, phase: "input", error: `unknown dialect ${JSON.stringify(dialect)}` };
}

function attempt<T>(phase: Phase, run: () => T): T | Failure {
  try {
    return run();
  } catch (error) {
    return failure(error, phase);
  }
}

/** What an engine threw as a row: CompileError and RenderError carry their phase and place. */
export function failure(error: unknown, phase: Phase): Failure {
  if (!(error instanceof Error)) return { ok: false, phase, error: String(error) };
  if (isStackOverflow(error))
    return { ok: false, phase, error: "maximum recursion depth exceeded" };
  return {
    ok: false,
    phase: phaseOf(error) ?? phase,
    error: error.message,
    ...("line" in error && typeof error.line === "number" ? { line: error.line } : {}),
    ...("column" in error && typeof error.column === "number" ? { column: error.column } : {}),
    ...("type" in error && typeof error.type === "string" ? { type: error.type } : {}),
  };
}

function isStackOverflow(error: Error): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}

function phaseOf(error: Error): Phase | undefined {
  const phase: unknown = "phase" in error ? error.phase : undefined;
  return phase === "compile" || phase === "render" || phase === "input" ? phase : undefined;
}
