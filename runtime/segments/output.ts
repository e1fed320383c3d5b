/** What a render writes: text that remembers its origin, or at once its segments. */
import { value as asValue } from "../values.js";
import { Place, Standing } from "./place.js";
import type { Segment } from "./segment.js";
import { textIn } from "./standing.js";
import { textOf, Traced, type Text } from "./traced.js";

/**
 * What has been written, in order: texts, texts with an origin, and what is printed as JavaScript prints it. A text of
 * one place stands behind that: the place of a container and the key in it.
 */
export type Parts = readonly unknown[];

/** The segments of what was written; neighbours of one origin and place are one. `input` tells the roles of messages. */
export function segments(parts: Parts, input: unknown): Segment[] {
  return new Prompt(input).segments(parts);
}

/** What was written as one text. */
export function joinedParts(parts: Parts): Text {
  const atoms: Text[] = [];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    let text: Text;
    if (part instanceof Standing) {
      text = textIn(part, keyOf(parts[i + 1]), String(parts[i + 2]));
      i += 2;
    } else {
      text = textOf(part);
    }
    if (typeof text === "string" || Traced.isWhole(text)) atoms.push(text);
    else for (const atom of Traced.atoms(text)) atoms.push(atom);
  }
  const [first, second] = atoms;
  return second === undefined ? (first ?? "") : Traced.sequence(atoms);
}

function keyOf(part: unknown): string | number {
  return typeof part === "number" ? part : String(part);
}

/** How many parts are gathered before segments are made of them: an array that grows long costs more than its parts. */
const MOST = 1000;

/** Makes segments of what is written. */
export class Prompt {
  readonly #messages: unknown;
  readonly #made: Segment[] = [];
  /** Text of the template that no input has followed yet. */
  #own = "";
  /** The last segment, if it is input, and where that comes from. */
  #last: Writable | null = null;
  #place: Place | null | undefined;
  #key: string | number | null = null;
  /** Which path, message and role that is. */
  #path: Segment["path"];
  #index: string | number | undefined;
  #role: string | undefined;

  constructor(input: unknown) {
    this.#messages = asValue(input)?.["messages"];
  }

  /** Takes what has been gathered, if it is much, and gives what the next is to be gathered in. */
  take(parts: unknown[]): unknown[] {
    if (parts.length < MOST) return parts;
    this.#add(parts);
    return [];
  }

  /** All segments, after what was gathered last. */
  segments(parts: Parts): Segment[] {
    this.#add(parts);
    if (this.#own !== "") this.#made.push({ text: this.#own, from: "template" });
    return this.#made;
  }

  #add(parts: Parts): void {
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i];
      if (typeof part === "string") {
        this.#template(part);
      } else if (part instanceof Place) {
        this.#input(String(parts[i + 2]), part, keyOf(parts[i + 1]));
        i += 2;
      } else if (part instanceof Standing) {
        this.#text(textIn(part, keyOf(parts[i + 1]), String(parts[i + 2])));
        i += 2;
      } else {
        this.#text(textOf(part));
      }
    }
  }

  #template(text: string): void {
    this.#own = this.#own === "" ? text : this.#own + text;
  }

  #text(text: Text): void {
    if (typeof text === "string") this.#template(text);
    else if (Traced.isWhole(text)) this.#whole(text);
    else for (const atom of Traced.atoms(text)) this.#text(atom);
  }

  #whole(source: Traced): void {
    this.#input(Traced.text(source), Traced.container(source), Traced.key(source));
  }

  /** Text of one source: what a container holds under a key, or what stands in a place itself. */
  #input(text: string, place: Place | null, key: string | number | null): void {
    if (text === "") return;
    if (this.#own !== "") {
      this.#made.push({ text: this.#own, from: "template" });
      this.#own = "";
      this.#last = null;
    }
    if (this.#place === undefined || !isSame(this.#place, this.#key, place, key)) {
      this.#find(place, key);
    } else if (this.#last !== null) {
      this.#last.text += text;
      return;
    }
    this.#last = this.#segment(text);
    this.#made.push(this.#last);
  }

  /** Where a text comes from. */
  #find(place: Place | null, key: string | number | null): void {
    const path = place === null ? undefined : Place.path(place, key);
    this.#place = place;
    this.#key = key;
    this.#path = path;
    const index = path?.[0] === "messages" ? path[1] : undefined;
    if (index !== this.#index) this.#enter(index);
  }

  /** Takes the role of the message that paths lead into. */
  #enter(index: string | number | undefined): void {
    const message = typeof index === "number" ? asValue(this.#messages)?.[index] : undefined;
    const role = asValue(message)?.["role"];
    this.#index = index;
    this.#role = typeof role === "string" ? role : undefined;
  }

  #segment(text: string): Segment {
    const path = this.#path;
    if (path === undefined) return { text, from: "input" };
    const role = this.#role;
    return role === undefined ? { text, from: "input", path } : { text, from: "input", path, role };
  }
}

/** Whether two keys of containers lead to one place. */
function isSame(
  a: Place | null,
  keyInA: string | number | null,
  b: Place | null,
  keyInB: string | number | null,
): boolean {
  if (keyInA === keyInB) return a === b || Place.same(a, b);
  if (keyInA !== null && keyInB !== null) return false;
  return Place.same(Place.under(a, keyInA), Place.under(b, keyInB));
}

/** A segment that more may come to. */
type Writable = { -readonly [Name in keyof Segment]: Segment[Name] };
