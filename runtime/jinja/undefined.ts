/** Jinja2's Undefined (runtime.py): silent when printed, tested or iterated, an error when used otherwise. */
import { fail } from "../errors.js";
import { value, type Value } from "../values.js";
import { BaseObject } from "./object.js";
import {
  ABSENT,
  CALL,
  CANONICAL,
  EQUALS,
  ITERATE,
  LENGTH,
  PythonObject,
  RAISE,
  REPR,
  SEQUENCE,
  STR,
} from "./protocol.js";
import type { Keywords } from "./protocol.js";
import { quote } from "./quote.js";
import { absentMessage, failUndefined, holdsNull, isUndefined } from "./required.js";

/** An undefined value that knows the message of the error that using it raises. */
export class Undefined extends BaseObject {
  readonly #hint: string | (() => string);
  readonly #error: string;

  constructor(hint: string | (() => string), error = "UndefinedError") {
    super("jinja2.runtime.Undefined");
    this.#hint = hint;
    this.#error = error;
  }

  override [RAISE](place: string): never {
    return fail(this.#error, Undefined.message(this), place);
  }

  static message(u: Undefined): string {
    return typeof u.#hint === "string" ? u.#hint : u.#hint();
  }

  override [LENGTH](): number {
    return 0;
  }

  override [REPR](): string {
    return "Undefined";
  }

  override [STR](): string {
    return "";
  }

  override [ITERATE](): Iterator<unknown> {
    return [].values();
  }

  override [EQUALS](other: unknown): boolean {
    return other === undefined || other instanceof Undefined;
  }

  override [CANONICAL](): unknown {
    return ABSENT;
  }

  override [SEQUENCE](): boolean {
    return true;
  }

  override [CALL](_args: readonly unknown[], _kwargs: Keywords, place: string): never {
    return this[RAISE](place);
  }
}

/** Jinja2's test `defined`. */
export function isDefined<T>(v: T): v is Exclude<T, undefined> {
  return v !== undefined && !(v instanceof Undefined);
}

/** Jinja2's test `undefined`. */
export function isNotDefined(v: unknown): boolean {
  return v === undefined || v instanceof Undefined;
}

/** The message that using the undefined value would raise. */
export function undefinedMessage(v: Undefined | undefined): string {
  return v === undefined ? "the value is undefined" : Undefined.message(v);
}

/** The value of a variable; where it is undefined, an Undefined that knows the variable's name. */
export function named(v: unknown, name: string): Value {
  return v === undefined ? value(new Undefined(`${quote(name)} is undefined`)) : value(v);
}

/** An Undefined for a lookup that found nothing. */
export function absentValue(owner: unknown, key: string | number): Value {
  return value(new Undefined(() => absentMessage(owner, key)));
}

/** Like `missing`, but where there is no value an Undefined with the message; an undefined owner raises. */
export function absent(owner: unknown, key: string | number, place = ""): Value {
  if (isUndefined(owner)) {
    return failUndefined(owner, place);
  }
  return holdsNull(owner, key) ? null : absentValue(owner, key);
}

/** For `x ?? missingName(x, "x", place)`: null where the variable is None, else raises. */
export function missingName(v: unknown, name: string, place: string): null {
  if (v === null) {
    return null;
  }
  if (v instanceof Undefined) {
    return v[RAISE](place);
  }
  return fail("UndefinedError", `${quote(name)} is undefined`, place);
}

/** The value; raises where it is undefined. */
export function strict(v: unknown, place: string): Value {
  return isUndefined(v) ? failUndefined(v, place) : value(v);
}

/** What `a if b` is where b is false. */
export function noElse(line: number): Value {
  const hint = `the inline if-expression on line ${line} evaluated to false and no else section was defined.`;
  return value(new Undefined(hint));
}

/** A macro's parameter that the call did not give. */
export function unprovided(name: string): Value {
  return value(new Undefined(`parameter ${quote(name)} was not provided`));
}

/** What the sandbox gives for an attribute that it hides: nothing, and a SecurityError when used. */
export function unsafe(type: string, name: unknown): Value {
  const shown = name instanceof PythonObject ? name[REPR]() : quote(String(name));
  const hint = `access to attribute ${shown} of '${type}' object is unsafe.`;
  return value(new Undefined(hint, "SecurityError"));
}
