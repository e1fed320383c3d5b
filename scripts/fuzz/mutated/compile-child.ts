/** A process that compiles the mutated templates of a range and says of each how it ended. */
import { registerCharacterNames } from "../../../compiler/character-names.js";
import { CompileError, compileTemplate } from "../../../compiler/template.js";
import { caseOf, Sources } from "./cases.js";
import type { Outcome } from "./compile.js";

const [here, ...range] = process.argv.slice(2);
const [seed, from, to] = range.map(Number);
if (seed === undefined || from === undefined || to === undefined) throw new Error("seed, from, to");

registerCharacterNames();
const sources = new Sources(here);

/** Of one case by itself the processor's time is measured; of many, asking for it would be a good part of it. */
function now(): number {
  if (to !== (from ?? 0) + 1) return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function outcomeOf(number: number): Outcome {
  const { dialect, template } = caseOf(sources, seed ?? 0, number);
  const started = now();
  const done = (kind: Outcome["kind"], error = ""): Outcome => ({
    number,
    kind,
    error,
    milliseconds: now() - started,
  });
  try {
    compileTemplate(template, { dialect, name: "mutated" });
    return done("compiled");
  } catch (error) {
    if (!(error instanceof CompileError)) return done("crash", String(error));
    const [first] = error.diagnostics;
    const hasPlace = first !== undefined && first.line >= 1 && first.column >= 1;
    return hasPlace ? done("refused") : done("crash", `no place: ${error.message}`);
  }
}

for (let number = from; number < to; number++) process.send?.(outcomeOf(number));
process.disconnect();
