/** `npm run bench`: how fast compiled templates are, beside hand-written code and other engines. */
import { Command, CommanderError } from "commander";
import { nodes, subjects, workloadNames } from "./options.js";
import type { RunOptions } from "./run.js";

const USAGE = 2;

const program = new Command("bench")
  .description("Measures compiled templates beside hand-written code and other engines.")
  .showHelpAfterError("(--help shows the options)")
  .exitOverride()
  .option("--json <file>", "write the rows there, beside it FILE.md and FILE.svg")
  .option("--native", "also CPython, Go, Ollama and MiniJinja, each in its process")
  .option("--only <templates>", "these alone, separated by commas", subjects)
  .option("--workloads <names>", "these alone, separated by commas", workloadNames)
  .option("--node <path>", "run the JavaScript engines in this Node; may be repeated", nodes)
  .option("--quick", "few and short rounds")
  .action(async (options: RunOptions) => {
    const { run } = await import("./run.js");
    await run(options);
  });

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE;
  else {
    process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
