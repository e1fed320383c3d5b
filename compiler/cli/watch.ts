/** `--watch`: runs again whenever one of the files changes, until it is interrupted. */
import { basename, extname } from "node:path";
import { watch } from "chokidar";
import { LoadError, TEMPLATE_EXTENSIONS } from "../load/index.js";
import { formatError } from "./report.js";
import { EXIT, UsageError, type CommonOptions, type ExitCode, type Terminal } from "./terminal.js";

/** Editors write a file in several steps. */
const SETTLED_MS = 60;

/** Runs once, then after each change; a failure is printed, and watching goes on. */
export async function watchPaths(
  pathsOf: () => Promise<readonly string[]>,
  run: () => Promise<ExitCode>,
  options: CommonOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const named = new Set(await pathsOf());
  const watcher = watch([...named], {
    ignoreInitial: true,
    ignored: (path, stats) => isIgnored(path, stats, named),
  });
  const changes = new Changes();
  watcher.on("all", () => {
    changes.note();
  });
  const signal = terminal.interrupted?.();
  const stop = (): void => {
    changes.end();
  };
  signal?.addEventListener("abort", stop);
  try {
    await new Promise<void>((resolve) => watcher.once("ready", resolve));
    await attempt(run, terminal);
    if (!options.quiet) terminal.error("watching for changes; Ctrl+C ends\n");
    while (await changes.next()) {
      for (const path of await pathsOf()) named.add(path);
      watcher.add([...named]);
      await attempt(run, terminal);
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    await watcher.close();
  }
  return EXIT.fine;
}

async function attempt(run: () => Promise<ExitCode>, terminal: Terminal): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof LoadError)) throw error;
    const message = error.message.replaceAll(`${terminal.directory}/`, "");
    terminal.error(formatError(message, terminal));
  }
}

const WATCHED = new Set([...TEMPLATE_EXTENSIONS, "json", "gguf", "modelfile"]);

/** A folder holds other files too, and what is generated may lie in it; a file that was named counts whatever its name. */
function isIgnored(
  path: string,
  stats: { isFile(): boolean } | undefined,
  named: ReadonlySet<string>,
): boolean {
  if (named.has(path)) return false;
  if (/(^|[/\\])(node_modules|\.git)$/.test(path)) return true;
  if (stats?.isFile() !== true) return false;
  return !WATCHED.has(extname(path).slice(1).toLowerCase()) && !/^modelfile/i.test(basename(path));
}

/** Changes that have not been answered yet; several that come close together are one. */
class Changes {
  #timer: NodeJS.Timeout | undefined;
  #pending = false;
  #ended = false;
  #wake: (() => void) | undefined;

  note(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#pending = true;
      this.#wake?.();
    }, SETTLED_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#ended = true;
    this.#wake?.();
  }

  /** Waits for a change; false once watching has ended. */
  async next(): Promise<boolean> {
    if (!this.#pending && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#pending = false;
    return !this.#ended;
  }
}
