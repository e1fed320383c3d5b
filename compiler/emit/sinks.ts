/** Where rendered text goes. Writing is one operation; a sink says how it looks in code. */

export interface Sink {
  /** What stands between texts that are written together. */
  readonly separator: string;
  /** Begins the output, with its first text or with none. */
  open(first: string | null): string;
  write(text: string): string;
  /** How long the text is that has been gathered. */
  readonly length: string;
  /** At the start of each iteration of a loop that writes: the text may have grown without bound. */
  readonly checkpoint: string | null;
  /** Ends the output after a last text; gives the result. */
  close(last: string | null): string;
}

/** Appends to one string variable. */
export function textSink(name: string): Sink {
  return {
    separator: " + ",
    open: (first) => `let ${name} = ${first ?? '""'};`,
    write: (text) => `${name} += ${text};`,
    length: `${name}.length`,
    checkpoint: null,
    close: (last) => `return ${last === null ? name : `${name} + ${last}`};`,
  };
}

/** The same, but hands the text on to a ByteSink before it grows long; the result is what is left. */
export function byteSink(name: string, sink: string): Sink {
  return { ...textSink(name), checkpoint: `${name} = ${sink}.take(${name});` };
}

/** Gathers pieces, which remember their origin; the runtime's `Output` under the name by which it is imported. */
export function piecesSink(name: string, output: string): Sink {
  return {
    separator: ", ",
    open: (first) => `const ${name} = new ${output}(${first ?? ""});`,
    write: (text) => `${name}.add(${text});`,
    length: `${name}.length`,
    checkpoint: null,
    close: (last) => `return ${name}${last === null ? "" : `.add(${last})`}.text();`,
  };
}
