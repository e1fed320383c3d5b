/** How rules are applied to values with an origin: the rules themselves see plain values only. */
import { value as asValue } from "../values.js";
import { Trace } from "./trace.js";
import { cut, plain, plainText, Traced } from "./traced.js";

/** A rule of a dialect's runtime. */
type Rule = (...args: never) => unknown;

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
): unknown {
  const plainArgs = args.map(plain);
  if (place !== undefined) plainArgs.push(place);
  return trace.within(args, () => call(rule, plainArgs));
}

function call(rule: Rule, args: readonly unknown[]): unknown {
  return Reflect.apply(rule, undefined, args);
}

/** `object.name`, with its place. */
export function traceRead(trace: Trace, object: unknown, name: string): unknown {
  return trace.item(object, name, asValue(object)?.[name]);
}

/** `list[index]`, with its place. */
export function traceAt(trace: Trace, list: readonly unknown[], index: number): unknown {
  return trace.item(list, index, list[index]);
}

/** The items of a list, each with its origin. */
export function traceItems(trace: Trace, list: readonly unknown[]): readonly unknown[] {
  return trace.items(list);
}

/** The pairs of a container that a rule gives, keys and items with their origin. */
export function traceEntries(
  trace: Trace,
  rule: Rule,
  container: unknown,
  place?: string,
): readonly (readonly [unknown, unknown])[] {
  const args = place === undefined ? [plain(container)] : [plain(container), place];
  return pairsOf(call(rule, args)).map(([key, item]) => [
    trace.key(container, key),
    trace.item(container, key, item),
  ]);
}

/** The same of pairs that were made otherwise. */
export function tracePairs(
  trace: Trace,
  pairs: readonly unknown[],
): readonly (readonly [unknown, unknown])[] {
  return pairs.map((pair, i) => {
    const known = trace.item(pairs, i, pair);
    const [key, item] = isList(pair) ? pair : [];
    return [trace.item(known, 0, key), trace.item(known, 1, item)];
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
export function traceList(trace: Trace, items: readonly unknown[]): unknown[] {
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
export function traceChain(trace: Trace, list: unknown, result: unknown): unknown {
  return trace.derived(result, [list]);
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
