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
    if (origin.line !== undefined) {
      this.line = origin.line;
    }
    if (origin.column !== undefined) {
      this.column = origin.column;
    }
    if (origin.path !== undefined) {
      this.path = origin.path;
    }
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
  if (error instanceof RangeError && error.message.includes("call stack")) {
    const message = "maximum recursion depth exceeded";
    return new RenderError(message, { phase: "render", type: "RecursionError" });
  }
  if (error instanceof RangeError) {
    return new RenderError(error.message, { phase: "render", type: "MemoryError" });
  }
  const [type, message] =
    error instanceof Error ? [error.name, error.message] : ["Error", String(error)];
  return new RenderError(message, { phase: "render", type });
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
