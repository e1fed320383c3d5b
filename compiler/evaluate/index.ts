/**
 * Runs the IR without generating code, for places that forbid code from strings (workers, a Content-Security-Policy):
 * closures over frames, made once for a module. What they render, raise and note equals what the emitted code does.
 */
import type { Text } from "../../runtime/segments/index.js";
import { value as asValue } from "../../runtime/values.js";
import type { Counter } from "../ir/counter.js";
import { runtimeName } from "../ir/intrinsics.js";
import type { Module } from "../ir/nodes.js";
import { evaluation } from "./expressions.js";
import { Frame } from "./frame.js";
import { Program, type Runtime } from "./program.js";
import { execution, functionBody, NOWHERE } from "./statements.js";

export type { Runtime } from "./program.js";

/** Renders an input to text that remembers its origin; `clock` is the caller's `now`. */
export type EvaluatedTraced = (input: unknown, clock: unknown) => Text;

/** Renders an input; `spans` takes the generation spans, `clock` is the caller's `now`. */
export type Evaluated = (input: unknown, spans: unknown, clock: unknown) => string;

/** The module as a function; `runtime` holds the rules of its dialect, and those of what `counter` counts with. */
export function evaluateModule(
  module: Module,
  runtime: Runtime,
  counter: Counter | null = null,
): Evaluated {
  const run = running(module, runtime, counter);
  return (given, spans, clock) => run(given, spans, clock).text;
}

/** A module with segments as a function; `runtime` holds the rules of its dialect, and those for segments. */
export function evaluateTraced(module: Module, runtime: Runtime): EvaluatedTraced {
  const run = running(module, runtime, null);
  return (given, clock) => run(given, [], clock).traced;
}

function running(
  module: Module,
  runtime: Runtime,
  counter: Counter | null,
): (input: unknown, spans: unknown, clock: unknown) => Frame {
  const program = new Program(module, runtime, counter, {
    expression: evaluation,
    body: (whole, fn, scope) => functionBody(fn, whole, scope),
  });
  const { root } = program.scopes;
  const around = counter === null ? NOWHERE : counter.start;
  const body = execution(module.body, { program, scope: root, captured: null, around });
  const names = program.scopes.inputs;
  const prepare = module.prepare === null ? null : program.rule(runtimeName(module.prepare));
  return (given, spans, clock) => {
    const data = prepare === null ? given : prepare(given);
    const inputs = names.map((name) => (name === "" ? data : asValue(data)?.[name]));
    const frame = new Frame({ given, inputs, clock, spans }, null, root.size);
    body(frame);
    return frame;
  };
}
