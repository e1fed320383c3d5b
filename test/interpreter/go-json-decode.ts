/** encoding/json's Unmarshal into the types of a request, with Ollama's UnmarshalJSON methods. */
import { orderedKey, type Json, type Member } from "./go-json-parse.js";
import { grownCapacity } from "./go-slice-growth.js";
import {
  ANY,
  ANYS,
  ANY_MAP,
  FLOAT64,
  MESSAGE_ALIAS,
  RAW_MAP,
  STRING,
  STRINGS,
  type FieldType,
  type GoType,
  type PointerType,
  type SliceType,
  type StructType,
} from "./go-types.js";
import {
  bool,
  box,
  byteSlice,
  fieldOf,
  float,
  map,
  pointer,
  slice,
  string,
  zero,
  type SliceValue,
  type StructValue,
  type Value,
} from "./go-values.js";
import { toBinary, toBytes, toLower, toText } from "./go-utf8.js";

/** Any error of the decoder. */
export class DecodeError extends Error {}

/** json.UnmarshalTypeError: what it says depends on the fields it was met under. */
class TypeMismatch extends DecodeError {
  readonly #found: string;
  readonly #type: string;
  #struct = "";
  #path: readonly string[] = [];

  constructor(found: string, type: GoType) {
    super();
    this.#found = found;
    this.#type = type.name;
    this.#describe();
  }

  /** Decoder.addErrorContext: the outermost struct names it, the paths join. */
  within(struct: string, path: readonly string[]): void {
    if (struct === "" && path.length === 0) return;
    this.#struct = struct;
    this.#path = [...path, ...this.#path];
    this.#describe();
  }

  #describe(): void {
    const field = this.#path.join(".");
    const target =
      this.#struct === "" && field === "" ? "Go value" : `Go struct field ${this.#struct}.${field}`;
    this.message = `json: cannot unmarshal ${this.#found} into ${target} of type ${this.#type}`;
  }
}

/**
 * One call of json.Unmarshal. A type error is saved and decoding goes on; the error of an UnmarshalJSON method ends
 * it at once and wins over a saved one.
 */
class Decoder {
  #saved: DecodeError | null = null;
  #struct = "";
  #path: readonly string[] = [];

  unmarshal(json: Json, type: GoType, current: Value): Value {
    let value: Value;
    try {
      value = this.#value(json, type, current);
    } catch (error) {
      if (error instanceof DecodeError) this.#addContext(error);
      throw error;
    }
    if (this.#saved !== null) throw this.#saved;
    return value;
  }

  #addContext(error: DecodeError): void {
    if (error instanceof TypeMismatch) error.within(this.#struct, this.#path);
  }

  #save(error: DecodeError): void {
    if (this.#saved !== null) return;
    this.#addContext(error);
    this.#saved = error;
  }

  #mismatch(found: string, type: GoType, current: Value): Value {
    this.#save(new TypeMismatch(found, type));
    return current;
  }

  #value(json: Json, type: GoType, current: Value): Value {
    if (type.kind === "pointer") return this.#pointer(json, type, current);
    return unmarshalMethod(json, type) ?? this.#plain(json, type, current);
  }

  #pointer(json: Json, type: PointerType, current: Value): Value {
    if (json.kind === "null") return pointer(type, null);
    const target = current.kind === "pointer" ? current.target : null;
    return pointer(type, this.#value(json, type.elem, target ?? zero(type.elem)));
  }

  #plain(json: Json, type: GoType, current: Value): Value {
    switch (json.kind) {
      case "null": {
        const nillable = ["interface", "map", "slice"].includes(type.kind);
        return nillable ? zero(type) : current;
      }
      case "bool":
        if (type.kind === "bool") return { kind: "bool", type, bool: json.bool };
        return type.kind === "interface"
          ? box(bool(json.bool))
          : this.#mismatch("bool", type, current);
      case "number":
        return this.#number(json.text, type, current);
      case "string":
        return this.#string(json.text, type, current);
      case "array":
        if (type.kind === "slice") return this.#array(json.items, type, current);
        if (type.kind === "interface") return box(this.#anything(json));
        return this.#mismatch("array", type, current);
      case "object":
        if (type.kind === "struct") return this.#fields(json.members, type, current);
        if (type.kind === "interface") return box(this.#anything(json));
        if (type.kind === "map") return this.#map(json.members, type.elem, current);
        return this.#mismatch("object", type, current);
    }
  }

  #number(text: string, type: GoType, current: Value): Value {
    if (type.kind === "interface") return box(this.#float(text));
    if (type.kind !== "int" && type.kind !== "uint8")
      return this.#mismatch("number", type, current);
    const isUnsigned = type.kind === "uint8";
    const whole = (isUnsigned ? /^\d+$/ : /^-?\d+$/).test(text) ? BigInt(text) : null;
    const fits = isUnsigned
      ? (n: bigint) => BigInt.asUintN(8, n)
      : (n: bigint) => BigInt.asIntN(64, n);
    if (whole === null || fits(whole) !== whole) {
      return this.#mismatch(`number ${text}`, type, current);
    }
    return { kind: "int", type, int: whole };
  }

  /** Every number of an `any` is a float64; one out of range is a type error and leaves nil. */
  #float(text: string): Value | null {
    const number = Number(text);
    if (Number.isFinite(number)) return float(number);
    this.#save(new TypeMismatch(`number ${text}`, FLOAT64));
    return null;
  }

  #string(text: string, type: GoType, current: Value): Value {
    if (type.kind === "string") return string(text);
    if (type.kind === "interface") return box(string(text));
    if (type.kind !== "slice" || type.elem.kind !== "uint8") {
      return this.#mismatch("string", type, current);
    }
    const decoded = decodeBase64(toBytes(text));
    if (typeof decoded === "number") {
      this.#save(new DecodeError(`illegal base64 data at input byte ${String(decoded)}`));
      return current;
    }
    const room = Math.floor(toBytes(text).length / 4) * 3;
    return byteSlice(decoded, type, Math.max(room, decoded.length));
  }

  /** An array decodes over what its slice already held (a repeated key), growing one by one. */
  #array(items: readonly Json[], type: SliceType, current: Value): Value {
    if (items.length === 0) return slice(type, []);
    const old: SliceValue | null = current.kind === "slice" ? current : null;
    const held = old?.backing?.slice(old.start, old.start + old.capacity) ?? [];
    let capacity = old?.capacity ?? 0;
    const values = items.map((item, i) => {
      while (i >= capacity) capacity = grownCapacity(type.elem, capacity);
      return this.#value(item, type.elem, held[i] ?? zero(type.elem));
    });
    const spare = Array.from({ length: capacity - values.length }, (_, i) => {
      return held[values.length + i] ?? zero(type.elem);
    });
    const backing = [...values, ...spare];
    return { kind: "slice", type, backing, start: 0, length: values.length, capacity };
  }

  #fields(members: readonly Member[], type: StructType, current: Value): Value {
    const fields = type.fields();
    const values =
      current.kind === "struct" ? [...current.fields] : fields.map((f) => zero(f.type));
    const outer = { struct: this.#struct, path: this.#path };
    for (const { key, value } of members) {
      const at = fieldIndex(fields, key);
      const field = fields[at];
      const old = values[at];
      if (field === undefined || old === undefined) continue;
      this.#struct = type.name.replace(/^.*\./, "");
      this.#path = [...outer.path, field.json];
      values[at] = this.#value(value, field.type, old);
      this.#struct = outer.struct;
      this.#path = outer.path;
    }
    return { kind: "struct", type, fields: values };
  }

  #map(members: readonly Member[], elem: GoType, current: Value): Value {
    const entries = new Map(current.kind === "map" ? current.entries : null);
    for (const { key, value } of members) {
      entries.set(toBinary(toBytes(key)), this.#value(value, elem, zero(elem)));
    }
    return current.kind === "map" ? map(current.type, entries) : current;
  }

  /** What `any` holds. */
  #anything(json: Json): Value | null {
    switch (json.kind) {
      case "null":
        return null;
      case "bool":
        return bool(json.bool);
      case "number":
        return this.#float(json.text);
      case "string":
        return string(json.text);
      case "array": {
        const items = json.items.map((item) => box(this.#anything(item)));
        let capacity = 0;
        while (capacity < items.length) capacity = grownCapacity(ANY, capacity);
        return slice(ANYS, items, capacity);
      }
      case "object":
        return map(
          ANY_MAP,
          new Map(
            json.members.map((m) => [toBinary(toBytes(m.key)), box(this.#anything(m.value))]),
          ),
        );
    }
  }
}

/** json.Unmarshal into a value of a type; throws DecodeError. */
export function unmarshal(json: Json, type: GoType): Value {
  return new Decoder().unmarshal(json, type, zero(type));
}

/** Field names match exactly, else without regard to case (fold.go: ASCII, and the letters that fold to K and S). */
function fieldIndex(fields: readonly FieldType[], key: string): number {
  const tagged = (match: (name: string) => boolean): number =>
    fields.findIndex((f) => f.exported && match(f.json));
  const exact = tagged((name) => name === key);
  return exact >= 0 ? exact : tagged((name) => folded(name) === folded(key));
}

function folded(name: string): string {
  const ascii = name.replaceAll("\u017f", "s").replaceAll("\u212a", "k");
  return ascii.replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** The UnmarshalJSON methods of api/types.go; null for the types that have none. */
function unmarshalMethod(json: Json, type: GoType): Value | null {
  switch (type.name) {
    case "api.Message":
      return unmarshalMessage(json, type);
    case "api.PropertyType":
      return unmarshalPropertyType(json, type);
    case "api.ThinkValue":
      return unmarshalThink(json, type);
    case "api.ToolCallFunctionArguments":
    case "api.ToolPropertiesMap":
      return unmarshalOrdered(json, type);
    default:
      return null;
  }
}

/** Message.UnmarshalJSON: decoded field by field, then the role in lower case. */
function unmarshalMessage(json: Json, type: GoType): Value | null {
  const decoded = unmarshal(json, MESSAGE_ALIAS);
  if (decoded.kind !== "struct" || type.kind !== "struct") return null;
  const [role, ...rest] = decoded.fields;
  const text = role?.kind === "string" ? toText(role.bytes) : "";
  return { kind: "struct", type, fields: [string(toLower(text)), ...rest] };
}

/** PropertyType.UnmarshalJSON: a string, else a list of strings. */
function unmarshalPropertyType(json: Json, type: GoType): Value | null {
  if (type.kind !== "slice") return null;
  if (json.kind === "string" || json.kind === "null") {
    return slice(type, [unmarshal(json, STRING)]);
  }
  const list = unmarshal(json, STRINGS);
  return list.kind === "slice" ? { ...list, type } : null;
}

const LEVELS = ["high", "medium", "low", "max"];

/** ThinkValue.UnmarshalJSON */
function unmarshalThink(json: Json, type: GoType): Value | null {
  if (type.kind !== "struct") return null;
  if (json.kind === "bool") return { kind: "struct", type, fields: [box(bool(json.bool))] };
  const allowed = '"high", "medium", "low", "max", true, or false';
  if (json.kind !== "string") {
    throw new DecodeError(`think must be a boolean or string (${allowed})`);
  }
  if (LEVELS.includes(json.text)) {
    return { kind: "struct", type, fields: [box(string(json.text))] };
  }
  throw new DecodeError(`invalid think value: ${JSON.stringify(json.text)} (must be ${allowed})`);
}

/** The ordered maps (wk8/go-ordered-map): insertion order, a repeated key keeps its first place. */
function unmarshalOrdered(json: Json, type: GoType): Value | null {
  if (type.kind !== "struct") return null;
  const om = fieldOf(emptyOf(type), "om");
  if (om.kind !== "pointer" || om.type.elem.kind !== "map") return null;
  if (json.kind === "null") return emptyOf(type);
  if (json.kind !== "object") {
    throw new DecodeError("Value looks like object, but can't find closing '}' symbol");
  }
  const entries = new Map<string, Value>();
  for (const { raw, value } of json.members) {
    const key = orderedKey(raw);
    if (key === null) throw new DecodeError("Encountered an invalid escape sequence in a string");
    entries.set(toBinary(toBytes(key)), unmarshal(value, om.type.elem.elem));
  }
  return { kind: "struct", type, fields: [pointer(om.type, map(om.type.elem, entries))] };
}

function emptyOf(type: StructType): StructValue {
  return { kind: "struct", type, fields: type.fields().map((f) => zero(f.type)) };
}

/** base64.StdEncoding: the decoded bytes, or the offset that Go's error names. */
function decodeBase64(text: Uint8Array): Uint8Array | number {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const isBreak = (code: number | undefined): boolean => code === 10 || code === 13;
  const out: number[] = [];
  let group: number[] = [];
  let at = 0;
  const flush = (): void => {
    const [a = 0, b = 0, c = 0, d = 0] = group;
    const bits = (a << 18) | (b << 12) | (c << 6) | d;
    out.push(
      ...[bits >> 16, (bits >> 8) & 255, bits & 255].slice(0, Math.max(group.length - 1, 0)),
    );
    group = [];
  };
  while (at < text.length) {
    const code = text[at++] ?? 0;
    if (isBreak(code)) continue;
    const digit = alphabet.indexOf(String.fromCharCode(code));
    if (digit >= 0) {
      group.push(digit);
      if (group.length === 4) flush();
      continue;
    }
    if (code !== 0x3d || group.length < 2) return at - 1;
    if (group.length === 2) {
      while (isBreak(text[at])) at++;
      if (at === text.length) return text.length;
      if (text[at] !== 0x3d) return at - 1;
      at++;
    }
    while (isBreak(text[at])) at++;
    if (at < text.length) return at;
    flush();
  }
  if (group.length > 0) return at - group.length;
  return Uint8Array.from(out);
}

/** The unknown top-level keys of a request, and the refusal of what is no object. */
export function checkTopLevel(json: Json, type: StructType): void {
  if (json.kind === "null") return;
  if (json.kind !== "object") {
    throw new TypeMismatch(json.kind === "number" ? "number" : json.kind, RAW_MAP);
  }
  const known = type.fields().map((f) => f.json);
  for (const { key } of json.members) {
    if (!known.includes(key)) throw new DecodeError(`unknown value ${JSON.stringify(key)}`);
  }
}
