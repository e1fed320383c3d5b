/** `npm run bench`: how fast compiled templates are, beside hand-written code and other engines. */
import { Command, CommanderError } from "commander";
import type { ColdOptions } from "./commands/cold.js";
import type { CompileTimeOptions } from "./commands/compile.js";
import type { CorpusOptions } from "./commands/corpus.js";
import type { HeapOptions } from "./commands/heap.js";
import type { ServeOptions } from "./commands/serve.js";
import type { SizeOptions } from "./commands/size.js";
import { engineNames, nodes, subjects, workloadNames } from "./options.js";
import type { RunOptions } from "./run.js";

const USAGE = 2;

const program = new Command("bench")
  .description("Measures compiled templates beside hand-written code and other engines.")
  .showHelpAfterError("(--help shows the options)")
  .exitOverride()
  .enablePositionalOptions();

common(program)
  .option("--native", "also CPython, Go, Ollama and MiniJinja, each in its process")
  .option("--workloads <names>", "these alone, separated by commas", workloadNames)
  .option("--engines <names>", "these alone, separated by commas", engineNames)
  .action(async (options: RunOptions) => (await import("./run.js")).run(options));

add("growth", "how the time grows with the number of messages").action(
  async (options: RunOptions) => (await import("./commands/growth.js")).growth(options),
);
add("cold", "a new process: import and first render").action(async (options: ColdOptions) =>
  (await import("./commands/cold.js")).cold(options),
);
add("template", "a new process: parse and first render").action(async (options: ColdOptions) =>
  (await import("./commands/cold.js")).template(options),
);
add("size", "what a program carries, minified and gzipped").action(async (options: SizeOptions) =>
  (await import("./commands/size.js")).size(options),
);
add("heap", "what a render allocates").action(async (options: HeapOptions) =>
  (await import("./commands/heap.js")).heap(options),
);
add("compile", "how long compiling takes, over the corpus").action(
  async (options: CompileTimeOptions) => (await import("./commands/compile.js")).compile(options),
);
add("serve", "the example of a server under load, beside @huggingface/jinja").action(
  async (options: ServeOptions) => (await import("./commands/serve.js")).serve(options),
);
add("segments", "renderSegments beside render").action(async (options: RunOptions) =>
  (await import("./commands/segments.js")).segments(options),
);
add("corpus", "the corpus beside @huggingface/jinja").action(async (options: CorpusOptions) =>
  (await import("./commands/corpus.js")).corpus(options),
);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE;
  else {
    process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

function add(name: string, description: string): Command {
  return common(program.command(name).description(description));
}

function common(command: Command): Command {
  return command
    .option("--json <file>", "write the rows there, and tables beside it")
    .option("--only <templates>", "these alone, separated by commas", subjects)
    .option("--node <path>", "run in this Node; may be repeated", nodes)
    .option("--quick", "few and short rounds");
}
