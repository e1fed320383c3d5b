/** A process that compiles the mutated templates of a range and says of each how it ended. */
import { CompileError, compileTemplate } from "../../../compiler/template.js";
import { caseOf, Sources } from "./cases.js";
import type { Outcome } from "./compile.js";

const [seed, from, to] = process.argv.slice(2).map(Number);
if (seed === undefined || from === undefined || to === undefined) throw new Error("seed, from, to");

const sources = new Sources();

function outcomeOf(number: number): Outcome {
  const { dialect, template } = caseOf(sources, seed ?? 0, number);
  const started = performance.now();
  const done = (kind: Outcome["kind"], error = ""): Outcome => ({
    number,
    kind,
    error,
    milliseconds: performance.now() - started,
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
