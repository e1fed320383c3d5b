/** What is left of Jinja2's constant folding: it shows in the few places where Python's answers differ by it. */
import { fail, RenderError } from "../errors.js";
import { isDict, value, type Value } from "../values.js";
import { slice } from "./access.js";
import { dictEntries } from "./dict.js";
import { Tuple } from "./tuple.js";
import { doubleOf, isFloatValue } from "./types.js";
import { absentValue } from "./undefined.js";

/** A folded value: Jinja2 writes its floats into the generated code by name, and `inf` and `nan` are none. */
export function finite(v: unknown, place: string): Value {
  const double = firstUnnamed(v);
  if (double !== null) {
    fail("NameError", `name '${Number.isNaN(double) ? "nan" : "inf"}' is not defined`, place);
  }
  return value(v);
}

function firstUnnamed(v: unknown): number | null {
  if (isFloatValue(v)) {
    const double = doubleOf(v);
    return Number.isFinite(double) ? null : double;
  }
  for (const item of itemsOf(v)) {
    const found = firstUnnamed(item);
    if (found !== null) {
      return found;
    }
  }
  return null;
}

function itemsOf(v: unknown): readonly unknown[] {
  if (v instanceof Tuple) {
    return Tuple.items(v);
  }
  return Array.isArray(v) ? v : isDict(v) ? dictEntries(v).flat() : [];
}

/** A slice inside of what is folded: Undefined where Python refuses it. */
export function foldedSlice(
  o: unknown,
  start: unknown,
  stop: unknown,
  step: unknown,
  place: string,
): Value {
  try {
    return slice(o, start, stop, step, place);
  } catch (error) {
    if (error instanceof RenderError && error.type === "TypeError") {
      return absentValue(o, "slice");
    }
    throw error;
  }
}
