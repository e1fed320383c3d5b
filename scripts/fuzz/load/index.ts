/** `npm run fuzz:load -- [--seed N] [--cases N] [--form NAME]`: broken files of each form that templates come in. */
import { parseArgs } from "node:util";
import { brokenCase, loadOutcome } from "./check.js";
import { LOADER_FORMS, type LoaderForm } from "./forms.js";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    cases: { type: "string", default: "10000" },
    form: { type: "string" },
  },
});

/** Milliseconds that no case may take. */
const PATIENCE = 5_000;
const SHOWN = 300;

/** Prints what went wrong, and gives how often. */
function fuzzForm(form: LoaderForm, seed: number, cases: number): number {
  const counts = { loaded: 0, refused: 0, wrong: 0, slow: 0 };
  for (let number = 0; number < cases; number++) {
    const started = performance.now();
    const { kind, error } = loadOutcome(form, brokenCase(form, seed, number));
    counts[kind]++;
    if (kind === "wrong")
      console.log(`wrong ${form.name} ${String(number)} ${error}`.slice(0, SHOWN));
    if (performance.now() - started <= PATIENCE) continue;
    counts.slow++;
    console.log(`slow ${form.name} ${String(number)}`);
  }
  console.log(`${form.name}, seed ${String(seed)}: ${JSON.stringify(counts)}`);
  return counts.wrong + counts.slow;
}

const [seed, cases] = [Number(values.seed), Number(values.cases)];
const chosen = LOADER_FORMS.filter(({ name }) => values.form === undefined || name === values.form);
if (chosen.length === 0) throw new Error(`no form ${String(values.form)}`);
const failed = chosen.map((form) => fuzzForm(form, seed, cases)).reduce((sum, one) => sum + one, 0);
process.exitCode = failed === 0 ? 0 : 1;
