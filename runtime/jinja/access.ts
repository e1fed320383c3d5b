/** Attributes and items as Jinja2's immutable sandbox looks them up. */
import { isDict, value, type Value } from "../values.js";
import { fail } from "../errors.js";
import { dictGet, field } from "./dict.js";
import { changesDict, dictMethod, proxyMethod } from "./dict-methods.js";
import { changesList, listMethod } from "./list-methods.js";
import { Method, type Body } from "./method.js";
import { floatAttribute, intAttribute } from "./number-methods.js";
import { smallInt } from "./numbers.js";
import { repr } from "./print.js";
import { hasPrivate } from "./private-names.js";
import { ABSENT, ATTRIBUTE, HIDDEN, itemOfObject, PythonObject, SLICE } from "./protocol.js";
import { isProxy } from "./proxy.js";
import { isHashable } from "./hash.js";
import { sliceItems } from "./sequence.js";
import { sliceString } from "./slice-text.js";
import { markupMethod, textMethod } from "./str-methods.js";
import { characterAt } from "./text.js";
import { doubleOf, isFloatValue, isInt, qualifiedType, textOf, typeName } from "./types.js";
import { failUndefined, isUndefined } from "./required.js";
import { absentValue, Undefined, unsafe } from "./undefined.js";

/** `o.name`: the attribute, else the item. */
export function attr(o: unknown, name: string, place: string): Value {
  const found = attribute(o, name, place);
  if (found !== ABSENT) {
    return value(found);
  }
  if (isUndefined(o)) {
    return failUndefined(o, place);
  }
  const held = isDict(o) ? field(o, name) : undefined;
  if (held !== undefined) {
    return held;
  }
  const item = o instanceof PythonObject ? itemOfObject(o, name, place) : ABSENT;
  return item === ABSENT ? absentValue(o, name) : value(item);
}

/** Python's attribute of the object as the sandbox shows it, ABSENT if there is none; `key` is the name as it was given. */
export function attribute(o: unknown, name: string, place: string, key: unknown = name): unknown {
  if (name.startsWith("_")) {
    return hasPrivate(o, name) ? unsafe(typeName(o), key) : ABSENT;
  }
  if (typeof o === "string") {
    return textAttribute(o, o, name);
  }
  if (o instanceof PythonObject) {
    const text = textOf(o);
    const own = o[ATTRIBUTE] === undefined ? ABSENT : o[ATTRIBUTE](name, place);
    if (own === HIDDEN) return unsafe(typeName(o), key);
    return text === null ? Method.bind(own, o) : textAttribute(o, text, name);
  }
  if (Array.isArray(o)) {
    return changesList(name) ? unsafe("list", key) : bound(listMethod(o, name), o, name);
  }
  if (isDict(o)) {
    if (isProxy(o)) return bound(proxyMethod(o, name), o, name);
    return changesDict(name) ? unsafe("dict", key) : bound(dictMethod(o, name), o, name);
  }
  return numberAttribute(o, name);
}

function bound(body: Body | null, owner: unknown, name: string) {
  return body === null ? ABSENT : builtIn(body, owner, name);
}

/** Methods of the class itself. */
const CLASS_METHODS: ReadonlySet<string> = /* @__PURE__ */ new Set(["fromkeys", "maketrans"]);

function builtIn(body: Body, owner: unknown, name: string): unknown {
  const type = CLASS_METHODS.has(name) ? "type" : typeName(owner);
  return Method.bind(new Method(`built-in method ${name} of ${type} object`, body), owner);
}

function textAttribute(o: unknown, text: string, name: string): unknown {
  const method = typeof o === "string" ? textMethod(name) : markupMethod(name);
  if (method === null) {
    return ABSENT;
  }
  const body: Body = (args, kwargs, place) => method(text, args, kwargs, place);
  if (name === "format" || name === "format_map") {
    // Jinja2's sandbox puts functions of its own in their place.
    return new Method(`function ${typeName(o)}.${name}`, body, "function");
  }
  if (typeof o === "string" || !MARKUP_METHODS.has(name)) return builtIn(body, o, name);
  const owner = name === "escape" ? MARKUP : o;
  return Method.bind(new Method(`Markup.${name}`, body, "method"), owner);
}

/** The class, of which escape is a method. */
const MARKUP = /* @__PURE__ */ new Method("class 'markupsafe.Markup'", () => null, "type");

/** The methods that markupsafe writes in Python: they print as bound methods. */
const MARKUP_METHODS: ReadonlySet<string> = new Set([
  ...[
    "capitalize",
    "casefold",
    "center",
    "escape",
    "expandtabs",
    "join",
    "ljust",
    "lower",
    "lstrip",
  ],
  ...["partition", "removeprefix", "removesuffix", "replace", "rjust", "rpartition", "rsplit"],
  ...["rstrip", "split", "splitlines", "strip", "striptags", "swapcase", "title", "translate"],
  ...["unescape", "upper", "zfill"],
]);

function numberAttribute(o: unknown, name: string): unknown {
  if (isInt(o)) {
    return Method.bind(intAttribute(o, name), o);
  }
  return isFloatValue(o) ? Method.bind(floatAttribute(doubleOf(o), name), o) : ABSENT;
}

/** `o[key]`: the item, else the attribute. */
export function item(o: unknown, key: unknown, place: string): Value {
  if (isUndefined(o)) {
    return failUndefined(o, place);
  }
  const found = subscript(o, key, place);
  if (found !== ABSENT) {
    return value(found);
  }
  const name = textOf(key);
  if (name === null) {
    return absentItem(o, key);
  }
  const held = attribute(o, name, place, key);
  if (held !== ABSENT) {
    return value(held);
  }
  return absentNamed(o, key);
}

/** What an object without the attribute gives: a Markup is a name too, and is called by its own representation. */
export function absentNamed(o: unknown, key: unknown): Value {
  if (typeof key === "string") {
    return absentValue(o, key);
  }
  const type = o === null ? "None" : `${qualifiedType(o)} object`;
  return value(new Undefined(() => `'${type}' has no attribute ${repr(key)}`));
}

function absentItem(o: unknown, key: unknown): Value {
  const type = o === null ? "None" : `${qualifiedType(o)} object`;
  return value(new Undefined(() => `${type} has no element ${repr(key)}`));
}

function subscript(o: unknown, key: unknown, place: string): unknown {
  if (isDict(o)) {
    const found = isHashable(key) ? dictGet(o, key, place) : undefined;
    return found === undefined ? ABSENT : found;
  }
  if (o instanceof PythonObject) {
    return itemOfObject(o, key, place);
  }
  const i = smallInt(key);
  if (i === null) {
    return ABSENT;
  }
  if (Array.isArray(o)) {
    const found: unknown = o.at(i);
    return i < o.length && i >= -o.length ? found : ABSENT;
  }
  return typeof o === "string" ? (characterAt(o, i) ?? ABSENT) : ABSENT;
}

/** `o[start:stop:step]`; null is what is left out. */
export function slice(
  o: unknown,
  start: unknown,
  stop: unknown,
  step: unknown,
  place: string,
): Value {
  if (typeof o === "string") {
    return value(sliceString(o, start, stop, step, place));
  }
  if (Array.isArray(o)) {
    return value(sliceItems(o, start, stop, step, place));
  }
  if (isUndefined(o)) {
    return failUndefined(o, place);
  }
  const result =
    o instanceof PythonObject ? (o[SLICE]?.(start, stop, step, place) ?? ABSENT) : ABSENT;
  if (result !== ABSENT) {
    return value(result);
  }
  const message = isDict(o)
    ? "unhashable type: 'slice'"
    : `'${typeName(o)}' object is not subscriptable`;
  return fail("TypeError", message, place);
}
