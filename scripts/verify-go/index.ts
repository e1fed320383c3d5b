/**
 * `npm run verify:go`: the templates of Go's own tests of text/template and the goldens of Ollama's template package,
 * read where Go and the module are installed, through the compiler and the real engine.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { difference } from "../../test/compare.js";
import { createEngine, type Engine } from "../engines.js";
import { goOracle } from "../oracle/engines.js";
import { parseRow } from "../rows.js";
import { GO_DATA, OLLAMA_REQUESTS } from "./inputs.js";
import { stringLiterals } from "./literals.js";

const ORACLE = fileURLToPath(new URL("../oracle/go", import.meta.url));
const NOW = "2026-03-04";
const SHOWN = 20;
/** Go prints where values lie, which differs between runs. */
const ADDRESS = /0x[0-9a-f]{6,}/;
/** What only a counter of calls could tell from an endless recursion. */
const DEPTH = "exceeded maximum template depth";

/** Conversations that Ollama's TestTemplate renders, by the names of its goldens. */
const GOLDEN_MESSAGES = OLLAMA_REQUESTS.slice(0, 3);

interface Outcome {
  readonly name: string;
  compared: number;
  readonly differences: string[];
}

function goPrints(cwd: string, ...args: readonly string[]): string {
  return spawnSync("go", args, { cwd, encoding: "utf8" }).stdout.trim();
}

function line(dialect: "go" | "ollama", template: string, input: object): string {
  return JSON.stringify({ id: "verify", dialect, template, now: NOW, input });
}

/** Lines through both engines. */
function compare(name: string, lines: readonly string[], engine: Engine): Outcome {
  const outcome: Outcome = { name, compared: 0, differences: [] };
  const expected = goOracle().answer(lines);
  for (const [at, each] of lines.entries()) {
    const expect = expected[at];
    if (expect === undefined) throw new Error("the oracle stopped early");
    const shown = expect.output ?? expect.error ?? "";
    if (ADDRESS.test(shown) || shown.includes(DEPTH)) continue;
    outcome.compared++;
    const row = parseRow(each);
    const abilities = { spans: false, vars: false };
    const found = difference({ id: name, dialect: row.dialect, expect }, engine(row), abilities);
    if (found !== undefined)
      outcome.differences.push(`${JSON.stringify(row.template)}\n    ${row.input}\n    ${found}`);
  }
  return outcome;
}

/** The templates that a file of Go's tests holds as string literals. */
function templatesOf(file: string): string[] {
  return [...new Set(stringLiterals(readFileSync(file, "utf8")))].filter((text) =>
    text.includes("{{"),
  );
}

function goTests(engine: Engine): Outcome[] {
  const root = join(goPrints(ORACLE, "env", "GOROOT"), "src/text/template");
  const files = ["exec_test.go", "multi_test.go", "parse/parse_test.go", "parse/lex_test.go"];
  return files
    .filter((file) => existsSync(join(root, file)))
    .map((file) => {
      const templates = templatesOf(join(root, file));
      const lines = templates.flatMap((template) =>
        GO_DATA.map((data) => line("go", template, data)),
      );
      return compare(`text/template/${file}`, lines, engine);
    });
}

function ollamaTests(directory: string, engine: Engine): Outcome {
  const templates = templatesOf(join(directory, "template_test.go"));
  const lines = templates.flatMap((template) =>
    OLLAMA_REQUESTS.map((request) => line("ollama", template, request)),
  );
  return compare("ollama/template/template_test.go", lines, engine);
}

/** What TestTemplate renders: the golden itself, with its rule for a trailing space. */
function ollamaGoldens(directory: string, engine: Engine): Outcome {
  const outcome: Outcome = { name: "ollama/template/testdata", compared: 0, differences: [] };
  const names = readdirSync(directory).filter((name) => name.endsWith(".gotmpl"));
  for (const name of names) {
    const template = readFileSync(join(directory, name), "utf8");
    for (const request of GOLDEN_MESSAGES) {
      const roles = request.messages?.map(({ role }) => role).join("-") ?? "";
      const golden = readFileSync(join(directory, "testdata", name, roles), "utf8");
      const answer = engine(parseRow(line("ollama", template, request)));
      const output = answer.ok ? answer.output : answer.error;
      outcome.compared++;
      if (output !== golden && output.replace(/ $/, "") !== golden)
        outcome.differences.push(`${name} ${roles}: ${JSON.stringify(output)}`);
    }
  }
  return outcome;
}

function ollamaTemplates(directory: string, engine: Engine): Outcome {
  const names = readdirSync(directory).filter((name) => name.endsWith(".gotmpl"));
  const lines = names.flatMap((name) => {
    const template = readFileSync(join(directory, name), "utf8");
    return OLLAMA_REQUESTS.map((request) => line("ollama", template, request));
  });
  return compare("ollama/template/*.gotmpl", lines, engine);
}

function report({ name, compared, differences }: Outcome): void {
  console.log(`${name}: ${String(compared - differences.length)} of ${String(compared)} equal`);
  for (const each of differences.slice(0, SHOWN)) console.log(`  ${each}`);
}

async function main(): Promise<void> {
  if (spawnSync("go", ["version"]).status !== 0) {
    console.log("skipped: go is not installed");
    return;
  }
  const engine = await createEngine("compiled");
  const outcomes = goTests(engine);
  const module = goPrints(ORACLE, "list", "-m", "-f", "{{.Dir}}", "github.com/ollama/ollama");
  const directory = join(module, "template");
  if (module !== "" && existsSync(directory)) {
    outcomes.push(
      ollamaTests(directory, engine),
      ollamaGoldens(directory, engine),
      ollamaTemplates(directory, engine),
    );
  } else console.log("skipped: Ollama's module is not in the module cache");
  outcomes.forEach(report);
  if (outcomes.some(({ differences }) => differences.length > 0)) process.exitCode = 1;
}

await main();
