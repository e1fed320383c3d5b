/** The commands with their arguments and options. Each is loaded when it runs: most of the start-up time is theirs. */
import { Option, type Command } from "commander";
import { FORMS } from "../load/index.js";
import { assignment, isoTime, offset, positiveNumber } from "./arguments.js";
import type { BenchOptions } from "./bench.js";
import type { DiffOptions } from "./diff.js";
import type { ExplainOptions } from "./explain.js";
import type { ExtractOptions } from "./extract.js";
import type { GenerateOptions } from "./generate.js";
import type { InspectOptions } from "./inspect.js";
import type { RenderCommandOptions } from "./render.js";
import type { CommonOptions, ExitCode, Terminal } from "./terminal.js";
import type { VerifyOptions } from "./verify.js";

type Finish = (code: ExitCode) => void;

export function addCommands(program: Command, terminal: Terminal, finish: Finish): void {
  addGenerate(program, terminal, finish);
  addRender(program, terminal, finish);
  addInspect(program, terminal, finish);
  addExplain(program, terminal, finish);
  addVerify(program, terminal, finish);
  addDiff(program, terminal, finish);
  addExtract(program, terminal, finish);
  addBench(program, terminal, finish);
  addInit(program, terminal, finish);
}

function addGenerate(program: Command, terminal: Terminal, finish: Finish): void {
  common(program.command("generate"))
    .description("compile templates into TypeScript modules")
    .argument(
      "[patterns...]",
      "files, folders, globs, hf:org/name, ollama:name; default: the configuration's, else templates/",
    )
    .option("-o, --out-dir <dir>", "where the modules go (default: generated)")
    .option("-c, --config <file>", "configuration file (default: chat-template.config.*)")
    .addOption(dialect())
    .addOption(form())
    .addOption(
      new Option("--target <target...>", "what the modules render to").choices([
        "text",
        "bytes",
        "segments",
      ]),
    )
    .option("--define <name=json>", "a constant to fold in; may be repeated", assignment)
    .option(
      "--runtime <module>",
      "where the modules import the runtime from; inline: files beside them",
    )
    .addOption(new Option("--source-map", "write a source map beside each module").conflicts("dts"))
    .option("--limits", "modules that count steps, output and depth, for templates of others")
    .addOption(
      new Option(
        "--dts",
        "the types of each template beside it, instead of modules: for bundlers",
      ).conflicts(["outDir", "runtime", "stdout"]),
    )
    .option("--check", "write nothing; fail where a module is stale")
    .addOption(new Option("--watch", "generate again after each change").conflicts("check"))
    .addOption(
      new Option("--stdout", "print the module instead").conflicts(["check", "watch", "json"]),
    )
    .action(async (patterns: string[], options: GenerateOptions) => {
      const { generate } = await import("./generate.js");
      finish(await generate(patterns, options, terminal));
    });
}

function addRender(program: Command, terminal: Terminal, finish: Finish): void {
  templateCommand(program, "render")
    .description("render a template with JSON input")
    .addOption(input())
    .addOption(set())
    .addOption(now())
    .option("--jsonl", "an input a line (default: standard input), a JSON result a line")
    .option("--segments", "print the text in pieces, with where each comes from")
    .action(async (template: string, options: RenderCommandOptions) => {
      const { render } = await import("./render.js");
      finish(await render(template, options, terminal));
    });
}

function addInspect(program: Command, terminal: Terminal, finish: Finish): void {
  templateCommand(program, "inspect")
    .description("show the variables, special tokens and capabilities of a template")
    .option("--prefix", "search for conversations whose prompt does not begin with an earlier one")
    .action(async (template: string, options: InspectOptions) => {
      const { inspect } = await import("./inspect.js");
      finish(await inspect(template, options, terminal));
    });
}

function addExplain(program: Command, terminal: Terminal, finish: Finish): void {
  templateCommand(program, "explain")
    .description("show which line of a template wrote what of a prompt, and what is input")
    .addOption(input())
    .addOption(set())
    .addOption(now())
    .option("--at <offset>", "what wrote that UTF-16 unit of the prompt, from 0 on", offset)
    .option("--html <file>", "write a page with the prompt and the template side by side")
    .action(async (template: string, options: ExplainOptions) => {
      const { explain } = await import("./explain.js");
      finish(await explain(template, options, terminal));
    });
}

function addVerify(program: Command, terminal: Terminal, finish: Finish): void {
  templateCommand(program, "verify")
    .description("compare what a template renders with what the real engine renders")
    .addOption(
      new Option("--against <engine...>", "what to compare with")
        .choices(["cpython", "huggingface", "go", "ollama"])
        .makeOptionMandatory(),
    )
    .addOption(input())
    .addOption(inputLines())
    .addOption(set())
    .addOption(now())
    .option("--python <program>", "the Python that has Jinja2 (default: python3)")
    .action(async (template: string, options: VerifyOptions) => {
      const { verify } = await import("./verify.js");
      finish(await verify(template, options, terminal));
    });
}

function addDiff(program: Command, terminal: Terminal, finish: Finish): void {
  common(program.command("diff"))
    .description("compare two templates by what they render, then by their text")
    .argument("<before>", "a template")
    .argument("<after>", "another")
    .addOption(dialect())
    .addOption(form())
    .addOption(input())
    .addOption(inputLines())
    .addOption(set())
    .addOption(now())
    .action(async (before: string, after: string, options: DiffOptions) => {
      const { diff } = await import("./diff.js");
      finish(await diff([before, after], options, terminal));
    });
}

function addExtract(program: Command, terminal: Terminal, finish: Finish): void {
  common(program.command("extract"))
    .description("print or write the text of the templates that a source holds")
    .argument(
      "<source>",
      "a file, a folder, hf:org/name or ollama:name; #name picks one of several",
    )
    .addOption(dialect())
    .addOption(form())
    .option("-o, --out-dir <dir>", "write a file for each template")
    .action(async (source: string, options: ExtractOptions) => {
      const { extract } = await import("./extract.js");
      finish(await extract(source, options, terminal));
    });
}

function addBench(program: Command, terminal: Terminal, finish: Finish): void {
  templateCommand(program, "bench")
    .description("measure how often a second a template renders an input")
    .addOption(input())
    .addOption(set())
    .addOption(now())
    .option("--seconds <number>", "how long to measure (default: 2)", positiveNumber)
    .action(async (template: string, options: BenchOptions) => {
      const { bench } = await import("./bench.js");
      finish(await bench(template, options, terminal));
    });
}

function addInit(program: Command, terminal: Terminal, finish: Finish): void {
  common(program.command("init"))
    .description("write a configuration file to start from")
    .action(async (options: CommonOptions) => {
      const { init } = await import("./init.js");
      finish(await init(options, terminal));
    });
}

/** A command that takes one template. */
function templateCommand(program: Command, name: string): Command {
  return common(program.command(name))
    .argument(
      "<template>",
      "a file, a folder, hf:org/name or ollama:name; #name picks one of several",
    )
    .addOption(dialect())
    .addOption(form());
}

function common(command: Command): Command {
  return command
    .option("--json", "print the result as JSON")
    .option("--quiet", "print errors only")
    .option("--no-color", "print no colors");
}

function dialect(): Option {
  const option = new Option("--dialect <dialect>", "for names that do not tell it");
  return option.choices(["jinja", "ollama", "go"]);
}

function form(): Option {
  const option = new Option("--form <form>", "for names and contents that do not tell it");
  return option.choices(FORMS);
}

function input(): Option {
  return new Option(
    "-i, --input <file>",
    "JSON object of the template's variables; - is standard input",
  );
}

function inputLines(): Option {
  return new Option("--jsonl", "an input a line (default: standard input)");
}

function set(): Option {
  return new Option("-k, --set <name=json>", "a variable; may be repeated").argParser(assignment);
}

function now(): Option {
  const option = new Option("--now <time>", "the clock that the template reads, ISO 8601");
  return option.argParser(isoTime);
}
