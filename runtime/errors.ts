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
  declare readonly phase: "render" | "input";
  declare readonly type: string;
  declare readonly line?: number;
  declare readonly column?: number;
  declare readonly path?: string;
  /** Of a `renderTo`: how many bytes `write` had got by then. */
  declare written?: number;

  constructor(message: string, origin: Origin) {
    super(message);
    this.name = "RenderError";
    // The fields are only declared: parts that are not known are no properties.
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
  const [type, message] = described(error);
  return new RenderError(message, { phase: "render", type });
}

function described(error: unknown): readonly [type: string, message: string] {
  try {
    // What a getter gives need be no text.
    const { name, message }: { name: unknown; message: unknown } =
      error instanceof Error ? error : { name: "Error", message: error };
    const text = String(message);
    if (!(error instanceof RangeError)) return [String(name), text];
    return text.includes("call stack")
      ? ["RecursionError", "maximum recursion depth exceeded"]
      : ["MemoryError", text];
  } catch {
    // A getter or a trap of the input may throw what throws when it is asked for its message.
    return ["Error", "the input threw without a message"];
  }
}

function position(place: string): { line?: number; column?: number } {
  const [line = 0, column = 0] = place.split(":").map(Number);
  if (!(line > 0)) return {};
  return column > 0 ? { line, column } : { line };
}
