/**
 * Kinds: what an expression's value can be, as a bit set, and beside it whether everything inside the value is
 * JSON data too ("deep"). What passes believe about values is said in kinds and in nothing else.
 */

export type Kinds = number;

export const Undefined = 1 << 0;
export const None = 1 << 1;
export const Bool = 1 << 2;
/** An integer that is a JavaScript number: a loop's index, a length, a small literal. */
export const Index = 1 << 3;
/** An integer that may be a bigint. */
export const Int = 1 << 4;
export const Float = 1 << 5;
export const Text = 1 << 6;
export const Markup = 1 << 7;
/** A JavaScript array. */
export const List = 1 << 8;
export const Tuple = 1 << 9;
export const Dict = 1 << 10;
export const Namespace = 1 << 11;
export const Range = 1 << 12;
export const Generator = 1 << 13;
export const View = 1 << 14;
/** Macros, methods and builtin functions as values. */
export const Function = 1 << 15;
export const Loop = 1 << 16;
/** Values of Go that carry their type (Typed), functions and the like. */
export const Boxed = 1 << 17;
/** An Undefined that carries its message, as an object; `Undefined` alone is JavaScript's undefined. */
export const Hinted = 1 << 18;
/** All that the value holds, at any depth, is JSON data. */
export const Deep = 1 << 20;

const ALL = (1 << 19) - 1;

export const Never: Kinds = Deep;
export const Any: Kinds = ALL;
export const Number: Kinds = Index | Int | Float;
/** A value that JSON can hold, deep. */
export const Json: Kinds = None | Bool | Number | Text | List | Dict | Deep;
/** A field of JSON data, which may be absent. */
export const Field: Kinds = Json | Undefined;

/** Kinds of values that are always JSON data inside. */
const SCALAR: Kinds = Undefined | Hinted | None | Bool | Number | Text;

export function union(a: Kinds, b: Kinds): Kinds {
  return ((a | b) & ALL) | (isDeep(a) && isDeep(b) ? Deep : 0);
}

/** The kinds of `a` that are also in `b`. */
export function intersect(a: Kinds, b: Kinds): Kinds {
  return (a & b & ALL) | (isDeep(a) || isDeep(b) ? Deep : 0);
}

export function without(a: Kinds, b: Kinds): Kinds {
  return (a & ~b & ALL) | (a & Deep);
}

export function isDeep(kinds: Kinds): boolean {
  return (kinds & Deep) !== 0 || (kinds & ALL & ~SCALAR) === 0;
}

/** Whether no other kind than those of `b` is possible. */
export function only(a: Kinds, b: Kinds): boolean {
  return (a & ALL & ~b) === 0;
}

/** Whether one of the kinds of `b` is possible. */
export function may(a: Kinds, b: Kinds): boolean {
  return (a & b & ALL) !== 0;
}

export function isNever(kinds: Kinds): boolean {
  return (kinds & ALL) === 0;
}

const NAMES: readonly string[] = [
  "Undefined",
  "None",
  "Bool",
  "Index",
  "Int",
  "Float",
  "Text",
  "Markup",
  "List",
  "Tuple",
  "Dict",
  "Namespace",
  "Range",
  "Generator",
  "View",
  "Function",
  "Loop",
  "Boxed",
  "Hinted",
];

/** For debug text: "Text|None". */
export function describe(kinds: Kinds): string {
  if ((kinds & ALL) === ALL) return "Any";
  const names = NAMES.filter((_, bit) => (kinds & (1 << bit)) !== 0);
  return names.length === 0 ? "Never" : names.join("|");
}
