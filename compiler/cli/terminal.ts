/** What a command may touch of the process, so that tests can run commands in theirs. */
import { createColors } from "picocolors";

export interface Terminal {
  readonly directory: string;
  readonly color: boolean;
  out(text: string): void;
  error(text: string): void;
  /** Standard input, in pieces. */
  input(): AsyncIterable<Uint8Array>;
  /** Waits until what was written to `out` has been taken; without it, it always has. */
  drained?(): Promise<void>;
  /** Where a person watches: progress is shown there. */
  readonly screen?: NodeJS.WriteStream | undefined;
  /** What ends `--watch`. */
  interrupted?(): AbortSignal;
}

export type Colors = ReturnType<typeof createColors>;

export function colorsOf(terminal: Terminal): Colors {
  return createColors(terminal.color);
}

/** Exit codes: the template is refused, stale or differs; usage, configuration, unreadable file. */
export const EXIT = { fine: 0, refused: 1, usage: 2 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command cannot start: wrong arguments, configuration or files. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** Options that every command takes. */
export interface CommonOptions {
  readonly json?: true;
  readonly quiet?: true;
}
