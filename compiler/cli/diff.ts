/** `chat-template diff`: two templates by what they render, then by their text. */
import type { LoadedTemplate } from "../load/index.js";
import type { Template } from "../template.js";
import { inputsFor, type InputOptions, type NamedInput } from "./conversations.js";
import { reportDifferences } from "./diff-report.js";
import {
  compileLoaded,
  loadTemplate,
  renderOnce,
  variablesFor,
  type TemplateOptions,
} from "./templates.js";
import { EXIT, UsageError, type ExitCode, type Terminal } from "./terminal.js";

export interface DiffOptions extends TemplateOptions, InputOptions {
  readonly now?: string;
}

/** An input for which the two templates do not render the same; of a failure its message. */
export interface Difference {
  readonly input: string;
  readonly before: string;
  readonly after: string;
}

export interface Differences {
  readonly inputs: number;
  readonly rendered: readonly Difference[];
  readonly sources: readonly [before: string, after: string];
}

export async function diff(
  locations: readonly [before: string, after: string],
  options: DiffOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const [before, after] = [
    await loadTemplate(locations[0], options, terminal),
    await loadTemplate(locations[1], options, terminal),
  ];
  if (before.dialect !== after.dialect)
    throw new UsageError(
      `one template is of dialect ${before.dialect}, the other of ${after.dialect}`,
    );
  const first = compileLoaded(before, locations[0], options, terminal);
  const second = compileLoaded(after, locations[1], options, terminal);
  if (first === undefined || second === undefined) return EXIT.refused;
  const inputs = await inputsFor(before.dialect, options, terminal);
  const now = options.now ?? new Date().toISOString();
  const rendered = inputs.flatMap((input): Difference[] => {
    const texts = [textOf(first, before, input, now), textOf(second, after, input, now)];
    const [one = "", other = ""] = texts;
    return one === other ? [] : [{ input: input.name, before: one, after: other }];
  });
  const found = {
    inputs: inputs.length,
    rendered,
    sources: [before.source, after.source],
  } as const;
  reportDifferences(locations, found, options, terminal);
  return rendered.length === 0 ? EXIT.fine : EXIT.refused;
}

function textOf(
  template: Template,
  loaded: LoadedTemplate,
  { value }: NamedInput,
  now: string,
): string {
  const rendered = renderOnce(template, variablesFor(loaded, value, {}), { now });
  return rendered.ok ? rendered.output : `(fails: ${rendered.error.message})`;
}
