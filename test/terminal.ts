/** A terminal in memory, so that tests run commands in their own process. */
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { run } from "../compiler/cli/program.js";
import type { ExitCode } from "../compiler/cli/terminal.js";

export interface CommandResult {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

export const ROOT = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

/** Runs `chat-template` with arguments in a directory. */
export async function chatTemplate(
  directory: string,
  argv: readonly string[],
  input: string | Uint8Array = "",
): Promise<CommandResult> {
  let stdout = "";
  let stderr = "";
  const code = await run(argv, {
    directory,
    color: false,
    out: (text) => {
      stdout += text;
    },
    error: (text) => {
      stderr += text;
    },
    input: () => Readable.from([Buffer.from(input)]),
  });
  return { code, stdout, stderr };
}
