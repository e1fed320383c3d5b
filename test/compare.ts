/** Whether an engine's answer agrees with what the real engine did: the rules of the cases' format. */
import { commonLength } from "../compiler/analysis/prefix.js";
import type { Answer, Failure, Success } from "../scripts/engines.js";
import { withoutAddresses } from "../scripts/oracle/addresses.js";
import { isRecord } from "../scripts/rows.js";

export interface Expectation {
  readonly ok: boolean;
  readonly output?: string;
  readonly spans?: readonly (readonly [number, number])[];
  readonly vars?: readonly string[];
  readonly phase?: "compile" | "render" | "input";
  readonly error?: string;
  readonly type?: string;
  readonly line?: number;
  readonly mention?: readonly string[];
  /** The real engine crashed. */
  readonly panic?: boolean;
}

export interface Case {
  readonly id: string;
  readonly dialect: string;
  readonly compare?: "ok-only" | "resource" | "address";
  readonly expect: Expectation;
}

/** A case from its line of JSON; throws where the line holds none. */
export function readCase(line: string): Case {
  const test: unknown = JSON.parse(line);
  if (!isCase(test)) throw new Error(`not a case: ${line.slice(0, 100)}`);
  return test;
}

function isCase(value: unknown): value is Case {
  return isRecord(value) && typeof value["id"] === "string" && isRecord(value["expect"]);
}

/** What an engine can report beyond the text. */
export interface Abilities {
  readonly spans: boolean;
  readonly vars: boolean;
  /** Whether exceptions of Python's own are compared too: which one, and its words as CPython 3.11 has them. */
  readonly words?: boolean;
}

/** Jinja's own exceptions, whose text is Jinja's or the template author's, never Python's. */
const EXACT_TYPES = new Set([
  "UndefinedError",
  "TemplateSyntaxError",
  "TemplateAssertionError",
  "SecurityError",
  "TemplateError",
]);

/** Says in a line how the answer differs; undefined where it agrees. */
export function difference(test: Case, answer: Answer, abilities: Abilities): string | undefined {
  const { expect } = test;
  if (test.compare === "address") return addressDifference(test, answer);
  if (expect.ok !== answer.ok)
    return answer.ok
      ? `renders ${show(answer.output)} instead of failing: ${show(expect.error)}`
      : `fails (${answer.phase}: ${answer.error}) instead of rendering ${show(expect.output)}`;
  if (answer.ok) return successDifference(expect, answer, abilities);
  if (test.compare !== undefined || expect.type === "RecursionError") return undefined;
  return (
    failureDifference(test, answer) ??
    (abilities.words === true ? wordsDifference(test, answer) : undefined)
  );
}

/** Python's addresses have one length; what Go prints of pointers is not compared. */
function addressDifference({ dialect, expect }: Case, answer: Answer): string | undefined {
  if (dialect !== "jinja" || !answer.ok) return undefined;
  const [expected, actual] = [expect.output ?? "", answer.output].map(withoutAddresses);
  return expected === actual ? undefined : outputDifference(expected ?? "", actual ?? "");
}

function successDifference(
  expect: Expectation,
  answer: Success,
  abilities: Abilities,
): string | undefined {
  if (answer.output !== expect.output) return outputDifference(expect.output ?? "", answer.output);
  if (abilities.spans && expect.spans !== undefined)
    return unequal("spans", expect.spans, answer.spans ?? []);
  if (abilities.vars && expect.vars !== undefined)
    return unequal("vars", expect.vars, answer.vars ?? []);
  return undefined;
}

function unequal(what: string, expected: unknown, actual: unknown): string | undefined {
  const [left, right] = [JSON.stringify(expected), JSON.stringify(actual)];
  return left === right ? undefined : `${what} ${right} instead of ${left}`;
}

function failureDifference(test: Case, answer: Failure): string | undefined {
  const { expect } = test;
  if (answer.phase !== expect.phase)
    return `fails in phase ${answer.phase} (${answer.error}) instead of ${String(expect.phase)}`;
  if (expect.line !== undefined && lineOf(answer) !== expect.line)
    return `fails on line ${String(lineOf(answer))} (${answer.error}) instead of ${String(expect.line)}`;
  return expect.panic === true ? undefined : messageDifference(test, answer.error);
}

/** Go's messages carry the line themselves: `template: :2:8: …`. */
function lineOf(answer: Failure): number | undefined {
  const inMessage = /^template: [^:]*:(\d+)/.exec(answer.error)?.[1];
  return answer.line ?? (inMessage === undefined ? undefined : Number(inMessage));
}

function messageDifference(test: Case, message: string): string | undefined {
  const { expect } = test;
  const missing = expect.mention?.find((pattern) => !new RegExp(pattern).test(message));
  if (missing !== undefined) return `the message ${show(message)} does not mention ${missing}`;
  if (isExact(test) && message !== expect.error)
    return `the message is ${show(message)} instead of ${show(expect.error)}`;
  const field = expect.phase === "input" ? fieldOf(expect.error ?? "") : undefined;
  if (field !== undefined && !message.includes(field))
    return `the message ${show(message)} does not name ${field}`;
  return message === "" ? "the message is empty" : undefined;
}

/** Errors of the Python that Jinja2 makes of a template: they name its lines, and its own names for variables. */
const OF_GENERATED_CODE = new Set(["SyntaxError", "NameError"]);

/** Errors whose words tell of bytes and codecs at length: ours name the codec and the place. */
const WORDY = new Set(["UnicodeEncodeError", "UnicodeDecodeError"]);

/** The exception that Python raised, or what Go's decoder said; ours may say more behind Python's words. */
function wordsDifference({ expect }: Case, { type, error }: Failure): string | undefined {
  const { error: expected = "" } = expect;
  if (expect.phase === "input") {
    // The recorder decodes into a struct of its own.
    const said = error.replace("field ChatRequest.", "field ollamaValues.");
    if (!/^json: cannot|^illegal base64/.test(expected) || said.endsWith(expected))
      return undefined;
    return `the message is ${show(error)} instead of ${show(expected)}`;
  }
  if (expect.type === undefined || OF_GENERATED_CODE.has(expect.type)) return undefined;
  if (type !== undefined && type !== expect.type) return `raises ${type} instead of ${expect.type}`;
  return WORDY.has(expect.type) || error.startsWith(expected)
    ? undefined
    : `the message is ${show(error)} instead of ${show(expected)}`;
}

/** Go's messages are Go's own in every phase but input; of Python's, those that are Jinja's. */
function isExact({ dialect, expect }: Case): boolean {
  if (expect.error === undefined || expect.error === "" || expect.phase === "input") return false;
  if (dialect === "go" || dialect === "ollama") return true;
  return expect.type !== undefined && EXACT_TYPES.has(expect.type);
}

/** The field that Go's decoder names in a message of phase input. */
function fieldOf(error: string): string | undefined {
  if (error.startsWith("invalid think value")) return "think";
  return /Go struct field \S*?([^.\s]+) of type/.exec(error)?.[1];
}

/** Where two outputs part, with a little of what surrounds the place. */
function outputDifference(expected: string, actual: string): string {
  const at = commonLength(expected, actual);
  const from = Math.max(0, at - 20);
  const [left, right] = [expected, actual].map((text) => show(text.slice(from, at + 40)));
  return `output differs at ${String(at)}: ${String(right)} instead of ${String(left)}`;
}

function show(text: string | undefined): string {
  const quoted = JSON.stringify(text ?? "");
  return quoted.length > 120 ? `${quoted.slice(0, 120)}…` : quoted;
}
