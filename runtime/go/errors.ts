/** How Go's text/template words and places the errors of an execution. */

import { RenderError } from "../errors.js";

/**
 * Throws the ExecError of text/template (exec.go, errorf): `place` is what the compiler knows, such as
 * `12:5: executing "" at <.Foo.Bar>`; Ollama leaves the template's name empty.
 */
export function fail(message: string, place: string): never {
  const [line, column] = place.split(":", 2).map(Number);
  throw new RenderError(`template: :${place}: ${message}`, {
    phase: "render",
    type: "ExecError",
    ...(line !== undefined && line > 0 ? { line } : {}),
    ...(column !== undefined && column > 0 ? { column } : {}),
  });
}
