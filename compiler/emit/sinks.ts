/** Where rendered text goes. Writing is one operation; a sink says how it looks in code. */
import { MAKER } from "./module-names.js";

export interface Sink {
  /** What stands between texts that are written together. */
  readonly separator: string;
  /** Whether the statement that ends the output can write a last text. */
  readonly closesWithText: boolean;
  /** Begins the output, with its first text or with none. */
  open(first: string | null): string;
  write(text: string): string;
  /** How long the text is that has been gathered. */
  readonly length: string;
  /** At the start of each iteration of a loop that writes: the text may have grown without bound. */
  readonly checkpoint: string | null;
  /** Whether that is so in loops inside of others too. */
  readonly checksInside: boolean;
  /** Ends the output, after a last text where the sink takes one; gives the result. */
  close(last: string | null): string;
  /** The result, where one text is all of it; null: nothing is written. */
  whole(text: string | null): string;
}

/** Appends to one string variable. */
export function textSink(name: string): Sink {
  return {
    separator: " + ",
    closesWithText: true,
    open: (first) => `let ${name} = ${first ?? '""'};`,
    write: (text) => `${name} += ${text};`,
    length: `${name}.length`,
    checkpoint: null,
    checksInside: false,
    close: (last) => `return ${last === null ? name : `${name} + ${last}`};`,
    whole: (text) => `return ${text ?? '""'};`,
  };
}

/** The same, but hands the text on to a ByteSink before it grows long; the result is what is left. */
export function byteSink(name: string, sink: string): Sink {
  return { ...textSink(name), checkpoint: `${name} = ${sink}.take(${name});`, checksInside: true };
}

/** What the runtime has for gathered text that remembers its origin. */
export interface PieceNames {
  readonly prompt: string;
  readonly segments: string;
  readonly joined: string;
  /** The type of what is gathered, where the code has types. */
  readonly type: string;
}

/** Gathers what a function writes, to a text that remembers its origin. */
export function piecesSink(name: string, { joined, type }: PieceNames): Sink {
  return {
    ...listSink(name, type),
    close: () => `return ${joined}(${name});`,
    whole: (text) => `return ${text ?? '""'};`,
  };
}

/** Gathers the segments of a prompt; from time to time, where a loop writes, segments are made of what was gathered. */
export function segmentsSink(name: string, names: PieceNames, hasLoops: boolean): Sink {
  const { segments, prompt, type } = names;
  const sink: Sink = {
    ...listSink(name, type),
    close: () => `return ${segments}(${name}, input);`,
    whole: (text) => (text === null ? "return [];" : `return ${segments}([${text}], input);`),
  };
  if (!hasLoops) return sink;
  return {
    ...sink,
    open: (first) =>
      `const ${MAKER} = new ${prompt}(input); let ${name}${type} = [${first ?? ""}];`,
    checkpoint: `${name} = ${MAKER}.take(${name});`,
    close: () => `return ${MAKER}.segments(${name});`,
  };
}

/** Gathers the parts themselves: JavaScript's own push is faster than any method, as V8 compiles it in place. */
function listSink(name: string, type: string): Omit<Sink, "close" | "whole"> {
  return {
    separator: ", ",
    closesWithText: false,
    open: (first) => `const ${name}${type} = [${first ?? ""}];`,
    write: (text) => `${name}.push(${text});`,
    // Rounds that ask for it are no part of modules with segments: their output is counted when it is made.
    length: "0",
    checkpoint: null,
    checksInside: false,
  };
}
