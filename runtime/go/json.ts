/** Ollama's `json` function: encoding/json's Marshal, with sorted keys and HTML's signs escaped. */

import { Float, isDict } from "../values.js";
import { NIL_LIST, NIL_MAP } from "./model.js";
import { orderOf, type KeyOrder } from "./order.js";
import { Typed } from "./typed.js";

const SHORT = 64;
/** No quotation mark, backslash, control or HTML sign, line separator or surrogate. */
const PLAIN = /^[ !#-%'-;=?-[\]-\u2027\u202a-\ud7ff\ue000-\uffff]*$/;
const SIGN = /[<>&\u2028\u2029]/g;
const TO_ESCAPE = /[<>&\u2028\u2029\ud800-\udfff]/;

/** What Marshal refuses: Ollama's json then gives an empty text. */
class Unsupported extends Error {}

/**
 * json.Marshal of JSON data as encoding/json decodes it (every number a float64), "" where Marshal fails (NaN,
 * infinities, functions).
 */
export function json(v: unknown): string {
  try {
    return write(v, false);
  } catch (error) {
    return nothing(error);
  }
}

/** The same for dialect go, where a bigint is an int. */
export function jsonAny(v: unknown): string {
  try {
    return write(v, true);
  } catch (error) {
    return nothing(error);
  }
}

function nothing(error: unknown): string {
  if (error instanceof Unsupported) {
    return "";
  }
  throw error;
}

/** What is written, "" where a part of it has no JSON form: Ollama's json drops the error. */
export function guarded(write: () => string): string {
  try {
    return write();
  } catch (error) {
    return nothing(error);
  }
}

/** json.Marshal of a string; a stray byte is written as `\ufffd`, other lone surrogates, which Go decodes, as U+FFFD. */
export function jsonString(s: string): string {
  if (s.length < SHORT && PLAIN.test(s)) {
    return '"' + s + '"';
  }
  const quoted = JSON.stringify(s);
  return TO_ESCAPE.test(s) ? escape(quoted, s) : quoted;
}

/** One pass, which makes a flat text; `replaceAll` a sign would make ropes, which whoever encodes the prompt pays for. */
function escape(quoted: string, s: string): string {
  const safe = quoted.replace(SIGN, escapeSign);
  return s.isWellFormed() ? safe : safe.replaceAll(/\\(?:u(d[89a-f][0-9a-f]{2})|.)/g, loneUnit);
}

function escapeSign(sign: string): string {
  switch (sign) {
    case "<":
      return "\\u003c";
    case ">":
      return "\\u003e";
    case "&":
      return "\\u0026";
    default:
      return sign === "\u2028" ? "\\u2028" : "\\u2029";
  }
}

function loneUnit(whole: string, hex: string | undefined): string {
  if (hex === undefined) {
    return whole;
  }
  const unit = parseInt(hex, 16);
  return unit >= 0xdc80 && unit <= 0xdcff ? "\\ufffd" : "\ufffd";
}

/** encoding/json's floatEncoder: the shortest digits, an exponent from 1e21 on and below 1e-6, as JavaScript's; -0 kept. */
function jsonNumber(n: number): string {
  if (n > 0 && n < 1e21) {
    return String(n);
  }
  if (Number.isFinite(n)) {
    return n === 0 && Object.is(n, -0) ? "-0" : String(n);
  }
  throw new Unsupported();
}

/** Refuses the value as json.Marshal does with an UnsupportedTypeError. */
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
  if (typeof v === "string") {
    return jsonString(v);
  }
  if (typeof v === "number") {
    return jsonNumber(v);
  }
  if (typeof v === "object") {
    return v === null ? "null" : Array.isArray(v) ? writeList(v, exact) : writeObject(v, exact);
  }
  if (typeof v === "boolean") {
    return v ? "true" : "false";
  }
  if (typeof v === "bigint") {
    return exact && BigInt.asIntN(64, v) === v ? String(v) : jsonNumber(Number(v));
  }
  return v === undefined ? "null" : unsupported();
}

function writeList(items: readonly unknown[], exact: boolean): string {
  if (items.length === 0) {
    return isNilList(items) ? "null" : "[]";
  }
  let out = "[" + write(items[0], exact);
  for (let i = 1; i < items.length; i++) {
    out += "," + write(items[i], exact);
  }
  return out + "]";
}

function writeObject(v: object, exact: boolean): string {
  const map = fields(v);
  const order = orderOf(Object.keys(map));
  const keys = order.sorted;
  if (keys.length === 0 || keys[0] === "0") {
    const other = writeOther(v);
    if (other !== undefined) {
      return other;
    }
  }
  const quoted = order.quoted ?? quote(order);
  let out = "";
  for (let i = 0; i < keys.length; i++) {
    const item = map[keys[i] ?? ""];
    if (item !== undefined) {
      out += (out === "" ? "{" : ",") + (quoted[i] ?? "") + write(item, exact);
    }
  }
  return out === "" ? "{}" : out + "}";
}

function quote(order: KeyOrder): readonly string[] {
  return (order.quoted = order.sorted.map(jsonKey));
}

/** The runtime's own values, of which only bytes have keys to enumerate. */
function writeOther(v: object): string | undefined {
  if (v === NIL_MAP) {
    return "null";
  }
  if (v instanceof Uint8Array) {
    return jsonBytes(v);
  }
  if (v instanceof Float) {
    return jsonNumber(v.valueOf());
  }
  if (v instanceof Typed) {
    return Typed.typeOf(v).json(Typed.valueOf(v));
  }
  return isDict(v) ? undefined : unsupported();
}

function fields(v: object): Readonly<Record<string, unknown>> {
  return isFields(v) ? v : {};
}

/** Any object is read by its keys; what it is matters only where it has none. */
function isFields(v: object): v is Readonly<Record<string, unknown>> {
  return v !== NIL_LIST;
}

const MEMO_SIZE = 4096;

/** Pure memos, bounded, of short texts only: quoted keys with their colon, and quoted names. */
const quotedKeys = /* @__PURE__ */ new Map<string, string>();
const quotedNames = /* @__PURE__ */ new Map<string, string>();

/** A key of an object with its colon. */
export function jsonKey(key: string): string {
  return quotedKeys.get(key) ?? remember(quotedKeys, key, jsonString(key) + ":");
}

/** A text of those that come again with every request, such as the names in a schema. */
export function jsonName(name: string): string {
  return quotedNames.get(name) ?? remember(quotedNames, name, jsonString(name));
}

function remember(memo: Map<string, string>, text: string, quoted: string): string {
  if (text.length < SHORT && memo.size < MEMO_SIZE) {
    memo.set(text, quoted);
  }
  return quoted;
}

/** A list whose items one function writes. */
export function jsonList<T>(items: readonly T[], write: (item: T) => string): string {
  let out = "[";
  let separator = "";
  for (const item of items) {
    out += separator + write(item);
    separator = ",";
  }
  return out + "]";
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
