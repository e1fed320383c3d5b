/** Jinja2's Cycler and Joiner (utils.py). */
import { fail } from "../errors.js";
import { Method } from "./method.js";
import { str } from "./print.js";
import { BaseObject } from "./object.js";
import { ABSENT, ATTRIBUTE, CALL, CALLABLE } from "./protocol.js";
import type { Keywords } from "./protocol.js";
import { bind, onlyPositional } from "./signature.js";
import { Tuple } from "./tuple.js";
import { exactly } from "./sequence.js";

/** Goes round its items. */
export class Cycler extends BaseObject {
  readonly #items: readonly unknown[];
  #position = 0;

  constructor(items: readonly unknown[]) {
    super("jinja2.utils.Cycler");
    this.#items = items;
  }

  override [ATTRIBUTE](name: string): unknown {
    switch (name) {
      case "items":
        return new Tuple(this.#items);
      case "pos":
        return this.#position;
      case "current":
        return this.#items[this.#position];
      case "next":
        return this.#method("next", () => this.#next());
      case "reset":
        return this.#method("reset", () => this.#reset());
      default:
        return ABSENT;
    }
  }

  #method(name: string, body: () => unknown): Method {
    const description = `Cycler.${name}`;
    return new Method(
      description,
      (args, kwargs, place) => {
        bind(
          { name: `Cycler.${name}`, subject: "self", hidden: 0, parameters: [] },
          args,
          kwargs,
          place,
        );
        return body();
      },
      "method",
    );
  }

  #next(): unknown {
    const current = this.#items[this.#position];
    this.#position = (this.#position + 1) % this.#items.length;
    return current;
  }

  #reset(): null {
    this.#position = 0;
    return null;
  }
}

/** `cycler(*items)`. */
export function cycler(args: readonly unknown[], kwargs: Keywords, place: string): Cycler {
  onlyPositional("Cycler.__init__", kwargs, place);
  return args.length === 0
    ? fail("RuntimeError", "at least one item has to be provided", place)
    : new Cycler(args);
}

/** Gives nothing at the first call, the separator at the others. */
export class Joiner extends BaseObject {
  readonly #separator: unknown;
  #used = false;

  constructor(separator: unknown) {
    super("jinja2.utils.Joiner");
    this.#separator = separator;
  }

  override [ATTRIBUTE](name: string): unknown {
    switch (name) {
      case "sep":
        return this.#separator;
      case "used":
        return this.#used;
      default:
        return ABSENT;
    }
  }

  override [CALLABLE](): boolean {
    return true;
  }

  override [CALL](args: readonly unknown[], kwargs: Keywords, place: string): unknown {
    exactly(0, "Joiner.__call__", args, kwargs, place);
    if (this.#used) {
      return this.#separator;
    }
    this.#used = true;
    return "";
  }
}

/** `joiner(sep)`. */
export function joiner(args: readonly unknown[], kwargs: Keywords, place: string): Joiner {
  const signature = {
    name: "Joiner.__init__",
    subject: "self",
    hidden: 0,
    parameters: [["sep", ", "]] as const,
  };
  const [separator] = bind(signature, args, kwargs, place);
  return new Joiner(typeof separator === "string" ? separator : str(separator));
}
