/**
 * Renders small conversations to see what a template does with them. It runs on closures, so nothing is compiled, and
 * stops after a number of steps: a template may be anyone's.
 */
import * as goRuntime from "../../runtime/go/index.js";
import * as jinjaRuntime from "../../runtime/jinja/index.js";
import { limited } from "../../runtime/limits.js";
import { evaluateModule } from "../evaluate/index.js";
import * as build from "../ir/build.js";
import type { Module, Stmt } from "../ir/nodes.js";
import { mapBodies, mapLists, rewriteLists } from "../ir/visit.js";

/** The prompt of an input; null where the template refuses it. */
export type Probe = (input: object) => string | null;

/** Rounds of loops and calls of functions in all renders of one probe. */
const MAX_STEPS = 50_000;

/** What rules may do at once, within a round. */
const LIMITS = { limits: { steps: 4 * MAX_STEPS } };

/** The clock that a probe shows. */
const NOW = new Date(0);

/** Renders a module's inputs, until they have taken too many steps together. */
export function probeOf(module: Module): Probe {
  const runtime = module.dialect === "jinja" ? jinjaRuntime : goRuntime;
  const render = evaluateModule(countingSteps(module), runtime);
  let steps = 0;
  return (input) => {
    const spans = countedSpans(() => ++steps <= MAX_STEPS);
    try {
      return steps > MAX_STEPS ? null : limited(LIMITS, () => render(input, spans, NOW));
    } catch {
      return null;
    }
  };
}

const STEP = "step";

/** The list of spans, with a field that is read at each step. */
function countedSpans(goesOn: () => boolean): readonly unknown[] {
  return Object.defineProperty([], STEP, {
    get() {
      if (!goesOn()) throw new Error("too many steps");
      return null;
    },
  });
}

/** The module with a step at the start of each round and of each function. */
function countingSteps(module: Module): Module {
  const step = build.run(build.read({ op: "spans" }, STEP, false));
  const inLoops = (list: readonly Stmt[]): readonly Stmt[] =>
    list.map((stmt) =>
      stmt.op === "each" || stmt.op === "entries" || stmt.op === "while"
        ? mapLists(stmt, (inner) => (inner === stmt.body ? [step, ...inner] : inner))
        : stmt,
    );
  return mapBodies(module, (body, owner) => {
    const counted = rewriteLists(body, inLoops);
    return owner === null ? counted : [step, ...counted];
  });
}
