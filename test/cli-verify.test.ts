/** verify: against each engine that is there, and what it says where one is not. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chatTemplate, ROOT, type CommandResult } from "./terminal.js";

const PYTHON = process.env["ORACLE_PYTHON"] ?? "python3";
const hasPython = spawnSync(PYTHON, ["-c", "import jinja2"]).status === 0;
const hasGo = spawnSync("go", ["version"]).status === 0;
const hasOllama =
  hasGo && existsSync(join(homedir(), "go/pkg/mod/github.com/ollama/ollama@v0.32.15"));

const HELLO = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}";

let directory = "";

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "verify-"));
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

async function verify(
  template: string,
  rest: readonly string[],
  input?: string,
): Promise<CommandResult> {
  const name = rest.includes("go") || rest.includes("ollama") ? "t.gotmpl" : "t.jinja";
  await writeFile(join(directory, name), template);
  return chatTemplate(directory, ["verify", name, ...rest], input);
}

describe.skipIf(!hasPython)("cpython", () => {
  const against = ["--against", "cpython", "--python", PYTHON];

  it("agrees over conversations, numbers, the clock and generation blocks", async () => {
    const { code, stdout, stderr } = await verify(
      `${HELLO}{% generation %}{{ strftime_now("%Y-%m-%d %H:%M:%S.%f") }}{% endgeneration %}{{ tools | tojson }}`,
      [...against, "--now", "2025-03-01T12:34:56.789012"],
    );
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^t\.jinja: cpython \(CPython .*\): (\d+) of \1 inputs agree\n$/);
    expect(code).toBe(0);
    const numbers = await verify(
      "{{ [x, y, z] }}",
      [...against, "-i", "-", "-k", "z=1e3"],
      '{"x":1.0,"y":12345678901234567890,"z":1}',
    );
    expect(numbers.stdout).toContain("1 of 1 inputs agree");
  });

  it("agrees on failures, and on refusing a template, which is then shown", async () => {
    const failing = await verify("a\n{{ messages[0].x.y }}", against);
    expect(failing.stdout).toMatch(/(\d+) of \1 inputs agree, \1 of them fail on both sides/);
    expect(failing.code).toBe(0);
    const refused = await verify("{{ x | nosuch }}", against);
    expect(refused.stderr).toContain("t.jinja:1:4 error jinja/unknown-filter");
    expect(refused.code).toBe(1);
  });

  it("says what is missing", async () => {
    const { code, stderr } = await verify(HELLO, ["--against", "cpython", "--python", "no-python"]);
    expect([code, stderr]).toEqual([2, "error: cpython: no-python is not installed\n"]);
  });
});

describe("huggingface", () => {
  it("takes the project's package and shows where it differs", async () => {
    await symlink(join(ROOT, "node_modules"), join(directory, "node_modules"));
    const { code, stdout, stderr } = await verify("{{ none }} ", ["--against", "huggingface"]);
    expect(stdout).toMatch(/huggingface \(@huggingface\/jinja [\d.]+\): 0 of \d+ inputs agree\n$/);
    expect(stderr).toContain("t.jinja differs from huggingface: one question\n");
    expect(stderr).toContain("  +None·\n");
    expect(stderr).toContain("more; --json lists them all");
    expect(code).toBe(1);
    const json = await verify(HELLO, ["--against", "huggingface", "--json"]);
    const report: unknown = JSON.parse(json.stdout);
    expect(report).toMatchObject({ ok: true, engines: [{ engine: "huggingface" }] });
    expect(report).toHaveProperty("engines.0.inputs.0.agree", true);
    expect(report).toHaveProperty("engines.0.inputs.0.engine.ok", true);
  });

  it("says what is missing", async () => {
    const { code, stderr } = await verify(HELLO, ["--against", "huggingface"]);
    expect(stderr).toContain("run `npm install @huggingface/jinja`");
    expect(code).toBe(2);
  });
});

describe("go", () => {
  it.skipIf(!hasGo)("agrees on data of any shape", async () => {
    const template = '{{ range .a }}{{ . }},{{ end }}{{ json .b }} {{ printf "%v %q" .x .y }}';
    const input = '{"a":[1,2.5,"x"],"b":{"c":1.0,"d":[null]},"x":1e3,"y":"\\u00e9"}';
    const result = await verify(template, ["--dialect", "go", "--against", "go", "-i", "-"], input);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toContain("1 of 1 inputs agree");
  });

  it.skipIf(!hasOllama)("agrees with Ollama's own package", async () => {
    const template =
      "{{ range .Messages }}{{ .Role }} {{ .Content }}{{ json .ToolCalls }}{{ end }}";
    const { code, stdout } = await verify(template, ["--against", "ollama"]);
    expect(stdout).toMatch(/ollama \(ollama v0\.32\.15, go.*\): (\d+) of \1 inputs agree\n$/);
    expect(code).toBe(0);
  });
});

it.each([
  [[], "required option '--against <engine...>' not specified"],
  [["--against"], "argument missing"],
  [["--against", "perl"], "Allowed choices are cpython, huggingface, go, ollama"],
  [["--against", "cpython", "--dialect", "go"], "cpython renders templates of dialect jinja"],
  [["--against", "cpython", "-i", "none.json"], "none.json: no such file"],
])("%j is a usage error", async (rest, message) => {
  const { code, stdout, stderr } = await verify(HELLO, rest);
  expect(stderr).toContain(message);
  expect([code, stdout]).toEqual([2, ""]);
});
