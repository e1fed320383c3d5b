/** Pieces of output that are no text: Jinja2 finds them only where it joins what a template and its blocks have written. */
import { value, type Value } from "../values.js";
import { unjoined } from "./print.js";
import { BaseObject } from "./object.js";

/** The lists that blocks write to, the template's own first: of each the type of the first piece that cannot be joined. */
class Pieces extends BaseObject {
  readonly #own: (string | null)[] = [];
  #type: string | null = null;

  constructor() {
    super("list");
  }

  static root(pieces: Pieces): string | null {
    return pieces.#own[0] === undefined ? pieces.#type : pieces.#own[0];
  }

  static note(pieces: Pieces, piece: unknown): void {
    pieces.#type = unjoined(pieces.#type, piece);
  }

  static start(pieces: Pieces): void {
    pieces.#own.push(pieces.#type);
    pieces.#type = null;
  }

  static take(pieces: Pieces): string | null {
    const type = pieces.#type;
    pieces.#type = pieces.#own.pop() ?? null;
    return type;
  }
}

/** A list without pieces. */
export function pieces(): Value {
  return value(new Pieces());
}

/** The type of the first piece of the template's own list that cannot be joined, if there is one. */
export function unjoinedPiece(list: unknown): string | null {
  return list instanceof Pieces ? Pieces.root(list) : null;
}

/** Notes a piece that was written to the list at hand. */
export function notePiece(list: unknown, piece: unknown): void {
  if (list instanceof Pieces) Pieces.note(list, piece);
}

/** Begins another list, for a block whose output something collects. */
export function startPieces(list: unknown): void {
  if (list instanceof Pieces) Pieces.start(list);
}

/** Ends it; gives the type of its first piece that cannot be joined. */
export function takePieces(list: unknown): string | null {
  return list instanceof Pieces ? Pieces.take(list) : null;
}
