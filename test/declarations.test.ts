/** Types of imported templates: `generate --dts`, and `chat-template-compiler/client` where it has not run. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeFiles } from "./bundler-app.js";
import { chatTemplate, ROOT } from "./terminal.js";

const HELLO = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}";

let directory = "";

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "declarations-"));
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

function command(...argv: readonly string[]) {
  return chatTemplate(directory, argv);
}

/** What TypeScript says about a project's main.ts and its declarations, as bundlers have it resolve imports. */
function typeErrors(): readonly string[] {
  const client = join(ROOT, "client.d.ts");
  const program = ts.createProgram([join(directory, "main.ts"), client], {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    target: ts.ScriptTarget.ES2023,
    lib: ["lib.es2024.d.ts", "lib.dom.d.ts"],
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    paths: {
      "chat-template-compiler/runtime": [join(ROOT, "runtime/index.ts")],
      "chat-template-compiler/runtime/*": [join(ROOT, "runtime/*/index.ts")],
    },
  });
  return program
    .getSourceFiles()
    .filter(({ fileName }) => fileName === client || fileName.startsWith(directory))
    .flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ])
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

describe("generate --dts", () => {
  it("writes types beside each template, and nothing the second time", async () => {
    await writeFiles(directory, { "src/a.jinja": HELLO, "src/b/a.jinja": "a", "src/c.tmpl": "c" });
    const { code, stdout } = await command("generate", "--dts", "src");
    expect(stdout).toBe(
      "src/a.jinja.d.ts: written\nsrc/b/a.jinja.d.ts: written\nsrc/c.tmpl.d.ts: written\n",
    );
    expect(code).toBe(0);
    expect((await readdir(directory)).toSorted()).toEqual(["src"]);
    expect((await command("generate", "--dts", "src")).stdout).not.toContain("written");
    expect((await command("generate", "--dts", "src", "--check")).code).toBe(0);
  });

  it("names itself in --check: stale files, and those whose templates are gone", async () => {
    const config = JSON.stringify({ templates: ["src/*.jinja"] });
    await writeFiles(directory, {
      "chat-template.config.json": config,
      "src/a.jinja": "{{ a }}",
      "src/b.jinja": "{{ b }}",
      "src/other.d.ts": "export {};",
    });
    await command("generate", "--dts");
    await writeFiles(directory, { "src/a.jinja": "{{ x }}" });
    await rm(join(directory, "src/b.jinja"));
    const { code, stderr } = await command("generate", "--dts", "--check");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^src\/a\.jinja\.d\.ts: stale/m);
    expect(stderr).toMatch(/^src\/b\.jinja\.d\.ts: .*gone/m);
    expect(stderr).not.toContain("other");
  });

  it("leaves modules and their orphans alone", async () => {
    await writeFiles(directory, {
      "templates/a.jinja": "{{ a }}",
      "chat-template.config.json": JSON.stringify({
        templates: ["templates/*.jinja"],
        outDir: "templates",
      }),
    });
    expect((await command("generate")).code).toBe(0);
    expect((await command("generate", "--dts")).code).toBe(0);
    expect((await command("generate", "--check")).code).toBe(0);
    expect((await command("generate", "--dts", "--check")).code).toBe(0);
  });

  it("refuses templates that are no files of their own, and options that it has no use for", async () => {
    await writeFiles(directory, {
      "tokenizer_config.json": '{ "chat_template": "a" }',
      "a.jinja": "a",
    });
    const { code, stderr } = await command("generate", "--dts", "tokenizer_config.json");
    expect(code).toBe(2);
    expect(stderr).toContain("tokenizer_config.json");
    for (const option of [["-o", "out"], ["--stdout"], ["--runtime", "inline"]]) {
      expect((await command("generate", "--dts", "a.jinja", ...option)).code).toBe(2);
    }
  });

  it("takes a model's folder for its template file, whose tokens an import does not have", async () => {
    await writeFiles(directory, {
      "model/chat_template.jinja": "{{ bos_token }}",
      "model/tokenizer_config.json": '{ "bos_token": "<s>" }',
    });
    expect((await command("generate", "--dts", "model")).code).toBe(0);
    const types = await readFile(join(directory, "model/chat_template.jinja.d.ts"), "utf8");
    expect(types).toContain("interface ChatTemplateInput");
    expect(types).toContain("bos_token");
  });
});

describe("imports of templates in TypeScript", () => {
  it("have their own types where these were generated, else general ones", async () => {
    await writeFiles(directory, {
      "chat.jinja": HELLO,
      "system.gotmpl": "{{ .System }}",
      "untyped.jinja": "a",
      "main.ts": `
        import chat, { meta, render, renderBytes, type ChatInput } from "./chat.jinja";
        import { render as system } from "./system.gotmpl";
        import { render as untyped } from "./untyped.jinja";
        import { render as embedded } from "./tokenizer_config.json?chat-template";
        import { render as forTools } from "./tokenizer_config.json?chat-template=tool_use";
        const input: ChatInput = { messages: [{ role: "user", content: "Hi" }] };
        const bytes: Uint8Array = renderBytes(input);
        const texts: string[] = [chat(input), render(input), system({ system: "Hi" }), untyped({}),
          embedded({ anything: 1 }), forTools(input, { now: "2025-01-01" }), meta.name];
        // @ts-expect-error -- the template's own input
        render({ mesages: [] });
        void [bytes, texts];`,
    });
    const argv = ["chat.jinja", "system.gotmpl", "--target", "text", "bytes"];
    expect((await command("generate", "--dts", ...argv)).code).toBe(0);
    expect(typeErrors()).toEqual([]);
  });
});
