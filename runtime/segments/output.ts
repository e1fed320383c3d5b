/** The rendered text as segments. */
import { value as asValue } from "../values.js";
import { Place } from "./place.js";
import type { Segment } from "./segment.js";
import { plainText, textOf, Traced, type Text } from "./traced.js";

/** The segments of a rendered text; neighbours of one origin and place are one. `input` tells the roles of messages. */
export function segments(text: unknown, input: unknown): Segment[] {
  const messages: unknown = asValue(input)?.["messages"];
  const found: Segment[] = [];
  /** Of the segment that is being put together: its text, whether it is input, and its place. */
  let run = "";
  let isInput = false;
  let place: Place | null = null;
  for (const atom of atomsOf(textOf(text))) {
    if (typeof atom === "string") {
      if (isInput && atom !== "") {
        found.push(inputSegment(run, place, messages));
        run = "";
        isInput = false;
      }
      run += atom;
      continue;
    }
    const piece = plainText(atom);
    if (piece === "") continue;
    const at = Traced.place(atom);
    if (isInput && Place.same(place, at)) {
      run += piece;
      continue;
    }
    if (run !== "") found.push(isInput ? inputSegment(run, place, messages) : own(run));
    run = piece;
    isInput = true;
    place = at;
  }
  if (run !== "") found.push(isInput ? inputSegment(run, place, messages) : own(run));
  return found;
}

function atomsOf(text: Text): readonly Text[] {
  return typeof text === "string" ? [text] : Traced.atoms(text);
}

function own(text: string): Segment {
  return { text, from: "template" };
}

function inputSegment(text: string, place: Place | null, messages: unknown): Segment {
  if (place === null) return { text, from: "input" };
  const path = Place.path(place);
  const role = roleAt(path, messages);
  return role === undefined ? { text, from: "input", path } : { text, from: "input", path, role };
}

/** The role of the message that the path leads into. */
function roleAt(path: readonly (string | number)[], messages: unknown): string | undefined {
  if (path[0] !== "messages" || typeof path[1] !== "number") return undefined;
  const role = asValue(asValue(messages)?.[path[1]])?.["role"];
  return typeof role === "string" ? role : undefined;
}

/** Gathers what a render writes. */
export class Output {
  readonly #parts: Text[] = [];
  /** Text of the template that no input has followed yet. */
  #own = "";
  /** How many parts have been measured, and their length. */
  #measured = 0;
  #length = 0;

  constructor(...first: readonly unknown[]) {
    this.add(...first);
  }

  add(...parts: readonly unknown[]): this {
    for (const part of parts) {
      if (!(part instanceof Traced)) {
        this.#own += typeof part === "string" ? part : String(part);
        continue;
      }
      if (this.#own !== "") this.#parts.push(this.#own);
      this.#own = "";
      this.#parts.push(part);
    }
    return this;
  }

  /** How many units there are. */
  get length(): number {
    for (; this.#measured < this.#parts.length; this.#measured++) {
      this.#length += plainText(this.#parts[this.#measured]).length;
    }
    return this.#length + this.#own.length;
  }

  /** All of it. */
  text(): Text {
    if (this.#own !== "") this.#parts.push(this.#own);
    this.#own = "";
    const [first, second] = this.#parts;
    return second === undefined ? (first ?? "") : Traced.composed(this.#parts);
  }
}
