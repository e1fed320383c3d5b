/** The command line: what it writes, what it refuses, and with which exit code. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execFile } from "node:child_process";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { run } from "../compiler/cli/program.js";
import type { Terminal } from "../compiler/cli/terminal.js";
import { VERSION } from "../compiler/version.js";
import { isRecord } from "../scripts/rows.js";
import { chatTemplate, ROOT, type CommandResult } from "./terminal.js";

let directory = "";

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "chat-template-"));
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

async function write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content);
  }
}

function read(name: string): Promise<string> {
  return readFile(join(directory, name), "utf8");
}

function command(argv: readonly string[], input?: string): Promise<CommandResult> {
  return chatTemplate(directory, argv, input);
}

/** What every failure keeps to: nothing on standard output, no stack trace. */
function expectFailure(result: CommandResult, code: 1 | 2, message: string): void {
  expect(result.stderr).toContain(message);
  expect(result.stderr).not.toMatch(/^\s+at /m);
  expect(result.stdout).toBe("");
  expect(result.code).toBe(code);
}

const HELLO = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}";
const BROKEN = "line one\n{{ x | nosuch }}\nline three\n";

describe("generate", () => {
  it("writes a module for each template, and nothing the second time", async () => {
    await write({ "templates/hello.jinja": HELLO, "templates/more/go.gotmpl": "{{ .System }}" });
    const first = await command(["generate"]);
    expect(first).toEqual({
      code: 0,
      stdout: "generated/hello.ts: written\ngenerated/go.ts: written\n",
      stderr: "",
    });
    expect(await read("generated/hello.ts")).toContain("from templates/hello.jinja");
    const second = await command(["generate"]);
    expect(second.stdout).toBe("generated/hello.ts: unchanged\ngenerated/go.ts: unchanged\n");
    expect((await command(["generate", "--check"])).code).toBe(0);
  });

  it("--check lists stale, missing and orphaned modules and writes nothing", async () => {
    await write({ "templates/a.jinja": "a", "templates/b.jinja": "b", "templates/c.jinja": "c" });
    await command(["generate"]);
    await write({ "templates/a.jinja": "changed", "templates/d.jinja": "d" });
    await rm(join(directory, "templates/b.jinja"));
    const before = await read("generated/a.ts");
    const { code, stderr } = await command(["generate", "--check", "--quiet"]);
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toEqual([
      "generated/a.ts: stale: run `chat-template generate`",
      "generated/d.ts: missing: run `chat-template generate`",
      "generated/b.ts: its template is gone: delete it",
    ]);
    expect(await read("generated/a.ts")).toBe(before);
  });

  it("--source-map writes maps that lead to the templates; --check wants them, or wants them gone", async () => {
    await write({ "templates/a b.jinja": "{{ x }}\n" });
    const argv = ["generate", "-o", "out/prompts"];
    expect((await command([...argv, "--source-map"])).stdout).toBe(
      "out/prompts/a b.ts: written\nout/prompts/a b.ts.map: written\n",
    );
    expect(JSON.parse(await read("out/prompts/a b.ts.map"))).toMatchObject({
      version: 3,
      file: "a b.ts",
      sources: ["../../templates/a%20b.jinja"],
      sourcesContent: ["{{ x }}\n"],
    });
    const code = await read("out/prompts/a b.ts");
    expect(code.endsWith("\n//# sourceMappingURL=a%20b.ts.map\n")).toBe(true);
    expect((await command([...argv, "--source-map", "--check"])).code).toBe(0);

    expectFailure(
      await command([...argv, "--check", "--quiet"]),
      1,
      "a b.ts.map: no module uses it",
    );
    expect((await command(argv)).stdout).toContain("out/prompts/a b.ts.map: removed\n");
    expect(await readdir(join(directory, "out/prompts"))).toEqual(["a b.ts"]);
    const without = await command([...argv, "--source-map", "--check", "--quiet"]);
    expectFailure(without, 1, "a b.ts.map: missing");

    await write({ "out/prompts/a b.ts.map": "somebody else's" });
    await command(argv);
    expect(await read("out/prompts/a b.ts.map")).toBe("somebody else's");
    expectFailure(await command([...argv, "--source-map", "--stdout"]), 2, "--source-map");
  });

  it("takes files, directories and globs, and a directory for the modules", async () => {
    await write({ "x/a.jinja": "a", "x/b.j2": "b", "x/c[1].jinja": "c", "x/d.txt": "d" });
    expect((await command(["generate", "x", "-o", "one"])).code).toBe(0);
    expect(await readdir(join(directory, "one"))).toEqual(["a.ts", "b.ts", "c[1].ts"]);
    expect((await command(["generate", "x/c[1].jinja", "x/*.j2", "-o", "two"])).code).toBe(0);
    expect(await readdir(join(directory, "two"))).toEqual(["b.ts", "c[1].ts"]);
  });

  it("prints a module with --stdout, takes the dialect and constants", async () => {
    await write({ "plain.txt": "{{ bos_token }}{{ n }}" });
    const argv = ["generate", "plain.txt", "--dialect", "jinja", "--stdout"];
    const { code, stdout } = await command([...argv, "--define", 'bos_token="<s>"']);
    expect(code).toBe(0);
    expect(stdout).toContain("<s>");
    expect(await readdir(directory)).toEqual(["plain.txt"]);
  });

  it("reports as JSON", async () => {
    await write({ "templates/a.jinja": "a" });
    const { stdout } = await command(["generate", "--json"]);
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      files: [
        {
          template: "templates/a.jinja",
          file: "generated/a.ts",
          status: "written",
          diagnostics: [],
        },
      ],
    });
    await write({ "templates/a.jinja": BROKEN });
    const refused = await command(["generate", "--json"]);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      ok: false,
      files: [{ status: "refused", diagnostics: [{ line: 2, severity: "error" }] }],
    });
  });

  it("takes models: folders, named templates, files without a template's extension", async () => {
    const config = { chat_template: { default: "{{ bos_token }}", rag: "R" }, bos_token: "<s>" };
    const text = JSON.stringify(config);
    await write({ "m/tiny/tokenizer_config.json": text, "m/own/Modelfile": "FROM x\nTEMPLATE y" });
    const argv = ["generate", "m/tiny", "m/tiny/tokenizer_config.json#rag", "m/own/Modelfile"];
    const { code, stdout } = await command(argv);
    expect(code).toBe(0);
    expect(stdout.trim().split("\n")).toEqual([
      "generated/Modelfile.ts: written",
      "generated/tiny.ts: written",
      "generated/tiny-rag.ts: written",
      "generated/tokenizer_config-rag.ts: written",
    ]);
    const module = await read("generated/tiny.ts");
    expect(module).toContain("from m/tiny/tokenizer_config.json#default");
    expect(module).toContain("<s>");
  });

  it("leaves no file that is half written", async () => {
    await write({ "a.jinja": "a", "generated/a.ts/x": "in the way" });
    const result = await command(["generate", "a.jinja"]);
    expectFailure(result, 2, "generated/a.ts: cannot be written");
    expect(await readdir(join(directory, "generated"))).toEqual(["a.ts"]);
  });

  it("--watch generates after each change until it is interrupted", async () => {
    await write({ "templates/a.jinja": "one" });
    const interrupt = new AbortController();
    const shown: string[] = [];
    const note = (text: string): void => {
      shown.push(text);
    };
    const watching = run(["generate", "--watch"], {
      directory,
      color: false,
      out: note,
      error: note,
      input: () => Readable.from([]),
      interrupted: () => interrupt.signal,
    });
    const until = (text: string): Promise<void> =>
      vi.waitFor(
        () => {
          expect(shown.join("")).toContain(text);
        },
        { timeout: 30_000, interval: 50 },
      );
    await until("watching for changes");
    await write({ "templates/a.jinja": BROKEN });
    await until("No filter named 'nosuch'.");
    await write({ "templates/a.jinja": "two", "templates/b.jinja": "more" });
    await until("generated/b.ts: written");
    expect(await read("generated/a.ts")).toContain("two");
    interrupt.abort();
    expect(await watching).toBe(0);
  });

  it("shows code, place and frame of a refused template, and writes no module at all", async () => {
    await write({ "templates/good.jinja": "good", "templates/bad.jinja": BROKEN });
    const result = await command(["generate"]);
    expectFailure(result, 1, "templates/bad.jinja:2:");
    expect(result.stderr).toContain("No filter named 'nosuch'.");
    expect(result.stderr).toContain("  2 | {{ x | nosuch }}\n");
    expect(await readdir(directory)).toEqual(["templates"]);
  });

  it("reads a configuration, in any of its forms", async () => {
    const config = { templates: ["t/*"], outDir: "out", options: { runtime: "../rt" } };
    await write({ "t/a.jinja": HELLO, "chat-template.config.json": JSON.stringify(config) });
    expect((await command(["generate"])).stdout).toBe("out/a.ts: written\n");
    expect(await read("out/a.ts")).toContain('"../rt');
    await rm(join(directory, "chat-template.config.json"));
    const text = `const config: object = ${JSON.stringify(config)};\nexport default config;\n`;
    await write({ "chat-template.config.ts": text });
    expect((await command(["generate"])).stdout).toBe("out/a.ts: unchanged\n");
    await write({ "elsewhere/my.mjs": `export default { templates: ["../t/*"] }` });
    const other = await command(["generate", "-c", "elsewhere/my.mjs"]);
    expect(other.stdout).toBe("elsewhere/generated/a.ts: written\n");
  });

  it.each([
    ["{", "chat-template.config.json: "],
    ["[]", "chat-template.config.json: the configuration is not an object"],
    ["{}", "templates is missing"],
    ['{"templates":"x"}', "templates must be a list of texts"],
    ['{"templates":[],"foo":1}', "foo is not known: there are templates, outDir, options"],
    ['{"templates":["x"],"options":{"runtme":""}}', "options has no option runtme"],
    ['{"templates":["no/*"]}', "no template matches no/*"],
    ['{"templates":[],"options":{"dialect":"perl"}}', "options.dialect must be one of jinja, oll"],
    ['{"templates":[],"options":{"targets":["x"]}}', "options.targets must be one of text, bytes"],
    ['{"templates":[],"options":{"define":[]}}', "options.define must be an object"],
    ['{"templates":[],"options":{"passes":1}}', "options.passes must be true, false or"],
  ])("refuses the configuration %s", async (config, message) => {
    await write({ "chat-template.config.json": config });
    expectFailure(await command(["generate"]), 2, message);
  });

  it.each([
    [["generate", "nothing.jinja"], "no template matches nothing.jinja"],
    [["generate"], "no template matches templates/"],
    [["generate", "plain.txt"], "plain.txt: the name does not tell the dialect"],
    [["generate", "latin.jinja"], "latin.jinja: is not valid UTF-8"],
    [["generate", "a.jinja", "b/a.jinja"], "would both be written to generated/a.ts"],
    [["generate", "a.jinja", "c.jinja", "--stdout"], "--stdout takes one template, not 2"],
    [["generate", "a.jinja", "-o", "plain.txt/x"], "plain.txt/x/a.ts: cannot be written"],
    [["generate", "a.jinja", "-c", "none.json"], "none.json: no such file"],
    [["generate", "--check", "--stdout"], "cannot be used with"],
    [["generate", "--define", "x"], "name=json"],
    [["generate", "--define", "x=y"], "not JSON"],
    [["generate", "--target", "paper"], "Allowed choices are text"],
    [["generate", "--dialect", "perl"], "Allowed choices are jinja, ollama, go"],
    [["generate", "--watch", "--check"], "cannot be used with"],
    [["generate", "--stdout", "--json"], "cannot be used with"],
    [["generate", "a.jinja", "--stdout", "--runtime", "inline"], "--stdout prints a module alone"],
    [["generate", "hf:acme/none"], "hf:acme/none: is not in "],
    [["generate", "ollama:../x"], "ollama:../x: is not the name of a model"],
    [["generate", "a.jinja#rag"], "a.jinja#rag: no template of that name; there are: default"],
    [["--json", "generate", "--quite"], "(Did you mean --quiet?)"],
    [["generat"], "(Did you mean generate?)"],
    [["frobnicate"], "unknown command 'frobnicate'"],
    [[], "Usage: chat-template"],
  ])("%j is a usage error", async (argv, message) => {
    const latin = Uint8Array.of(0xff);
    await write({ "a.jinja": "a", "b/a.jinja": "b", "c.jinja": "c", "plain.txt": "" });
    await write({ "latin.jinja": latin });
    expectFailure(await command(argv), 2, message);
  });
});

describe("render --segments", () => {
  const INPUT = '{"x":"in"}';
  const SEGMENTS = [
    { text: "a ", from: "template" },
    { text: "in", from: "input", path: ["x"] },
  ];

  it("prints a segment a line, or all in one object", async () => {
    await write({ "a.jinja": "a {{ x }}" });
    const lines = await command(["render", "a.jinja", "-i", "-", "--segments"], INPUT);
    expect(
      lines.stdout
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line)),
    ).toEqual(SEGMENTS);
    const whole = await command(["render", "a.jinja", "-i", "-", "--segments", "--json"], INPUT);
    expect(JSON.parse(whole.stdout)).toEqual({ ok: true, output: "a in", segments: SEGMENTS });
  });

  it("has them in each row of --jsonl, and prints none where the render fails", async () => {
    await write({ "a.jinja": "a {{ x }}", "b.jinja": "{{ raise_exception('no') }}" });
    const rows = await command(["render", "a.jinja", "--jsonl", "--segments"], INPUT);
    expect(JSON.parse(rows.stdout)).toMatchObject({ segments: SEGMENTS });
    const failed = await command(["render", "b.jinja", "--segments"]);
    expect(failed).toMatchObject({ code: 1, stdout: "" });
  });
});

describe("render", () => {
  const input = '{"messages":[{"role":"user","content":"Hi"}]}';

  it("prints the prompt and nothing else", async () => {
    await write({ "hello.jinja": HELLO, "input.json": input });
    const fromFile = await command(["render", "hello.jinja", "-i", "input.json"]);
    expect(fromFile).toEqual({ code: 0, stdout: "user: Hi\n", stderr: "" });
    const fromInput = await command(["render", "hello.jinja", "-i", "-"], input);
    expect(fromInput.stdout).toBe("user: Hi\n");
  });

  it("takes single variables, read losslessly, and the clock", async () => {
    await write({ "a.jinja": "{{ x }} {{ y }} {{ strftime_now('%Y-%m-%d %H:%M') }}" });
    const argv = [
      "render",
      "a.jinja",
      "-k",
      "x=1.0",
      "-k",
      'y="é"',
      "--now",
      "2025-03-01T12:34:56",
    ];
    expect((await command(argv)).stdout).toBe("1.0 é 2025-03-01 12:34");
  });

  it("renders a line for a line with --jsonl; one that fails ends nothing", async () => {
    await write({ "a.jinja": "{{ x }}{{ raise_exception('no') if x == 2 }}" });
    const lines = ['{"x":1}', "", '{"x":2}', '{"x"', "[]", '{"x":"\u2028"}'];
    const { code, stdout } = await command(["render", "a.jinja", "--jsonl"], lines.join("\n"));
    expect(code).toBe(1);
    const rows = stdout.trim().split("\n");
    expect(rows.map((row): unknown => JSON.parse(row))).toMatchObject([
      { ok: true, output: "1" },
      { ok: false, phase: "render", error: "no", line: 1 },
      { ok: false, phase: "input", type: "JSONDecodeError" },
      { ok: false, phase: "input", error: "standard input:5: the input must be a JSON object" },
      { ok: true, output: "\u2028" },
    ]);
  });

  it("answers a line before it reads the next", async () => {
    await write({ "a.jinja": "{{ x }}" });
    const events: string[] = [];
    async function* input(): AsyncGenerator<Uint8Array> {
      for (const x of [1, 2]) {
        events.push(`line ${String(x)}`);
        yield await Promise.resolve(Buffer.from(`{"x":${String(x)}}\n`));
      }
    }
    const terminal: Terminal = {
      directory,
      color: false,
      out: (text) => events.push(text.trim()),
      error: (text) => events.push(text),
      input,
    };
    expect(await run(["render", "a.jinja", "--jsonl"], terminal)).toBe(0);
    const row = (output: string): string => JSON.stringify({ ok: true, output });
    expect(events).toEqual(["line 1", row("1"), "line 2", row("2")]);
  });

  it("gives special tokens, which the input overrides", async () => {
    const config = { chat_template: "{{ bos_token }}{{ x }}", bos_token: "<s>" };
    await write({ "tokenizer_config.json": JSON.stringify(config) });
    expect((await command(["render", "tokenizer_config.json"])).stdout).toBe("<s>");
    const argv = ["render", "tokenizer_config.json", "-k", 'bos_token="<b>"', "-k", "x=1"];
    expect((await command(argv)).stdout).toBe("<b>1");
  });

  it("opens a conversation as the Modelfile says", async () => {
    const template = "{{ range .Messages }}{{ .Role }}:{{ .Content }};{{ end }}";
    await write({ Modelfile: `FROM x\nTEMPLATE ${template}\nSYSTEM Hey\nMESSAGE user A` });
    const messages = [{ role: "user", content: "B" }];
    const chat = await command(["render", "Modelfile", "-i", "-"], JSON.stringify({ messages }));
    expect(chat.stdout).toBe("system:Hey;user:A\n\nB;");
    const one = await command(["render", "Modelfile", "-k", 'prompt="B"']);
    expect(one.stdout).toBe("system:Hey;user:A\n\nB;");
  });

  it("picks one of several templates, the default by itself", async () => {
    const chat_template = [
      { name: "default", template: "D" },
      { name: "rag", template: "R" },
    ];
    await write({ "c.json": JSON.stringify({ chat_template }) });
    expect((await command(["render", "c.json"])).stdout).toBe("D");
    expect((await command(["render", "c.json#rag"])).stdout).toBe("R");
    expectFailure(await command(["render", "c.json#x"]), 2, "there are: default, rag");
  });

  it("shows the place of an error, and never half a prompt", async () => {
    await write({ "a.jinja": "first\n{{ raise_exception('roles must alternate') }}\n" });
    const result = await command(["render", "a.jinja"]);
    expectFailure(result, 1, "a.jinja:2:");
    expect(result.stderr).toContain("roles must alternate");
    expect(result.stderr).toContain("2 | {{ raise_exception(");
  });

  it("refuses a broken template with its frame", async () => {
    await write({ "bad.jinja": BROKEN });
    expectFailure(await command(["render", "bad.jinja"]), 1, "No filter named 'nosuch'.");
  });

  it.each([
    [["render"], "", "missing required argument"],
    [["render", "a.jinja", "b.jinja"], "", "too many arguments"],
    [["render", "none.jinja"], "", "none.jinja: no such file"],
    [["render", "."], "", "holds no chat template"],
    [["render", "a.jinja", "--jsonl", "-i", "none"], "", "none: no such file"],
    [["render", "a.jinja", "-i", "none.json"], "", "none.json: no such file"],
    [["render", "a.jinja", "-i", "-"], "", "standard input: is empty"],
    [["render", "a.jinja", "-i", "-"], "[1]", "the input must be a JSON object"],
    [["render", "a.jinja", "-i", "-"], '{"a":', "standard input: not valid JSON"],
    [["render", "a.jinja", "-k", "=1"], "", "name=json"],
    [["render", "a.jinja", "--now", "tomorrow"], "", "2025-03-01T12:00:00"],
  ])("%j with input %j is a usage error", async (argv, text, message) => {
    await write({ "a.jinja": "{{ a }}" });
    expectFailure(await command(argv, text), 2, message);
  });
});

it("knows the version of the package", async () => {
  const manifest: unknown = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  expect(isRecord(manifest) && manifest["version"]).toBe(VERSION);
  expect(await command(["--version"])).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: "" });
  expect((await command(["generate", "--help"])).code).toBe(0);
});

it("runs as a program, with its exit code", async () => {
  await write({ "a.jinja": "{{ a }}" });
  const program = join(ROOT, "compiler/cli/index.ts");
  const tsx = join(ROOT, "node_modules/tsx/dist/loader.mjs");
  const start = (argv: readonly string[]): Promise<string> =>
    new Promise((resolve) => {
      const args = ["--import", tsx, program, ...argv];
      const env = { ...process.env, NO_COLOR: "1" };
      execFile(process.execPath, args, { cwd: directory, env }, (error, stdout, stderr) => {
        resolve(`${error?.code ?? 0} ${stdout}${stderr}`);
      });
    });
  expect(await start(["render", "a.jinja", "-k", "a=1"])).toBe("0 1");
  expect(await start(["render", "none.jinja"])).toBe("2 error: none.jinja: no such file\n");
});
