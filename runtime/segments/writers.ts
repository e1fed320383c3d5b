/** Texts that remember what in the template wrote them: a trace of its own, in which the input has no places. */
import { Place } from "./place.js";
import { Trace } from "./trace.js";
import { Traced, type Text } from "./traced.js";

/** The trace of a render in which only what was written has a place. */
export function startWriters(): Trace {
  return new Trace(undefined);
}

/** The text with the place of what writes it, `line:column`; what something else wrote before keeps its own. */
export function written(text: Text, place: string): Text {
  const writer = new Place(Place.root(), place);
  if (typeof text === "string") return text === "" ? text : Traced.whole(text, writer);
  const pieces = Traced.pieces(text);
  if (pieces.every((piece) => piece.place !== null)) return text;
  return Traced.composed(pieces.map((piece) => Traced.whole(piece.text, piece.place ?? writer)));
}
