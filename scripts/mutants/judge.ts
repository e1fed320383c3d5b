/**
 * What notices a mutant without the test runner: the recorded answers of the real engines, and the code that our own
 * templates become. Bundled with the mutant in it, and told where the repository is.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { programText } from "../../compiler/engines.js";
import { emitBody } from "../../compiler/emit/body.js";
import { addLimits } from "../../compiler/passes/limits.js";
import { toModule } from "../../compiler/pipeline.js";
import { difference, readCase } from "../../test/compare.js";
import { createEngine } from "../engines.js";
import { Random } from "../fuzz/random.js";
import { parseRow } from "../rows.js";

const [root = "", seed = "1"] = process.argv.slice(2);
const FAMILIES = ["jinja", "ollama", "go", "chat"];

function at(path: string): URL {
  return new URL(path, root);
}

/** What our own templates become, in a few characters. */
function printed(): string {
  const hash = createHash("sha256");
  for (const folder of ["templates/", "scripts/bench/templates/"]) {
    for (const file of readdirSync(at(folder)).sort()) {
      const dialect = file.endsWith(".gotmpl") ? "ollama" : "jinja";
      const { module } = toModule(readFileSync(at(folder + file), "utf8"), { name: file, dialect });
      for (const each of [module, addLimits(module)]) {
        const options = { typed: true, comments: true, inputType: "Input" };
        hash.update(programText(emitBody(each, options)));
      }
    }
  }
  return hash.digest("hex").slice(0, 16);
}

interface Line {
  readonly family: string;
  readonly line: string;
}

function lines(): Line[] {
  const all = FAMILIES.flatMap((family) =>
    readFileSync(at(`test/conformance/${family}.jsonl`), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => ({ family, line })),
  );
  const random = new Random(Number(seed));
  for (let left = all.length; left > 1; left--) {
    const other = random.below(left);
    const [one, two] = [all[left - 1], all[other]];
    if (one === undefined || two === undefined) continue;
    all[left - 1] = two;
    all[other] = one;
  }
  return all;
}

/** The first case whose answer is not the real engine's, of those whose answer is it without the mutant. */
async function firstDifference(expected: ReadonlySet<string>): Promise<string | null> {
  const engine = await createEngine("compiled");
  for (const { family, line } of lines()) {
    const test = readCase(line);
    const name = `compiled ${family} ${test.id}`;
    if (expected.has(name)) continue;
    const found = difference(test, engine(parseRow(line)), {
      spans: true,
      vars: false,
      words: true,
    });
    if (found !== undefined) return `${name}: ${found}`;
  }
  return null;
}

const failures = readFileSync(at("test/expected-failures.txt"), "utf8").split("\n");
const code = printed();
console.log(JSON.stringify({ code, difference: await firstDifference(new Set(failures)) }));
