/** `str()` and `repr()` of every value, as CPython, Jinja2 and markupsafe print them. */
import {
  ADDRESS,
  chars,
  Described,
  DictView,
  Instance,
  Macro,
  Markup,
  MissingType,
  Namespace,
  PyBool,
  PyBytes,
  PyComplex,
  MappingProxy,
  PyDict,
  PyFloat,
  PyFunction,
  PyInt,
  PyIterator,
  PyList,
  PyNone,
  PyRange,
  PySet,
  PySlice,
  PyStr,
  PyTuple,
  raise,
  TRUE,
  Undefined,
} from "./jinja-values.js";
import type { Value } from "./jinja-values.js";
import { inOrder } from "./jinja-set-order.js";

/** CPython 3.11 refuses to print integers with more than 4,300 digits. */
export function intText(value: bigint): string {
  const text = value.toString();
  if (text.replace("-", "").length > 4300) {
    raise("ValueError", "Exceeds the limit (4300 digits) for integer string conversion");
  }
  return text;
}

/** The shortest decimal digits that read back as the number: `d.ddd` times ten to the exponent. */
export function shortestDigits(value: number): { digits: string; exponent: number } {
  const [mantissa = "0", exponent = "0"] = Math.abs(value).toExponential().split("e");
  return { digits: mantissa.replace(".", ""), exponent: Number(exponent) };
}

function exponentText(exponent: number): string {
  return `e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** CPython's `float.__repr__`: fixed notation for exponents -4 to 15. */
export function floatRepr(value: number): string {
  if (Number.isNaN(value)) return "nan";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (!Number.isFinite(value)) return `${sign}inf`;
  const { digits, exponent } = shortestDigits(value);
  if (exponent < -4 || exponent >= 16) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
    return sign + digits.charAt(0) + fraction + exponentText(exponent);
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`;
}

const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}]/u;

/** `str.isprintable` of one code point. */
export function isPrintable(char: string): boolean {
  return char === " " || !unprintable.test(char);
}

function escapeChar(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (char === "\n") return "\\n";
  if (char === "\r") return "\\r";
  if (char === "\t") return "\\t";
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, "0")}`;
  return `\\U${code.toString(16).padStart(8, "0")}`;
}

/** CPython's `repr` of a str: single quotes unless the text has single quotes only. */
export function textRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = chars(text).map((char) => {
    if (char === quote || char === "\\") return `\\${char}`;
    return isPrintable(char) ? char : escapeChar(char);
  });
  return quote + body.join("") + quote;
}

function reprAll(items: readonly Value[]): string {
  return items.map((item) => repr(item)).join(", ");
}

function dictRepr(dict: PyDict): string {
  const pairs = [...dict.entries.values()].map(({ key, value }) => `${repr(key)}: ${repr(value)}`);
  return `{${pairs.join(", ")}}`;
}

function tupleRepr(items: readonly Value[]): string {
  return items.length === 1 ? `(${reprAll(items)},)` : `(${reprAll(items)})`;
}

function rangeRepr(range: PyRange): string {
  const step = range.step === 1n ? "" : `, ${range.step}`;
  return `range(${range.start}, ${range.stop}${step})`;
}

/** The parts without a `.0`; a real part of zero is left out. */
function complexRepr({ real, imaginary }: PyComplex): string {
  const part = (value: number): string => floatRepr(value).replace(/\.0$/, "");
  if (Object.is(real, 0)) return `${part(imaginary)}j`;
  const sign = imaginary < 0 || Object.is(imaginary, -0) ? "" : "+";
  return `(${part(real)}${sign}${part(imaginary)}j)`;
}

function bytesRepr({ values, octets: plain }: PyBytes): string {
  const quote = plain.includes("'") && !plain.includes('"') ? '"' : "'";
  const shown = values.map((byte) => {
    const char = String.fromCharCode(byte);
    if (char === "\\" || char === quote) return `\\${char}`;
    const named = { 9: "\\t", 10: "\\n", 13: "\\r" }[byte];
    return named ?? (byte >= 32 && byte < 127 ? char : `\\x${byte.toString(16).padStart(2, "0")}`);
  });
  return `b${quote}${shown.join("")}${quote}`;
}

function setRepr({ members }: PySet): string {
  return members.size === 0 ? "set()" : `{${reprAll(inOrder([...members.values()]))}}`;
}

function objectRepr(value: Value): string {
  if (value instanceof PyFunction) return value.representation;
  if (value instanceof PyIterator) {
    return `<${value.typeName} object${value.name === "" ? "" : ` ${value.name}`} at ${ADDRESS}>`;
  }
  if (value instanceof Namespace) return namespaceRepr(value);
  if (value instanceof Macro) {
    return `<Macro ${value.name === null ? "anonymous" : textRepr(value.name)}>`;
  }
  if (value instanceof Instance && value.representation !== null) return value.representation;
  return `<${value.module}.${value.typeName} object at ${ADDRESS}>`;
}

/** Python's `repr`. A loop's representation needs its length, so the loop class gives its own. */
export function repr(value: Value): string {
  if (value instanceof PyNone) return "None";
  if (value instanceof PyBool) return value === TRUE ? "True" : "False";
  if (value instanceof PyInt) return intText(value.value);
  if (value instanceof PyFloat) return floatRepr(value.value);
  if (value instanceof Markup) return `Markup(${textRepr(value.text)})`;
  if (value instanceof PyStr) return textRepr(value.text);
  if (value instanceof PyList) return `[${reprAll(value.items)}]`;
  if (value instanceof PyTuple) return tupleRepr(value.items);
  if (value instanceof MappingProxy) return `mappingproxy(${dictRepr(value)})`;
  if (value instanceof PyDict) return dictRepr(value);
  if (value instanceof DictView) return `${value.typeName}([${reprAll(value.items())}])`;
  if (value instanceof PyRange) return rangeRepr(value);
  if (value instanceof PySlice) {
    return `slice(${reprAll([value.start, value.stop, value.step])})`;
  }
  if (value instanceof PyComplex) return complexRepr(value);
  if (value instanceof PyBytes) return bytesRepr(value);
  if (value instanceof PySet) return setRepr(value);
  if (value instanceof Undefined) return "Undefined";
  if (value instanceof MissingType) return "missing";
  if (value instanceof Described) return value.repr();
  return objectRepr(value);
}

/** Python's `str`. */
export function text(value: Value): string {
  if (value instanceof PyStr) return value.text;
  if (value instanceof MappingProxy) return dictRepr(value);
  return value instanceof Undefined ? "" : repr(value);
}

// ---------------------------------------------------------------- undefined

/** Jinja2's `object_type_repr`. */
function objectTypeRepr(value: Value): string {
  if (value instanceof PyNone) return "None";
  const name = value.module === "builtins" ? value.typeName : `${value.module}.${value.typeName}`;
  return `${name} object`;
}

/** Jinja2's `Undefined._undefined_message`. */
export function undefinedMessage(value: Undefined): string {
  if (value.hint !== null && value.hint !== "") return value.hint;
  if (value.object instanceof MissingType) return `${repr(value.key)} is undefined`;
  const owner = objectTypeRepr(value.object);
  if (!(value.key instanceof PyStr)) return `${owner} has no element ${repr(value.key)}`;
  return `${textRepr(owner)} has no attribute ${repr(value.key)}`;
}

/** What every operation on an Undefined does that Jinja2 does not allow. */
export function failUndefined(value: Undefined): never {
  return raise(value.exception, undefinedMessage(value));
}

// ---------------------------------------------------------------- markup

const htmlEscapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "'": "&#39;",
  '"': "&#34;",
};

/** markupsafe's `escape`. */
export function escape(value: Value): Markup {
  if (value instanceof Markup) return value;
  return new Markup(text(value).replace(/[&<>'"]/g, (char) => htmlEscapes[char] ?? char));
}

/** markupsafe's `soft_str`: text stays as it is, so Markup stays Markup. */
export function softStr(value: Value): PyStr {
  return value instanceof PyStr ? value : new PyStr(text(value));
}

function namespaceRepr(namespace: Namespace): string {
  if (namespace.isShown) return "<Namespace {...}>";
  namespace.isShown = true;
  const shown = `<Namespace ${dictRepr(namespace.attributes)}>`;
  namespace.isShown = false;
  return shown;
}
