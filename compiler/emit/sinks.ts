/** Where rendered text goes. Writing is one operation; a sink says how it looks in code. */

export interface Sink {
  /** Begins the output, with its first text or with none. */
  open(first: string | null): string;
  write(text: string): string;
  /** Ends the output after a last text; gives the result. */
  close(last: string | null): string;
}

/** Appends to one string variable. */
export function textSink(name: string): Sink {
  return {
    open: (first) => `let ${name} = ${first ?? '""'};`,
    write: (text) => `${name} += ${text};`,
    close: (last) => `return ${last === null ? name : `${name} + ${last}`};`,
  };
}
