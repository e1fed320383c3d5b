/** With `node --enable-source-maps`, a stack trace names the template's own line. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatTemplate, ROOT } from "./terminal.js";

interface Failing {
  readonly file: string;
  readonly dialect: "jinja" | "go";
  readonly source: string;
  readonly input: object;
  /** Where the template fails, as stack traces write it. */
  readonly place: string;
}

const JINJA = `{% macro shout(text) %}
{{ text | upper }}{{ text.nosuch.thing }}
{% endmacro %}
{% for m in messages %}
<|{{ m.role }}|>
  {%- if m.bad %}
  {{ raise_exception("no") }}
  {%- elif m.loud %}{{ shout(m.content) }}
  {%- endif %}
{{ m.parts | join(", ") }}{{ m.text.split(1) }}
{% endfor %}`;

const GO = `{{ range .messages }}
{{ .role }}
  {{ index .parts 7 }}
{{ end }}`;

const FAILING: readonly Failing[] = [
  // raise_exception, in a loop
  { ...jinja("raised.jinja", { bad: true }), place: "raised.jinja:7:6" },
  // an Undefined, in a macro
  { ...jinja("macro.jinja", { loud: true, content: "x" }), place: "macro.jinja:2:" },
  // the wrong type, in a filter and in a method
  { ...jinja("filter.jinja", { parts: 1 }), place: "filter.jinja:10:" },
  { ...jinja("method.jinja", { parts: [], text: "x" }), place: "method.jinja:10:" },
  {
    file: "index.gotmpl",
    dialect: "go",
    source: GO,
    input: { messages: [{ role: "user", parts: [] }] },
    place: "index.gotmpl:3:",
  },
];

function jinja(file: string, message: object): Omit<Failing, "place"> {
  return { file, dialect: "jinja", source: JINJA, input: { messages: [message] } };
}

let directory = "";

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "stack-trace-"));
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

/** The stacks, one a place, that do not name theirs. */
function unnamed(
  stacks: readonly string[],
  places: readonly { readonly place: string }[],
): readonly string[] {
  expect(stacks).toHaveLength(places.length);
  return stacks.filter((stack, i) => !stack.includes(places[i]?.place ?? "?"));
}

/** Bundles a program: the path of the bundle. */
async function bundle(name: string, program: string): Promise<string> {
  const outfile = join(directory, `${name}.mjs`);
  await build({
    stdin: { contents: program, resolveDir: directory, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "node",
    sourcemap: "inline",
    logLevel: "error",
    outfile,
  });
  return outfile;
}

/** Runs a program whose standard output is a JSON list of texts. */
async function runProgram(
  file: string,
  flags: readonly string[],
  ...args: readonly string[]
): Promise<readonly string[]> {
  const argv = [...flags, file, ...args];
  const { stdout } = await promisify(execFile)(process.execPath, argv, {
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  const value: unknown = JSON.parse(stdout);
  return Array.isArray(value) ? value.map(String) : [];
}

const STACK_OF = `
function stackOf(render: () => string): string {
  Error.stackTraceLimit = 50;
  try { return render(); } catch (error) { return String((error as Error).stack); }
}`;

describe("a template at run time", () => {
  let program = "";

  beforeAll(async () => {
    const text = `
    import { Template } from ${JSON.stringify(join(ROOT, "compiler/template.ts"))};
    ${STACK_OF}
    const failing = ${JSON.stringify(FAILING)};
    const options = JSON.parse(process.argv[2] ?? "");
    console.log(JSON.stringify(failing.map(({ file, dialect, source, input }) => {
      const template = new Template(source, { dialect, name: file, ...options });
      return stackOf(() => template.render(input));
    })));`;
    program = await bundle("template", text);
  });

  it.each([
    ["which the process asks for", {}],
    ["in code from the start", { codegen: true }],
    ["that the caller asks for", { sourceMap: true }],
  ])("has its lines in stack traces, with a map %s", async (_, options) => {
    const stacks = await runProgram(program, ["--enable-source-maps"], JSON.stringify(options));
    expect(unnamed(stacks, FAILING)).toEqual([]);
  });

  it.each([
    ["the process does not ask for it", [], {}],
    ["the caller does not want it", ["--enable-source-maps"], { sourceMap: false }],
    ["no code is made", ["--enable-source-maps"], { codegen: false, sourceMap: true }],
  ])("has no map where %s", async (_, flags, options) => {
    const stacks = await runProgram(program, flags, JSON.stringify(options));
    expect(unnamed(stacks, FAILING)).toHaveLength(FAILING.length);
  });
});

describe("a module", () => {
  it("with --source-map has the template's lines in stack traces, through a bundler too", async () => {
    await mkdir(join(directory, "templates"), { recursive: true });
    for (const { file, source } of FAILING)
      await writeFile(join(directory, "templates", file), source);
    for (const dialect of ["jinja", "go"]) {
      const own = FAILING.filter((each) => each.dialect === dialect);
      const files = own.map(({ file }) => `templates/${file}`);
      const argv = ["generate", ...files, "--source-map", "--runtime", "inline"];
      const result = await chatTemplate(directory, [...argv, "--dialect", dialect]);
      expect(result).toMatchObject({ code: 0, stderr: "" });
    }
    const names = FAILING.map(({ file }) => file.replace(/\..*/, ""));
    const imports = names.map((name) => `import * as ${name}_ from "./generated/${name}.ts";`);
    const program = `${imports.join("\n")}${STACK_OF}
      const failing = ${JSON.stringify(FAILING)};
      const modules = [${names.map((name) => `${name}_`).join(", ")}];
      console.log(JSON.stringify(failing.map(({ input }, i) =>
        stackOf(() => modules[i].render(input)))));`;
    const file = await bundle("modules", program);
    const stacks = await runProgram(file, ["--enable-source-maps"]);
    const placed = FAILING.map(({ place }) => ({ place: join(directory, "templates", place) }));
    expect(unnamed(stacks, placed)).toEqual([]);
  });
});
