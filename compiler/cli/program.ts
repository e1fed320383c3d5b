/** The program: runs a command line, and what each failure exits with. */
import { Command, CommanderError } from "commander";
import { registerCharacterNames } from "../character-names.js";
import { LoadError } from "../load/index.js";
import { VERSION } from "../version.js";
import { addCommands } from "./commands.js";
import { formatError } from "./report.js";
import { EXIT, UsageError, type ExitCode, type Terminal } from "./terminal.js";

/** Runs a command line; the arguments do not hold the program's name. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const colored = { ...terminal, color: terminal.color && !argv.includes("--no-color") };
  let code: ExitCode = EXIT.fine;
  registerCharacterNames();
  const program = commandLine(colored, (exit) => (code = exit));
  try {
    await program.parseAsync(commandFirst(argv), { from: "user" });
    return code;
  } catch (error) {
    return exitOf(error, colored);
  }
}

const COMMON = new Set(["--json", "--quiet", "--no-color"]);

/** Options that all commands take may stand before the command too. */
function commandFirst(argv: readonly string[]): readonly string[] {
  const command = argv.findIndex((argument) => !COMMON.has(argument));
  if (command < 1) return argv;
  return [
    ...argv.slice(command, command + 1),
    ...argv.slice(0, command),
    ...argv.slice(command + 1),
  ];
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

function commandLine(terminal: Terminal, finish: (code: ExitCode) => void): Command {
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
  addCommands(program, terminal, finish);
  return program;
}
