/** Python's json.dumps as transformers' tojson calls it by default: ensure_ascii=False, no indent. */
import { fail } from "../errors.js";
import { spendItems } from "../limits.js";
import { Float, floatValue, isDict } from "../values.js";
import { floatRepr } from "./decimal.js";
import { dictEntries } from "./dict.js";
import { intText } from "./numbers.js";
import { ITEMS, PythonObject } from "./protocol.js";
import { isProxy } from "./proxy.js";
import { isIntNumber, textOf, typeName } from "./types.js";

const SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/;
const ESCAPE = /\\(?:u(d[89a-f][0-9a-f]{2})|.)/g;
/** `{"key": ` and `, "key": ` by key: one text to append less than if the sign before it came by itself. */
const firstKeys = new Map<string, string>();
const nextKeys = new Map<string, string>();

/** `v | tojson`. */
export function json(v: unknown): string {
  switch (typeof v) {
    case "string":
      return jsonText(v);
    case "number":
      return isSmall(v) ? `${v}` : jsonNumber(v);
    case "boolean":
      return v ? "true" : "false";
    case "object":
      return v === null ? "null" : jsonObject(v);
    default:
      return jsonOther(v);
  }
}

function isSmall(n: number): boolean {
  return Number.isSafeInteger(n) && !Object.is(n, -0);
}

function jsonObject(v: object): string {
  if (v.constructor === Object && hasFields(v)) {
    return jsonFields(v);
  }
  return Array.isArray(v) ? jsonItems(v) : jsonOther(v);
}

function hasFields(_: object): _ is Readonly<Record<string, unknown>> {
  return true;
}

function jsonFields(fields: Readonly<Record<string, unknown>>): string {
  spendItems(8);
  let out = "";
  for (const key in fields) {
    const item = fields[key];
    if (item !== undefined) {
      out += (out === "" ? firstKey(key) : nextKey(key)) + json(item);
    }
  }
  return out === "" ? "{}" : out + "}";
}

function jsonItems(items: readonly unknown[]): string {
  if (items.length === 0) {
    return "[]";
  }
  spendItems(items.length);
  let out = "[" + json(items[0]);
  for (let i = 1; i < items.length; i++) {
    out += ", " + json(items[i]);
  }
  return out + "]";
}

function firstKey(key: string): string {
  return firstKeys.get(key) ?? remember(firstKeys, key, `{${jsonText(key)}: `);
}

function nextKey(key: string): string {
  return nextKeys.get(key) ?? remember(nextKeys, key, `, ${jsonText(key)}: `);
}

function remember(memo: Map<string, string>, key: string, quoted: string): string {
  if (memo.size < 4096 && key.length < 64) {
    memo.set(key, quoted);
  }
  return quoted;
}

/** A text as JSON, not ASCII only. */
export function jsonText(v: string): string {
  return v.length < 64 && !SPECIAL.test(v) ? `"${v}"` : quoteLong(v);
}

function quoteLong(v: string): string {
  const quoted = JSON.stringify(v);
  // Searching the quoted text for `\ud` instead would stop at each of its backslashes.
  if (quoted.length === v.length + 2 || v.isWellFormed()) {
    return quoted;
  }
  // JSON.stringify escapes lone surrogates, Python does not.
  return quoted.replace(ESCAPE, (escape, hex: string | undefined) =>
    hex === undefined ? escape : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** A number as JSON: Python's repr, but for NaN and the infinities. */
export function jsonNumber(n: number): string {
  return isIntNumber(n) ? intText(n) : jsonDouble(n);
}

/** A float as JSON. */
export function jsonDouble(n: number): string {
  return Number.isFinite(n) ? floatRepr(n) : String(n);
}

function jsonOther(v: unknown): string {
  if (typeof v === "bigint") {
    return v.toString();
  }
  if (v instanceof Float) {
    return jsonDouble(floatValue(v));
  }
  const items = v instanceof PythonObject ? v[ITEMS]() : null;
  if (items !== null) {
    return jsonItems(items);
  }
  if (isDict(v) && !isProxy(v)) {
    const pairs = dictEntries(v).map(
      ([key, item]) => `${jsonText(keyText(key, ""))}: ${json(item)}`,
    );
    return `{${pairs.join(", ")}}`;
  }
  const characters = textOf(v);
  return characters === null ? failJson(v, "") : jsonText(characters);
}

/** What json.dumps raises for what JSON cannot hold. */
export function failJson(v: unknown, place: string): never {
  return fail("TypeError", `Object of type ${typeName(v)} is not JSON serializable`, place);
}

/** The text of a dict's key in JSON. */
export function keyText(key: unknown, place: string): string {
  if (key === null) {
    return "null";
  }
  switch (typeof key) {
    case "string":
      return key;
    case "boolean":
      return key ? "true" : "false";
    case "number":
      return jsonNumber(key);
    case "bigint":
      return key.toString();
    default:
      return keyObject(key, place);
  }
}

function keyObject(key: unknown, place: string): string {
  if (key instanceof Float) {
    return jsonDouble(floatValue(key));
  }
  const message = `keys must be str, int, float, bool or None, not ${typeName(key)}`;
  return textOf(key) ?? fail("TypeError", message, place);
}
