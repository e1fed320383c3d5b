/** Writing modules: whatever interrupts it, a reader finds the old file or the new one. */
import { fork } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeModule } from "../compiler/cli/modules.js";
import { ROOT } from "./terminal.js";

let directory = "";

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "written-"));
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

const OLD = `// old\n${"o".repeat(3_000_000)}\n// end\n`;
const NEW = `// new\n${"n".repeat(3_000_000)}\n// end\n`;

/** Writes the two texts in turn until it is ended. */
const WRITER = `
import { writeModule } from ${JSON.stringify(new URL("../compiler/cli/modules.ts", import.meta.url).href)};
const [path, before, after] = [process.argv[2], "// old\\n" + "o".repeat(3e6) + "\\n// end\\n", "// new\\n" + "n".repeat(3e6) + "\\n// end\\n"];
for (let round = 0; ; round++) {
  await writeModule(path, "module.ts", round % 2 === 0 ? after : before);
  if (round === 0) process.send("started");
}
`;

describe("writeModule", () => {
  it("leaves the old file where the new one cannot be moved there, and nothing beside it", async () => {
    const path = join(directory, "module.ts");
    await mkdir(path);
    await writeFile(join(path, "kept"), "kept");
    await expect(writeModule(path, "module.ts", NEW)).rejects.toThrow(
      "module.ts: cannot be written",
    );
    expect(await readdir(directory)).toEqual(["module.ts"]);
    expect(await readFile(join(path, "kept"), "utf8")).toBe("kept");
  });

  it("leaves the old file where the new one cannot be written", async () => {
    const folder = join(directory, "folder");
    await writeFile(folder, OLD);
    await expect(writeModule(join(folder, "a.ts"), "a.ts", NEW)).rejects.toThrow("a.ts: cannot be");
    expect(await readFile(folder, "utf8")).toBe(OLD);
  });

  it("leaves a whole file when the process is killed", async () => {
    const path = join(directory, "module.ts");
    const script = join(directory, "writer.mts");
    await writeFile(path, OLD);
    await writeFile(script, WRITER);
    const tsx = join(ROOT, "node_modules/tsx/dist/esm/index.mjs");
    for (const wait of [0, 7, 19]) {
      const child = fork(script, [path], { execArgv: ["--import", tsx] });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      await new Promise((resolve) => child.once("message", resolve));
      await new Promise((resolve) => setTimeout(resolve, wait));
      child.kill("SIGKILL");
      await ended;
      expect([OLD, NEW].includes(await readFile(path, "utf8"))).toBe(true);
    }
  });
});
