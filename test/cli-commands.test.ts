/** inspect, diff, extract, init and bench: what they print, what they refuse. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chatTemplate, ROOT, type CommandResult } from "./terminal.js";

const FIXTURES = join(ROOT, "test/fixtures/load");
const HELLO = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}";
const BROKEN = "line one\n{{ x | nosuch }}\n";

let directory = "";

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "chat-template-"));
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content);
  }
}

function command(argv: readonly string[], input?: string): Promise<CommandResult> {
  return chatTemplate(directory, argv, input);
}

function expectFailure(result: CommandResult, code: 1 | 2, message: string): void {
  expect(result.stderr).toContain(message);
  expect(result.stderr).not.toMatch(/^\s+at /m);
  expect(result.stdout).toBe("");
  expect(result.code).toBe(code);
}

describe("inspect", () => {
  it("shows variables, special tokens and capabilities", async () => {
    const { code, stdout } = await command(["inspect", join(FIXTURES, "one.gguf")]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/variables\n {2}messages +required\n/);
    expect(stdout).toMatch(/special tokens\n {2}bos_token +"<s>"\n/);
    expect(stdout).toContain("capabilities\n");
  });

  it("prints all of it as JSON", async () => {
    await write({ Modelfile: "FROM x\nTEMPLATE {{ .Prompt }}\nPARAMETER stop <|end|>" });
    const { stdout } = await command(["inspect", "Modelfile", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      template: "Modelfile",
      name: "Modelfile",
      dialect: "ollama",
      modelfile: { stop: ["<|end|>"] },
      specialTokens: {},
      diagnostics: [],
    });
  });

  it("refuses what the engine refuses", async () => {
    await write({ "bad.jinja": BROKEN });
    expectFailure(await command(["inspect", "bad.jinja"]), 1, "bad.jinja:2:");
    const { code, stdout } = await command(["inspect", "bad.jinja", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, diagnostics: [{ line: 2 }] });
    expectFailure(await command(["inspect", "none.jinja"]), 2, "none.jinja: no such file");
  });
});

describe("diff", () => {
  it("compares what is rendered, then the sources", async () => {
    await write({ "a.jinja": HELLO, "b.jinja": HELLO.replace(": ", " ") });
    const { code, stdout } = await command(["diff", "a.jinja", "b.jinja"]);
    expect(code).toBe(1);
    expect(stdout).toContain("one question\n  --- a.jinja\n  +++ b.jinja\n");
    expect(stdout).toContain("  -user: Is it far to Lyon?\n  +user Is it far to Lyon?\n");
    expect(stdout).toContain("source\n");
    expect(stdout).toMatch(/another text for \d+ of \d+ inputs; the sources differ\n$/);
  });

  it("is content with another source that renders the same", async () => {
    await write({ "a.jinja": HELLO, "b.jinja": `{# a note #}${HELLO}` });
    const { code, stdout } = await command(["diff", "a.jinja", "b.jinja"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/the same text for all \d+ inputs; the sources differ\n$/);
    const same = await command(["diff", "a.jinja", "a.jinja", "--json"]);
    expect(JSON.parse(same.stdout)).toMatchObject({ ok: true, rendered: [], isSameSource: true });
  });

  it("takes inputs of one's own; a failure is a difference", async () => {
    await write({
      "a.jinja": "{{ x }}",
      "b.jinja": "{{ x if x != 2 else raise_exception('no') }}",
    });
    const argv = ["diff", "a.jinja", "b.jinja", "--jsonl", "--json"];
    const { code, stdout } = await command(argv, '{"x":1}\n{"x":2}\n');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      inputs: 2,
      rendered: [{ input: "standard input:2", before: "2", after: "(fails: no)" }],
    });
    expect((await command(["diff", "a.jinja", "b.jinja", "-k", "x=1"])).code).toBe(0);
    expect((await command(["diff", "a.jinja", "b.jinja", "-k", "x=2", "--quiet"])).code).toBe(1);
  });

  it.each([
    [["diff", "a.jinja"], 2, "missing required argument 'after'"],
    [["diff", "a.jinja", "c.gotmpl"], 2, "one template is of dialect jinja, the other of ollama"],
    [["diff", "a.jinja", "bad.jinja"], 1, "bad.jinja:2:"],
    [["diff", "a.jinja", "a.jinja", "-i", "none.json"], 2, "none.json: no such file"],
    [["diff", "a.jinja", "a.jinja", "--jsonl"], 2, "standard input: holds no input"],
    [["diff", "c.gotmpl", "c.gotmpl", "--dialect", "go"], 2, "give one with -i"],
  ] as const)("%j fails with %d", async (argv, code, message) => {
    await write({ "a.jinja": HELLO, "bad.jinja": BROKEN, "c.gotmpl": "{{ .Prompt }}" });
    expectFailure(await command(argv), code, message);
  });
});

describe("extract", () => {
  it("prints one template and nothing else", async () => {
    const whole = await command(["extract", join(FIXTURES, "one.gguf")]);
    const file = join(FIXTURES, "one-file/chat_template.jinja");
    expect(whole).toEqual({ code: 0, stdout: await readFile(file, "utf8"), stderr: "" });
    const one = await command(["extract", `${join(FIXTURES, "named.gguf")}#tool_use`]);
    expect(one.stdout).toContain("tools: ");
  });

  it("writes several, and lists them as JSON", async () => {
    const source = join(FIXTURES, "files");
    const { stdout } = await command(["extract", source, "-o", "out"]);
    expect(stdout).toBe("out/files.jinja: written\nout/files-tool_use.jinja: written\n");
    expect(await readdir(join(directory, "out"))).toEqual(["files-tool_use.jinja", "files.jinja"]);
    const listed = await command(["extract", source, "--json"]);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: "files" }, { variant: "tool_use" }]);
  });

  it.each([
    [["extract", join(FIXTURES, "named.gguf")], "holds several templates: use -o, --json, or one"],
    [["extract", join(FIXTURES, "none.gguf")], "has no tokenizer.chat_template"],
    [["extract", "none"], "none: no such file"],
    [["extract"], "missing required argument 'source'"],
  ])("%j is a usage error", async (argv, message) => {
    expectFailure(await command(argv), 2, message);
  });
});

describe("init", () => {
  it("writes a configuration, but over none", async () => {
    expect((await command(["init"])).stdout).toBe("chat-template.config.ts: written\n");
    const text = await readFile(join(directory, "chat-template.config.ts"), "utf8");
    expect(text).toContain("defineConfig({");
    expectFailure(await command(["init"]), 2, "chat-template.config.ts exists already");
    await rm(join(directory, "chat-template.config.ts"));
    await write({ "chat-template.config.json": "{}" });
    expectFailure(await command(["init"]), 2, "chat-template.config.json exists already");
  });
});

describe("bench", () => {
  it("measures renders a second", async () => {
    await write({ "a.jinja": HELLO, "i.json": '{"messages":[{"role":"user","content":"Hi"}]}' });
    const argv = ["bench", "a.jinja", "-i", "i.json", "--seconds", "0.05"];
    expect((await command(argv)).stdout).toMatch(
      /^a\.jinja: [\d,]+ renders a second, \S+ µs each, 9 characters\n$/,
    );
    const { stdout } = await command([...argv, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, length: 9 });
  });

  it.each([
    [["bench", "a.jinja"], 2, "give one with -i"],
    [["bench", "a.jinja", "-i", "i.json", "--seconds", "0"], 2, "Write a number above 0."],
    [["bench", "a.jinja", "-i", "i.json"], 1, "a.jinja:1:4 TemplateError: no"],
    [["bench", "bad.jinja", "-i", "i.json"], 1, "bad.jinja:2:"],
  ] as const)("%j fails with %d", async (argv, code, message) => {
    await write({ "a.jinja": "{{ raise_exception('no') }}", "bad.jinja": BROKEN, "i.json": "{}" });
    expectFailure(await command(argv), code, message);
  });
});

it("docs/cli.md names every command and option", async () => {
  const text = await readFile(join(ROOT, "docs/cli.md"), "utf8");
  const { stdout } = await command(["--help"]);
  const commands = [...stdout.matchAll(/^ {2}([a-z]+) \[options\]/gm)].map(([, name = ""]) => name);
  expect(commands).toContain("verify");
  for (const name of commands) {
    expect(text).toContain(`## ${name}\n`);
    const help = await command([name, "--help"]);
    for (const [option] of help.stdout.matchAll(/--[a-z-]+/g)) expect(text).toContain(option);
  }
});
