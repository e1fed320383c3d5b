/** Streams of lines: each is read when the one before has been answered. */
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { reasonOf } from "../load/index.js";
import { placeOf } from "./arguments.js";
import { UsageError, type Terminal } from "./terminal.js";

export interface Line {
  readonly text: string;
  readonly number: number;
}

/** The lines of a file or of standard input that are not blank; only a line break ends one, so that JSON may hold any other. */
export async function* linesOf(file: string, terminal: Terminal): AsyncGenerator<Line> {
  const chunks =
    file === "-" ? terminal.input() : createReadStream(resolve(terminal.directory, file));
  let number = 0;
  try {
    for await (const text of splitLines(chunks)) {
      number++;
      if (text.trim() !== "") yield { text, number };
    }
  } catch (error) {
    const isEncoding = error instanceof TypeError;
    const reason = isEncoding ? "is not valid UTF-8" : reasonOf(error);
    throw new UsageError(
      `${placeOf(file)}${isEncoding ? `:${String(number + 1)}` : ""}: ${reason}`,
    );
  }
}

async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  yield rest + decoder.decode();
}
