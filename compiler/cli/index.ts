#!/usr/bin/env node
/** The program `chat-template`. */
import { once } from "node:events";
import { reasonOf } from "../load/index.js";
import { run } from "./program.js";
import { EXIT, type Terminal } from "./terminal.js";

const terminal: Terminal = {
  directory: process.cwd(),
  color: isColorWanted(),
  out: (text) => {
    process.stdout.write(text);
  },
  error: (text) => {
    process.stderr.write(text);
  },
  input: () => process.stdin,
  drained: async () => {
    if (process.stdout.writableNeedDrain) await once(process.stdout, "drain");
  },
  screen: process.stderr.isTTY ? process.stderr : undefined,
  interrupted: () => {
    const controller = new AbortController();
    process.once("SIGINT", () => {
      controller.abort();
    });
    return controller.signal;
  },
};

/** https://no-color.org: a set NO_COLOR wins, then FORCE_COLOR, then whether a person reads. */
function isColorWanted(): boolean {
  if (process.env["NO_COLOR"] !== undefined && process.env["NO_COLOR"] !== "") return false;
  return process.env["FORCE_COLOR"] !== undefined || process.stderr.isTTY;
}

// A reader that closes the pipe has seen enough; anything else loses what was asked for.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  process.stderr.write(`error: standard output: cannot be written: ${reasonOf(error)}\n`);
  process.exit(EXIT.usage);
});
process.exitCode = await run(process.argv.slice(2), terminal);
