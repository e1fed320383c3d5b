/** What generated code calls where it knows in which place of the input a container stands. */
import { value as asValue, type Value } from "../values.js";
import { Place, Standing } from "./place.js";
import type { Trace } from "./trace.js";
import { textOf, Traced, type Text } from "./traced.js";

/** A container of no one place: what it holds is looked for. */
class Unplaced extends Standing {
  readonly #trace: Trace;
  readonly #container: unknown;

  constructor(trace: Trace, container: unknown) {
    super();
    this.#trace = trace;
    this.#container = container;
  }

  override in(key: string | number): Standing {
    return placeOf(this.#trace, asValue(this.#container)?.[key]);
  }

  /** What it holds under a key, with its origin. */
  item(key: string | number, value: unknown): unknown {
    return this.#trace.item(this.#container, key, value);
  }

  /** The text that a rule wrote of that. */
  printed(key: string | number, text: string): unknown {
    return this.#trace.printedOf(text, this.item(key, asValue(this.#container)?.[key]));
  }
}

/** The place of the whole input. */
export function rootPlace(trace: Trace): Place {
  return trace.root;
}

/** Where an item of a list stands that may be the input's own. */
export function placeAt(trace: Trace, list: string, index: number, item: unknown): Standing {
  return trace.placeAt(list, index, item) ?? new Unplaced(trace, item);
}

function placeOf(trace: Trace, container: unknown): Standing {
  return trace.placeOf(container) ?? new Unplaced(trace, container);
}

/** Where the container stands that another holds under a key. */
export function placeIn(container: unknown, key: string | number): Standing {
  if (container instanceof Standing) return container.in(key);
  throw new TypeError("no place of a container");
}

/** A text that is printed of what a container holds under a key. */
export function placed(container: unknown, key: string | number, text: string): Value {
  return asValue(textIn(container, key, text));
}

/** The same, not yet as a Value. */
export function textIn(container: unknown, key: string | number, text: string): Text {
  if (text === "") return text;
  if (container instanceof Place) return Traced.item(text, container, key);
  return container instanceof Unplaced ? textOf(container.printed(key, text)) : text;
}

/** What a container holds under a key. */
export function placedItem(
  trace: Trace,
  container: unknown,
  key: string | number,
  value: unknown,
): Value {
  if (container instanceof Place) return asValue(trace.itemIn(container, key, value));
  return asValue(container instanceof Unplaced ? container.item(key, value) : value);
}
