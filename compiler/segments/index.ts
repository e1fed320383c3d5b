/**
 * Makes a module that writes text which remembers where in the input it comes from. What is tested, compared, counted
 * and looked up stays plain; what reaches the output keeps its origin on the way.
 */
import * as build from "../ir/build.js";
import type { IntrinsicName } from "../ir/intrinsics.js";
import { Any } from "../ir/kinds.js";
import { Ids, type FunctionDef, type Module, type Stmt } from "../ir/nodes.js";
import { firstFreeId } from "../ir/visit.js";
import type { Source } from "../source.js";
import { Carriers } from "./carriers.js";
import { ExpressionTracer } from "./expressions.js";
import { findLevels } from "./levels.js";
import { Places } from "./places.js";
import { StatementTracer } from "./statements.js";
import { noteWriters } from "./writers.js";

/** The module with segments of an optimised one, whose passes have kept origins. */
export function traceModule(module: Module): Module {
  const prepare = preparationOf(module);
  const start = prepare === module.prepare ? "segments.start" : "segments.startOllama";
  return traced({ ...module, prepare }, start, true);
}

/**
 * The module whose text remembers which statement wrote it, of one without passes, which would merge outputs; `source`
 * is the template's text.
 */
export function traceWriters(module: Module, source: Source): Module {
  return traced(noteWriters(module, source), "segments.startWriters", false);
}

/** `hasPlaces`: whether the trace knows places in the input. */
function traced(module: Module, starting: IntrinsicName, hasPlaces: boolean): Module {
  const ids = new Ids(firstFreeId(module));
  const trace = ids.local("trace", Any);
  const levels = findLevels(module);
  const places = new Places(module, levels, ids, hasPlaces ? trace : null);
  const carriers = new Carriers(module, levels, places);
  carriers.find();
  const expressions = new ExpressionTracer(module, { levels, carriers, places }, ids, trace);
  const statements = new StatementTracer(expressions, levels, places);
  const start = build.set(trace, build.intrinsic(starting, [build.input("")]));
  const traceFunction = (fn: FunctionDef): FunctionDef => ({
    ...fn,
    params: fn.params.map((param) =>
      param.default === null
        ? param
        : { ...param, default: expressions.value(param.default, levels.of(param.local)) },
    ),
    body: statements.list(fn.body),
  });
  const body: readonly Stmt[] = [start, ...statements.list(module.body)];
  const functions = module.functions.map(traceFunction);
  return places.withoutUnread({ ...module, body, functions, carriers: carriers.ids() });
}

/** Ollama's values must remember the request that they were made of. */
function preparationOf({ prepare }: Module): Module["prepare"] {
  switch (prepare) {
    case "go.ollamaValues":
      return "segments.ollamaValues";
    case "go.ollamaValuesStrict":
      return "segments.ollamaValuesStrict";
    default:
      return prepare;
  }
}
