/** How CPython's builtins take their arguments, with the messages of its argument parsers. */
import { fail } from "../errors.js";
import type { Keywords } from "./protocol.js";
import { quote } from "./quote.js";
import { isInt, textOf, typeName } from "./types.js";
import { toDouble } from "./numbers.js";
import { failUndefined, isUndefined } from "./required.js";

/** The arguments by the order of the names; `undefined` where one is not given. Keywords are allowed. */
export function byName(
  method: string,
  names: readonly string[],
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
): readonly unknown[] {
  const named = kwargs === null ? [] : Object.keys(kwargs);
  const given = args.length + named.length;
  if (given > names.length) {
    const noun = names.length === 1 ? "argument" : "arguments";
    const kind = named.length > 0 && args.length === 0 ? "keyword " : "";
    const message = `${method}() takes at most ${names.length} ${kind}${noun} (${given} given)`;
    return fail("TypeError", message, place);
  }
  for (const name of named) {
    const position = names.indexOf(name);
    if (position < 0) {
      const message = `${quote(name)} is an invalid keyword argument for ${method}()`;
      return fail("TypeError", message, place);
    }
    if (position < args.length) {
      const message = `argument for ${method}() given by name (${quote(name)}) and position (${position + 1})`;
      return fail("TypeError", message, place);
    }
  }
  return names.map((name, i) => (i < args.length ? args[i] : kwargs?.[name]));
}

const MOST_SIZE = 2n ** 63n;
const MOST_INT = 2n ** 31n;

/** An argument that must be an integer of the size of an index (ssize_t). */
export function integerArgument(v: unknown, place: string): number {
  return sized(v, MOST_SIZE, "C ssize_t", place);
}

/** An argument that C code takes as an int: also what Python takes for a flag. */
export function smallArgument(v: unknown, place: string): number {
  return sized(v, MOST_INT, "C int", place);
}

function sized(v: unknown, bound: bigint, type: string, place: string): number {
  if (!isInt(v)) {
    const message = `'${typeName(v)}' object cannot be interpreted as an integer`;
    return fail("TypeError", message, place);
  }
  const n = BigInt(v);
  return n >= bound || n < -bound
    ? fail("OverflowError", `Python int too large to convert to ${type}`, place)
    : Number(v);
}

/** A number that Python compares and computes with: an Undefined raises its own error there. */
export function comparedArgument(v: unknown, place: string): number {
  if (isUndefined(v)) {
    return failUndefined(v, place);
  }
  // An int of any size can be compared.
  if (isInt(v)) return Number(v);
  const message = `'${typeName(v)}' object cannot be compared with an integer`;
  return toDouble(v, place) ?? fail("TypeError", message, place);
}

/** An argument that must be text. */
export function textArgument(v: unknown, message: string, place: string): string {
  return textOf(v) ?? fail("TypeError", `${message} ${typeName(v)}`, place);
}

/** An argument that must be text, in the words of newer builtins: None is called by its value. */
export function textNamed(v: unknown, argument: string, place: string): string {
  const given = v === null ? "None" : typeName(v);
  return textOf(v) ?? fail("TypeError", `${argument} must be str, not ${given}`, place);
}

/** The arguments of a builtin of the old kind, that counts in other words and takes no keywords. */
export function counted(
  method: string,
  args: readonly unknown[],
  kwargs: Keywords,
  least: number,
  most: number,
  place: string,
): void {
  if (kwargs !== null && Object.keys(kwargs).length > 0) {
    fail("TypeError", `${method}() takes no keyword arguments`, place);
  }
  if (args.length < least || args.length > most) {
    const [kind, bound] = args.length < least ? ["at least", least] : ["at most", most];
    const noun = bound === 1 ? "argument" : "arguments";
    const message = `${method}() takes ${kind} ${bound} ${noun} (${args.length} given)`;
    fail("TypeError", message, place);
  }
}
