/** Python's sort, and the keys by which Jinja2's filters sort, compare and group. */
import { item } from "./access.js";
import { gt, lt } from "./compare.js";
import { parseInteger } from "./number-text.js";
import { ATTRIBUTE, PythonObject, wrapped } from "./protocol.js";
import { Tuple } from "./tuple.js";
import { textOf } from "./types.js";
import { isUndefined } from "./required.js";

/** What a filter compares instead of an item. */
export type KeyOf = (item: unknown) => unknown;

/** Jinja2's make_attrgetter: a path of names and numbers, `default` for what is undefined. */
export function attributeGetter(attribute: unknown, fallback: unknown, place: string): KeyOf {
  const parts = pathOf(attribute);
  return (v) => {
    let found = v;
    for (const part of parts) {
      found = item(found, part, place);
      if (fallback !== null && isUndefined(found)) {
        found = fallback;
      }
    }
    return found;
  };
}

function pathOf(attribute: unknown): readonly unknown[] {
  if (attribute === null) {
    return [];
  }
  const path = textOf(attribute);
  if (path === null) {
    return [attribute];
  }
  const parts = path.split(".").map(partOf);
  // The parts of a Markup are Markup, which shows in messages.
  return attribute instanceof PythonObject
    ? parts.map((part) => (typeof part === "string" ? wrapped(attribute, part) : part))
    : parts;
}

function partOf(part: string): unknown {
  return /^\p{Nd}+$/u.test(part) ? (parseInteger(part, 10) ?? part) : part;
}

/** Jinja2's make_multi_attrgetter: several paths with commas between them, as one key. */
export function attributesGetter(attribute: unknown, ignoreCase: boolean, place: string): KeyOf {
  const path = textOf(attribute);
  const paths = path === null ? [attribute] : path.split(",");
  const getters = paths.map((one) => attributeGetter(one, null, place));
  return (v) => getters.map((get) => (ignoreCase ? foldCase(get(v)) : get(v)));
}

/** The key getter with texts in lower case unless case counts. */
export function keyGetter(
  attribute: unknown,
  caseSensitive: boolean,
  fallback: unknown,
  place: string,
): KeyOf {
  const get = attributeGetter(attribute, fallback, place);
  return caseSensitive ? get : (v) => foldCase(get(v));
}

/** Jinja2's ignore_case. */
export function foldCase(v: unknown): unknown {
  return textOf(v)?.toLowerCase() ?? v;
}

/** Python's sorted(): stable; reversed order keeps equal items in place too. */
export function sorted(
  items: readonly unknown[],
  keyOf: KeyOf,
  reverse: boolean,
  place: string,
): unknown[] {
  const keyed = items.map((v) => ({ key: keyOf(v), v }));
  if (reverse) {
    keyed.reverse();
  }
  keyed.sort((a, b) => (lt(a.key, b.key, place) ? -1 : lt(b.key, a.key, place) ? 1 : 0));
  const result = keyed.map(({ v }) => v);
  return reverse ? result.reverse() : result;
}

/** Python's min() or max() of items that are not empty. */
export function extreme(
  items: readonly unknown[],
  keyOf: KeyOf,
  isMaximum: boolean,
  place: string,
): unknown {
  let best = items[0];
  let bestKey = keyOf(best);
  for (const v of items.slice(1)) {
    const key = keyOf(v);
    if (isMaximum ? gt(key, bestKey, place) : lt(key, bestKey, place)) {
      [best, bestKey] = [v, key];
    }
  }
  return best;
}

/** What `groupby` gives: a pair with names. */
export class GroupTuple extends Tuple {
  readonly grouper: unknown;
  readonly list: readonly unknown[];

  constructor(grouper: unknown, list: readonly unknown[]) {
    super([grouper, list], "jinja2.filters._GroupTuple");
    this.grouper = grouper;
    this.list = list;
  }

  override [ATTRIBUTE](name: string): unknown {
    return name === "grouper" || name === "list" ? this[name] : super[ATTRIBUTE](name);
  }
}
