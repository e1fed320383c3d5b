/** What is left of Jinja2's constant folding: it shows in the few places where Python's answers differ by it. */
import { fail, RenderError } from "../errors.js";
import { isDict, value, type Value } from "../values.js";
import { slice } from "./access.js";
import { Complex } from "./complex.js";
import { dict, dictEntries } from "./dict.js";
import { Tuple } from "./tuple.js";
import { doubleOf, isFloatValue } from "./types.js";
import { absentValue } from "./undefined.js";

/**
 * A folded value: Jinja2 writes it into the generated code as Python prints it. `inf` and `nan` are names there, which
 * none has, and complex numbers are sums, which lose a minus before a zero.
 */
export function finite(v: unknown, place: string): Value {
  return value(written(v, place));
}

function written(v: unknown, place: string): unknown {
  if (isFloatValue(v)) return named(doubleOf(v), "", v, place);
  if (v instanceof Complex) return sum(v, place);
  if (v instanceof Tuple) {
    const items = Tuple.items(v);
    const changed = each(items, place);
    return changed === items ? v : new Tuple(changed);
  }
  if (Array.isArray(v)) return each(v, place);
  if (!isDict(v)) return v;
  const pairs = dictEntries(v);
  const values = pairs.flat();
  const changed = each(values, place);
  if (changed === values) return v;
  return dict(
    pairs.map((_, at) => [changed[2 * at], changed[2 * at + 1]]),
    place,
  );
}

/** The same list where nothing changes. */
function each(items: readonly unknown[], place: string): readonly unknown[] {
  const changed = items.map((item) => written(item, place));
  return changed.some((item, at) => item !== items[at]) ? changed : items;
}

function sum(v: Complex, place: string): Complex {
  const [real, imaginary] = Complex.of(v);
  named(real, "", v, place);
  named(imaginary, "j", v, place);
  // Without a real part, the minus is that of the whole number.
  if (!Object.is(real, 0)) return new Complex(real + 0, imaginary + 0);
  return imaginary < 0 || Object.is(imaginary, -0) ? new Complex(-0, imaginary) : v;
}

function named<T>(double: number, suffix: string, v: T, place: string): T {
  if (Number.isFinite(double)) return v;
  const name = `${Number.isNaN(double) ? "nan" : "inf"}${suffix}`;
  return fail("NameError", `name '${name}' is not defined`, place);
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
