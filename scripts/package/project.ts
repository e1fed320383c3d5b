/** An empty project with the packed package in it, and what happens there: commands, the README, the program. */
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TEMPLATES = ["glm.jinja", "mimo.gotmpl"];
const run = promisify(execFile);

/** Runs a program; throws with what it printed where it fails. */
export async function output(
  cwd: string,
  program: string,
  ...argv: readonly string[]
): Promise<string> {
  const { stdout } = await run(program, argv, { cwd, maxBuffer: 2 ** 27 });
  return stdout;
}

/** Packs the package as `npm publish` would; gives the file's path. */
export async function pack(folder: string): Promise<string> {
  const said = await output(ROOT, "npm", "pack", "--silent", "--pack-destination", folder);
  return join(folder, said.trim().split("\n").at(-1) ?? "");
}

/** Takes the README's shell lines and files, in their order: a block of TypeScript that opens with `// name.ts` is that file. */
export async function followReadme(project: string, tarball: string): Promise<void> {
  const readme = await readFile(join(ROOT, "README.md"), "utf8");
  const [forUsers = ""] = readme.split("\n## Working on it\n");
  for (const [, language, text = ""] of forUsers.matchAll(/^```(sh|ts)\n(.*?)^```$/gms)) {
    if (language === "sh") {
      const own = text.replace("npm install chat-template-compiler", `npm install '${tarball}'`);
      await output(project, "bash", "-euo", "pipefail", "-c", own);
      continue;
    }
    const name = /^\/\/ ([\w./-]+\.ts)$/m.exec(text)?.[1];
    if (name === undefined) throw new Error(`README.md: a block of TypeScript names no file`);
    await writeFile(join(project, name), text);
  }
}

/** Compiles templates and the program in the project: `out/` then holds JavaScript for any platform. */
export async function buildProgram(project: string): Promise<void> {
  const source = join(project, "src");
  await cp(join(ROOT, "scripts/package/program"), source, { recursive: true });
  for (const name of TEMPLATES) await cp(join(ROOT, "templates", name), join(project, name));
  const generate = ["chat-template", "generate", ...TEMPLATES, "--target", "text", "bytes"];
  await output(project, "npx", ...generate, "--out-dir", "src/packaged");
  await output(project, "npx", ...generate, "--out-dir", "src/inlined", "--runtime", "inline");
  const [glm = "", mimo = ""] = await Promise.all(
    TEMPLATES.map((name) => readFile(join(project, name), "utf8")),
  );
  const sources = `export const GLM = ${JSON.stringify(glm)};\nexport const MIMO = ${JSON.stringify(mimo)};\n`;
  await writeFile(join(source, "sources.ts"), sources);
  await checkTypes(project, "src", { outDir: "out", rootDir: "src", lib: ["ES2024", "DOM"] });
}

/** Compiles what the README's blocks have written, without output. */
export async function checkReadmeTypes(project: string): Promise<void> {
  await checkTypes(project, "*.ts", { noEmit: true, lib: ["ES2024"] });
}

async function checkTypes(project: string, include: string, options: object): Promise<void> {
  const config = {
    compilerOptions: {
      target: "ES2023",
      module: "NodeNext",
      moduleResolution: "NodeNext",
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      typeRoots: [join(ROOT, "node_modules/@types")],
      types: ["node"],
      skipLibCheck: true,
      ...options,
    },
    include: [include],
  };
  await mkdir(project, { recursive: true });
  await writeFile(join(project, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  await output(project, process.execPath, tsc, "--project", "tsconfig.json").catch(typesFail);
}

function typesFail(error: unknown): never {
  const said = error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
  throw new Error(`types:\n${said}`);
}
