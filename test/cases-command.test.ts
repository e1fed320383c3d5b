/** The cases command as a process: its rows, their order, and that no row stops it. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { ENGINES } from "../scripts/engines.js";
import { isRecord, rawMember } from "../scripts/rows.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SCRIPT = fileURLToPath(new URL("../scripts/cases.ts", import.meta.url));

interface Finished {
  readonly code: number | null;
  readonly rows: readonly unknown[];
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command; `closeAfter` closes its standard output once that many characters came. */
async function cases(
  engine: string,
  lines: readonly unknown[],
  closeAfter = Infinity,
): Promise<Finished> {
  const args = ["--import", "tsx", SCRIPT, "--engine", engine];
  const child = spawn(process.execPath, args, { cwd: ROOT });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    if (stdout.length >= closeAfter) child.stdout.destroy();
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  child.stdin.on("error", () => undefined);
  child.stdin.end(
    lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"),
  );
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  const complete = closeAfter === Infinity ? stdout.split("\n").filter(Boolean) : [];
  return {
    code,
    stdout,
    stderr,
    rows: complete.map((line): unknown => JSON.parse(line)),
  };
}

function jinja(id: unknown, template: string, input: object = {}): object {
  return { id, dialect: "jinja", template, input };
}

it.each(ENGINES)("%s answers a row for a row, in order, whatever the rows hold", async (engine) => {
  const { code, rows, stdout, stderr } = await cases(engine, [
    jinja("a", "{{ x }}", { x: "one" }),
    '{"id":"b","dialect":"jinja","template":"{{ x }} {{ y }}","input":{"x":1.0,"y":123456789012345678901}}',
    '{"id":"c","dialect":"jinja","template":"{{ m }}","input":{"m":{"10":1,"2":2,"__proto__":3}}}',
    "not JSON",
    "[]",
    { id: "d" },
    { id: "e", dialect: "perl", template: "", input: {} },
    {
      id: "f",
      dialect: "chat",
      template: "{{ messages[0].content }}</s>",
      input: { messages: [{ role: "assistant", content: "So ", name: null }] },
      continue_final_message: true,
    },
    jinja(7, "{% if %}"),
    jinja("g", "{{ raise_exception('no') }}"),
    { id: "h", dialect: "go", template: "{{ . }}", input: 5 },
    '{"id":"i","dialect":"jinja","template":"{{ x }}","input":{"x":"\\ud800"}}',
    '{"id":"j","dialect":"jinja","template":"{{ x }}","input":{"x":"first"},"input":{"x":"\u2028last"}}',
  ]);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  // A lone surrogate is written as an escape.
  expect(stdout).toContain('"output":"\\ud800"');
  expect(rows.map((row) => isRecord(row) && row["id"])).toEqual([
    "a",
    "b",
    "c",
    null,
    null,
    "d",
    "e",
    "f",
    7,
    "g",
    "h",
    "i",
    "j",
  ]);
  expect(rows).toMatchObject([
    { ok: true, output: "one" },
    { ok: true, output: "1.0 123456789012345678901" },
    { ok: true, output: "{'10': 1, '2': 2, '__proto__': 3}" },
    { ok: false, phase: "input" },
    { ok: false, phase: "input" },
    { ok: false, phase: "input" },
    { ok: false, phase: "input", error: 'unknown dialect "perl"' },
    { ok: true, output: "So " },
    { ok: false, phase: "compile", line: 1 },
    { ok: false, phase: "render", error: "no", line: 1 },
    { ok: true, output: "5" },
    { ok: true, output: "\ud800" },
    { ok: true, output: "\u2028last" },
  ]);
});

it("a row that takes too long costs only itself", async () => {
  const loops = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}";
  const { rows } = await cases("compiled", [
    jinja(1, "before"),
    jinja(2, loops),
    jinja(3, "{% macro r() %}{{ r() }}{% endmacro %}{{ r() }}"),
    jinja(4, "after"),
  ]);
  expect(rows).toMatchObject([
    { id: 1, ok: true, output: "before" },
    { id: 2, ok: false, phase: "render" },
    { id: 3, ok: false, phase: "render" },
    { id: 4, ok: true, output: "after" },
  ]);
});

it("answers more rows than a thread holds at once", async () => {
  const many = Array.from({ length: 1000 }, (_, id) =>
    jinja(id, `{% for m in messages %}${id % 100}: {{ m.role }}{% endfor %}`, {
      messages: [{ role: "user" }],
    }),
  );
  const { rows } = await cases("compiled", many);
  expect(rows.map((row) => isRecord(row) && row["output"])).toEqual(
    many.map((_, id) => `${id % 100}: user`),
  );
});

it("ends quietly when its reader has seen enough", async () => {
  const many = Array.from({ length: 500 }, (_, id) => jinja(id, "{{ 'x' * 1000 }}"));
  const { code, stderr } = await cases("compiled", many, 10_000);
  expect([code, stderr]).toEqual([0, ""]);
});

it("explains itself when the engine is wrong", async () => {
  const { code, stdout, stderr } = await cases("fastest", []);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("--engine compiled|unoptimized|interpreter");
});

it("finds the exact text of a member", () => {
  const text = ' {"a\\"{":[1, {"input":0}], "\\u0069nput" : {"x":[1.0,"]}"]} , "b":-1e5}';
  expect(rawMember(text, "input")).toBe('{"x":[1.0,"]}"]}');
  expect(rawMember(text, "b")).toBe("-1e5");
  expect(rawMember(text, 'a"{')).toBe('[1, {"input":0}]');
  expect(rawMember(text, "none")).toBeUndefined();
  expect(rawMember("{}", "a")).toBeUndefined();
  expect(rawMember('{"a":"x\\\\"}', "a")).toBe('"x\\\\"');
});
