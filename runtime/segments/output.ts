/** The rendered text as segments. */
import { value as asValue } from "../values.js";
import { Place } from "./place.js";
import type { Segment } from "./segment.js";
import { join, plainText, textOf, Traced, type Piece, type Text } from "./traced.js";

/** The segments of a rendered text; neighbours of one origin and place are one. `input` tells the roles of messages. */
export function segments(text: unknown, input: unknown): Segment[] {
  const found: Segment[] = [];
  let last: Piece | null = null;
  let run = "";
  const close = (): void => {
    if (last !== null) found.push(segment(run, last, input));
  };
  for (const piece of piecesOf(textOf(text))) {
    const goesOn =
      last !== null && last.isInput === piece.isInput && Place.same(last.place, piece.place);
    if (goesOn) {
      run += piece.text;
    } else {
      close();
      last = piece;
      run = piece.text;
    }
  }
  close();
  return found;
}

function piecesOf(text: Text): readonly Piece[] {
  if (text instanceof Traced) return Traced.pieces(text);
  return text === "" ? [] : [{ text, isInput: false, place: null }];
}

function segment(text: string, { isInput, place }: Piece, input: unknown): Segment {
  if (!isInput) return { text, from: "template" };
  if (place === null) return { text, from: "input" };
  const path = Place.path(place);
  const role = roleAt(path, input);
  return role === undefined ? { text, from: "input", path } : { text, from: "input", path, role };
}

/** The role of the message that the path leads into. */
function roleAt([first, index]: readonly (string | number)[], input: unknown): string | undefined {
  if (first !== "messages" || typeof index !== "number") return undefined;
  const role = asValue(asValue(asValue(input)?.["messages"])?.[index])?.["role"];
  return typeof role === "string" ? role : undefined;
}

/** Gathers what a render writes. */
export class Output {
  readonly #parts: Text[];
  /** How many parts have been measured, and their length. */
  #measured = 0;
  #length = 0;

  constructor(...first: readonly unknown[]) {
    this.#parts = first.map(textOf);
  }

  add(...parts: readonly unknown[]): this {
    for (const part of parts) this.#parts.push(textOf(part));
    return this;
  }

  /** How many units there are. */
  get length(): number {
    for (; this.#measured < this.#parts.length; this.#measured++) {
      this.#length += plainText(this.#parts[this.#measured]).length;
    }
    return this.#length;
  }

  /** All of it. */
  text(): Text {
    return join(...this.#parts);
  }
}
