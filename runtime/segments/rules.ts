/** How rules are applied to values with an origin: the rules themselves see plain values only. */
import { value as asValue, type Value } from "../values.js";
import { Trace } from "./trace.js";
import { cut, plain, plainText, Traced } from "./traced.js";

/** A rule of a dialect's runtime. */
export type Rule = (...args: never) => unknown;

type Arguments = readonly unknown[];

/** The trace of a render of the input. */
export function startTrace(input: unknown): Trace {
  return new Trace(input);
}

/** What a rule gave of one value, with the origin that can be told from that. */
export function derived(trace: Trace, result: unknown, source: unknown): Value {
  return asValue(trace.derivedOf(result, source));
}

/** The same of several. */
export function derivedOfAll(trace: Trace, result: unknown, ...sources: Arguments): Value {
  return asValue(trace.derived(result, sources));
}

/** The text that a rule wrote of one value: it is no item of a container, though it may look like one. */
export function printed(trace: Trace, text: unknown, source: unknown): Value {
  return asValue(trace.printedOf(text, source));
}

/** The same of several. */
export function printedOfAll(trace: Trace, text: unknown, ...sources: Arguments): Value {
  return asValue(trace.printed(text, sources));
}

/** A list or another container that a rule gave of its sources: it is the rule's own, or one of them. */
export function made<T>(trace: Trace, container: T, ...sources: readonly unknown[]): T {
  if (container !== sources[0]) trace.derived(container, sources);
  return container;
}

/** The result of a rule that may call the template's own functions. */
export function traceRule(
  trace: Trace,
  rule: Rule,
  args: readonly unknown[],
  place?: string,
): Value {
  return asValue(trace.within(args, () => applyPlain(rule, args, place)));
}

/** What the rule gives of plain values. */
export function applyPlain(rule: Rule, args: readonly unknown[], place?: string): unknown {
  const plainArgs: unknown[] = args.map(plain);
  if (place !== undefined) plainArgs.push(place);
  return call(rule, plainArgs);
}

function call(rule: Rule, args: readonly unknown[]): unknown {
  return Reflect.apply(rule, undefined, args);
}

/** `object.name`, with its place. */
export function traceRead(trace: Trace, object: unknown, name: string): Value {
  const item = asValue(object)?.[name];
  // An empty text is nobody's.
  if (item === "") return item;
  return asValue(
    typeof item === "string" ? trace.text(object, name, item) : trace.item(object, name, item),
  );
}

/** `list[index]`, with its place. */
export function traceAt(trace: Trace, list: readonly unknown[], index: number): Value {
  return asValue(trace.item(list, index, list[index]));
}

/** The items of a list, each with its origin. */
export function traceItems(trace: Trace, list: readonly unknown[]): readonly Value[] {
  return valuesOf(trace.items(list));
}

/** A list whose items are containers: what is known of the list is known of them. */
export function traceContainers<T>(trace: Trace, list: readonly T[]): readonly T[] {
  trace.items(list);
  return list;
}

/** A dict that the template makes, and its keys and values with their origin. */
export function traceDict<T>(
  trace: Trace,
  dict: T,
  pairs: readonly (readonly [unknown, unknown])[],
): T {
  for (const [key, item] of pairs) trace.hold(dict, plain(key), item, key);
  return dict;
}

/** The pairs of a container that a rule gave, keys and items with their origin. */
export function traceEntries(
  trace: Trace,
  pairs: readonly (readonly [unknown, unknown])[],
  container: unknown,
): readonly (readonly [Value, Value])[] {
  return trace.entries(pairs, container);
}

/** The same where the items are containers. */
export function traceKeys<T>(
  trace: Trace,
  pairs: readonly (readonly [unknown, T])[],
  container: unknown,
): readonly (readonly [Value, T])[] {
  return trace.keys(pairs, container);
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

/** One of the template's functions for rules that take one: they give it plain values, and want a plain text. */
export function traceFunction(
  trace: Trace,
  run: (...args: never) => unknown,
): (...args: readonly Value[]) => string {
  return (...args) => {
    const result = call(
      run,
      args.map((arg) => trace.recalled(arg)),
    );
    trace.given(result);
    return plainText(result);
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

function valuesOf(list: readonly unknown[]): readonly Value[] {
  return isValues(list) ? list : [];
}

/** Every JavaScript value is a Value: what remains to be told is that it is a list. */
function isValues(list: readonly unknown[]): list is readonly Value[] {
  return Array.isArray(list);
}
