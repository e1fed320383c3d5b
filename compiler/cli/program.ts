/** The command line: its commands, their options, and what each failure exits with. */
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { LoadError } from "../load/index.js";
import { VERSION } from "../version.js";
import { assignment } from "./arguments.js";
import type { GenerateOptions } from "./generate.js";
import type { RenderCommandOptions } from "./render.js";
import { formatError } from "./report.js";
import { EXIT, UsageError, type ExitCode, type Terminal } from "./terminal.js";

/** Runs a command line; the arguments do not hold the program's name. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const colored = { ...terminal, color: terminal.color && !argv.includes("--no-color") };
  let code: ExitCode = EXIT.fine;
  const program = commandLine(colored, (exit) => (code = exit));
  try {
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    return exitOf(error, colored);
  }
}

function exitOf(error: unknown, terminal: Terminal): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError || error instanceof LoadError) {
    terminal.error(formatError(message.replaceAll(`${terminal.directory}/`, ""), terminal));
    return EXIT.usage;
  }
  terminal.error(formatError(`internal error, please report it: ${message}`, terminal));
  return EXIT.refused;
}

type Finish = (code: ExitCode) => void;

function commandLine(terminal: Terminal, finish: Finish): Command {
  const program = new Command("chat-template")
    .description("Compiles LLM chat templates into TypeScript render functions.")
    .version(VERSION)
    .showHelpAfterError("(--help shows the options)")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        terminal.out(text);
      },
      writeErr: (text) => {
        terminal.error(text);
      },
    });
  addGenerate(program, terminal, finish);
  addRender(program, terminal, finish);
  return program;
}

function addGenerate(program: Command, terminal: Terminal, finish: Finish): void {
  common(program.command("generate"))
    .description("compile templates into TypeScript modules")
    .argument(
      "[patterns...]",
      "files, directories or globs; default: the configuration's, else templates/",
    )
    .option("-o, --out-dir <dir>", "where the modules go (default: generated)")
    .option("-c, --config <file>", "configuration file (default: chat-template.config.*)")
    .addOption(dialect())
    .addOption(
      new Option("--target <target...>", "what the modules render to").choices(["text", "bytes"]),
    )
    .option("--define <name=json>", "a constant to fold in; may be repeated", assignment)
    .option("--runtime <module>", "where the modules import the runtime from")
    .addOption(new Option("--check", "write nothing; fail where a module is stale"))
    .addOption(new Option("--stdout", "print the module instead").conflicts("check"))
    .action(async (patterns: string[], options: GenerateOptions) => {
      // Loaded here: the compiler takes longer to start than every other command.
      const { generate } = await import("./generate.js");
      finish(await generate(patterns, options, terminal));
    });
}

function addRender(program: Command, terminal: Terminal, finish: Finish): void {
  common(program.command("render"))
    .description("render a template with JSON input")
    .argument("<template>", "a template file")
    .option("-i, --input <file>", "JSON object of the template's variables; - is standard input")
    .option("-k, --set <name=json>", "a variable; may be repeated", assignment)
    .option("--now <time>", "the clock that the template reads, ISO 8601", isoTime)
    .option("--jsonl", "an input a line (default: standard input), a JSON result a line")
    .addOption(dialect())
    .action(async (template: string, options: RenderCommandOptions) => {
      const { render } = await import("./render.js");
      finish(await render(template, options, terminal));
    });
}

function common(command: Command): Command {
  return command
    .option("--json", "print the result as JSON")
    .option("--quiet", "print errors only")
    .option("--no-color", "print no colors");
}

function dialect(): Option {
  return new Option("--dialect <dialect>", "for names that do not tell it").choices([
    "jinja",
    "ollama",
    "go",
  ]);
}

function isoTime(text: string): string {
  const isTime =
    /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?$/.test(text) && !Number.isNaN(Date.parse(text));
  if (!isTime) throw new InvalidArgumentError("Write it as 2025-03-01T12:00:00.");
  return text;
}
