/** The real engines as processes: rows of a cases file in, their answers as expectations out. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Expectation } from "../../test/compare.js";
import { isRecord, parseRow, rawMember } from "../rows.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const JINJA = fileURLToPath(new URL("jinja", import.meta.url));
const GO = fileURLToPath(new URL("go", import.meta.url));
const MAX_OUTPUT = 1 << 30;

/** Answers lines of a cases file in order, with the real engine of their dialects. */
export interface Oracle {
  readonly name: string;
  readonly dialects: readonly string[];
  answer(lines: readonly string[]): readonly Expectation[];
}

/** The oracles that can be set up here; `skip` is told about the others. */
export function installedOracles(skip: (message: string) => void): readonly Oracle[] {
  const oracles: Oracle[] = [];
  const add = (command: string, version: string, dialects: string, make: () => Oracle): void => {
    const consequence = `the cases of ${dialects} are not run by the real engine`;
    if (spawnSync(command, [version]).status !== 0) {
      skip(`${command} is not installed: ${consequence}`);
      return;
    }
    try {
      oracles.push(make());
    } catch (error) {
      skip(`${String(error)}: ${consequence}`);
    }
  };
  add("python3", "--version", "jinja and chat", jinjaOracle);
  add("go", "version", "go and ollama", goOracle);
  return oracles;
}

/** Runs a command to its end; its errors go to ours. */
function run(command: string, args: readonly string[], cwd: string, input = ""): string {
  const { status, stdout, error } = spawnSync(command, args, {
    cwd,
    input,
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT,
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, CGO_ENABLED: "0" },
  });
  if (status === 0) return stdout;
  throw error ?? new Error(`${command} ${args.join(" ")} ended with ${status ?? "a signal"}`);
}

/** CPython with Jinja2 as transformers sets it up, in .venv, which is made on first use. */
function jinjaOracle(): Oracle {
  const python = oraclePython();
  return {
    name: "jinja2",
    dialects: ["jinja", "chat"],
    answer: (lines) =>
      results(run(python, ["oracle.py"], JINJA, lines.map(jinjaRow).join("\n"))).map(
        jinjaExpectation,
      ),
  };
}

/** The Python that has the real engine: ORACLE_PYTHON, or that of .venv, which is made on first use. */
export function oraclePython(): string {
  return process.env["ORACLE_PYTHON"] ?? makeVenv();
}

function makeVenv(): string {
  const python = `${ROOT}.venv/bin/python`;
  if (!existsSync(python)) run("python3", ["-m", "venv", ".venv"], ROOT);
  run(
    python,
    ["-m", "pip", "install", "--quiet", "--requirement", `${JINJA}/requirements.txt`],
    ROOT,
  );
  return python;
}

/** Go's text/template and Ollama's template package, built on first use. */
export function goOracle(): Oracle {
  run("go", ["build", "-o", "oracle", "."], GO);
  return {
    name: "go",
    dialects: ["go", "ollama"],
    answer: (lines) =>
      results(run("./oracle", [], GO, lines.map(goRow).join("\n"))).map(goExpectation),
  };
}

function results(text: string): readonly Result[] {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => readResult(JSON.parse(line)));
}

function readResult(result: unknown): Result {
  if (isResult(result)) return result;
  throw new Error(`not a result: ${JSON.stringify(result).slice(0, 200)}`);
}

/** What both programs print. */
interface Result {
  readonly ok: boolean;
  readonly output?: string;
  readonly b64?: string;
  readonly generation_spans?: readonly (readonly [number, number])[];
  readonly vars?: readonly string[];
  readonly error?: string;
  readonly type?: string;
  readonly phase?: string;
  readonly lineno?: number;
  readonly panic?: boolean;
}

function isResult(value: unknown): value is Result {
  return isRecord(value) && typeof value["ok"] === "boolean";
}

/** Joins members of a JSON object, so that the input's text reaches the engine as it is. */
function objectOf(members: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(members).filter(([, text]) => text !== undefined);
  return `{${present.map(([name, text]) => `${JSON.stringify(name)}:${text ?? ""}`).join(",")}}`;
}

function quoted(text: string | undefined): string | undefined {
  return text === undefined ? undefined : JSON.stringify(text);
}

/** A row of a cases file as oracle.py and batch.py read it. */
export function jinjaRow(line: string): string {
  const { id, dialect, template, input, now } = parseRow(line);
  const common = { id: JSON.stringify(id), template: quoted(template), now: quoted(now) };
  if (dialect === "chat") {
    const cut = rawMember(line, "continue_final_message") ?? "false";
    const conversation = input.replace("{", `{"continue_final_message":${cut},`);
    return objectOf({ ...common, mode: '"chat"', conversation });
  }
  const spans = /\{%-?\s*generation\b/.test(template);
  return objectOf({ ...common, mode: '"jinja"', context: input, generation_spans: String(spans) });
}

function goRow(line: string): string {
  const { id, dialect, template, input, now } = parseRow(line);
  const common = { id: quoted(String(id)), template: quoted(template), now: quoted(now) };
  return dialect === "go"
    ? objectOf({ ...common, mode: '"go"', data: input })
    : objectOf({ ...common, mode: '"ollama"', values: input, vars: "true" });
}

/** What oracle.py, batch.py or answers.py printed, as an expectation. */
export function readJinjaAnswer(result: unknown): Expectation {
  return jinjaExpectation(readResult(result));
}

function jinjaExpectation(result: Result): Expectation {
  const { output, generation_spans: spans, error, type, lineno: line } = result;
  if (result.ok) return { ok: true, ...defined({ output, spans }) };
  return { ok: false, phase: phaseOf(result), ...defined({ error, line, type }) };
}

function goExpectation(result: Result): Expectation {
  const { b64, vars, error, panic } = result;
  const output = b64 === undefined ? result.output : textOfBytes(Buffer.from(b64, "base64"));
  if (result.ok) return { ok: true, ...defined({ output, vars: vars?.toSorted() }) };
  return { ok: false, phase: phaseOf(result), ...defined({ error, panic }) };
}

function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const result: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  return Object.assign(
    result,
    Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)),
  );
}

function phaseOf({ phase }: Result): "compile" | "render" | "input" {
  if (phase === "parse") return "compile";
  return phase === "input" ? "input" : "render";
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** UTF-8 as text; each byte that is part of no character is U+DC80 + (byte - 0x80). */
function textOfBytes(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length;) {
    const length = [1, 2, 3, 4].find((size) => isCharacter(bytes, at, size));
    text +=
      length === undefined
        ? String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
        : UTF8.decode(bytes.subarray(at, at + length));
    at += length ?? 1;
  }
  return text;
}

function isCharacter(bytes: Uint8Array, at: number, size: number): boolean {
  if (at + size > bytes.length) return false;
  try {
    UTF8.decode(bytes.subarray(at, at + size));
    return true;
  } catch {
    return false;
  }
}
