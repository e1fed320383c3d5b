/** `chat-template init`: writes a configuration file to start from. */
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CONFIG_FILES } from "../load/config.js";
import { reasonOf, TEMPLATE_EXTENSIONS } from "../load/index.js";
import { EXIT, UsageError, type CommonOptions, type ExitCode, type Terminal } from "./terminal.js";

const FILE = "chat-template.config.ts";

export async function init(options: CommonOptions, terminal: Terminal): Promise<ExitCode> {
  const { directory } = terminal;
  const names = await readdir(directory);
  const existing = CONFIG_FILES.find((name) => names.includes(name));
  if (existing !== undefined) throw new UsageError(`${existing} exists already`);
  try {
    await writeFile(join(directory, FILE), TEXT, { flag: "wx" });
  } catch (error) {
    throw new UsageError(`${FILE}: cannot be written: ${reasonOf(error)}`);
  }
  if (options.json) terminal.out(`${JSON.stringify({ ok: true, files: [FILE] }, null, 2)}\n`);
  else if (!options.quiet) terminal.out(`${FILE}: written\n`);
  return EXIT.fine;
}

const TEXT = `import { defineConfig } from "chat-template-compiler";

export default defineConfig({
  // Files, folders, globs; hf:org/name and ollama:name from the local caches.
  templates: ["templates/**/*.{${TEMPLATE_EXTENSIONS.join(",")}}"],
  outDir: "generated",
});
`;
