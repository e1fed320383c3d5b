/**
 * `npm run mutants -- --results FILE [--seed N] [--count N] [--tests FOLDER]`: a sample of mutants of runtime/ and
 * compiler/passes/. The file keeps what was judged, so that a later run goes on; FOLDER is a copy of the repository in
 * which the tests meet what the cases do not notice.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { EQUIVALENT } from "./equivalent.js";
import { sample } from "./mutants.js";
import { judgementsIn, Judging, keep } from "./run.js";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "500" },
    results: { type: "string" },
    tests: { type: "string" },
  },
});
const { results } = values;
if (results === undefined) throw new Error("--results FILE");

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, "");
const options = { seed: Number(values.seed), count: Number(values.count) };
const mutants = sample(root, ["runtime", "compiler/passes"], options);
const known = judgementsIn(results);
const judging = new Judging(root, values.tests ?? null);
const counts = { crash: 0, case: 0, code: 0, test: 0, unnoticed: 0, survived: 0, equivalent: 0 };
await judging.start();
for (const mutant of mutants) {
  let verdict = known.get(mutant.id);
  const isOpen = verdict === "unnoticed" && values.tests !== undefined;
  if (verdict === undefined || isOpen) {
    const judgement = await (isOpen ? judging.byTests(mutant) : judging.verdictOf(mutant));
    verdict = judgement.verdict;
    keep(results, judgement);
  }
  const isNoticed = verdict !== "survived" && verdict !== "unnoticed";
  counts[!isNoticed && EQUIVALENT.has(mutant.id) ? "equivalent" : verdict]++;
  if (isNoticed || EQUIVALENT.has(mutant.id)) continue;
  const { file, line, before, after } = mutant;
  console.log(`${verdict} ${mutant.id} ${file}:${String(line)} ${before.slice(0, 60)} → ${after}`);
}
judging.end();
console.log(
  `seed ${String(options.seed)}, ${String(mutants.length)} mutants: ${JSON.stringify(counts)}`,
);
