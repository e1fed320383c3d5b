/** Jinja2's lazy filters map, select, reject, selectattr and rejectattr (filters.py). */
import { fail } from "../errors.js";
import { value, type Value } from "../values.js";
import { applyFilter, applyTest } from "./apply.js";
import { Generator } from "./generator.js";
import { iterate } from "./iterate.js";
import { repr, truth } from "./print.js";
import type { Keywords } from "./protocol.js";
import { attributeGetter, type KeyOf } from "./sorting.js";

type Arguments = readonly unknown[];

/** How `map` calls a filter by its name. */
type Apply = typeof applyFilter;

/** `v | map(…)`: an attribute of each item, or a filter on it. */
export function mapFilter(
  v: unknown,
  args: Arguments,
  kwargs: Keywords,
  place: string,
  apply: Apply = applyFilter,
): Value {
  return value(new Generator(mapped(v, args, kwargs, place, apply), "sync_do_map"));
}

function* mapped(
  v: unknown,
  args: Arguments,
  kwargs: Keywords,
  place: string,
  apply: Apply,
): IterableIterator<unknown> {
  if (!truth(v)) {
    return;
  }
  const change = mapping(args, kwargs, place, apply);
  const iterator = iterate(v, place);
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    yield change(next.value);
  }
}

function mapping(args: Arguments, kwargs: Keywords, place: string, apply: Apply): KeyOf {
  if (args.length === 0 && kwargs !== null && Object.hasOwn(kwargs, "attribute")) {
    const { attribute, default: fallback = null, ...rest } = kwargs;
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) {
      const message = `Unexpected keyword argument ${repr(unknown)}`;
      return fail("FilterArgumentError", message, place);
    }
    return attributeGetter(attribute, fallback, place);
  }
  const [name, ...rest] = args;
  return args.length === 0
    ? fail("FilterArgumentError", "map requires a filter argument", place)
    : (item) => apply(name, item, rest, kwargs, place);
}

function* selected(
  v: unknown,
  args: Arguments,
  kwargs: Keywords,
  wanted: boolean,
  byAttribute: boolean,
  place: string,
): IterableIterator<unknown> {
  if (!truth(v)) {
    return;
  }
  const decide = decision(args, kwargs, byAttribute, place);
  const iterator = iterate(v, place);
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    if (decide(next.value) === wanted) {
      yield next.value;
    }
  }
}

function decision(
  args: Arguments,
  kwargs: Keywords,
  byAttribute: boolean,
  place: string,
): (item: unknown) => boolean {
  if (byAttribute && args.length === 0) {
    return fail("FilterArgumentError", "Missing parameter for attribute name", place);
  }
  const get: KeyOf = byAttribute ? attributeGetter(args[0], null, place) : (item) => item;
  const [name, ...rest] = byAttribute ? args.slice(1) : args;
  return args.length > (byAttribute ? 1 : 0)
    ? (item) => truth(applyTest(name, get(item), rest, kwargs, place))
    : (item) => truth(get(item));
}

/** `v | select(…)`. */
export function selectFilter(v: unknown, args: Arguments, kwargs: Keywords, place: string): Value {
  return value(new Generator(selected(v, args, kwargs, true, false, place), "select_or_reject"));
}

/** `v | reject(…)`. */
export function rejectFilter(v: unknown, args: Arguments, kwargs: Keywords, place: string): Value {
  return value(new Generator(selected(v, args, kwargs, false, false, place), "select_or_reject"));
}

/** `v | selectattr(…)`. */
export function selectattrFilter(
  v: unknown,
  args: Arguments,
  kwargs: Keywords,
  place: string,
): Value {
  return value(new Generator(selected(v, args, kwargs, true, true, place), "select_or_reject"));
}

/** `v | rejectattr(…)`. */
export function rejectattrFilter(
  v: unknown,
  args: Arguments,
  kwargs: Keywords,
  place: string,
): Value {
  return value(new Generator(selected(v, args, kwargs, false, true, place), "select_or_reject"));
}
