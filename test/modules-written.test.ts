/** Writing modules: whatever interrupts it, a reader finds the old file or the new one. */
import { execFileSync, fork, spawn, spawnSync } from "node:child_process";
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeModule } from "../compiler/cli/modules.js";
import { chatTemplate, ROOT } from "./terminal.js";

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

  it("puts a file in the place of a link, and writes nothing where the link leads", async () => {
    const [path, target] = [join(directory, "module.ts"), join(directory, "elsewhere")];
    await writeFile(target, OLD);
    await symlink(target, path);
    await writeModule(path, "module.ts", NEW);
    expect(await readFile(target, "utf8")).toBe(OLD);
    expect(await readFile(path, "utf8")).toBe(NEW);
    expect((await lstat(path)).isSymbolicLink()).toBe(false);
  });

  it.skipIf(!canMount())("leaves the old file, and no other, where the disk is full", async () => {
    const script = join(directory, "full.mts");
    await writeFile(script, FULL);
    const tsx = join(ROOT, "node_modules/tsx/dist/esm/index.mjs");
    const disk = join(directory, "disk");
    await mkdir(disk);
    const command = 'mount -t tmpfs -o size=1m none "$1" && shift && exec "$@"';
    const program = [process.execPath, "--import", tsx, script, disk];
    const output = execFileSync("unshare", ["-rm", "sh", "-c", command, "sh", disk, ...program], {
      encoding: "utf8",
    });
    expect(JSON.parse(output)).toEqual({
      message: "module.ts: cannot be written: no space is left",
      isOld: true,
      names: ["module.ts"],
    });
  });
});

/** Whether this process may have a small disk of its own. */
function canMount(): boolean {
  return spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;
}

/** On a disk of 1 MB: writes a file, then one that is too large. */
const FULL = `
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { writeModule } from ${JSON.stringify(new URL("../compiler/cli/modules.ts", import.meta.url).href)};
const path = process.argv[2] + "/module.ts";
writeFileSync(path, "old");
const message = await writeModule(path, "module.ts", "n".repeat(3e6)).then(() => "", (error) => error.message);
console.log(JSON.stringify({ message, isOld: readFileSync(path, "utf8") === "old", names: readdirSync(process.argv[2]) }));
`;

describe("a generate that is killed", () => {
  const NAMES = ["a", "b", "c", "d", "e", "f"];
  const moduleOf = (name: string): string => join(directory, "out", `${name}.ts`);

  async function writeTemplates(text: string): Promise<void> {
    for (const name of NAMES) await writeFile(join(directory, `${name}.jinja`), text);
  }

  function modules(): Promise<readonly string[]> {
    return Promise.all(NAMES.map((name) => readFile(moduleOf(name), "utf8")));
  }

  async function generate(): Promise<void> {
    const result = await chatTemplate(directory, ["generate", "*.jinja", "-o", "out"]);
    expect(result.code).toBe(0);
  }

  it("between two modules leaves each as it was or as it is to be", async () => {
    await writeTemplates("{{ messages | length }} old");
    await generate();
    const old = await modules();
    await writeTemplates("{{ messages | length }} new");
    const tsx = join(ROOT, "node_modules/tsx/dist/esm/index.mjs");
    const program = ["--import", tsx, join(ROOT, "compiler/cli/index.ts")];
    const child = spawn(process.execPath, [...program, "generate", "*.jinja", "-o", "out"], {
      cwd: directory,
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const first = NAMES[0] ?? "";
    while (child.exitCode === null && (await readFile(moduleOf(first), "utf8")) === old[0]) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    child.kill("SIGKILL");
    await ended;
    const killed = await modules();
    await generate();
    const whole = await modules();
    for (const [at, text] of killed.entries()) expect([old[at], whole[at]]).toContain(text);
  });
});
