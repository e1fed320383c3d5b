/**
 * `npm run check:install`: the packed package in an empty project, as a user has it: the README from top to bottom, then
 * a program that renders in every way, on this Node and those that are named (a program, or a version that npm brings),
 * in processes and threads without code from text, and in Chromium.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { render as renderGlm } from "../../generated/glm.js";
import { render as renderMimo } from "../../generated/mimo.js";
import { CHROMIUM, isChromiumHere } from "../chromium.js";
import { isRecord } from "../rows.js";
import { runInBrowser, type Place } from "./browser.js";
import { messages, tools } from "./program/conversation.js";
import { buildProgram, checkReadmeTypes, followReadme, output, pack } from "./project.js";

const CLI = "node_modules/chat-template-compiler/dist/cli.js";
const REQUIRE = 'console.log(typeof require("chat-template-compiler/template").Template)';
const WITHOUT_CODE = "--disallow-code-generation-from-strings";

/** What the ways of each subject answer; what a refusal says is settled by the conformance tests. */
const EXPECTED: Readonly<Record<string, string | undefined>> = {
  glm: renderGlm({ messages, tools, add_generation_prompt: true }),
  mimo: renderMimo({ messages, tools }),
  refusal: "TypeError in line 50: 'int' object is not iterable",
};

const failures: string[] = [];

/** Notes the outcome of one check: passed unless something is wrong. */
function note(name: string, wrong: readonly string[]): void {
  console.log(`${wrong.length === 0 ? "ok" : "failed"}: ${name}`);
  for (const each of wrong) console.log(`  ${each}`);
  if (wrong.length > 0) failures.push(name);
}

async function check(name: string, run: () => Promise<readonly string[]>): Promise<void> {
  note(name, await run().catch((error: unknown) => [String(error)]));
}

function wrongAnswers({ said, isCodeAllowed }: Omit<Place, "name">): readonly string[] {
  const answers: unknown = JSON.parse(said);
  if (!isRecord(answers)) return ["no answers"];
  const expected = { ...EXPECTED, code: String(isCodeAllowed) };
  return Object.entries(answers).flatMap(([way, answer]) => {
    const [subject = ""] = way.split(":");
    const right = Object.entries(expected).find(([name]) => name === subject)?.[1];
    return answer === right ? [] : [`${way}: ${JSON.stringify(answer)}`];
  });
}

/** The program of a Node version: the argument itself, unless it is a number that npm is asked for. */
async function nodeProgram(argument: string, folder: string): Promise<string> {
  if (!/^\d+(\.\d+)*$/.test(argument)) return argument;
  const own = join(folder, `node-${argument}`);
  await mkdir(own);
  await writeFile(join(own, "package.json"), "{}");
  await output(own, "npm", "install", "--silent", "--no-audit", "--no-fund", `node@${argument}`);
  return join(own, "node_modules/node/bin/node");
}

async function checkNode(node: string, project: string): Promise<void> {
  const version = (await output(project, node, "--version")).trim();
  for (const isCodeAllowed of [true, false]) {
    const flags = isCodeAllowed ? [] : [WITHOUT_CODE];
    for (const entry of ["node", "thread"]) {
      const kind = `${entry === "node" ? "process" : "worker thread"}${isCodeAllowed ? "" : " without code from text"}`;
      await check(`Node ${version}, ${kind}`, async () => {
        const said = await output(project, node, ...flags, join("out", `${entry}.js`));
        return wrongAnswers({ said, isCodeAllowed });
      });
    }
  }
  await check(`Node ${version}, require()`, async () => {
    const said = await output(project, node, "--no-warnings", "--eval", REQUIRE);
    return said.trim() === "function" ? [] : [said];
  });
  await check(`Node ${version}, command line`, async () => {
    const argv = ["glm.jinja", "mimo.gotmpl", "--target", "text", "bytes", "-o", "src/packaged"];
    await output(project, node, CLI, "generate", "--check", ...argv);
    return [];
  });
}

async function checkBrowser(project: string): Promise<void> {
  if (!isChromiumHere()) {
    console.log(`skipped: no Chromium at ${CHROMIUM}; the variable CHROMIUM may name another`);
    return;
  }
  await check("Chromium", async () => {
    for (const { name, ...place } of await runInBrowser(project)) note(name, wrongAnswers(place));
    return [];
  });
}

async function main(nodes: readonly string[], folder: string): Promise<void> {
  const project = join(folder, "project");
  await mkdir(project);
  const tarball = await pack(folder);
  await check("the README, top to bottom", async () => {
    await followReadme(project, tarball);
    await checkReadmeTypes(project);
    return [];
  });
  await buildProgram(project);
  for (const node of [process.execPath, ...nodes])
    await checkNode(await nodeProgram(node, folder), project);
  await checkBrowser(project);
}

const folder = await mkdtemp(join(tmpdir(), "install-"));
try {
  await main(process.argv.slice(2), folder);
} finally {
  await rm(folder, { recursive: true });
}
process.exitCode = failures.length === 0 ? 0 : 1;
