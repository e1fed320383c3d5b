/**
 * Values that remember where in the input they come from. A text that is the template's own stays a plain string; one
 * that has input in it is a Traced, whole or composed of pieces. Containers stay what they are: see trace.ts.
 */
import { Float, Opaque, value as asValue, type Value } from "../values.js";
import { Place } from "./place.js";

/** What is joined and written: text of the template, or text with input in it. */
export type Text = string | Traced;

/** A stretch of text from one source. */
export interface Piece {
  readonly text: string;
  readonly isInput: boolean;
  /** Where in the input it comes from; null: the template's, or no one place. */
  readonly place: Place | null;
}

/** A text, number or the like that comes from the input, or a text of which some part does. */
export class Traced extends Opaque {
  #value: unknown;
  /** Where it comes from: a place, or what stands there under the key. */
  #place: Place | null;
  #key: string | number | null;
  /** Of a composed text: what it is composed of, and whether none of that is composed itself. */
  #parts: readonly Text[] | null;
  #isFlat = false;

  private constructor(
    value: unknown,
    place: Place | null,
    key: string | number | null,
    parts: readonly Text[] | null,
  ) {
    super();
    this.#value = value;
    this.#place = place;
    this.#key = key;
    this.#parts = parts;
  }

  /** A value that comes from one place, or from no place that could be named. */
  static whole(value: unknown, place: Place | null): Traced {
    return new Traced(value, place, null, null);
  }

  /** A value that stands in a container under a key. */
  static item(value: unknown, container: Place, key: string | number): Traced {
    return new Traced(value, container, key, null);
  }

  /** A value that comes from where a whole comes from. */
  static like(value: unknown, whole: Traced): Traced {
    return new Traced(value, whole.#place, whole.#key, null);
  }

  /** Texts one after the other, some of them with input. */
  static composed(parts: readonly Text[]): Traced {
    return new Traced(undefined, null, null, parts);
  }

  /** The same, of texts none of which is composed. */
  static sequence(atoms: readonly Text[]): Traced {
    const sequence = new Traced(undefined, null, null, atoms);
    sequence.#isFlat = true;
    return sequence;
  }

  /** The value as the template sees it. */
  static value(traced: Traced): unknown {
    if (traced.#value === undefined && traced.#parts !== null) traced.#value = Traced.#join(traced);
    return traced.#value;
  }

  static #join(traced: Traced): string {
    let text = "";
    for (const atom of Traced.atoms(traced)) {
      text += typeof atom === "string" ? atom : String(atom.#value);
    }
    return text;
  }

  /** The text as a sequence of the template's own and of wholes, in order. */
  static atoms(traced: Traced): readonly Text[] {
    const parts = traced.#parts;
    if (parts === null) return [traced];
    if (traced.#isFlat) return parts;
    const atoms: Text[] = [];
    const waiting: Text[] = parts.toReversed();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (typeof next === "string" || next.#parts === null) atoms.push(next);
      else for (let i = next.#parts.length - 1; i >= 0; i--) waiting.push(next.#parts[i] ?? "");
    }
    traced.#parts = atoms;
    traced.#isFlat = true;
    return atoms;
  }

  /** The pieces of a text in order; none is empty. */
  static pieces(traced: Traced): readonly Piece[] {
    const pieces: Piece[] = [];
    for (const atom of Traced.atoms(traced)) {
      const isInput = typeof atom !== "string";
      const text = isInput ? String(atom.#value) : atom;
      if (text !== "") pieces.push({ text, isInput, place: isInput ? Traced.place(atom) : null });
    }
    return pieces;
  }

  /** Whether all of it comes from one source. */
  static isWhole(traced: Traced): boolean {
    return traced.#parts === null;
  }

  /** The one place from which all of its input comes; null where there is none. */
  static place(traced: Traced): Place | null {
    if (traced.#parts === null) return Traced.#placeOf(traced);
    let found: Place | null | undefined;
    for (const atom of Traced.atoms(traced)) {
      if (typeof atom === "string" || atom.#value === "") continue;
      const place = Traced.#placeOf(atom);
      if (found === undefined) found = place;
      else if (!Place.same(found, place)) return null;
    }
    return found ?? null;
  }

  // No method of the object: JavaScript would mark each object that has one.
  static #placeOf(whole: Traced): Place | null {
    if (whole.#key !== null) {
      whole.#place = new Place(whole.#place, whole.#key);
      whole.#key = null;
    }
    return whole.#place;
  }

  /** Where a whole comes from: a place, or what the container there holds under the key. */
  static container(whole: Traced): Place | null {
    return whole.#place;
  }

  static key(whole: Traced): string | number | null {
    return whole.#key;
  }

  /** The text of a whole. */
  static text(whole: Traced): string {
    const value = whole.#value;
    return typeof value === "string" ? value : String(value);
  }
}

/** The value as the template sees it, whatever is known of its origin. */
export function plain(value: unknown): Value {
  return asValue(value instanceof Traced ? Traced.value(value) : value);
}

/** What is printed of a value that is text already, or has JavaScript's own. */
export function textOf(value: unknown): Text {
  if (typeof value === "string") return value;
  return value instanceof Traced ? value : String(value);
}

/** The texts as one. */
export function join(...parts: readonly unknown[]): Text {
  const texts = parts.map(textOf).filter((part) => part !== "");
  const [first] = texts;
  if (texts.length < 2) return first ?? "";
  return texts.every((part) => typeof part === "string") ? texts.join("") : Traced.composed(texts);
}

/** The plain text of what is text. */
export function plainText(text: unknown): string {
  const value: unknown = plain(text);
  return typeof value === "string" ? value : String(value);
}

/** The units from `start` on, before `end`. */
export function cut(text: Text, start: number, end: number): Text {
  if (typeof text === "string") return text.slice(start, end);
  if (start >= end) return "";
  if (Traced.isWhole(text)) {
    const whole = plainText(text);
    if (start === 0 && end >= whole.length) return text;
    return Traced.whole(whole.slice(start, end), Traced.place(text));
  }
  const parts: Text[] = [];
  let at = 0;
  for (const { text: piece, isInput, place } of Traced.pieces(text)) {
    const from = Math.max(start - at, 0);
    const to = Math.min(end - at, piece.length);
    if (from < to) {
      const part = piece.slice(from, to);
      parts.push(isInput ? Traced.whole(part, place) : part);
    }
    at += piece.length;
    if (at >= end) break;
  }
  return join(...parts);
}

/** Whether a value is printed, not gone through: a text, a number and their like. */
export function isScalar(value: unknown): boolean {
  return (
    (typeof value !== "object" && typeof value !== "function") ||
    value === null ||
    value instanceof Float
  );
}

/** Whether an item of the input is a container: most are texts, and none has an origin of its own. */
export function isInner(item: unknown): item is object {
  return typeof item === "object" && item !== null && !(item instanceof Float);
}

/** Whether a value is a container, of the input or the template's own. */
export function isContainer(value: unknown): value is object {
  return isInner(value) && !(value instanceof Traced);
}
