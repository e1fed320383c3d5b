/** How rules are applied to values with an origin: the rules themselves see plain values only. */
import { value as asValue, type Value } from "../values.js";
import { Trace } from "./trace.js";
import { cut, plain, plainText, Traced } from "./traced.js";

/** A rule of a dialect's runtime. */
export type Rule = (...args: never) => unknown;

/** The trace of a render of the input. */
export function startTrace(input: unknown): Trace {
  return new Trace(input);
}

/** The rule's result, with the origin that can be told from its arguments. */
export function traceRule(
  trace: Trace,
  rule: Rule,
  args: readonly unknown[],
  place?: string,
): Value {
  return asValue(trace.within(args, () => applyPlain(rule, args, place)));
}

/** The same for a rule that gives no text, but a list or another container: it is the rule's own. */
export function traceContainer<R>(
  trace: Trace,
  rule: (...args: never) => R,
  args: readonly unknown[],
  place?: string,
): R {
  const result = trace.within(args, () => applyPlain(rule, args, place));
  if (isResultOf(result, rule)) return result;
  throw new TypeError("no container");
}

/** A container is what its rule gave, whatever is known of its origin. */
function isResultOf<R>(_: unknown, _rule: (...args: never) => R): _ is R {
  return true;
}

/** What the rule gives of plain values. */
export function applyPlain<R>(
  rule: (...args: never) => R,
  args: readonly unknown[],
  place?: string,
): R {
  const plainArgs: unknown[] = args.map(plain);
  if (place !== undefined) plainArgs.push(place);
  const result = call(rule, plainArgs);
  if (isResultOf(result, rule)) return result;
  throw new TypeError("no result");
}

function call(rule: Rule, args: readonly unknown[]): unknown {
  return Reflect.apply(rule, undefined, args);
}

/** `object.name`, with its place. */
export function traceRead(trace: Trace, object: unknown, name: string): Value {
  return asValue(trace.item(object, name, asValue(object)?.[name]));
}

/** `list[index]`, with its place. */
export function traceAt(trace: Trace, list: readonly unknown[], index: number): Value {
  return asValue(trace.item(list, index, list[index]));
}

/** The items of a list, each with its origin. */
export function traceItems<T>(trace: Trace, list: readonly T[]): readonly T[] {
  const items = trace.items(list);
  return isLike(items, list) ? items : [];
}

/** The pairs of a container that a rule gives, keys and items with their origin. */
export function traceEntries(
  trace: Trace,
  rule: Rule,
  container: unknown,
  place?: string,
): readonly (readonly [Value, Value])[] {
  const args = place === undefined ? [plain(container)] : [plain(container), place];
  return pairsOf(call(rule, args)).map(([key, item]) => [
    asValue(trace.key(container, key)),
    asValue(trace.item(container, key, item)),
  ]);
}

/** The same of pairs that were made otherwise. */
export function tracePairs(
  trace: Trace,
  pairs: readonly unknown[],
): readonly (readonly [Value, Value])[] {
  return pairs.map((pair, i) => {
    const known = trace.item(pairs, i, pair);
    const [key, item] = isList(pair) ? pair : [];
    return [asValue(trace.item(known, 0, key)), asValue(trace.item(known, 1, item))];
  });
}

function pairsOf(value: unknown): readonly (readonly [unknown, unknown])[] {
  return isPairs(value) ? value : [];
}

/** What rules for pairs give. */
function isPairs(value: unknown): value is readonly (readonly [unknown, unknown])[] {
  return Array.isArray(value);
}

/** A list that the template makes. */
export function traceList(trace: Trace, items: readonly unknown[]): Value[] {
  return trace.list(items);
}

/** Named values that the template makes. */
export function traceRecord(
  trace: Trace,
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return trace.record(fields);
}

/** What a chain of JavaScript's own gave of a list. */
export function traceChain<T>(trace: Trace, list: unknown, result: T): T {
  const traced = trace.derived(result, [list]);
  return isLike(traced, result) ? traced : result;
}

/** One of the template's functions for rules that take one: they give it plain values, and want a plain text. */
export function traceFunction(
  trace: Trace,
  run: (...args: never) => unknown,
): (...args: readonly unknown[]) => unknown {
  return (...args) => {
    const result = call(
      run,
      args.map((arg) => trace.recalled(arg)),
    );
    trace.given(result);
    return plain(result);
  };
}

/** Runs a rule that puts an item into a container under a name. */
export function traceSet(
  trace: Trace,
  rule: Rule,
  container: unknown,
  name: string,
  item: unknown,
  place: string,
): unknown {
  const result = call(rule, [plain(container), name, plain(item), place]);
  trace.hold(container, name, item);
  return result;
}

/** `list.push(item)`. */
export function tracePush(trace: Trace, list: unknown[], item: unknown): number {
  trace.hold(list, list.length, item);
  return list.push(plain(item));
}

/** JavaScript's own slice of a text or list. */
export function traceSlice(trace: Trace, whole: unknown, from: number, to?: number): unknown {
  if (typeof whole === "string") return whole.slice(from, to);
  if (Array.isArray(whole)) return trace.derived(whole.slice(from, to), [whole]);
  if (!(whole instanceof Traced)) return undefined;
  const { length } = plainText(whole);
  const end = to ?? length;
  return cut(whole, from < 0 ? Math.max(length + from, 0) : from, end < 0 ? length + end : end);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** A value with an origin stands where its plain value may: what is made of it does not depend on that. */
function isLike<T>(_: unknown, _like: T): _ is T {
  return true;
}
