/** Renders a job with Template: the prompt, what is known of the template, and what is wrong. */
import { registerCharacterNames } from "../../../compiler/character-names.js";
import { codeFrame, CompileError, type Diagnostic } from "../../../compiler/diagnostics.js";
import { toLowered } from "../../../compiler/pipeline.js";
import { Source } from "../../../compiler/source.js";
import { Template } from "../../../compiler/template.js";
import { parseJson, RenderError, type Segment, type TemplateMeta } from "../../../runtime/index.js";
import { json } from "../../../runtime/jinja/json.js";
import { isDict } from "../../../runtime/values.js";
import { jsonProblem } from "./json-text.js";
import type { Described, Job, Problem, Rendered, ShownVariable } from "./job.js";

registerCharacterNames();

/** What rendering gives; what fails is in `problems`. */
export function renderJob(job: Job): Rendered {
  const made = attempt(job, () => templateOf(job));
  if ("problems" in made) return { problems: made.problems, described: null, segments: null };
  const { template, warnings } = made.value;
  const described = attempt(job, () => describe(template.meta));
  const prompt = attempt(job, () => segmentsOf(template, inputOf(job)));
  const errors = [...problemsIn(described), ...problemsIn(prompt)];
  return {
    problems: [...errors, ...warnings.map(compileProblem).filter(isNews(errors))],
    described: valueIn(described),
    segments: valueIn(prompt),
  };
}

type Attempt<T> = { readonly value: T } | { readonly problems: readonly Problem[] };

function attempt<T>(job: Job, run: () => T): Attempt<T> {
  try {
    return { value: run() };
  } catch (error) {
    return { problems: problemsOf(job, error) };
  }
}

function valueIn<T>(attempted: Attempt<T>): T | null {
  return "value" in attempted ? attempted.value : null;
}

function problemsIn(attempted: Attempt<unknown>): readonly Problem[] {
  return "problems" in attempted ? attempted.problems : [];
}

/** What has happened needs no warning that it may. */
function isNews(errors: readonly Problem[]): (warning: Problem) => boolean {
  return ({ message, line }) =>
    !errors.some((error) => error.message === message && error.line === line);
}

interface Made {
  readonly template: Template;
  readonly warnings: readonly Diagnostic[];
}

function templateOf({ source, dialect, name, define }: Job): Made {
  const options = { dialect, name, define };
  return {
    template: new Template(source, options),
    warnings: toLowered(source, options).diagnostics,
  };
}

/** The input of a job; throws a SyntaxError, or a RenderError of phase "input". */
export function inputOf({ input }: Job): object {
  const value = parseJson(input);
  if (isDict(value)) return value;
  throw new RenderError("the input must be an object", { phase: "input", type: "TypeError" });
}

/** The prompt in pieces: those of `renderSegments`, or one of unknown origin if they do not make up the prompt. */
function segmentsOf(template: Template, input: object): readonly Segment[] {
  const text = template.render(input);
  const segments = template.renderSegments(input);
  const isWhole = segments.map((each) => each.text).join("") === text;
  return isWhole ? segments : [{ text, from: "template" }];
}

function describe(meta: TemplateMeta): Described {
  const { capabilities, forms, leadingBos, reference, sha256 } = meta;
  const variables = meta.variables.map(shownVariable);
  return { variables, capabilities, forms, leadingBos, reference, sha256 };
}

function shownVariable(variable: TemplateMeta["variables"][number]): ShownVariable {
  const { name, required, values = [], default: fallback } = variable;
  return {
    name,
    required,
    values: values.map(json),
    fallback: fallback === undefined ? null : json(fallback),
  };
}

function problemsOf({ source, name, input }: Job, error: unknown): readonly Problem[] {
  if (error instanceof CompileError) return error.diagnostics.map(compileProblem);
  if (error instanceof RenderError) return [renderProblem(source, name, error)];
  if (error instanceof SyntaxError) return [jsonProblem(input, error)];
  throw error;
}

function compileProblem(found: Diagnostic): Problem {
  const { code, ...rest } = found;
  return { in: "template", title: code, ...rest };
}

function renderProblem(source: string, name: string, error: RenderError): Problem {
  const { type, message, phase, line, column, path } = error;
  const title = path === undefined ? type : `${type} at ${path}`;
  const problem = { severity: "error", title, message } as const;
  if (line === undefined) return { in: phase, ...problem };
  const place = { line, column: column ?? 1 };
  const frame = codeFrame(new Source(source, name), line, place.column, 1);
  return { in: phase, ...problem, ...place, frame };
}
