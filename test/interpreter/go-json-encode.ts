/** encoding/json's Marshal with HTML escaping. */
import { formatFloat } from "./go-float.js";
import { fieldOf, bytesOf, elements, isNil, lengthOf, sortedEntries } from "./go-values.js";
import type { SliceValue, StructValue, Value } from "./go-values.js";
import { fromBinary, runes } from "./go-utf8.js";

/** A value that JSON has no form for; Marshal's whole result is then lost. */
class Unsupported extends Error {}

/** json.Marshal; "" where it fails, as Ollama's `json` and String methods ignore the error. */
export function marshal(value: Value | null): string {
  try {
    return encode(value);
  } catch (error) {
    if (error instanceof Unsupported) return "";
    throw error;
  }
}

function encode(value: Value | null): string {
  switch (value?.kind) {
    case undefined:
      return "null";
    case "bool":
      return value.bool ? "true" : "false";
    case "int":
      return value.int.toString();
    case "float":
      return encodeFloat(value.float);
    case "string":
      return encodeString(value.bytes);
    case "slice":
      return encodeSlice(value);
    case "map": {
      if (isNil(value)) return "null";
      const members = sortedEntries(value).map(
        ([key, item]) => `${encodeString(fromBinary(key))}:${encode(item)}`,
      );
      return `{${members.join(",")}}`;
    }
    case "struct":
      return encodeStruct(value);
    case "pointer":
      return encode(value.target);
    case "interface":
      return encode(value.inner);
    case "complex":
    case "func":
      throw new Unsupported();
  }
}

function encodeFloat(x: number): string {
  if (!Number.isFinite(x)) throw new Unsupported();
  const size = Math.abs(x);
  const exponential = size !== 0 && (size < 1e-6 || size >= 1e21);
  const text = formatFloat(x, exponential ? "e" : "f", -1);
  return text.replace(/e-0(\d)$/, "e-$1");
}

const SHORT = new Map([
  [0x22, '\\"'],
  [0x5c, "\\\\"],
  [8, "\\b"],
  [9, "\\t"],
  [10, "\\n"],
  [12, "\\f"],
  [13, "\\r"],
]);

function unicodeEscape(rune: number): string {
  return `\\u${rune.toString(16).padStart(4, "0")}`;
}

function isEscaped(rune: number): boolean {
  return rune < 0x20 || [0x3c, 0x3e, 0x26, 0x2028, 0x2029].includes(rune);
}

function encodeRunes(bytes: Uint8Array, short: ReadonlyMap<number, string>): string {
  const parts = runes(bytes).map(({ rune, stray }) => {
    if (stray) return "\\ufffd";
    return short.get(rune) ?? (isEscaped(rune) ? unicodeEscape(rune) : String.fromCodePoint(rune));
  });
  return `"${parts.join("")}"`;
}

/** A JSON string as encoding/json's appendString writes it. */
function encodeString(bytes: Uint8Array): string {
  return encodeRunes(bytes, SHORT);
}

/** A key as the ordered map's own writer (easyjson) does: \b and \f have no short form there. */
function encodeOrderedKey(bytes: Uint8Array): string {
  return encodeRunes(bytes, new Map([...SHORT].filter(([rune]) => rune !== 8 && rune !== 12)));
}

function encodeSlice(value: SliceValue): string {
  if (value.type.name === "api.PropertyType") return encodePropertyType(value);
  if (isNil(value)) return "null";
  if (value.type.elem.kind === "uint8") {
    return `"${Buffer.from(bytesOf(value)).toString("base64")}"`;
  }
  return `[${elements(value).map(encode).join(",")}]`;
}

/** PropertyType.MarshalJSON: one type stands without brackets. */
export function encodePropertyType(value: SliceValue): string {
  const types = elements(value).map(encode);
  if (types.length === 1) return types[0] ?? "";
  return isNil(value) ? "null" : `[${types.join(",")}]`;
}

/** ToolPropertiesMap.MarshalJSON: insertion order. */
export function encodeOrdered(value: StructValue): string {
  const om = fieldOf(value, "om");
  const target = om.kind === "pointer" ? om.target : null;
  if (target?.kind !== "map" || target.entries === null) return "null";
  const members = [...target.entries].map(
    ([key, item]) => `${encodeOrderedKey(fromBinary(key))}:${encode(item)}`,
  );
  return `{${members.join(",")}}`;
}

function isEmpty(value: Value): boolean {
  if (value.kind === "pointer" || value.kind === "interface") return isNil(value);
  return lengthOf(value) === 0;
}

function encodeStruct(value: StructValue): string {
  if (value.type.name === "api.ToolPropertiesMap") return encodeOrdered(value);
  const members: string[] = [];
  value.type.fields().forEach((field, i) => {
    const item = value.fields[i] ?? null;
    if (item === null || (field.omitEmpty && isEmpty(item))) return;
    members.push(`"${field.json}":${encode(item)}`);
  });
  return `{${members.join(",")}}`;
}
