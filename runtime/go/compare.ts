/** text/template's truth and comparisons (funcs.go: basicKind, eq, lt and what is made of them). */

import { Complex } from "./complex.js";
import { fail } from "./errors.js";
import { fieldsOf, isNilOf, itemsOf, reflect, type Reflected } from "./gotypes.js";
import { compareBytes } from "./order.js";
import { integerOf, numberOf, Printer } from "./printer.js";
import type { GoKind, GoType } from "./typed.js";

/** text/template's IsTrue: not the zero value, not empty; a struct is always true. */
export function truth(v: unknown): boolean {
  switch (typeof v) {
    case "string":
      return v !== "";
    case "boolean":
      return v;
    case "number":
      return v !== 0;
    default:
      return v !== null && v !== undefined && truthOf(reflect(v));
  }
}

function truthOf({ type, value }: Reflected): boolean {
  if (type === undefined) {
    return false;
  }
  switch (type.kind) {
    case "bool":
      return value === true;
    case "int":
    case "uint":
      return integerOf(value) !== 0n;
    case "float":
      return numberOf(value) !== 0;
    case "complex":
      return value instanceof Complex && Complex.parts(value).some((part) => part !== 0);
    case "string":
      return value !== "";
    case "slice":
      return itemsOf(type, value).length > 0;
    case "map":
      return hasFields(value);
    case "struct":
      return true;
    default:
      return !isNilOf(type, value);
  }
}

function hasFields(value: unknown): boolean {
  const fields = fieldsOf(value);
  for (const key in fields) {
    if (fields[key] !== undefined) {
      return true;
    }
  }
  return false;
}

/** `not`: the negation of truth. */
export function not(v: unknown): boolean {
  return !truth(v);
}

/** `eq a b …`: whether a equals any of the others, asked from left to right. */
export function eq(args: readonly unknown[], place: string): boolean {
  return equal(args, "eq", place);
}

/** `ne a b`. */
export function ne(args: readonly unknown[], place: string): boolean {
  return !equal(pairOf(args), "ne", place);
}

/** `lt a b`. */
export function lt(args: readonly unknown[], place: string): boolean {
  return less(args, "lt", place);
}

/** `le a b`: lt or eq. */
export function le(args: readonly unknown[], place: string): boolean {
  return less(args, "le", place) || equal(pairOf(args), "le", place);
}

/** `gt a b`: not le. */
export function gt(args: readonly unknown[], place: string): boolean {
  return !(less(args, "gt", place) || equal(pairOf(args), "gt", place));
}

/** `ge a b`: not lt. */
export function ge(args: readonly unknown[], place: string): boolean {
  return !less(args, "ge", place);
}

function pairOf(args: readonly unknown[]): readonly unknown[] {
  return args.slice(0, 2);
}

function equal(args: readonly unknown[], name: string, place: string): boolean {
  if (args.length < 2) {
    return fail(`error calling ${name}: missing argument for comparison`, place);
  }
  const first = args[0];
  if (typeof first === "string" && typeof args[1] === "string" && args.length === 2) {
    return first === args[1];
  }
  const a = reflect(first);
  for (let i = 1; i < args.length; i++) {
    const result = equalTo(a, reflect(args[i]));
    if (typeof result === "string") {
      return fail(`error calling ${name}: ${result}`, place);
    }
    if (result) {
      return true;
    }
  }
  return false;
}

/** basicKind: the kinds that compare, undefined for all others and nil. */
function basicKind(type: GoType | undefined): GoKind | undefined {
  switch (type?.kind) {
    case "bool":
    case "int":
    case "uint":
    case "float":
    case "complex":
    case "string":
      return type.kind;
    default:
      return undefined;
  }
}

function areIntegers(a: GoKind | undefined, b: GoKind | undefined): boolean {
  return (a === "int" || a === "uint") && (b === "int" || b === "uint");
}

/** Whether two values are equal, or the words of the error. */
function equalTo(a: Reflected, b: Reflected): boolean | string {
  const kind = basicKind(a.type);
  const other = basicKind(b.type);
  if (areIntegers(kind, other)) {
    return integerOf(a.value) === integerOf(b.value);
  }
  if (kind !== other) {
    return a.type === undefined || b.type === undefined ? false : incompatible(a.type, b.type);
  }
  switch (kind) {
    case undefined:
      return equalOthers(a, b);
    case "float":
      return numberOf(a.value) === numberOf(b.value);
    case "complex":
      return equalComplex(a.value, b.value);
    default:
      return a.value === b.value;
  }
}

function incompatible(a: GoType, b: GoType): string {
  return `incompatible types for comparison: ${a.name} and ${b.name}`;
}

function equalComplex(a: unknown, b: unknown): boolean {
  if (!(a instanceof Complex) || !(b instanceof Complex)) {
    return false;
  }
  const [real, imaginary] = Complex.parts(a);
  const [otherReal, otherImaginary] = Complex.parts(b);
  return real === otherReal && imaginary === otherImaginary;
}

function equalOthers(a: Reflected, b: Reflected): boolean | string {
  if (a.type !== undefined && b.type !== undefined && a.type.kind !== b.type.kind) {
    const first = `${formatted(a, "s")}: ${a.type.name}`;
    return `non-comparable types ${first}, ${b.type.name}: ${formatted(b, "v")}`;
  }
  const isNil = a.type === undefined || isNilValue(a.type, a.value);
  const isOtherNil = b.type === undefined || isNilValue(b.type, b.value);
  if (isNil || isOtherNil) {
    return isNil === isOtherNil;
  }
  if (b.type.kind !== "pointer") {
    return `non-comparable type ${formatted(b, "s")}: ${b.type.name}`;
  }
  return a.type === b.type && a.value === b.value;
}

function isNilValue(type: GoType, value: unknown): boolean {
  return type.kind !== "struct" && isNilOf(type, value);
}

function formatted({ type, value }: Reflected, verb: string): string {
  const printer = new Printer();
  if (type !== undefined) {
    printer.reflected(type, value, verb);
  }
  return printer.text();
}

function less(args: readonly unknown[], name: string, place: string): boolean {
  const a = reflect(args[0]);
  const kind = basicKind(a.type);
  const b = reflect(args[1]);
  const other = basicKind(b.type);
  if (kind === undefined || other === undefined) {
    return fail(`error calling ${name}: invalid type for comparison`, place);
  }
  if (areIntegers(kind, other)) {
    return integerOf(a.value) < integerOf(b.value);
  }
  if (kind !== other && a.type !== undefined && b.type !== undefined) {
    return fail(`error calling ${name}: ${incompatible(a.type, b.type)}`, place);
  }
  switch (kind) {
    case "float":
      return numberOf(a.value) < numberOf(b.value);
    case "string":
      return compareBytes(String(a.value), String(b.value)) < 0;
    default:
      return fail(`error calling ${name}: invalid type for comparison`, place);
  }
}
