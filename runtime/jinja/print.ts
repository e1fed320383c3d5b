/** Python's truth, str() and repr(). */
import { fail } from "../errors.js";
import { meter } from "../meter.js";
import { Float, isDict, value } from "../values.js";
import { floatRepr } from "./decimal.js";
import { dictEntries, dictSize } from "./dict.js";
import { decimalText, intText } from "./numbers.js";
import { PythonObject, REPR, STR, TRUTH } from "./protocol.js";
import { isProxy } from "./proxy.js";
import { quote } from "./quote.js";
import { isIntNumber, textOf, typeName } from "./types.js";

/** Python's truth of a value; Undefined is false. */
export function truth(v: unknown): boolean {
  if (typeof v === "object") return v !== null && objectTruth(v);
  // NaN is the one value that JavaScript takes otherwise.
  return Boolean(v) || Number.isNaN(v);
}

function objectTruth(v: object): boolean {
  if (Array.isArray(v)) {
    return v.length > 0;
  }
  // Most objects are dicts with fields; the runtime's own classes have none. Of this call V8 knows the answer here, not of
  // Object.hasOwn.
  for (const key in v) {
    if (value(v)?.[key] !== undefined && Object.prototype.hasOwnProperty.call(v, key)) {
      return true;
    }
  }
  if (v instanceof PythonObject) {
    return v[TRUTH]();
  }
  if (v instanceof Float) {
    return v.valueOf() !== 0;
  }
  return isDict(v) && dictSize(v) > 0;
}

/** Python's str(); Undefined is empty. */
export function str(v: unknown): string {
  return typeof v === "string" ? v : strSlow(v);
}

function strSlow(v: unknown): string {
  if (v === undefined) return "";
  if (v instanceof PythonObject) return v[STR]();
  return isProxy(v) ? dictRepr(v) : repr(v);
}

/** What a filter block or call block writes: a str as it is; anything else cannot be joined to the output. */
export function pieceText(v: unknown): string {
  return textOf(v) === null ? "" : str(v);
}

/** The type of the first piece that cannot be joined: `before`, or that of the value. */
export function unjoined(before: string | null, v: unknown): string | null {
  return before ?? (textOf(v) === null ? typeName(v) : null);
}

/** Joins the pieces as Jinja2 does at the end: fails for the first that was no text. */
export function checkJoined(type: string | null, place: string): void {
  if (type !== null) {
    fail("TypeError", `sequence item: expected str instance, ${type} found`, place);
  }
}

/** Python's repr(). */
export function repr(v: unknown): string {
  switch (typeof v) {
    case "string":
      return quote(v);
    case "number":
      return isIntNumber(v) ? intText(v) : floatRepr(v);
    case "bigint":
      return decimalText(v, "");
    case "boolean":
      return v ? "True" : "False";
    case "undefined":
      return "Undefined";
    case "object":
      return v === null ? "None" : objectRepr(v);
    default:
      return "<function>";
  }
}

function objectRepr(v: object): string {
  if (Array.isArray(v)) {
    meter?.spendItems(v.length);
    return `[${v.map(repr).join(", ")}]`;
  }
  if (v instanceof PythonObject) {
    return v[REPR]();
  }
  if (v instanceof Float) {
    return floatRepr(v.valueOf());
  }
  if (!isDict(v)) return "";
  return isProxy(v) ? `mappingproxy(${dictRepr(v)})` : dictRepr(v);
}

function dictRepr(dict: Readonly<Record<string, unknown>>): string {
  const pairs = dictEntries(dict).map(([key, item]) => `${repr(key)}: ${repr(item)}`);
  return `{${pairs.join(", ")}}`;
}
