/** Jinja2's namespace objects, with the restrictions of transformers. */
import { fail } from "../errors.js";
import {
  isDict,
  isIndexKey,
  OrderedDict,
  setField,
  setText,
  value,
  type Value,
} from "../values.js";
import { dictEntries, dictOf, field, present } from "./dict.js";
import { iterate } from "./iterate.js";
import { repr } from "./print.js";
import { BaseObject } from "./object.js";
import { ABSENT, ATTRIBUTE, REPR } from "./protocol.js";
import type { Keywords } from "./protocol.js";
import { quote } from "./quote.js";
import { isUndefined, failUndefined } from "./required.js";
import { textOf, typeName } from "./types.js";

/** A namespace: its own properties are its attributes. */
export class Namespace extends BaseObject {
  [name: string]: unknown;
  /** The attributes in order, where JavaScript would put one of them before the others. */
  #names: string[] | null = null;
  #isPrinting = false;

  constructor() {
    super("transformers.utils.chat_template_utils.TemplateNamespace");
  }

  override [REPR](): string {
    // Of all that templates make only a namespace can hold itself.
    if (this.#isPrinting) return "<Namespace {...}>";
    const names = this.#names ?? Object.keys(this);
    const attributes = dictOf(
      names.map((name) => [name, this[name]]),
      "",
    );
    this.#isPrinting = true;
    try {
      return `<Namespace ${repr(attributes)}>`;
    } finally {
      this.#isPrinting = false;
    }
  }

  override [ATTRIBUTE](name: string): unknown {
    return field(this, name) ?? (this[name] === null && Object.hasOwn(this, name) ? null : ABSENT);
  }

  static set(namespace: Namespace, name: string, v: unknown): void {
    if (!Object.hasOwn(namespace, name)) {
      if (isIndexKey(name)) namespace.#names ??= Object.keys(namespace);
      namespace.#names?.push(name);
    }
    setField(namespace, name, present(v));
  }
}

/** The call `namespace(…)`. */
export function namespace(args: readonly unknown[], kwargs: Keywords, place: string): Value {
  const result = new Namespace();
  const given = args.length === 0 ? (kwargs ?? {}) : dictArguments("dict", args, kwargs, place);
  for (const [key, item] of dictEntries(given)) {
    const name = textOf(key) ?? repr(key);
    checkName(name, place);
    Namespace.set(result, name, item);
  }
  return value(result);
}

/** Python's `dict(*args, **kwargs)`. */
export function dictArguments(
  name: string,
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
): Readonly<Record<string, unknown>> {
  if (args.length > 1) {
    return fail("TypeError", `${name} expected at most 1 argument, got ${args.length}`, place);
  }
  const pairs = args.length === 0 ? [] : pairsOf(args[0], place);
  const named = kwargs === null ? [] : dictEntries(kwargs);
  const result = dictOf([...pairs, ...named], place);
  return isDict(result) ? result : {};
}

function pairsOf(v: unknown, place: string): readonly (readonly [unknown, unknown])[] {
  if (isDict(v)) {
    return dictEntries(v);
  }
  if (isUndefined(v)) {
    // dict() asks for `keys`, which an Undefined refuses.
    return failUndefined(v, place);
  }
  const pairs: [unknown, unknown][] = [];
  const iterator = iterate(v, place);
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    pairs.push(pairOf(next.value, pairs.length, place));
  }
  return pairs;
}

function pairOf(v: unknown, index: number, place: string): [unknown, unknown] {
  const items: unknown[] = [];
  const message = `cannot convert dictionary update sequence element #${index} to a sequence`;
  const iterator =
    typeof v === "number" || v === null || typeof v === "boolean" ? null : iterate(v, place);
  if (iterator === null) {
    return fail("TypeError", message, place);
  }
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    items.push(next.value);
  }
  if (items.length !== 2) {
    const text = `dictionary update sequence element #${index} has length ${items.length}; 2 is required`;
    return fail("ValueError", text, place);
  }
  return [items[0], items[1]];
}

function checkName(name: string, place: string): void {
  if (name.startsWith("_")) {
    const message =
      "Chat templates cannot store underscore-prefixed attributes on a namespace, but got " +
      `${quote(name)}. Please rename the attribute.`;
    fail("SecurityError", message, place);
  }
}

/** `{% set ns.name = v %}`; `ns` is no namespace: Jinja2's TemplateRuntimeError. */
export function setAttr(ns: unknown, name: string, v: unknown, place: string): void {
  const target = asNamespace(ns, place);
  checkName(name, place);
  if (target instanceof Namespace) {
    Namespace.set(target, name, v);
  }
}

/** Python's `object[name] = v`, which a set block does without asking for a namespace. */
export function setItem(o: unknown, name: string, v: unknown, place: string): void {
  if (o instanceof Namespace) {
    setAttr(o, name, v, place);
  } else if (o instanceof OrderedDict) {
    setText(o, name, present(v));
  } else if (isDict(o)) {
    const property = { value: present(v), enumerable: true, configurable: true, writable: true };
    Object.defineProperty(o, name, property);
  } else {
    fail("TypeError", `'${typeName(o)}' object does not support item assignment`, place);
  }
}

/** The namespace that a set is about to change; anything else raises. */
export function asNamespace(ns: unknown, place: string): Value {
  return ns instanceof Namespace
    ? value(ns)
    : fail("TemplateRuntimeError", "cannot assign attribute on non-namespace object", place);
}

/** `**kwargs` of a call: the named arguments and those of the mapping, which may not be the same. */
export function kwSplat(
  named: Keywords,
  mapping: unknown,
  place: string,
): Readonly<Record<string, unknown>> {
  const names = new Set(named === null ? [] : Object.keys(named));
  // Python asks for `keys` first, which an Undefined answers with its error.
  if (isUndefined(mapping)) return failUndefined(mapping, place);
  if (!isDict(mapping)) {
    const message = `argument after ** must be a mapping, not ${typeName(mapping)}`;
    return fail("TypeError", message, place);
  }
  const rest = dictEntries(mapping).map(([key, item]) => {
    const name = textOf(key) ?? fail("TypeError", "keywords must be strings", place);
    if (names.has(name)) {
      return fail("TypeError", `got multiple values for keyword argument ${quote(name)}`, place);
    }
    return [name, item] as const;
  });
  const result = dictOf([...Object.entries(named ?? {}), ...rest], place);
  return isDict(result) ? result : {};
}

/** `*args` of a call. */
export function splat(v: unknown, place: string): readonly Value[] {
  const items: Value[] = [];
  const iterator = iterate(v, place);
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    items.push(value(next.value));
  }
  return items;
}
