/** Jinja2's macros as values: Python's binding of arguments (runtime.py, Macro.__call__). */
import { fail } from "../errors.js";
import { value, type Value } from "../values.js";
import { dict, dictEntries, present } from "./dict.js";
import { BaseObject } from "./object.js";
import { ABSENT, ATTRIBUTE, CALL, CALLABLE, REPR } from "./protocol.js";
import type { Keywords } from "./protocol.js";
import { quote } from "./quote.js";
import { notTwice } from "./signature.js";
import { Tuple } from "./tuple.js";
import { Undefined } from "./undefined.js";

/** The body of a macro: its parameters in order (`undefined`: not given), then the special ones that it mentions. */
export type MacroBody = (...values: Value[]) => string;

/** Nothing is ever set in it. */
const NONE: Map<string, unknown> = /* @__PURE__ */ new Map<string, unknown>();

function byName([name, item]: readonly [unknown, unknown]): [string, unknown] {
  return [String(name), item];
}

/** A macro. */
export class Macro extends BaseObject {
  readonly #name: string | null;
  readonly #parameters: readonly string[];
  readonly #body: MacroBody;
  readonly #special: readonly string[];
  readonly #finish: (text: string) => unknown;

  /** `name` is null for what a call block passes on; `finish` makes the result of the text. */
  constructor(
    name: string | null,
    parameters: readonly string[],
    body: MacroBody,
    special: readonly string[],
    finish: (text: string) => unknown = (text) => text,
  ) {
    super("jinja2.runtime.Macro");
    this.#name = name;
    this.#parameters = parameters;
    this.#body = body;
    this.#special = special;
    this.#finish = finish;
  }

  override [REPR](): string {
    return this.#name === null ? "<Macro anonymous>" : `<Macro ${quote(this.#name)}>`;
  }

  override [CALLABLE](): boolean {
    return true;
  }

  override [ATTRIBUTE](name: string): unknown {
    switch (name) {
      case "name":
        return this.#name;
      case "arguments":
        return new Tuple(this.#parameters);
      case "catch_kwargs":
        return this.#special.includes("kwargs");
      case "catch_varargs":
        return this.#special.includes("varargs");
      case "caller":
        return this.#special.includes("caller") || this.#parameters.includes("caller");
      case "explicit_caller":
        return this.#parameters.includes("caller");
      default:
        return ABSENT;
    }
  }

  override [CALL](args: readonly unknown[], kwargs: Keywords, place: string): unknown {
    notTwice("Macro.__call__", ["self"], kwargs, place);
    const named = kwargs === null ? NONE : new Map(dictEntries(kwargs).map(byName));
    const count = this.#parameters.length;
    const values = args.slice(0, count).map((arg) => value(present(arg)));
    for (const name of this.#parameters.slice(values.length)) {
      values.push(named.has(name) ? value(present(named.get(name))) : undefined);
      named.delete(name);
    }
    const special = this.#specials(args, named, place);
    this.#checkRest(args, named, place);
    return this.#finish(this.#body(...values, ...special));
  }

  /** What the body's special names hold; `caller` is taken from the named arguments. */
  #specials(args: readonly unknown[], named: Map<string, unknown>, place: string): Value[] {
    const values: Value[] = [];
    if (this.#special.includes("caller")) {
      const caller = named.get("caller");
      named.delete("caller");
      values.push(caller === undefined || caller === null ? noCaller() : value(caller));
    }
    if (this.#special.includes("kwargs")) {
      values.push(dict([...named], place));
    }
    if (this.#special.includes("varargs")) {
      values.push(value(new Tuple(args.slice(this.#parameters.length))));
    }
    return values;
  }

  #checkRest(args: readonly unknown[], named: Map<string, unknown>, place: string): void {
    const macro = `macro ${this.#name === null ? "None" : quote(this.#name)}`;
    const [first] = named.keys();
    if (first !== undefined && !this.#special.includes("kwargs")) {
      const twice =
        `${macro} was invoked with two values for the special caller argument. ` +
        "This is most likely a bug.";
      const unknown = `${macro} takes no keyword argument ${quote(first)}`;
      fail("TypeError", named.has("caller") ? twice : unknown, place);
    }
    const count = this.#parameters.length;
    if (args.length > count && !this.#special.includes("varargs")) {
      fail("TypeError", `${macro} takes not more than ${count} argument(s)`, place);
    }
  }
}

/** `caller` where no call block passes one. */
export function noCaller(): Value {
  return value(new Undefined("No caller defined"));
}

/** A macro's value. `_defaults`: how many of its last parameters have one, which the body sets itself. */
export function macro(
  name: string | null,
  parameters: readonly string[],
  _defaults: number,
  body: MacroBody,
  special: readonly string[],
): Value {
  return value(new Macro(name, parameters, body, special));
}
