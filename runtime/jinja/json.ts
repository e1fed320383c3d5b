/** Python's json.dumps as transformers' tojson calls it by default: ensure_ascii=False, no indent. */
import { fail } from "../errors.js";
import { meter } from "../meter.js";
import { Float, isDict, isPlain } from "../values.js";
import { floatRepr } from "./decimal.js";
import { dictEntries } from "./dict.js";
import { decimalText, intText } from "./numbers.js";
import { ITEMS, PythonObject } from "./protocol.js";
import { isProxy } from "./proxy.js";
import { isIntNumber, textOf, typeName } from "./types.js";

const SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/;
const WELL_FORMED = /[^\ud800-\udfff]+/gu;
/** What stands before a field's value. */
interface Lead {
  /** `{"key": ` */
  readonly first: string;
  /** `, "key": ` */
  readonly next: string;
  /** The same with the quote that opens a text: each is one text to append less than its parts. */
  readonly firstText: string;
  readonly nextText: string;
}

const leads = new Map<string, Lead>();

/** `v | tojson`. */
export function json(v: unknown): string {
  switch (typeof v) {
    case "string":
      return jsonText(v);
    case "number":
      return jsonNumber(v);
    case "boolean":
      return v ? "true" : "false";
    case "object":
      return v === null ? "null" : jsonObject(v);
    default:
      return jsonOther(v);
  }
}

function jsonObject(v: object): string {
  if (isPlain(v)) {
    return jsonFields(v);
  }
  return Array.isArray(v) ? jsonItems(v) : jsonOther(v);
}

function jsonFields(fields: Readonly<Record<string, unknown>>): string {
  meter?.spendItems(8);
  let out = "";
  for (const key in fields) {
    const item = fields[key];
    if (item === undefined) continue;
    const lead = leadOf(key);
    if (typeof item === "string" && isVerbatim(item)) {
      out += (out === "" ? lead.firstText : lead.nextText) + item + '"';
    } else {
      out += (out === "" ? lead.first : lead.next) + json(item);
    }
  }
  return out === "" ? "{}" : out + "}";
}

function jsonItems(items: readonly unknown[]): string {
  meter?.spendItems(items.length);
  let out = "";
  for (let i = 0; i < items.length; i++) {
    out += (i === 0 ? "[" : ", ") + json(items[i]);
  }
  return out === "" ? "[]" : out + "]";
}

function leadOf(key: string): Lead {
  const known = leads.get(key);
  if (known !== undefined) return known;
  const quoted = jsonText(key);
  const first = `{${quoted}: `;
  const next = `, ${quoted}: `;
  const lead = { first, next, firstText: first + '"', nextText: next + '"' };
  if (leads.size < 4096 && key.length < 64) leads.set(key, lead);
  return lead;
}

/** A key as JSON, not ASCII only. */
export function jsonKey(key: string): string {
  return leadOf(key).first.slice(1, -2);
}

/** A text as JSON, not ASCII only. */
export function jsonText(v: string): string {
  return isVerbatim(v) ? `"${v}"` : quoteLong(v);
}

/** Whether the text is short, and stands in JSON as it is. */
function isVerbatim(v: string): boolean {
  return v.length < 64 && !SPECIAL.test(v);
}

function quoteLong(v: string): string {
  const quoted = JSON.stringify(v);
  if (quoted.length === v.length + 2 || v.isWellFormed()) return quoted;
  // JSON.stringify escapes lone surrogates, Python does not.
  return `"${v.replace(WELL_FORMED, (part) => JSON.stringify(part).slice(1, -1))}"`;
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
    return decimalText(v, "");
  }
  if (v instanceof Float) {
    return jsonDouble(v.valueOf());
  }
  const items = v instanceof PythonObject ? v[ITEMS]?.() : undefined;
  if (items !== undefined) {
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
  const isScalar =
    key === null || key instanceof Float || (typeof key !== "object" && key !== undefined);
  return textOf(key) ?? (isScalar ? json(key) : failKey(key, place));
}

function failKey(key: unknown, place: string): never {
  const message = `keys must be str, int, float, bool or None, not ${typeName(key)}`;
  return fail("TypeError", message, place);
}
