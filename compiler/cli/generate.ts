/** `chat-template generate`: compiles templates into modules, or checks that the modules are current. */
import { relative, resolve } from "node:path";
import { compile } from "../index.js";
import type { CompileOptions, Target } from "../options.js";
import { CompileError, type Diagnostic } from "../diagnostics.js";
import { valuesOf, type Assignments } from "./arguments.js";
import { reportGeneration, type Outcome, type Status } from "./generate-report.js";
import { DECLARED_RUNTIME, strayDeclarations } from "./declarations.js";
import { checkInlined, planInlined, writeInlined, type InlinedPlan } from "./inlined.js";
import { mapOf, removeMap, withMap, writtenMap } from "./maps.js";
import { generatedIn, readModule, writeModule } from "./modules.js";
import {
  pathsOf,
  planGeneration,
  type Plan,
  type PlannedTemplate,
  type PlanRequest,
} from "./plan.js";
import { startProgress } from "./progress.js";
import type { TemplateOptions } from "./templates.js";
import { EXIT, UsageError, type ExitCode, type Terminal } from "./terminal.js";
import { watchPaths } from "./watch.js";

export interface GenerateOptions extends TemplateOptions {
  readonly outDir?: string;
  readonly config?: string;
  readonly target?: readonly Target[];
  readonly define?: Assignments;
  readonly runtime?: string;
  readonly sourceMap?: true;
  readonly limits?: true;
  readonly check?: true;
  readonly watch?: true;
  readonly stdout?: true;
  readonly dts?: true;
}

/** A template after compile(): its module, or why it has none. */
interface Compiled extends PlannedTemplate {
  readonly code: string | undefined;
  /** Its source map, where there is to be one. */
  readonly map: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export async function generate(
  patterns: readonly string[],
  options: GenerateOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const request: PlanRequest = {
    directory: terminal.directory,
    patterns,
    outDir: options.outDir,
    configFile: options.config,
    dialect: options.dialect,
    form: options.form,
    dts: options.dts,
  };
  const once = () => generateOnce(request, options, terminal);
  if (options.watch) return watchPaths(() => pathsOf(request), once, options, terminal);
  return once();
}

async function generateOnce(
  request: PlanRequest,
  options: GenerateOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const plan = await planGeneration(request);
  if (options.stdout && plan.templates.length > 1)
    throw new UsageError(`--stdout takes one template, not ${String(plan.templates.length)}`);
  if (options.stdout && isInline(plan, options))
    throw new UsageError("--stdout prints a module alone: --runtime inline writes more files");
  if (options.stdout && options.sourceMap)
    throw new UsageError("--stdout prints a module alone: --source-map writes a file beside it");
  const progress = await startProgress(plan.templates.length, "templates", options, terminal);
  const compiled: Compiled[] = [];
  for (const planned of plan.templates) {
    compiled.push(await compileOne(planned, plan, options));
    progress.step();
  }
  progress.end();
  const outcomes = await outcomesOf(compiled, plan, options, terminal);
  return reportGeneration(outcomes, options, terminal) ? EXIT.fine : EXIT.refused;
}

function isInline(plan: Plan, options: GenerateOptions): boolean {
  return (options.runtime ?? plan.options.runtime) === "inline";
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
    define: { ...template.define, ...plan.options.define, ...valuesOf(options.define) },
    ...(options.target === undefined ? {} : { targets: options.target }),
    ...(options.runtime === undefined ? {} : { runtime: options.runtime }),
    ...(options.dts ? { runtime: DECLARED_RUNTIME } : {}),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  };
  try {
    const { code, map, diagnostics } = await compile(template.source, compileOptions);
    if (options.sourceMap) return { ...planned, ...withMap({ code, map }, planned), diagnostics };
    if (!options.dts) return { ...planned, code, map: undefined, diagnostics };
    const { declarationsOf } = await import("../typescript/declarations.js");
    return { ...planned, code: declarationsOf(code), map: undefined, diagnostics };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return { ...planned, code: undefined, map: undefined, diagnostics: error.diagnostics };
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
  const inlined = options.dts ? undefined : await inlinedOf(compiled, plan, options, terminal);
  const outcomes: Outcome[] = [];
  for (const each of compiled) outcomes.push(...(await settleModule(each, options, terminal)));
  const settle = options.check ? checkInlined : writeInlined;
  if (inlined !== undefined) outcomes.push(...(await settle(inlined, plan, terminal)));
  if (options.check && plan.complete) {
    outcomes.push(...(await orphans(compiled, plan, options, terminal)));
  }
  return outcomes;
}

function inlinedOf(
  compiled: readonly Compiled[],
  plan: Plan,
  options: GenerateOptions,
  terminal: Terminal,
): Promise<InlinedPlan> {
  const modules = compiled.map(({ code = "", output }) => ({
    path: resolve(terminal.directory, output),
    code,
  }));
  return planInlined(modules, plan, isInline(plan, options), terminal);
}

/** A module and the map beside it. */
async function settleModule(
  compiled: Compiled,
  options: GenerateOptions,
  { directory }: Terminal,
): Promise<readonly Outcome[]> {
  const { output, code = "", map } = compiled;
  const settle = options.check ? checkFile : writeFile;
  const outcomes: Outcome[] = [];
  if (map !== undefined) {
    const status = await settle({ output: mapOf(output), code: map }, directory);
    outcomes.push(outcomeOfMap(compiled, status));
  } else if ((await writtenMap(output, directory)) !== undefined) {
    if (!options.check) await removeMap(output, directory);
    outcomes.push(outcomeOfMap(compiled, options.check ? "unused" : "removed"));
  }
  return [outcome(compiled, await settle({ output, code }, directory)), ...outcomes];
}

function outcome({ file, output, diagnostics }: Compiled, status: Status): Outcome {
  return { template: file, file: output, status, diagnostics };
}

function outcomeOfMap({ file, output }: Compiled, status: Status): Outcome {
  return { template: file, file: mapOf(output), status, diagnostics: [] };
}

interface GeneratedFile {
  readonly output: string;
  readonly code: string;
}

async function checkFile({ code, output }: GeneratedFile, directory: string): Promise<Status> {
  const current = await readModule(resolve(directory, output));
  if (current === undefined) return "missing";
  return current === code ? "unchanged" : "stale";
}

async function writeFile({ code, output }: GeneratedFile, directory: string): Promise<Status> {
  const path = resolve(directory, output);
  if ((await readModule(path)) === code) return "unchanged";
  await writeModule(path, output, code);
  return "written";
}

async function orphans(
  compiled: readonly Compiled[],
  { outDir }: Plan,
  { dts }: GenerateOptions,
  { directory }: Terminal,
): Promise<readonly Outcome[]> {
  const current = compiled.map(({ output }) => resolve(directory, output));
  const present = dts ? await strayDeclarations(current) : await generatedIn(outDir);
  const found: Outcome[] = [];
  for (const { path, template } of present.filter((each) => !current.includes(each.path))) {
    const file = relative(directory, path).replaceAll("\\", "/");
    const hasMap = (await writtenMap(file, directory)) !== undefined;
    for (const each of hasMap ? [file, mapOf(file)] : [file])
      found.push({ template, file: each, status: "orphaned", diagnostics: [] });
  }
  return found;
}
