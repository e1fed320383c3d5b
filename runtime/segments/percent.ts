/** How origin passes through Python's `format % values`: what a directive writes has its value's origin. */
import { dictGet } from "../jinja/dict.js";
import { percentTexts, type DirectiveText } from "../jinja/percent.js";
import { Tuple } from "../jinja/tuple.js";
import { value as asValue, isDict, type Value } from "../values.js";
import { checked, isText } from "./text-rules.js";
import type { Trace } from "./trace.js";
import { cut, join, plain, plainText, textOf, Traced, type Text } from "./traced.js";

/** `format % values` of texts: what stands between the directives is the format's own. */
export function traceFormat(
  trace: Trace,
  result: unknown,
  format: unknown,
  values: unknown,
): Value {
  if (!isText(format) || typeof result !== "string")
    return asValue(trace.derived(result, [format, values]));
  const list = values instanceof Tuple ? Tuple.items(values) : null;
  const valueOf = (operand: number | string): unknown => {
    if (typeof operand === "string")
      return isDict(values) ? trace.item(values, operand, dictGet(values, operand, "")) : undefined;
    return list === null ? values : trace.item(values, operand, list[operand]);
  };
  return checked(trace, result, filled(trace, format, plain(values), valueOf), [format, values]);
}

/** A filter that is called by its name, with a list of arguments: of `format` more is known. */
export function traceFilter(
  trace: Trace,
  result: unknown,
  name: unknown,
  value: unknown,
  args: unknown,
  named?: unknown,
): Value {
  const isFormat = plain(name) === "format" && isText(value) && Array.isArray(args);
  if (!isFormat || typeof result !== "string" || isGiven(named))
    return asValue(trace.derived(result, [value, args, named]));
  const items = trace.items(args);
  const valueOf = (operand: number | string): unknown =>
    typeof operand === "number" ? items[operand] : undefined;
  const pieces = filled(trace, value, new Tuple(items.map(plain)), valueOf);
  return checked(trace, result, pieces, [value, args, named]);
}

function isGiven(named: unknown): boolean {
  return named !== undefined && named !== null;
}

function filled(
  trace: Trace,
  format: Text,
  values: unknown,
  valueOf: (operand: number | string) => unknown,
): Text {
  const parts: Text[] = [];
  let at = 0;
  for (const directive of percentTexts(plainText(format), values)) {
    const { from, to, operand } = directive;
    const own = cut(format, from, to);
    parts.push(cut(format, at, from));
    parts.push(
      operand === null ? cut(own, 0, 1) : written(trace, own, directive, valueOf(operand)),
    );
    at = to;
  }
  parts.push(cut(format, at, plainText(format).length));
  return join(...parts);
}

/** What a directive writes of a value; the blanks that a width puts beside a text are the directive's. */
function written(trace: Trace, own: Text, { text }: DirectiveText, value: unknown): Text {
  const directive = plainText(own);
  const sources = own instanceof Traced ? [value, own] : [value];
  const isWhole = isText(value) && /^[^.]*s$/.test(directive);
  if (!isWhole) return textOf(trace.printed(text, sources));
  const shown = textOf(value);
  const { length } = plainText(shown);
  const start = text.endsWith(plainText(shown)) ? text.length - length : 0;
  const blanks = (from: number, to: number): Text =>
    own instanceof Traced
      ? textOf(trace.derived(text.slice(from, to), [own]))
      : text.slice(from, to);
  return join(blanks(0, start), shown, blanks(start + length, text.length));
}
