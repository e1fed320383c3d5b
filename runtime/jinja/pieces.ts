/** Pieces of output that are no text: Jinja2 finds them only where it joins what a template and its blocks have written. */
import { value, type Value } from "../values.js";
import { unjoined } from "./print.js";
import { PythonObject } from "./protocol.js";

/** What the template and its blocks have written to one list: the type of the first piece that cannot be joined. */
class Pieces extends PythonObject {
  #type: string | null = null;

  constructor() {
    super("list");
  }

  static get(pieces: Pieces): string | null {
    return pieces.#type;
  }

  static set(pieces: Pieces, type: string | null): void {
    pieces.#type = type;
  }
}

/** A list without pieces. */
export function pieces(): Value {
  return value(new Pieces());
}

/** The type of the first piece that cannot be joined, if there is one. */
export function unjoinedPiece(list: unknown): string | null {
  return list instanceof Pieces ? Pieces.get(list) : null;
}

/** Notes a piece that was written. */
export function notePiece(list: unknown, piece: unknown): void {
  if (list instanceof Pieces) {
    Pieces.set(list, unjoined(Pieces.get(list), piece));
  }
}

/** Makes the list another one: `type` is that of its first piece that cannot be joined. */
export function setPieces(list: unknown, type: string | null): void {
  if (list instanceof Pieces) {
    Pieces.set(list, type);
  }
}
