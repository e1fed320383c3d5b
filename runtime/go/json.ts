/** Ollama's `json` function: encoding/json's Marshal, with sorted keys and HTML's signs escaped. */

import { Float, floatValue, isDict } from "../values.js";
import { NIL_LIST, NIL_MAP } from "./model.js";
import { sortedKeys } from "./order.js";
import { Typed } from "./typed.js";

const SHORT = 64;
const NOT_PLAIN = /["\\<>&\u0000-\u001f\u2028\u2029\ud800-\udfff]/;
const TO_ESCAPE = /[<>&\u2028\u2029\ud800-\udfff]/;

/** What Marshal refuses: Ollama's json then gives an empty text. */
class Unsupported extends Error {}

/**
 * json.Marshal of JSON data as encoding/json decodes it (every number a float64), "" where Marshal fails (NaN,
 * infinities, functions).
 */
export function json(v: unknown): string {
  return guarded(() => writeJson(v));
}

/** The same for dialect go, where a bigint is an int. */
export function jsonAny(v: unknown): string {
  return guarded(() => writeAny(v));
}

/** What is written, "" where a part of it has no JSON form: Ollama's json drops the error. */
export function guarded(write: () => string): string {
  try {
    return write();
  } catch (error) {
    if (error instanceof Unsupported) {
      return "";
    }
    throw error;
  }
}

/** json.Marshal of a string; a stray byte is written as `\ufffd`, other lone surrogates, which Go decodes, as U+FFFD. */
export function jsonString(s: string): string {
  if (s.length < SHORT) {
    return NOT_PLAIN.test(s) ? escaped(s) : '"' + s + '"';
  }
  const quoted = JSON.stringify(s);
  return TO_ESCAPE.test(s) ? escape(quoted) : quoted;
}

function escaped(s: string): string {
  const quoted = JSON.stringify(s);
  return TO_ESCAPE.test(s) ? escape(quoted) : quoted;
}

function escape(quoted: string): string {
  const safe = quoted.replaceAll(/[<>&\u2028\u2029]/g, escapeUnit);
  return safe.includes("\\ud")
    ? safe.replaceAll(/\\(?:u(d[89a-f][0-9a-f]{2})|.)/g, loneUnit)
    : safe;
}

function escapeUnit(unit: string): string {
  return "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0");
}

function loneUnit(whole: string, hex: string | undefined): string {
  if (hex === undefined) {
    return whole;
  }
  const unit = parseInt(hex, 16);
  return unit >= 0xdc80 && unit <= 0xdcff ? "\\ufffd" : "\ufffd";
}

/** encoding/json's floatEncoder: the shortest digits, an exponent from 1e21 on and below 1e-6, as JavaScript's; -0 kept. */
export function jsonNumber(n: number): string {
  if (Number.isFinite(n)) {
    return n === 0 && Object.is(n, -0) ? "-0" : String(n);
  }
  throw new Unsupported();
}

export function unsupported(): never {
  throw new Unsupported();
}

/** The same as json, but throws inside a larger value that then fails as a whole. */
export function writeJson(v: unknown): string {
  return write(v, false);
}

/** The same as jsonAny, but throws inside a larger value. */
export function writeAny(v: unknown): string {
  return write(v, true);
}

function write(v: unknown, exact: boolean): string {
  switch (typeof v) {
    case "string":
      return jsonString(v);
    case "number":
      return jsonNumber(v);
    case "boolean":
      return v ? "true" : "false";
    case "bigint":
      return exact && BigInt.asIntN(64, v) === v ? String(v) : jsonNumber(Number(v));
    case "undefined":
      return "null";
    case "object":
      return v === null ? "null" : writeObject(v, exact);
    default:
      return unsupported();
  }
}

function writeObject(v: object, exact: boolean): string {
  if (Array.isArray(v)) {
    return isNilList(v) ? "null" : jsonList(v, exact ? writeAny : writeJson);
  }
  if (isDict(v)) {
    return v instanceof Uint8Array ? jsonBytes(v) : writeMap(v, exact);
  }
  if (v instanceof Float) {
    return jsonNumber(floatValue(v));
  }
  return v instanceof Typed ? Typed.typeOf(v).json(Typed.valueOf(v)) : unsupported();
}

export function jsonList<T>(items: readonly T[], write: (item: T) => string): string {
  let out = "[";
  let separator = "";
  for (const item of items) {
    out += separator + write(item);
    separator = ",";
  }
  return out + "]";
}

function writeMap(v: Readonly<Record<string, unknown>>, exact: boolean): string {
  const keys = sortedKeys(v);
  if (keys.length === 0) {
    return v === NIL_MAP ? "null" : "{}";
  }
  let out = "{";
  let separator = "";
  for (const key of keys) {
    out += separator + jsonString(key) + ":" + write(v[key], exact);
    separator = ",";
  }
  return out + "}";
}

/** A []byte is base64 text. */
export function jsonBytes(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) {
    binary += String.fromCharCode(byte);
  }
  return '"' + btoa(binary) + '"';
}

/** Whether the list stands for Go's nil, which Marshal writes as `null`. */
export function isNilList(v: readonly unknown[]): boolean {
  return v === NIL_LIST;
}
