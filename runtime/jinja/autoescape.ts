/** Jinja2's autoescape: the setting, and what filters, macros and captures do while it is on. */
import { value, type Value } from "../values.js";
import { callFilter } from "./apply.js";
import { escapeText } from "./escape.js";
import { joinFilter } from "./filters-list.js";
import { mapFilter } from "./filters-select.js";
import { boundArguments } from "./filter-table.js";
import { list } from "./iterate.js";
import type { Recurse } from "./loop.js";
import { Macro, type MacroBody } from "./macros.js";
import { escape, Markup, markup } from "./markup.js";
import { str } from "./print.js";
import { BaseObject } from "./object.js";
import { type Keywords } from "./protocol.js";
import { attributeGetter } from "./sorting.js";
import { replaceCount } from "./text-methods.js";
import { integerArgument } from "./arguments.js";
import { textOf } from "./types.js";

/** Jinja2's EvalContext: what `{% autoescape %}` changes while a template renders. */
class EvalContext extends BaseObject {
  #autoescape = false;

  constructor() {
    super("jinja2.nodes.EvalContext");
  }

  static get(context: EvalContext): boolean {
    return context.#autoescape;
  }

  static set(context: EvalContext, on: boolean): void {
    context.#autoescape = on;
  }
}

/** The setting at the start of a render: off. */
export function evalContext(): Value {
  return value(new EvalContext());
}

/** Whether autoescape is on. */
export function isAutoescape(context: unknown): boolean {
  return context instanceof EvalContext && EvalContext.get(context);
}

/** Switches autoescape. */
export function setAutoescape(context: unknown, on: boolean): void {
  if (context instanceof EvalContext) {
    EvalContext.set(context, on);
  }
}

/** What an output writes where only the render knows the setting. */
export function escapeIn(context: unknown, v: unknown): string {
  return str(isAutoescape(context) ? escape(v) : v);
}

/** A captured text: safe while autoescape is on. */
export function markIn(context: unknown, v: unknown): Value {
  return isAutoescape(context) ? markup(v) : value(v);
}

/** A macro whose text is safe while autoescape is on. */
export function macroIn(
  context: unknown,
  name: string | null,
  parameters: readonly string[],
  body: MacroBody,
  special: readonly string[],
): Value {
  return value(new Macro(name, parameters, body, special, (text) => markIn(context, text)));
}

/** What `loop(…)` calls, whose text is safe while autoescape is on. */
export function recurseIn(context: unknown, recurse: Recurse): Recurse {
  return (iterable, depth) => markIn(context, recurse(iterable, depth));
}

/** `a ~ b` under autoescape: one safe operand makes the others escaped. */
export function markupJoin(items: readonly unknown[]): Value {
  return items.some((item) => item instanceof Markup)
    ? value(new Markup(items.map((item) => str(escape(item))).join("")))
    : value(items.map(str).join(""));
}

/** A filter that asks for the setting. */
export function callFilterIn(
  context: unknown,
  name: string,
  v: unknown,
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
): Value {
  if (name === "map") {
    const apply = (filter: unknown, item: unknown): unknown =>
      callFilterIn(context, textOf(filter) ?? "", item, args.slice(1), kwargs, place);
    return mapFilter(v, args, kwargs, place, apply);
  }
  return isAutoescape(context)
    ? callEscaping(name, v, args, kwargs, place)
    : callFilter(name, v, args, kwargs, place);
}

function callEscaping(
  name: string,
  v: unknown,
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
): Value {
  switch (name) {
    case "join": {
      const [separator, attribute = null] = boundArguments(name, args, kwargs, place);
      return joinEscaping(v, separator, attribute, place);
    }
    case "replace": {
      const [old, text, count = null] = boundArguments(name, args, kwargs, place);
      return replaceEscaping(v, old, text, count, place);
    }
    case "urlize":
    case "xmlattr":
      return markup(callFilter(name, v, args, kwargs, place));
    default:
      return callFilter(name, v, args, kwargs, place);
  }
}

/** do_join: the separator is escaped where an item is safe, the items where either is. */
function joinEscaping(v: unknown, separator: unknown, attribute: unknown, place: string): Value {
  const get = attribute === null ? null : attributeGetter(attribute, null, place);
  const items = list(v, place).map((item) => (get === null ? item : get(item)));
  const isSafe = separator instanceof Markup || items.some((item) => item instanceof Markup);
  if (!isSafe) {
    return value(joinFilter(items, separator, null, place));
  }
  return value(new Markup(items.map((item) => str(escape(item))).join(str(escape(separator)))));
}

/** do_replace: a safe argument makes the value safe; a safe value makes the new text escaped. */
function replaceEscaping(
  v: unknown,
  old: unknown,
  text: unknown,
  count: unknown,
  place: string,
): Value {
  const most = count === null ? -1 : integerArgument(count, place);
  const isEscaped = old instanceof Markup || (text instanceof Markup && !(v instanceof Markup));
  if (!isEscaped && !(v instanceof Markup)) {
    return value(replaceCount(str(v), str(old), str(text), most));
  }
  const subject = str(isEscaped ? escape(v) : v);
  const inserted = text instanceof Markup ? str(text) : escapeText(str(text));
  return value(new Markup(replaceCount(subject, str(old), inserted, most)));
}
