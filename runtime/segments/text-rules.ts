/**
 * How origin passes through rules on text, exactly. Each is given what the rule gave of plain values; only where the
 * pieces that it puts together give the very text of the rule's result are they that result.
 */
import { value as asValue, type Value } from "../values.js";
import { applyPlain, traceRule, type Rule } from "./rules.js";
import { PythonObject, TEXT } from "../jinja/protocol.js";
import type { Trace } from "./trace.js";
import { cut, join, plain, plainText, textOf, Traced, type Text } from "./traced.js";

type Arguments = readonly unknown[];

/** The pieces, if they are the text that the rule gave; else what can be told without them. */
export function checked(
  trace: Trace,
  result: unknown,
  pieces: Text | null,
  args: Arguments,
): Value {
  const isRight = typeof result === "string" && pieces !== null && plainText(pieces) === result;
  return asValue(isRight ? pieces : trace.derived(result, args));
}

/** Text that was put together of several sources: where each part went is worth looking for. */
function isComposed(value: unknown): value is Traced {
  return value instanceof Traced && !Traced.isWhole(value);
}

export function isText(value: unknown): value is Text {
  return typeof plain(value) === "string";
}

/** `a + b`: texts one after the other; beside safe text another is escaped. */
export function traceAdd(trace: Trace, result: unknown, left: unknown, right: unknown): Value {
  if (isText(left) && isText(right))
    return checked(trace, result, join(left, right), [left, right]);
  const safe = result instanceof PythonObject ? result[TEXT]() : null;
  if (safe !== null) {
    const pieces = join(escapedText(trace, left), escapedText(trace, right));
    if (plainText(pieces) === safe) trace.spell(result, pieces);
  }
  return asValue(trace.derived(result, [left, right]));
}

/** A text as it stands in safe text. */
function escapedText(trace: Trace, text: unknown): Text {
  if (text instanceof PythonObject) return textOf(trace.printed(text[TEXT]() ?? "", [text]));
  const whole = textOf(text);
  return typeof whole === "string" ? escaped(whole) : mapped(whole, escaped);
}

/** A rule that gives a part of its first argument: the beginning, the end, or what is left in the middle. */
export function traceCut(trace: Trace, result: unknown, whole: unknown): Value {
  if (!isComposed(whole) || typeof result !== "string") {
    return asValue(trace.derivedOf(result, whole));
  }
  return checked(trace, result, partOf(whole, result), [whole]);
}

function partOf(whole: Traced, part: string): Text | null {
  const text = plainText(whole);
  const start = text.endsWith(part) ? text.length - part.length : text.indexOf(part);
  return start < 0 ? null : cut(whole, start, start + part.length);
}

/** A rule that gives the beginning of its first argument. */
export function traceHead(trace: Trace, result: unknown, whole: unknown): Value {
  const isPart = isComposed(whole) && typeof result === "string";
  return checked(trace, result, isPart ? cut(whole, 0, result.length) : null, [whole]);
}

/** `s[start:stop:step]`: the slice begins where Python's rule for `start` says, and code points are counted. */
export function traceSliced(
  trace: Trace,
  result: unknown,
  whole: unknown,
  start: unknown,
  _stop?: unknown,
  step?: unknown,
): Value {
  const each = plain(step) ?? 1;
  const from = plain(start) ?? 0;
  if (!isComposed(whole) || typeof result !== "string" || each !== 1 || typeof from !== "number") {
    return asValue(trace.derivedOf(result, whole));
  }
  const at = unitOf(plainText(whole), from);
  return checked(trace, result, cut(whole, at, at + result.length), [whole]);
}

/** The unit at which the code point begins; from the end where the number is negative. */
function unitOf(text: string, point: number): number {
  const points = Array.from(text);
  const index = point < 0 ? Math.max(points.length + point, 0) : point;
  return points.slice(0, index).join("").length;
}

/** A rule that gives the parts of a text as a list, in order. */
export function traceSplit<T>(trace: Trace, parts: T, whole: unknown): T {
  if (!Array.isArray(parts) || !(whole instanceof Traced)) {
    trace.derived(parts, [whole]);
    return parts;
  }
  let at = 0;
  parts.forEach((part: unknown, i) => {
    if (typeof part !== "string") return;
    const start = plainText(whole).indexOf(part, at);
    if (start < 0) return;
    at = start + part.length;
    trace.hold(parts, i, cut(whole, start, at));
  });
  return parts;
}

/** `s.replace(old, new)`, also with how many at most. */
export function traceReplace(
  trace: Trace,
  result: unknown,
  whole: unknown,
  old: unknown,
  replacement: unknown,
  ...rest: Arguments
): Value {
  const isKnown = isText(whole) && isText(old) && isText(replacement) && plainText(old) !== "";
  const args = [whole, old, replacement];
  if (!isKnown || typeof result !== "string") return asValue(trace.derived(result, args));
  const count = rest.map(plain).find((limit) => typeof limit === "number");
  return checked(trace, result, replaced(whole, plainText(old), replacement, count), args);
}

function replaced(whole: Text, old: string, replacement: Text, count: number | undefined): Text {
  const text = plainText(whole);
  const parts: Text[] = [];
  let from = 0;
  let left = count === undefined || count < 0 ? Infinity : count;
  for (let at = text.indexOf(old); at >= 0 && left > 0; at = text.indexOf(old, from)) {
    parts.push(cut(whole, from, at), replacement);
    from = at + old.length;
    left--;
  }
  parts.push(cut(whole, from, text.length));
  return join(...parts);
}

/** A rule that changes characters one by one, such as to capital letters. */
export function traceCase(trace: Trace, result: unknown, whole: unknown): Value {
  if (!isComposed(whole) || typeof result !== "string") {
    return asValue(trace.derivedOf(result, whole));
  }
  const isAligned = result.length === plainText(whole).length;
  return checked(trace, result, isAligned ? realigned(whole, result) : null, [whole]);
}

/** Text of the same length as a composed one, each part from where the part there comes from. */
function realigned(whole: Traced, text: string): Text {
  let at = 0;
  const parts = Traced.pieces(whole).map(({ text: { length }, isInput, place }) => {
    const part = text.slice(at, at + length);
    at += length;
    return isInput ? Traced.whole(part, place) : part;
  });
  return join(...parts);
}

/** `items | join(separator)`. */
export function traceJoin(
  trace: Trace,
  result: unknown,
  list: unknown,
  separator: unknown = "",
  attribute?: unknown,
): Value {
  const isPlain = plain(attribute) === null || attribute === undefined;
  const items = isPlain && Array.isArray(list) ? trace.items(list) : null;
  const args = [list, separator, attribute];
  if (items === null || !isText(separator)) return asValue(trace.derived(result, args));
  return checked(trace, result, joined(items, separator), args);
}

function joined(items: readonly unknown[], separator: Text): Text {
  return join(
    ...items.flatMap((item, i) => (i === 0 ? [textOf(item)] : [separator, textOf(item)])),
  );
}

/** `format.format(values)`, as far as places have no settings of their own. */
function traceBraces(trace: Trace, result: unknown, format: unknown, ...values: Arguments): Value {
  const pieces = isText(format) ? braced(format, values) : null;
  return checked(trace, result, pieces, [format, ...values]);
}

function braced(format: Text, values: readonly unknown[]): Text {
  const text = plainText(format);
  const parts: Text[] = [];
  let from = 0;
  let next = 0;
  for (const { 0: found, 1: place, index } of text.matchAll(/\{\{|\}\}|\{(\d*)\}/g)) {
    parts.push(cut(format, from, index));
    const isPlace = place !== undefined;
    const value = isPlace ? values[place === "" ? next++ : Number(place)] : found.slice(1);
    parts.push(textOf(value ?? ""));
    from = index + found.length;
  }
  parts.push(cut(format, from, text.length));
  return join(...parts);
}

/** `s | indent`: what is put before the lines is the template's. */
export function traceIndent(
  trace: Trace,
  result: unknown,
  whole: unknown,
  width?: unknown,
  ...rest: Arguments
): Value {
  const isKnown = isText(whole) && typeof result === "string" && !(width instanceof Traced);
  const pieces = isKnown ? indented(whole, result) : null;
  return checked(trace, result, pieces, [whole, width, ...rest]);
}

/** The lines of a text, each with what a longer text has before it; null: the other is no such text. */
function indented(whole: Text, text: string): Text | null {
  const own = plainText(whole).split("\n");
  const lines = text.split("\n");
  const parts: Text[] = [];
  let at = 0;
  for (const [i, line] of lines.entries()) {
    const old = own[i];
    if (old === undefined || !line.endsWith(old)) return null;
    const end = at + old.length + (i < own.length - 1 ? 1 : 0);
    parts.push(line.slice(0, line.length - old.length), cut(whole, at, end));
    at = end;
  }
  return join(...parts);
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ["'", "&#39;"],
  ['"', "&#34;"],
]);

/** `s | escape`, character by character as in MarkupSafe. */
export function traceEscape(trace: Trace, result: unknown, whole: unknown): Value {
  if (!isText(whole)) return asValue(trace.derivedOf(result, whole));
  const pieces = typeof whole === "string" ? escaped(whole) : mapped(whole, escaped);
  if (typeof result === "string") return checked(trace, result, pieces, [whole]);
  trace.spell(result, pieces);
  return asValue(trace.derivedOf(result, whole));
}

function escaped(text: string): string {
  return text.replace(/[&<>'"]/g, (sign) => ESCAPES.get(sign) ?? sign);
}

/** A text with each of its pieces changed by itself. */
function mapped(whole: Traced, change: (text: string) => string): Text {
  return join(
    ...Traced.pieces(whole).map(({ text, isInput, place }) =>
      isInput ? Traced.whole(change(text), place) : change(text),
    ),
  );
}

/** `o[key]` and `o.name`. */
export function traceItem(trace: Trace, result: unknown, owner: unknown, key: unknown): Value {
  const at = plain(key);
  if (isText(owner) && typeof at === "string") trace.bind(result, owner, at);
  const index = typeof at === "number" && at < 0 && Array.isArray(owner) ? owner.length + at : at;
  return asValue(
    owner instanceof Traced ? trace.derivedOf(result, owner) : trace.item(owner, index, result),
  );
}

/** What a method of a text does with origins, by its name. */
type Method = (trace: Trace, result: unknown, whole: unknown, ...args: Arguments) => unknown;

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ["strip", traceCut],
  ["lstrip", traceCut],
  ["rstrip", traceHead],
  ["removeprefix", traceCut],
  ["removesuffix", traceHead],
  [
    "replace",
    (trace, result, whole, old, by, ...rest) =>
      traceReplace(trace, result, whole, old, by, ...rest),
  ],
  ["format", traceBraces],
  ["upper", traceCase],
  ["lower", traceCase],
  ["capitalize", traceCase],
  ["title", traceCase],
  ["split", traceSplit],
  ["rsplit", traceSplit],
  ["splitlines", traceSplit],
  ["partition", traceSplit],
]);

/** `o.name(…)`. */
export function traceMethod(trace: Trace, rule: Rule, args: Arguments, place?: string): Value {
  const [owner, name, given, named] = args;
  const apply = (values: Arguments): unknown =>
    applyPlain(rule, [owner, name, values.map(plain), null], place);
  const known = { owner, name, given, named };
  return ofMethod(trace, known, apply) ?? traceRule(trace, rule, args, place);
}

/** `f(…)`, where `f` may be a method that was read before. */
export function traceCall(trace: Trace, rule: Rule, args: Arguments, place?: string): Value {
  const [callee, given, named] = args;
  const method = trace.method(callee);
  const apply = (values: Arguments): unknown =>
    applyPlain(rule, [callee, values.map(plain), null], place);
  const found =
    method === undefined ? undefined : ofMethod(trace, { ...method, given, named }, apply);
  return found ?? traceRule(trace, rule, args, place);
}

interface MethodCall {
  readonly owner: unknown;
  readonly name: unknown;
  readonly given: unknown;
  readonly named: unknown;
}

/** The result of a method of which more is known than what it is given; undefined: of others. */
function ofMethod(
  trace: Trace,
  { owner, name, given, named }: MethodCall,
  apply: (values: Arguments) => unknown,
): Value {
  if (typeof name !== "string" || !Array.isArray(given)) return undefined;
  if (named !== null && named !== undefined) return undefined;
  const values = trace.items(given);
  if (name === "get" && !isText(owner)) return ofGet(trace, owner, values, apply);
  const method = isText(owner) ? METHODS.get(name) : undefined;
  if (method !== undefined) {
    return asValue(method(trace, apply(values), owner, ...values));
  }
  if (!isText(owner) || name !== "join" || values.length !== 1) return undefined;
  return traceJoin(trace, apply(values), values[0], owner);
}

/** `dict.get(key, fallback)`. */
function ofGet(
  trace: Trace,
  owner: unknown,
  values: Arguments,
  apply: (values: Arguments) => unknown,
): Value {
  const [key, fallback] = values;
  const result = apply(values);
  const isFallback = fallback !== undefined && result === plain(fallback);
  const name: unknown = plain(key);
  const isOwn =
    typeof owner === "object" &&
    owner !== null &&
    typeof name === "string" &&
    Object.hasOwn(owner, name);
  return asValue(isFallback && !isOwn ? fallback : trace.item(owner, name, result));
}

/**
 * A container that the template made, as JSON: its signs are the template's, what stands between them has its origin.
 * `rest`: what else the rule is given.
 */
export function traceJson(
  trace: Trace,
  result: unknown,
  rule: Rule,
  value: unknown,
  rest: Arguments = [],
): Value {
  if (!trace.isMade(value) || typeof result !== "string") {
    return asValue(trace.printedOf(result, value));
  }
  const parts: Text[] = [];
  let at = 0;
  const write = (item: unknown): boolean => {
    const text = applyPlain(rule, [item, ...rest]);
    const start = typeof text === "string" ? result.indexOf(text, at) : -1;
    if (typeof text !== "string" || start < 0 || !SIGNS.test(result.slice(at, start))) return false;
    parts.push(result.slice(at, start), textOf(trace.printedOf(text, item)));
    at = start + text.length;
    return true;
  };
  const walk = (container: object): boolean =>
    Object.entries(container).every(([key, item]) => {
      const isNamed = Array.isArray(container) || write(trace.key(container, key));
      const known: unknown = trace.item(
        container,
        Array.isArray(container) ? Number(key) : key,
        item,
      );
      return isNamed && (trace.isMade(known) ? walk(known) : write(known));
    });
  const isWhole = walk(value) && SIGNS.test(result.slice(at));
  return checked(trace, result, isWhole ? join(...parts, result.slice(at)) : null, [value]);
}

/** What JSON writes between values. */
const SIGNS = /^[\s{}[\],:]*$/;
