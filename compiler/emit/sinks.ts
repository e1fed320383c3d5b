/** Where rendered text goes. Writing is one operation; a sink says how it looks in code. */

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
    close: (last) => `return ${last === null ? name : `${name} + ${last}`};`,
    whole: (text) => `return ${text ?? '""'};`,
  };
}

/** The same, but hands the text on to a ByteSink before it grows long; the result is what is left. */
export function byteSink(name: string, sink: string): Sink {
  return { ...textSink(name), checkpoint: `${name} = ${sink}.take(${name});` };
}

/** The runtime's functions for gathered text that remembers its origin. */
export interface PieceNames {
  readonly joined: string;
  readonly segments: string;
  readonly length: string;
  /** The type of what is gathered, where the code has types. */
  readonly type: string;
}

/** Gathers what a function writes, to a text that remembers its origin. */
export function piecesSink(name: string, names: PieceNames): Sink {
  return {
    ...listSink(name, names),
    close: () => `return ${names.joined}(${name});`,
    whole: (text) => `return ${text ?? '""'};`,
  };
}

/** Gathers the segments of a prompt. */
export function segmentsSink(name: string, names: PieceNames): Sink {
  return {
    ...listSink(name, names),
    close: () => `return ${names.segments}(${name}, input);`,
    whole: (text) => (text === null ? "return [];" : `return ${names.segments}([${text}], input);`),
  };
}

/** Gathers the parts themselves: JavaScript's own push is faster than any method, as V8 compiles it in place. */
function listSink(name: string, { length, type }: PieceNames): Omit<Sink, "close" | "whole"> {
  return {
    separator: ", ",
    closesWithText: false,
    open: (first) => `const ${name}${type} = [${first ?? ""}];`,
    write: (text) => `${name}.push(${text});`,
    length: `${length}(${name})`,
    checkpoint: null,
  };
}
