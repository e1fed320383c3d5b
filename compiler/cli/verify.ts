/** `chat-template verify`: compares what a template renders here with what the real engine renders. */
import { RenderError, type Dialect } from "../../runtime/index.js";
import { CompileError } from "../diagnostics.js";
import { Template } from "../template.js";
import { inputsFor, type InputOptions, type NamedInput } from "./conversations.js";
import { cpython } from "./engines/cpython.js";
import {
  EngineError,
  type Engine,
  type EngineAnswer,
  type EngineAnswers,
} from "./engines/engine.js";
import { go, ollama } from "./engines/go.js";
import { huggingface } from "./engines/huggingface.js";
import { startProgress } from "./progress.js";
import { loadTemplate, reportRefusal, variablesFor, type TemplateOptions } from "./templates.js";
import { EXIT, UsageError, type ExitCode, type Terminal } from "./terminal.js";
import { reportVerification } from "./verify-report.js";
import type { LoadedTemplate } from "../load/index.js";

export interface VerifyOptions extends TemplateOptions, InputOptions {
  readonly against: readonly EngineName[];
  readonly now?: string;
  readonly python?: string;
}

const ENGINES = { cpython, huggingface, go, ollama } satisfies Readonly<Record<string, Engine>>;
type EngineName = keyof typeof ENGINES;

/** What either side made of one input. */
export type Side =
  | { readonly ok: true; readonly output: Uint8Array }
  | { readonly ok: false; readonly error: string; readonly line?: number };

/** One input on both sides. */
export interface Comparison {
  readonly input: string;
  readonly agree: boolean;
  readonly ours: Side;
  readonly theirs: Side;
}

export interface Verification {
  readonly engine: string;
  readonly version: string;
  readonly comparisons: readonly Comparison[];
}

export async function verify(
  location: string,
  options: VerifyOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const loaded = await loadTemplate(location, options, terminal);
  for (const name of options.against) checkDialect(name, loaded.dialect);
  const inputs = withTokens(loaded, await inputsFor(loaded.dialect, options, terminal));
  const now = localTime(options.now);
  const compiled = compileOr(loaded);
  const ours =
    compiled instanceof CompileError
      ? inputs.map(() => ({ ok: false, error: compiled.message, line: compiled.line }) as const)
      : inputs.map(({ value }) => sideOf(compiled, value, now));
  const progress = await startProgress(options.against.length, "engines", options, terminal);
  const verifications: Verification[] = [];
  for (const name of options.against) {
    const answers = await ask(name, loaded.source, inputs, now, options, terminal);
    verifications.push(compare(name, answers, inputs, ours));
    progress.step();
  }
  progress.end();
  reportVerification(location, verifications, options, terminal);
  if (compiled instanceof CompileError) {
    if (!options.json) reportRefusal(location, compiled, options, terminal);
    return EXIT.refused;
  }
  const agree = verifications.every(({ comparisons }) => comparisons.every((each) => each.agree));
  return agree ? EXIT.fine : EXIT.refused;
}

function checkDialect(name: EngineName, dialect: Dialect): void {
  const { dialect: theirs } = ENGINES[name];
  if (theirs === dialect) return;
  throw new UsageError(
    `${name} renders templates of dialect ${theirs}, this one is of dialect ${dialect}`,
  );
}

/** Both sides get the special tokens that the template was published with. */
function withTokens(loaded: LoadedTemplate, inputs: readonly NamedInput[]): readonly NamedInput[] {
  const tokens = JSON.stringify(loaded.define);
  return inputs.map(({ name, texts, value }) => ({
    name,
    texts: [tokens, ...texts],
    value: variablesFor(loaded, value, {}),
  }));
}

/** The clock's own fields, which is what Python's datetime without a zone and our `now` read. */
function localTime(now: string | undefined): string {
  const time = now ?? new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString();
  const plain = time.replace(" ", "T").replace(/(Z|[+-]\d\d:?\d\d)$/i, "");
  if (!plain.includes("T")) return `${plain}T00:00:00`;
  return /T\d\d:\d\d$/.test(plain) ? `${plain}:00` : plain;
}

async function ask(
  name: EngineName,
  template: string,
  inputs: readonly NamedInput[],
  now: string,
  { python = "python3" }: VerifyOptions,
  { directory }: Terminal,
): Promise<EngineAnswers> {
  const texts = inputs.map((each) => each.texts);
  try {
    return await ENGINES[name].ask({ template, inputs: texts, now, directory, python });
  } catch (error) {
    if (error instanceof EngineError) throw new UsageError(`${name}: ${error.message}`);
    throw error;
  }
}

/** A template that is refused fails for every input, as the engines answer it too. */
function compileOr({ source, dialect, name }: LoadedTemplate): Template | CompileError {
  try {
    return new Template(source, { dialect, name });
  } catch (error) {
    if (error instanceof CompileError) return error;
    throw error;
  }
}

function sideOf(template: Template, input: object, now: string): Side {
  try {
    return { ok: true, output: template.renderBytes(input, { now }) };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    const { message, line } = error;
    return { ok: false, error: message, ...(line === undefined ? {} : { line }) };
  }
}

function compare(
  engine: string,
  { version, answers }: EngineAnswers,
  inputs: readonly NamedInput[],
  ours: readonly Side[],
): Verification {
  const comparisons = inputs.flatMap(({ name }, index): Comparison[] => {
    const [mine, theirs] = [ours[index], answers[index]];
    if (mine === undefined || theirs === undefined) return [];
    return [{ input: name, agree: agrees(mine, theirs), ours: mine, theirs }];
  });
  return { engine, version, comparisons };
}

/** Equal bytes, or a failure on both sides, of the same line where both tell one; the words are shown, not compared. */
function agrees(ours: Side, theirs: EngineAnswer): boolean {
  if (ours.ok && theirs.ok) return Buffer.compare(ours.output, theirs.output) === 0;
  if (ours.ok || theirs.ok) return false;
  return ours.line === undefined || theirs.line === undefined || ours.line === theirs.line;
}
