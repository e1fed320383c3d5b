/** Which of a model's templates renders: transformers' get_chat_template, for templates that are compiled. */
import { fail, failInput } from "../errors.js";
import type { Renderer } from "../index.js";
import { repr } from "../jinja/print.js";

/** One template, or several by name. */
export type OneOrNamed<R> = R | Readonly<Record<string, R>>;
type Templates = Readonly<Record<string, Renderer<object>>>;

/** The template that `use` names; else `tool_use` where tools are given; else `default`. */
export function chooseTemplate<R extends Renderer<object>>(
  template: OneOrNamed<R>,
  use: string | undefined,
  hasTools: boolean,
): R {
  const chosen = isRenderer(template)
    ? onlyTemplate(template, use)
    : namedTemplate(template, use, hasTools);
  const { dialect } = chosen.meta;
  if (dialect === "go" || dialect === "ollama") refuseDialect(dialect);
  return chosen;
}

function isRenderer<R extends Renderer<object>>(template: OneOrNamed<R>): template is R {
  return typeof template.render === "function";
}

function onlyTemplate<R>(template: R, use: string | undefined): R {
  if (use === undefined) return template;
  return failInput(
    "ValueError",
    `use names the template ${repr(use)}, but only one is given`,
    "use",
  );
}

function namedTemplate<R extends Renderer<object>>(
  templates: Readonly<Record<string, R>>,
  use: string | undefined,
  hasTools: boolean,
): R {
  const named = (name: string): R | undefined =>
    Object.hasOwn(templates, name) ? templates[name] : undefined;
  if (use !== undefined) return named(use) ?? refuseName(templates, use);
  return (hasTools ? named("tool_use") : undefined) ?? named("default") ?? noDefault(templates);
}

function refuseName(templates: Templates, use: string): never {
  const message = `There is no template ${repr(use)}. Available template names are ${namesOf(templates)}.`;
  return failInput("ValueError", message, "use");
}

function noDefault(templates: Templates): never {
  return fail(
    "ValueError",
    "This model has multiple chat templates with no default specified! Please either pass a chat template or the name " +
      "of the template you wish to use to the `chat_template` argument. Available template names are " +
      `${namesOf(templates)}.`,
    "",
  );
}

function namesOf(templates: Templates): string {
  return repr(Object.keys(templates).sort());
}

function refuseDialect(dialect: string): never {
  const message =
    `applyChatTemplate prepares conversations as transformers does, for Jinja templates; this one's dialect is ` +
    `${dialect}: call its render with the request as it is`;
  return failInput("ValueError", message, "template");
}
