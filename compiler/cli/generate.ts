/** `chat-template generate`: compiles templates into modules, or checks that the modules are current. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { compile } from "../index.js";
import type { CompileOptions, Target } from "../options.js";
import type { Dialect } from "../../runtime/index.js";
import { CompileError, type Diagnostic } from "../diagnostics.js";
import { reasonOf } from "../load/index.js";
import type { Assignments } from "./arguments.js";
import { planGeneration, type Plan, type PlannedTemplate } from "./plan.js";
import { formatDiagnostic } from "./report.js";
import { EXIT, UsageError, type CommonOptions, type ExitCode, type Terminal } from "./terminal.js";

export interface GenerateOptions extends CommonOptions {
  readonly outDir?: string;
  readonly config?: string;
  readonly dialect?: Dialect;
  readonly target?: readonly Target[];
  readonly define?: Assignments;
  readonly runtime?: string;
  readonly check?: true;
  readonly stdout?: true;
}

type Status = "written" | "unchanged" | "stale" | "missing" | "orphaned" | "refused";

/** What became of a template: a line of the report, and an element of `--json`. */
interface Outcome {
  readonly template: string;
  readonly file: string;
  readonly status: Status;
  readonly diagnostics: readonly Diagnostic[];
}

/** A template after compile(): its module, or why it has none. */
interface Compiled extends PlannedTemplate {
  readonly code: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

const FAILURES: ReadonlySet<Status> = new Set(["stale", "missing", "orphaned", "refused"]);

export async function generate(
  patterns: readonly string[],
  options: GenerateOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { directory } = terminal;
  const plan = await planGeneration({
    directory,
    patterns,
    outDir: options.outDir,
    configFile: options.config,
    dialect: options.dialect,
  });
  if (options.stdout && plan.templates.length > 1)
    throw new UsageError(`--stdout takes one template, not ${String(plan.templates.length)}`);
  const compiled: Compiled[] = [];
  for (const planned of plan.templates) compiled.push(await compileOne(planned, plan, options));
  const outcomes = await outcomesOf(compiled, plan, options, terminal);
  report(outcomes, options, terminal);
  return outcomes.some(({ status }) => FAILURES.has(status)) ? EXIT.refused : EXIT.fine;
}

async function compileOne(
  planned: PlannedTemplate,
  plan: Plan,
  options: GenerateOptions,
): Promise<Compiled> {
  const { template } = planned;
  const compileOptions: CompileOptions = {
    ...plan.options,
    name: template.name,
    dialect: template.dialect,
    file: template.file,
    define: { ...template.define, ...plan.options.define, ...options.define },
    ...(options.target === undefined ? {} : { targets: options.target }),
    ...(options.runtime === undefined ? {} : { runtime: options.runtime }),
  };
  try {
    const { code, diagnostics } = await compile(template.source, compileOptions);
    return { ...planned, code, diagnostics };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return { ...planned, code: undefined, diagnostics: error.diagnostics };
  }
}

/** Writes nothing at all where a template is refused, so that modules never come half from one state. */
async function outcomesOf(
  compiled: readonly Compiled[],
  plan: Plan,
  options: GenerateOptions,
  terminal: Terminal,
): Promise<readonly Outcome[]> {
  const refused = compiled.filter(({ code }) => code === undefined);
  if (refused.length > 0) return refused.map((each) => outcome(each, "refused"));
  if (options.stdout) {
    terminal.out(compiled.map(({ code }) => code ?? "").join(""));
    return [];
  }
  const outcomes: Outcome[] = [];
  for (const each of compiled) {
    const status = options.check
      ? await checkOne(each, terminal.directory)
      : await writeOne(each, terminal.directory);
    outcomes.push(outcome(each, status));
  }
  if (options.check && plan.complete) outcomes.push(...(await orphans(compiled, plan, terminal)));
  return outcomes;
}

function outcome({ file, output, diagnostics }: Compiled, status: Status): Outcome {
  return { template: file, file: output, status, diagnostics };
}

async function checkOne({ code, output }: Compiled, directory: string): Promise<Status> {
  const current = await readModule(resolve(directory, output));
  if (current === undefined) return "missing";
  return current === code ? "unchanged" : "stale";
}

async function writeOne({ code, output }: Compiled, directory: string): Promise<Status> {
  const path = resolve(directory, output);
  if ((await readModule(path)) === code) return "unchanged";
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, code ?? "");
  } catch (error) {
    throw new UsageError(`${output}: cannot be written: ${reasonOf(error)}`);
  }
  return "written";
}

async function readModule(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}

const GENERATED_FROM = /^\/\/ @generated by chat-template-compiler \S+ from (.+)/;

/** Modules that we once wrote and whose templates are gone. */
async function orphans(
  compiled: readonly Compiled[],
  plan: Plan,
  { directory }: Terminal,
): Promise<readonly Outcome[]> {
  const current = new Set(compiled.map(({ output }) => resolve(directory, output)));
  const names = await readdir(plan.outDir).catch((): string[] => []);
  const found: Outcome[] = [];
  for (const name of names.filter((each) => each.endsWith(".ts")).toSorted()) {
    const path = join(plan.outDir, name);
    const template = GENERATED_FROM.exec((await readModule(path)) ?? "")?.[1];
    if (current.has(path) || template === undefined) continue;
    const file = relative(directory, path).replaceAll("\\", "/");
    found.push({ template, file, status: "orphaned", diagnostics: [] });
  }
  return found;
}

function report(outcomes: readonly Outcome[], options: GenerateOptions, terminal: Terminal): void {
  if (options.json) {
    const ok = !outcomes.some(({ status }) => FAILURES.has(status));
    terminal.out(`${JSON.stringify({ ok, files: outcomes }, null, 2)}\n`);
    return;
  }
  for (const { template, file, status, diagnostics } of outcomes) {
    const shown = diagnostics.filter(({ severity }) => severity === "error" || !options.quiet);
    for (const each of shown) terminal.error(formatDiagnostic(template, each, terminal));
    if (status === "refused") continue;
    if (FAILURES.has(status)) terminal.error(`${file}: ${DESCRIPTIONS[status]}\n`);
    else if (!options.quiet) terminal.out(`${file}: ${status}\n`);
  }
}

const DESCRIPTIONS: Readonly<Record<Status, string>> = {
  written: "written",
  unchanged: "unchanged",
  refused: "refused",
  stale: "stale: run `chat-template generate`",
  missing: "missing: run `chat-template generate`",
  orphaned: "its template is gone: delete it",
};
