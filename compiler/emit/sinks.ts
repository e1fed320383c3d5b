/** Where rendered text goes. Writing is one operation; a sink says how it looks in code. */

export interface Sink {
  /** What stands between texts that are written together. */
  readonly separator: string;
  /** How many texts are written together at most. */
  readonly most: number;
  /** Begins the output, with its first text or with none. */
  open(first: string | null): string;
  write(text: string): string;
  /** How long the text is that has been gathered. */
  readonly length: string;
  /** At the start of each iteration of a loop that writes: the text may have grown without bound. */
  readonly checkpoint: string | null;
  /** Ends the output after a last text; gives the result. */
  close(last: string | null): string;
  /** The result, where one text is all of it; null: nothing is written. */
  whole(text: string | null): string;
}

/** Appends to one string variable. */
export function textSink(name: string): Sink {
  return {
    separator: " + ",
    most: Infinity,
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

/** The parameters of the runtime's `add`. */
const MOST = 4;

/** What gathers text that remembers its origin: the runtime's classes and its function. */
export interface PieceNames {
  readonly output: string;
  readonly prompt: string;
  readonly segments: string;
}

/** Gathers what a function writes, to a text that remembers its origin. */
export function piecesSink(name: string, { output }: PieceNames): Sink {
  return {
    separator: ", ",
    most: MOST,
    open: (first) => `const ${name} = new ${output}(${first ?? ""});`,
    write: (text) => `${name}.add(${text});`,
    length: `${name}.length`,
    checkpoint: null,
    close: (last) => `return ${added(name, last)}.text();`,
    whole: (text) => `return ${text ?? '""'};`,
  };
}

/** Gathers the segments of a prompt. */
export function segmentsSink(name: string, { prompt, segments }: PieceNames): Sink {
  return {
    separator: ", ",
    most: MOST,
    open: (first) => `const ${name} = new ${prompt}(input${first === null ? "" : `, ${first}`});`,
    write: (text) => `${name}.add(${text});`,
    length: `${name}.length`,
    checkpoint: null,
    close: (last) => `return ${added(name, last)}.segments();`,
    whole: (text) => (text === null ? "return [];" : `return ${segments}(${text}, input);`),
  };
}

function added(name: string, last: string | null): string {
  return last === null ? name : `${name}.add(${last})`;
}
