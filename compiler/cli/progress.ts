/** A bar on standard error for work that takes long enough for a person to wonder. */
import type { CommonOptions, Terminal } from "./terminal.js";

export interface Progress {
  step(): void;
  end(): void;
}

const NONE: Progress = { step: () => undefined, end: () => undefined };
/** Less work than this is done before a bar would be read. */
const WORTH_SHOWING = 4;

export async function startProgress(
  total: number,
  what: string,
  { json, quiet }: CommonOptions,
  { screen }: Terminal,
): Promise<Progress> {
  if (screen === undefined || json || quiet || total < WORTH_SHOWING) return NONE;
  const { SingleBar } = await import("cli-progress");
  const bar = new SingleBar({
    format: `{bar} {value}/{total} ${what}`,
    barsize: 24,
    clearOnComplete: true,
    hideCursor: true,
    stream: screen,
  });
  bar.start(total, 0);
  return {
    step: () => {
      bar.increment();
    },
    end: () => {
      bar.stop();
    },
  };
}
