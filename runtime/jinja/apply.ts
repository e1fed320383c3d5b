/** Filters and tests by a name that is a value: as `map`, `select` and their like take it, and where it is unknown. */
import { fail } from "../errors.js";
import { meter } from "../meter.js";
import { value, type Value } from "../values.js";
import { isFilterName, runFilter } from "./filter-table.js";
import { repr } from "./print.js";
import type { Keywords } from "./protocol.js";
import { isTestName, runTest } from "./test-table.js";
import { textOf } from "./types.js";
import { isUndefined } from "./required.js";
import { undefinedMessage } from "./undefined.js";

/** Environment.call_filter. */
export function applyFilter(
  name: unknown,
  v: unknown,
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
): unknown {
  const known = textOf(name);
  return known !== null && isFilterName(known)
    ? weighed(runFilter(known, weighed(v, place), args, kwargs, place), place)
    : failName("filter", name, place);
}

/** Environment.call_test. */
export function applyTest(
  name: unknown,
  v: unknown,
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
): unknown {
  const known = textOf(name);
  return known !== null && isTestName(known)
    ? runTest(known, weighed(v, place), args, kwargs, place)
    : failName("test", name, place);
}

function weighed<T>(v: T, place: string): T {
  meter?.weigh(v, place);
  return v;
}

function failName(kind: string, name: unknown, place: string): never {
  const hint = isUndefined(name)
    ? ` (${undefinedMessage(name)}; did you forget to quote the callable name?)`
    : "";
  return fail("TemplateRuntimeError", `No ${kind} named ${repr(name)}.${hint}`, place);
}

/** The filter as the template writes it; one that Jinja2 does not have raises when it is reached. */
export function callFilter(
  name: string,
  v: unknown,
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
): Value {
  return value(runFilter(name, v, args, kwargs, place));
}

/** The test as the template writes it. */
export function callTest(
  name: string,
  v: unknown,
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
): boolean {
  return runTest(name, v, args, kwargs, place);
}
