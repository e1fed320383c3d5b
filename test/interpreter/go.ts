/**
 * The reference interpreter of the Go dialects: "go" is text/template over JSON data with Ollama's functions,
 * "ollama" Ollama's template package v0.32.15. It walks the syntax tree by rules of its own, so that what it prints
 * says something about the compiler.
 */
import type { TemplateSet } from "../../compiler/go/ast.js";
import { parse } from "../../compiler/go/parser.js";
import { Diagnostics } from "../../compiler/diagnostics.js";
import { Source } from "../../compiler/source.js";
import { cutAfterResponse, CutPanic } from "./go-cut.js";
import { ExecError, State, type Program } from "./go-exec.js";
import { ollamaFunctions } from "./go-functions.js";
import { varsOf } from "./go-identifiers.js";
import { DecodeError } from "./go-json-decode.js";
import { JsonSyntaxError, parseJson, type Json } from "./go-json-parse.js";
import { decodeRequest, execute } from "./go-ollama.js";
import { anySlice, bool, float, int, map, string, box, type Value } from "./go-values.js";
import { ANY_MAP } from "./go-types.js";
import { toBinary, toBytes, toText } from "./go-utf8.js";

export type GoDialect = "go" | "ollama";

export interface Output {
  /** Stray bytes stand as U+DC80 + (byte − 0x80). */
  readonly output: string;
  readonly bytes: Uint8Array;
}

export interface RenderOptions {
  /** ISO 8601; the real clock if absent. */
  readonly now?: string;
}

export interface GoTemplate {
  render(inputJson: string, options?: RenderOptions): Output;
  /** Ollama's Vars. */
  readonly vars: string[];
}

/** The input is refused, or the execution failed, with Go's message. */
class InterpreterError extends Error {
  readonly phase: "input" | "render";
  readonly line?: number;
  readonly column?: number;

  constructor(phase: "input" | "render", message: string, at?: { line: number; column: number }) {
    super(message);
    this.name = "InterpreterError";
    this.phase = phase;
    if (at !== undefined) {
      this.line = at.line;
      this.column = at.column;
    }
  }
}

/** Parses a template once; throws CompileError. */
export function prepareGo(template: string, dialect: GoDialect): GoTemplate {
  const source = new Source(template.toWellFormed(), "template");
  const set = parse(source, new Diagnostics(source), { dialect });
  const vars = varsOf(set);
  return {
    vars,
    render(inputJson, options = {}) {
      return translated(() => {
        const program = wholeProgram(source, set, options.now);
        const out: number[] = [];
        const json = parseJson(inputJson);
        if (dialect === "go") run(program, out, anyFrom(json));
        else renderOllama(program, out, vars, json);
        const bytes = Uint8Array.from(out);
        return { output: toText(bytes), bytes };
      });
    },
  };
}

/** Parses and renders once. */
export function interpretGo(
  template: string,
  dialect: GoDialect,
  inputJson: string,
  options?: RenderOptions,
): Output {
  return prepareGo(template, dialect).render(inputJson, options);
}

function wholeProgram(source: Source, set: TemplateSet, now: string | undefined): Program {
  return { source, ...set, functions: ollamaFunctions(now), missingKeyZero: true };
}

function run(program: Program, out: number[], data: Value | null): void {
  new State(program, out, "", program.main, data, 0).walk(data, program.main);
}

/** Ollama's last pass is a new template: no functions, no defines, and missing keys stay invalid. */
function renderOllama(program: Program, out: number[], vars: readonly string[], json: Json): void {
  const runner = {
    whole: (data: Value): void => {
      run(program, out, data);
    },
    last: (data: Value): void => {
      const main = cutAfterResponse(program.main);
      const bare = { functions: new Map(), defines: new Map(), missingKeyZero: false };
      run({ ...program, ...bare, main }, out, data);
    },
  };
  execute(runner, vars, decodeRequest(json));
}

/** Errors of every layer as the one error of this interpreter. */
function translated(run: () => Output): Output {
  try {
    return run();
  } catch (error) {
    if (error instanceof DecodeError || error instanceof JsonSyntaxError) {
      throw new InterpreterError("input", error.message);
    }
    if (error instanceof ExecError) throw new InterpreterError("render", error.message, error);
    if (error instanceof CutPanic) throw new InterpreterError("render", error.message);
    throw error;
  }
}

/** JSON as the dialect "go" takes it: integers that fit are int, other numbers float64; lists have no spare room. */
function anyFrom(json: Json): Value | null {
  switch (json.kind) {
    case "null":
      return null;
    case "bool":
      return bool(json.bool);
    case "number":
      return numberFrom(json.text);
    case "string":
      return string(json.text);
    case "array":
      return anySlice(json.items.map(anyFrom));
    case "object":
      return map(
        ANY_MAP,
        new Map(json.members.map((m) => [toBinary(toBytes(m.key)), box(anyFrom(m.value))])),
      );
  }
}

function numberFrom(text: string): Value {
  if (!/[.eE]/.test(text)) {
    const whole = BigInt(text);
    if (BigInt.asIntN(64, whole) === whole) return int(whole);
  }
  const number = Number(text);
  if (Number.isFinite(number)) return float(number);
  throw new DecodeError(`strconv.ParseFloat: parsing "${text}": value out of range`);
}
