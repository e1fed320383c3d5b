/** Go's text/template, plain and as Ollama calls it: small programs that the installed Go compiles. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REFERENCE } from "../../version.js";
import { parseAnswers, type Engine, type EngineAnswers, type EngineRequest } from "./engine.js";
import { GO_PROGRAM, OLLAMA_PROGRAM } from "./go-programs.js";
import { runProgram } from "./process.js";

export const go: Engine = {
  dialect: "go",
  ask: (request) =>
    runGo({ "main.go": GO_PROGRAM, "go.mod": "module oracle\n\ngo 1.21\n" }, request),
};

const OLLAMA_VERSION = /ollama (\S+?),/.exec(REFERENCE.ollama)?.[1] ?? "";

/** Ollama's module is fetched by Go itself where it is not there yet. */
export const ollama: Engine = {
  dialect: "ollama",
  ask: (request) =>
    runGo(
      {
        "main.go": OLLAMA_PROGRAM,
        "go.mod": `module oracle\n\ngo 1.26.0\n\nrequire github.com/ollama/ollama v${OLLAMA_VERSION}\n`,
      },
      request,
    ),
};

/** The first run compiles, and may fetch. */
const SECONDS = 600;

async function runGo(
  files: Readonly<Record<string, string>>,
  { template, inputs, now }: EngineRequest,
): Promise<EngineAnswers> {
  const directory = await mkdtemp(join(tmpdir(), "chat-template-go-"));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
    const text = await runProgram({
      command: "go",
      args: ["run", "-mod=mod", "."],
      input: JSON.stringify({ template, inputs, now }),
      directory,
      env: { GOWORK: "off" },
      seconds: SECONDS,
    });
    return parseAnswers(text, inputs.length);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
