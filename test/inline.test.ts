/** `--runtime inline`: modules and what they use of the runtime, in a folder that needs nothing else. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compile, inlineRuntime } from "../compiler/index.js";
import { VERSION } from "../compiler/version.js";
import { render as renderGlm } from "../generated/glm.js";
import { render as renderMimo } from "../generated/mimo.js";
import { render as renderQwen } from "../generated/qwen3-coder.js";
import { checkRuntime } from "../runtime/index.js";
import manifest from "../package.json" with { type: "json" };
import { chatTemplate, ROOT } from "./terminal.js";

const TEMPLATES = ["glm.jinja", "mimo.gotmpl", "qwen3-coder.gotmpl"];

let directory = "";

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "inline-"));
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

/** Generates templates of the project into a folder of the temporary directory. */
function generate(folder: string, names: readonly string[], ...options: readonly string[]) {
  const templates = names.map((name) => join(ROOT, "templates", name));
  const argv = ["generate", ...templates, "-o", folder, "--runtime", "inline", "--quiet"];
  return chatTemplate(directory, [...argv, ...options]);
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(directory, folder), { recursive: true });
  return names
    .filter((name) => name.endsWith(".ts"))
    .map((name) => name.replaceAll("\\", "/"))
    .toSorted();
}

function read(path: string): Promise<string> {
  return readFile(join(directory, path), "utf8");
}

const STRICT: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noImplicitReturns: true,
  noImplicitOverride: true,
  noFallthroughCasesInSwitch: true,
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2024.d.ts", "lib.dom.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
  noEmit: true,
};

function typeErrors(paths: readonly string[]): readonly string[] {
  const program = ts.createProgram([...paths], STRICT);
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) =>
        `${file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
}

const CALL = { function: { name: "weather", arguments: { city: "Zürich", days: 3, now: true } } };
const CONVERSATION = {
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Weather in Zürich? 🌦" },
    { role: "assistant", content: "", tool_calls: [CALL] },
    { role: "tool", content: '{"degrees": 21.5}', tool_name: "weather" },
    { role: "assistant", content: "21.5 degrees." },
    { role: "user", content: "Thanks." },
  ],
  tools: [
    {
      type: "function",
      function: {
        name: "weather",
        description: "The weather <today>",
        parameters: {
          type: "object",
          properties: {
            city: { type: "string", description: "A city" },
            days: { type: "integer" },
          },
          required: ["city"],
        },
      },
    },
  ],
};

/** Renders in a process of its own, from JavaScript with the types taken away. */
async function renderedAlone(folder: string): Promise<unknown> {
  const target = join(directory, `${folder}-js`);
  for (const name of await filesIn(folder)) {
    const { outputText } = ts.transpileModule(await read(join(folder, name)), {
      compilerOptions: { ...STRICT, module: ts.ModuleKind.ESNext },
    });
    const path = join(target, name.replace(/\.ts$/, ".js"));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, outputText);
  }
  const script = `
    import { render as glm } from "./glm.js";
    import { render as mimo } from "./mimo.js";
    import { render as qwen } from "./qwen3-coder.js";
    const conversation = JSON.parse(process.argv[2]);
    console.log(JSON.stringify([
      glm({ ...conversation, add_generation_prompt: true }), mimo(conversation), qwen(conversation),
    ]));`;
  await writeFile(join(target, "package.json"), '{ "type": "module" }');
  await writeFile(join(target, "main.js"), script);
  const run = promisify(execFile);
  const argv = [join(target, "main.js"), JSON.stringify(CONVERSATION)];
  const { stdout } = await run(process.execPath, argv, { cwd: target, env: {} });
  return JSON.parse(stdout);
}

describe("the project's templates", () => {
  beforeAll(async () => {
    expect(await generate("all", TEMPLATES)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("type-check under strict options, without the package", async () => {
    await writeFile(join(directory, "package.json"), '{ "type": "module" }');
    const paths = (await filesIn("all")).map((name) => join(directory, "all", name));
    expect(typeErrors(paths)).toEqual([]);
  });

  it("import nothing from outside the folder", async () => {
    for (const name of await filesIn("all")) {
      const { importedFiles } = ts.preProcessFile(await read(join("all", name)));
      for (const { fileName } of importedFiles) {
        const target = relative("all", join("all", dirname(name), fileName));
        expect(fileName).toMatch(/^\.\.?\//);
        expect(target).toMatch(/^runtime\//);
      }
    }
  });

  it("render the same in a process that has no chat-template-compiler", async () => {
    expect(await renderedAlone("all")).toEqual([
      renderGlm({ ...CONVERSATION, add_generation_prompt: true }),
      renderMimo(CONVERSATION),
      renderQwen(CONVERSATION),
    ]);
  });
});

describe("what is inlined", () => {
  it("is what the modules use, with its comments, and says where it is from", async () => {
    await generate("glm", ["glm.jinja"]);
    const files = await filesIn("glm");
    const texts = await Promise.all(files.map((name) => read(join("glm", name))));
    expect(files).toContain("runtime/jinja/json.ts");
    expect(texts.join("\n")).not.toMatch(/dictsort|strftime|lipsum/i);
    expect(files.filter((name) => name.startsWith("runtime/go/"))).toEqual([]);
    const inlined = texts.filter((_, index) => files[index]?.startsWith("runtime/") === true);
    for (const text of inlined) {
      const [first, second] = text.split("\n");
      expect(first).toMatch(`// @generated by chat-template-compiler ${VERSION}: `);
      expect(second).toMatch(/^\/\/ Do not edit/);
    }
    const version = await read("glm/runtime/version.ts");
    const original = await readFile(join(ROOT, "runtime/version.ts"), "utf8");
    expect(version.endsWith(original)).toBe(true);
  });

  it("re-exports only the names that modules import, types as types", async () => {
    const code = 'import { json, len, type OllamaImage } from "./runtime/go/index.js";';
    const index = (await inlineRuntime([{ code }])).get("runtime/go/index.ts") ?? "";
    expect(index.split("\n").filter((line) => line.startsWith("export"))).toEqual([
      'export { len } from "./collection.js";',
      'export { json } from "./json.js";',
      'export type { OllamaImage } from "./model.js";',
    ]);
  });

  it("does not depend on the order of the modules", async () => {
    const options = { name: "x", runtime: "inline" } as const;
    const jinja = await compile("{{ x | tojson }}", { ...options, dialect: "jinja" });
    const go = await compile("{{ json .x }}{{ len .y }}", { ...options, dialect: "go" });
    const [there, back] = [await inlineRuntime([jinja, go]), await inlineRuntime([go, jinja])];
    expect([...back]).toEqual([...there]);
  });

  it("cannot serve a module that imports what the runtime does not have", async () => {
    const code = '// made elsewhere\nimport { nothing } from "./runtime/jinja/index.js";';
    await expect(inlineRuntime([{ code }])).rejects.toThrow(
      "the runtime has no nothing in jinja/index.ts, which a module imports; generate it again: // made elsewhere",
    );
  });
});

describe("generate", () => {
  it("adds to what the other modules of the folder use, and --check knows", async () => {
    await generate("two", ["glm.jinja"]);
    await generate("two", ["mimo.gotmpl"]);
    expect(await filesIn("two")).toContain("runtime/jinja/json.ts");
    expect(await filesIn("two")).toContain("runtime/go/json.ts");
    expect((await generate("two", ["glm.jinja", "mimo.gotmpl"], "--check")).code).toBe(0);
  });

  it("--check reports files that are missing, stale and left over; generate mends them", async () => {
    await generate("mended", ["mimo.gotmpl"]);
    const folder = join(directory, "mended/runtime");
    const version = await read("mended/runtime/version.ts");
    await rm(join(folder, "errors.ts"));
    await writeFile(join(folder, "index.ts"), `${await read("mended/runtime/index.ts")}//`);
    await mkdir(join(folder, "old"));
    await writeFile(join(folder, "old/version.ts"), version);
    const checked = await generate("mended", ["mimo.gotmpl"], "--check");
    expect(checked.code).toBe(1);
    expect(checked.stderr.trim().split("\n").toSorted()).toEqual([
      "mended/runtime/errors.ts: missing: run `chat-template generate`",
      "mended/runtime/index.ts: stale: run `chat-template generate`",
      "mended/runtime/old/version.ts: no module uses it: run `chat-template generate`",
    ]);
    expect((await generate("mended", ["mimo.gotmpl"])).code).toBe(0);
    expect((await generate("mended", ["mimo.gotmpl"], "--check")).code).toBe(0);
    expect(await readdir(folder)).not.toContain("old");
  });

  it("leaves a folder alone that is somebody else's", async () => {
    await mkdir(join(directory, "own/runtime"), { recursive: true });
    await writeFile(join(directory, "own/runtime/index.ts"), "export {};\n");
    const refused = await generate("own", ["mimo.gotmpl"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("own/runtime/index.ts was not generated");
    expect(await filesIn("own")).toEqual(["runtime/index.ts"]);
  });

  it("prints no module alone that needs files", async () => {
    const { code, stderr } = await generate("none", ["mimo.gotmpl"], "--stdout");
    expect([code, stderr]).toEqual([2, expect.stringContaining("--runtime inline")]);
  });
});

describe("the version", () => {
  it("is the package's", () => {
    expect(VERSION).toBe(manifest.version);
  });

  it("of a module may be any that the runtime's calls fit", () => {
    const [major = "", minor = ""] = VERSION.split(".");
    expect(() => {
      checkRuntime(`${major}.${minor}.99`);
    }).not.toThrow();
    expect(() => {
      checkRuntime(`${String(Number(major) + 1)}.0.0`);
    }).toThrow(`runtime ${VERSION}: generate it again`);
  });

  it("is checked when a module is loaded", async () => {
    const { code } = await compile("{{ x }}", { name: "x", dialect: "jinja" });
    expect(code).toContain(`\n\ncheckRuntime("${VERSION}");\n\n`);
  });
});
