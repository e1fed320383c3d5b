/** Reads the arguments that commands share: `name=json`, times, files. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { parseJson } from "../../runtime/index.js";
import { reasonOf } from "../load/index.js";
import { UsageError, type Terminal } from "./terminal.js";

/** Variables by name, each as JSON text and as value: engines in other languages read the text. */
export type Assignments = ReadonlyMap<string, Assigned>;

export interface Assigned {
  readonly json: string;
  readonly value: unknown;
}

/** Collects repeated `name=json`; a name may be any text, also `__proto__`. */
export function assignment(argument: string, previous: Assignments = new Map()): Assignments {
  const equals = argument.indexOf("=");
  if (equals < 1) throw new InvalidArgumentError("Write it as name=json.");
  const json = argument.slice(equals + 1);
  const name = argument.slice(0, equals);
  return new Map([...previous, [name, { json, value: valueOf(json, name) }]]);
}

function valueOf(json: string, name: string): unknown {
  try {
    return parseJson(json);
  } catch {
    throw new InvalidArgumentError(
      `The value is not JSON; text needs its own quotes: '${name}="text"'.`,
    );
  }
}

/** The assigned values, by name. */
export function valuesOf(assignments: Assignments = new Map()): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...assignments].map(([name, { value }]) => [name, value]));
}

/** A point in time as `--now` takes it. */
export function isoTime(text: string): string {
  const isTime =
    /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?$/.test(text) && !Number.isNaN(Date.parse(text));
  if (!isTime) throw new InvalidArgumentError("Write it as 2025-03-01T12:00:00.");
  return text;
}

export function positiveNumber(text: string): number {
  const number = Number(text);
  if (!(number > 0 && Number.isFinite(number)))
    throw new InvalidArgumentError("Write a number above 0.");
  return number;
}

/** A UTF-16 unit of a text, counted from 0. */
export function offset(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("Write a whole number from 0 on.");
  return Number(text);
}

/** The text of a file, or of standard input for `-`. */
export async function readText(file: string, terminal: Terminal): Promise<string> {
  try {
    const bytes =
      file === "-"
        ? await allOf(terminal.input())
        : await readFile(resolve(terminal.directory, file));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const reason = error instanceof TypeError ? "is not valid UTF-8" : reasonOf(error);
    throw new UsageError(`${placeOf(file)}: ${reason}`);
  }
}

async function allOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** A JSON object, read losslessly. */
export function parseInput(text: string, place: string): object {
  if (text.trim() === "") throw new UsageError(`${place}: is empty: a JSON object was expected`);
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
