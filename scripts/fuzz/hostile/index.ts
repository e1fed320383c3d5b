/** `npm run fuzz:hostile -- [--cases N] [--seed N]`: hostile inputs on our own templates and fifty of the corpus. */
import { parseArgs } from "node:util";
import fc from "fast-check";
import { compileTemplate, CompileError } from "../../../compiler/template.js";
import { Sources } from "../mutated/cases.js";
import { Random } from "../random.js";
import { described, wrongOf } from "./check.js";
import { hostileInput } from "./inputs.js";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    cases: { type: "string", default: "100000" },
  },
});

const FROM_CORPUS = 50;

interface Subject {
  readonly source: string;
  readonly render: (input: object) => string;
}

function subjects(random: Random): readonly Subject[] {
  const { own, jinja, go } = new Sources();
  const drawn = Array.from({ length: FROM_CORPUS }, (_, at) => {
    const dialect = at % 2 === 0 ? "jinja" : "ollama";
    return { dialect, source: random.pick(dialect === "jinja" ? jinja : go) } as const;
  });
  return [...own, ...drawn].flatMap(({ dialect, source }) => {
    try {
      const template = compileTemplate(source, { dialect, name: "hostile" });
      return [{ source, render: (input: object) => template.render(input) }];
    } catch (error) {
      if (error instanceof CompileError) return [];
      throw error;
    }
  });
}

const seed = Number(values.seed);
const all = subjects(new Random(seed));
const runs = Math.ceil(Number(values.cases) / all.length);
console.log(`seed ${seed}: ${runs} inputs on each of ${all.length} templates`);
let failed = 0;
for (const { source, render } of all) {
  const result = fc.check(
    fc.property(hostileInput, (input) => {
      const wrong = wrongOf(render, input);
      if (wrong !== undefined) throw new Error(wrong);
    }),
    { numRuns: runs, seed },
  );
  if (!result.failed) continue;
  failed++;
  // fast-check would print the input, and traps would answer.
  const { errorInstance: error, counterexample } = result;
  const wrong = error instanceof Error ? error.message : "";
  const input = described(counterexample?.[0]).replaceAll("\n", " ");
  console.log(`${JSON.stringify(source.slice(0, 80))}\n  ${wrong}\n  ${input}`.slice(0, 1500));
}
console.log(`${all.length - failed} templates as promised, ${failed} not`);
process.exitCode = failed === 0 ? 0 : 1;
