/** The canonical form of a dict's key: identical for keys that Python takes as equal. */
import { fail } from "../errors.js";
import { Float } from "../values.js";
import { int } from "./numbers.js";
import { ABSENT, CANONICAL, HASHABLE, PythonObject } from "./protocol.js";
import { typeName } from "./types.js";

/** The canonical form; lists and dicts raise Python's TypeError. */
export function canonical(key: unknown, place: string): unknown {
  switch (typeof key) {
    case "string":
    case "bigint":
      return key;
    case "number":
      return canonicalDouble(key);
    case "boolean":
      return key ? 1 : 0;
    case "undefined":
      return ABSENT;
    default:
      return canonicalObject(key, place);
  }
}

function canonicalDouble(n: number): number | bigint {
  return Number.isInteger(n) ? int(BigInt(n)) : n;
}

function canonicalObject(key: unknown, place: string): unknown {
  if (key === null) {
    return null;
  }
  if (key instanceof Float) {
    return canonicalDouble(key.valueOf());
  }
  if (key instanceof PythonObject) {
    return key[CANONICAL] === undefined ? key : key[CANONICAL](place);
  }
  return typeof key === "function"
    ? key
    : fail("TypeError", `unhashable type: '${typeName(key)}'`, place);
}

/** Whether the value can be a key of a dict. */
export function isHashable(key: unknown): boolean {
  if (key instanceof PythonObject) {
    return key[HASHABLE]?.() ?? true;
  }
  return typeof key !== "object" || key === null || key instanceof Float;
}
