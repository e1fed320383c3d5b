/** Reads the arguments that commands share: `name=json`, dialects, JSON files. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { parseJson } from "../../runtime/index.js";
import { reasonOf } from "../load/index.js";
import { UsageError, type Terminal } from "./terminal.js";

export type Assignments = Readonly<Record<string, unknown>>;

/** Collects repeated `name=json`; a name may be any text, also `__proto__`. */
export function assignment(argument: string, previous: Assignments = {}): Assignments {
  const equals = argument.indexOf("=");
  if (equals < 1) throw new InvalidArgumentError("Write it as name=json.");
  const name = argument.slice(0, equals);
  return Object.fromEntries([...Object.entries(previous), [name, jsonOf(argument, equals)]]);
}

function jsonOf(argument: string, equals: number): unknown {
  try {
    return parseJson(argument.slice(equals + 1));
  } catch {
    const name = argument.slice(0, equals);
    throw new InvalidArgumentError(
      `The value is not JSON; text needs its own quotes: '${name}="text"'.`,
    );
  }
}

/** The text of a file, or of standard input for `-`. */
export async function readText(file: string, terminal: Terminal): Promise<string> {
  try {
    const bytes =
      file === "-" ? await terminal.input() : await readFile(resolve(terminal.directory, file));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const reason = error instanceof TypeError ? "is not valid UTF-8" : reasonOf(error);
    throw new UsageError(`${placeOf(file)}: ${reason}`);
  }
}

/** A JSON object, read losslessly. */
export function parseInput(text: string, place: string): object {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new UsageError(`${place}: not valid JSON: ${reasonOf(error)}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError(`${place}: the input must be a JSON object`);
  }
  return value;
}

/** What messages call a file. */
export function placeOf(file: string): string {
  return file === "-" ? "standard input" : file;
}
