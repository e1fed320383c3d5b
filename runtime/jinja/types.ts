/** Python's names for the types of values, and the tests on which everything else rests. */
import { fail } from "../errors.js";
import { Float } from "../values.js";
import { PythonObject, TEXT, TYPE } from "./protocol.js";
import { isProxy } from "./proxy.js";

/** The class of the value with its module, as Jinja2's object_type_repr prints it; builtins have none. */
export function qualifiedType(v: unknown): string {
  if (typeof v === "object") return objectType(v);
  if (typeof v === "number") return isIntNumber(v) ? "int" : "float";
  return TYPES[typeof v] ?? "function";
}

const TYPES: Readonly<Record<string, string>> = {
  string: "str",
  bigint: "int",
  boolean: "bool",
  undefined: "jinja2.runtime.Undefined",
};

function objectType(v: object | null): string {
  if (v === null) {
    return "NoneType";
  }
  if (Array.isArray(v)) {
    return "list";
  }
  if (v instanceof PythonObject) {
    return v[TYPE];
  }
  return v instanceof Float ? "float" : isProxy(v) ? "mappingproxy" : "dict";
}

/** Python's `type(v).__name__`. */
export function typeName(v: unknown): string {
  const type = qualifiedType(v);
  return type.slice(type.lastIndexOf(".") + 1);
}

/** Whether the number is a Python int; others are floats. */
export function isIntNumber(n: number): boolean {
  return Number.isInteger(n) && !Object.is(n, -0);
}

/** Python's `isinstance(v, int)`: booleans are ints. */
export function isInt(v: unknown): v is number | bigint | boolean {
  if (typeof v === "number") {
    return isIntNumber(v);
  }
  return typeof v === "bigint" || typeof v === "boolean";
}

/** Python's `isinstance(v, float)`. */
export function isFloatValue(v: unknown): v is number | Float {
  return typeof v === "number" ? !isIntNumber(v) : v instanceof Float;
}

/** The double of a Python float. */
export function doubleOf(v: number | Float): number {
  return typeof v === "number" ? v : v.valueOf();
}

/** The characters of a Python str (a Markup is one), else null. */
export function textOf(v: unknown): string | null {
  if (typeof v === "string") {
    return v;
  }
  return v instanceof PythonObject ? v[TEXT]() : null;
}

/** Raises what `in` raises for what is no container. */
export function failIn(container: unknown, place: string): never {
  return fail("TypeError", `argument of type '${typeName(container)}' is not iterable`, place);
}
