/** Runs a program of another language: text in, text out, within a time. */
import { spawn } from "node:child_process";
import { EngineError } from "./engine.js";

export interface ProgramRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly directory?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly seconds: number;
}

/** Standard output; an EngineError where the program is missing, fails or takes too long. */
export function runProgram({
  command,
  args,
  input,
  directory,
  env,
  seconds,
}: ProgramRun): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...(directory === undefined ? {} : { cwd: directory }),
      env: { ...process.env, ...env },
      timeout: seconds * 1000,
      killSignal: "SIGKILL",
    });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    child.on("error", (error) => {
      const missing = "code" in error && error.code === "ENOENT";
      reject(new EngineError(missing ? `${command} is not installed` : error.message));
    });
    child.on("close", (code, signal) => {
      if (code === 0) resolve(Buffer.concat(out).toString("utf8"));
      else if (signal !== null)
        reject(new EngineError(`${command} gave no answer within ${String(seconds)} seconds`));
      else reject(new EngineError(lastLine(Buffer.concat(errors).toString("utf8"), command)));
    });
    // A program that ends early does not read the rest.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

/** What a program that failed said last; Python's traceback ends in its message. */
function lastLine(text: string, command: string): string {
  const line = text.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? `${command} failed` : `${command}: ${line}`;
}
