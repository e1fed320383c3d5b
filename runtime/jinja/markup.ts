/** markupsafe's Markup: a str that is safe in HTML. */
import { meter } from "../meter.js";
import { value, type Value } from "../values.js";
import { escapeText } from "./escape.js";
import { str } from "./print.js";
import { BaseObject } from "./object.js";
import {
  ABSENT,
  ADD,
  CANONICAL,
  EQUALS,
  ITEM,
  ITERATE,
  LENGTH,
  REPEAT,
  REPR,
  REVERSE,
  SEQUENCE,
  SLICE,
  STR,
  TEXT,
  WRAP,
} from "./protocol.js";
import { quote } from "./quote.js";
import { repeatText } from "./repeat.js";
import { smallInt } from "./numbers.js";
import { characterAt, characters, textLength } from "./text.js";
import { sliceString } from "./slice-text.js";
import { textOf } from "./types.js";

/** A text that is HTML already; adding to it escapes what is not. */
export class Markup extends BaseObject {
  readonly #text: string;

  constructor(text: string) {
    super("markupsafe.Markup");
    meter?.spendText(text.length);
    this.#text = text;
  }

  override [TEXT](): string {
    return this.#text;
  }

  override [LENGTH](): number {
    return textLength(this.#text);
  }

  override [REPR](): string {
    return `Markup(${quote(this.#text)})`;
  }

  override [STR](): string {
    return this.#text;
  }

  override [WRAP](text: string): Markup {
    return new Markup(text);
  }

  override [ITERATE](): Iterator<unknown> {
    return this.#text[Symbol.iterator]();
  }

  override [REVERSE](): Iterator<unknown> {
    return characters(this.#text)
      .reverse()
      .map((c) => new Markup(c))
      .values();
  }

  override [EQUALS](other: unknown): boolean {
    return textOf(other) === this.#text;
  }

  override [CANONICAL](): unknown {
    return this.#text;
  }

  override [ADD](other: unknown, reflected: boolean): unknown {
    const text = textOf(other);
    if (text === null) {
      return ABSENT;
    }
    const escaped = typeof other === "string" ? escapeText(text) : text;
    return new Markup(reflected ? escaped + this.#text : this.#text + escaped);
  }

  override [REPEAT](times: number, place: string): Markup {
    return new Markup(repeatText(this.#text, times, place));
  }

  override [ITEM](key: unknown): unknown {
    const i = smallInt(key);
    const character = i === null ? null : characterAt(this.#text, i);
    return character === null ? ABSENT : new Markup(character);
  }

  override [SLICE](start: unknown, stop: unknown, step: unknown, place: string): Markup {
    return new Markup(sliceString(this.#text, start, stop, step, place));
  }

  override [SEQUENCE](): boolean {
    return true;
  }
}

/** markupsafe's escape() of any value. */
export function escape(v: unknown): Value {
  return value(v instanceof Markup ? v : new Markup(escapeText(str(v))));
}

/** The value as Markup, unescaped: Markup(v). */
export function markup(v: unknown): Value {
  return value(v instanceof Markup ? v : new Markup(str(v)));
}
