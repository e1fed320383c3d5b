/** The one error that rendering throws, and the functions that make it. */

/** Where a RenderError comes from; every part but the phase and the type may be unknown. */
interface Origin {
  readonly phase: "render" | "input";
  readonly type: string;
  readonly line?: number;
  readonly column?: number;
  readonly path?: string;
}

/** A render that failed. `type` is the real engine's name for the error: Python's exception class for Jinja. */
export class RenderError extends Error {
  readonly phase: "render" | "input";
  readonly type: string;
  readonly line?: number;
  readonly column?: number;
  readonly path?: string;
  /** Of a `renderTo`: how many bytes `write` had got by then. */
  written?: number;

  constructor(message: string, origin: Origin) {
    super(message);
    this.name = "RenderError";
    this.phase = origin.phase;
    this.type = origin.type;
    // Parts that are not known are no properties.
    Object.assign(this, origin);
  }
}

/** Throws a RenderError of phase "render"; `place` is "line:column", 1-based, or empty. */
export function fail(type: string, message: string, place: string): never {
  throw new RenderError(message, { phase: "render", type, ...position(place) });
}

/** Throws a RenderError of phase "input"; `path` names the field, as `messages[0].role`. */
export function failInput(type: string, message: string, path: string): never {
  throw new RenderError(message, { phase: "input", type, path });
}

/** The error as a RenderError: the exhausted stack as Python's RecursionError, anything foreign by its own name. */
export function renderError(error: unknown): RenderError {
  if (error instanceof RenderError) {
    return error;
  }
  const { type, message } = described(error);
  return new RenderError(message, { phase: "render", type });
}

function described(error: unknown): { type: string; message: string } {
  try {
    if (!(error instanceof Error)) {
      return { type: "Error", message: String(error) };
    }
    // What a getter gives need be no text.
    const given: { name: unknown; message: unknown } = error;
    const message = String(given.message);
    if (!(error instanceof RangeError)) {
      return { type: String(given.name), message };
    }
    return message.includes("call stack")
      ? { type: "RecursionError", message: "maximum recursion depth exceeded" }
      : { type: "MemoryError", message };
  } catch {
    // A getter or a trap of the input may throw what throws when it is asked for its message.
    return { type: "Error", message: "the input threw an error without a message" };
  }
}

function position(place: string): { line?: number; column?: number } {
  const colon = place.indexOf(":");
  const line = Number(colon < 0 ? place : place.slice(0, colon));
  if (line === 0 || Number.isNaN(line)) {
    return {};
  }
  const column = colon < 0 ? 0 : Number(place.slice(colon + 1));
  return column > 0 ? { line, column } : { line };
}
