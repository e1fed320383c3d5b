/** Limits over a whole render: hostile templates end with the place where they were caught, others do not notice. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compile } from "../compiler/index.js";
import { compileTemplate, Template } from "../compiler/template.js";
import type { Dialect, Limits, RenderOptions } from "../runtime/index.js";
import { createEngine } from "../scripts/engines.js";
import { parseRow } from "../scripts/rows.js";
import { failureOf } from "./failure.js";
import { ROOT } from "./terminal.js";

/** Small enough for tests to be quick; the same code keeps the default limits. */
const LIMITS: Limits = { steps: 20_000, output: 200_000, depth: 60 };

/** A template, and the line on which it is to be caught. */
type Hostile = readonly [name: string, line: number, template: string];

const LOOPS: readonly Hostile[] = [
  [
    "nested loops",
    2,
    "a\n{% for i in range(9999) %}{% for j in range(9999) %}{% endfor %}{% endfor %}",
  ],
  [
    "loops that are left at once",
    3,
    "{% for i in range(9999) %}\n\n{% for j in range(9999) %}{% break %}{% endfor %}{% endfor %}",
  ],
  [
    "loops over one short list",
    2,
    `{% set l = [${"1,".repeat(60)}] %}\n{% for i in l %}{% for j in l %}{% for k in l %}{% endfor %}{% endfor %}{% endfor %}`,
  ],
  ["a loop that writes", 2, `\n{% for i in range(9999) %}${"x".repeat(99)}{% endfor %}`],
  ["a loop that lets nothing through", 1, "{% for i in range(99999) if false %}{% endfor %}"],
  [
    "a loop that calls itself",
    1,
    "{% for x in [[1]] recursive %}\n{{ loop([[1], [1]]) if x else '' }}{% endfor %}",
  ],
  [
    "searches in a long text",
    3,
    "{% set x = 'a' * 9999 %}{% for i in range(9999) %}\n\n{% if 'b' in x %}{% endif %}{% endfor %}",
  ],
  [
    "lengths of a long text",
    2,
    "{% set x = 'a' * 9999 %}{% for i in range(9999) %}\n{% if x|length == 1 %}b{% endif %}{% endfor %}",
  ],
  [
    "comparisons of long texts",
    2,
    "{% set x = 'a' * 9999 ~ 'x' %}{% set y = 'a' * 9999 ~ 'y' %}\n{% for i in range(9999) %}{% if x == y %}b{% endif %}{% endfor %}",
  ],
  [
    "searches in a range",
    2,
    "\n{% for i in range(9999) %}{% if -1 in range(9999) %}b{% endif %}{% endfor %}",
  ],
];

const CALLS: readonly Hostile[] = [
  ["a macro without end", 2, "\n{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"],
  [
    "a macro that calls itself twice",
    2,
    "\n{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(40) }}",
  ],
  [
    "macros through call blocks",
    2,
    "{% macro m() %}{{ caller() }}{% endmacro %}\n{% macro n() %}{% call m() %}{{ n() }}{% endcall %}{% endmacro %}{{ n() }}",
  ],
  [
    "blocks that call each other twice",
    1,
    Array.from(
      { length: 30 },
      (_, i) =>
        `{% block b${String(i)} %}{{ self.b${String(i + 1)}() }}{{ self.b${String(i + 1)}() }}{% endblock %}`,
    ).join("") + "{% block b30 %}{% endblock %}",
  ],
  [
    "a block that asks for all blocks",
    3,
    Array.from({ length: 400 }, (_, i) => `{% block b${String(i)} %}{% endblock %}`).join("") +
      "\n{% for i in range(1000) %}\n{% block b %}{{ self.none }}{% endblock %}{% endfor %}",
  ],
];

const TEXTS: readonly Hostile[] = [
  ["a text many times", 2, "\n{% set x = 'a' * 10 ** 7 %}{{ x }}"],
  ["a centred text", 2, "\n{{ 'a'|center(10 ** 9) }}"],
  ["a padded text", 2, "\n{{ 'a'.ljust(10 ** 7) }}"],
  ["a text filled with zeros", 2, "\n{{ '1'.zfill(10 ** 7) }}"],
  ["a wide number", 2, '\n{{ "%10000000d" % 1 }}'],
  ["a precise number", 2, '\n{{ "%.10000000d" % 1 }}'],
  ["a wide field", 2, "\n{{ '{:10000000}'.format(1) }}"],
  ["wide tabs", 2, "\n{{ '\\t'.expandtabs(10 ** 7) }}"],
  ["a wide indentation", 2, "\n{{ ('a\\n' * 99)|indent(10 ** 5) }}"],
  ["indented JSON", 2, "\n{{ [[1]]|tojson(indent=10 ** 7) }}"],
  ["a joined text", 2, "\n{% set x = range(9999)|join('a' * 9999) %}{{ x|length }}"],
  ["a replacement that multiplies", 2, "\n{% set x = 'a' * 9999 %}{{ x|replace('a', x)|length }}"],
  ["a method that multiplies", 2, "\n{% set x = 'a' * 9999 %}{{ x.replace('a', x)|length }}"],
  [
    "the same for each item",
    2,
    "\n{% set x = 'a' * 9999 %}{{ range(9999)|map('replace', '0', x)|list|length }}",
  ],
  [
    "a text that doubles",
    3,
    "{% set ns = namespace(x='aaaa') %}{% for i in range(99) %}\n\n{% set ns.x = ns.x ~ ns.x %}{% endfor %}{{ ns.x|length }}",
  ],
  [
    "a sum that doubles",
    2,
    "{% set ns = namespace(x='aaaa') %}{% for i in range(99) %}\n{% set ns.x = ns.x + ns.x %}{% endfor %}{{ ns.x|length }}",
  ],
  [
    "a block that doubles",
    2,
    "{% set ns = namespace(x='aaaa') %}{% for i in range(99) %}\n{% set y %}{{ ns.x }}{{ ns.x }}{% endset %}{% set ns.x = y|upper %}{% endfor %}{{ ns.x|length }}",
  ],
  ["paragraphs", 2, "\n{{ lipsum(10 ** 7)|length }}"],
];

const LISTS: readonly Hostile[] = [
  ["a list many times", 2, "\n{% set x = [0] * 10 ** 6 %}{{ x|length }}"],
  [
    "a list that doubles",
    2,
    "{% set ns = namespace(x=[1]) %}{% for i in range(99) %}\n{% set ns.x = ns.x + ns.x %}{% endfor %}{{ ns.x|length }}",
  ],
  [
    "a tree that doubles, printed",
    2,
    "{% set ns = namespace(x=[1]) %}{% for i in range(99) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}\n{{ ns.x }}",
  ],
  [
    "a tree that doubles, as JSON",
    2,
    "{% set ns = namespace(x={}) %}{% for i in range(99) %}{% set ns.x = {'a': ns.x, 'b': ns.x} %}{% endfor %}\n{{ ns.x|tojson }}",
  ],
  [
    "trees that double, compared",
    2,
    "{% set ns = namespace(x=[1], y=[1]) %}{% for i in range(99) %}{% set ns.x = [ns.x, ns.x] %}{% set ns.y = [ns.y, ns.y] %}{% endfor %}\n{{ ns.x == ns.y }}",
  ],
  ["a sum of lists", 2, "\n{{ ([[1] * 99] * 999)|sum(start=[])|length }}"],
  ["many slices", 2, "\n{{ [1]|slice(10 ** 9)|list|length }}"],
  ["a large batch", 2, "\n{{ [1]|batch(10 ** 9, 0)|list|length }}"],
  [
    "a number that squares itself",
    2,
    "{% set ns = namespace(x=3) %}{% for i in range(99) %}\n{% set ns.x = ns.x * ns.x %}{% endfor %}{{ ns.x % 7 }}",
  ],
  ["a large power", 2, "\n{{ 10 ** (10 ** 9) % 7 }}"],
];

const GO: readonly Hostile[] = [
  ["a range", 2, "{{range .Messages}}{{end}}\n{{range 100000000000}}{{end}}"],
  ["ranges", 2, "{{range .Messages}}{{end}}{{range 9999}}\n{{range 9999}}{{end}}{{end}}"],
  ["a range that writes", 1, `{{range .Messages}}{{end}}{{range 9999}}${"x".repeat(99)}{{end}}`],
  [
    "a range of a template without messages",
    1,
    "{{range 100000000000}}{{end}}{{.Prompt}}{{.Response}}",
  ],
  [
    "a template without end",
    2,
    '{{range .Messages}}{{end}}\n{{define "t"}}{{template "t" .}}{{end}}{{template "t" .}}',
  ],
  [
    "a template that calls itself twice",
    1,
    '{{range .Messages}}{{end}}{{define "t"}}{{if gt (len .) 1}}{{template "t" (slice . 1)}}{{template "t" (slice . 1)}}{{end}}{{end}}{{template "t" "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}}',
  ],
  [
    "a text that doubles",
    2,
    '{{range .Messages}}{{end}}{{$x := "aaaa"}}{{range 99}}\n{{$x = print $x $x}}{{end}}{{len $x}}',
  ],
  [
    "lengths of a long text",
    2,
    '{{range .Messages}}{{end}}{{$x := printf "%9999d" 1}}{{range 9999}}\n{{if eq (len $x) 1}}b{{end}}{{end}}',
  ],
  [
    "escapes of a long text",
    2,
    '{{range .Messages}}{{end}}{{$x := printf "%9999d" 1}}{{range 9999}}\n{{$y := html $x}}{{if eq $y "b"}}b{{end}}{{end}}',
  ],
];

const INPUT = { messages: [{ role: "user", content: "hi" }] };

type Render = (input: object, options?: RenderOptions) => string;

/** The ways in which a template of the process renders. */
const WAYS: readonly (readonly [string, (text: string, dialect: Dialect) => Render])[] = [
  ["code", (text, dialect) => renderOf(new Template(text, { dialect, codegen: true }))],
  ["closures", (text, dialect) => renderOf(new Template(text, { dialect, codegen: false }))],
  [
    "code without passes",
    (text, dialect) =>
      renderOf(compileTemplate(text, { dialect, name: "t", passes: false, limits: true })),
  ],
];

function renderOf(template: Pick<Template, "render">): Render {
  return (input, options) => template.render(input, options);
}

describe.each(WAYS)("a hostile template on %s", (_, render) => {
  it.each([...LOOPS, ...CALLS, ...TEXTS, ...LISTS])("%s", (_name, line, template) => {
    const error = failureOf(() => render(template, "jinja")(INPUT, { limits: LIMITS }));
    expect(error).toMatchObject({ phase: "render", type: "LimitError", line });
  });

  it.each(GO)("of Ollama: %s", (_name, line, template) => {
    const error = failureOf(() => render(template, "ollama")(INPUT, { limits: LIMITS }));
    expect(error).toMatchObject({ phase: "render", type: "LimitError", line });
  });
});

describe("the limits of a render", () => {
  const lines = new Template("{% for i in range(n) %}{{ i }}\n{% endfor %}", { codegen: true });
  const nested = new Template(
    "{% macro f(n) %}{{ f(n - 1) if n else 'end' }}{% endmacro %}{{ f(n) }}",
    { codegen: true },
  );

  it("are the usual ones again after a render that had its own", () => {
    const repeated = new Template("{{ 'a' * n }}", { codegen: true });
    expect(repeated.render({ n: 9 }, { limits: { steps: 100 } })).toBe("aaaaaaaaa");
    const { message } = failureOf(() => repeated.render({ n: 10 ** 8 }));
    expect(message).toContain("more than 10000000 steps");
  });

  it("count rounds, and start anew with each render", () => {
    const options = { limits: { steps: 100 } };
    for (let run = 0; run < 5; run++) expect(lines.render({ n: 20 }, options)).toContain("19\n");
    expect(failureOf(() => lines.render({ n: 200 }, options)).message).toContain("100 steps");
    expect(lines.render({ n: 20 }, options)).toContain("19\n");
  });

  it("bound the output", () => {
    expect(lines.render({ n: 40 }, { limits: { output: 110 } })).toHaveLength(110);
    const error = failureOf(() => lines.render({ n: 40 }, { limits: { output: 109 } }));
    expect(error).toMatchObject({ type: "LimitError", line: 1 });
  });

  it.each([true, false])("bounds the output of segments too (codegen: %s)", (codegen) => {
    const source = "{% for m in messages %}<{{ m }}>{% endfor %}";
    const template = new Template(source, { codegen });
    const input = { messages: ["one", "two", "three"] };
    const { length } = template.render(input);
    const under = (output: number) => () => template.renderSegments(input, { limits: { output } });
    expect(
      under(length)()
        .map(({ text }) => text)
        .join(""),
    ).toBe(template.render(input));
    expect(failureOf(under(length - 1)).type).toBe("LimitError");
  });

  it("bound the output in bytes as well, though it leaves in chunks", () => {
    const limits = { output: 50_000 };
    const long = new Template("{% for i in range(n) %}{{ text }}\n{% endfor %}", { codegen: true });
    const input = { n: 40, text: "x".repeat(999) };
    expect(long.renderBytes(input, { limits })).toHaveLength(40_000);
    const more = { ...input, n: 60 };
    expect(failureOf(() => long.renderBytes(more, { limits })).type).toBe("LimitError");
    let got = 0;
    const error = failureOf(() => {
      long.renderTo(more, (chunk) => (got += chunk.length), { limits });
    });
    expect(error).toMatchObject({ type: "LimitError", written: got });
    expect(got).toBeLessThan(60_000);
  });

  it("bound how deep calls nest, not how many there are", () => {
    const options = { limits: { depth: 10 } };
    expect(nested.render({ n: 9 }, options)).toBe("end");
    expect(failureOf(() => nested.render({ n: 10 }, options)).message).toContain("deeper than 10");
    const many = new Template(
      "{% macro f() %}a{% endmacro %}{% for i in range(99) %}{{ f() }}{% endfor %}",
    );
    expect(many.render({}, options)).toBe("a".repeat(99));
  });

  it("of one render are none of another's inside its write", () => {
    const inner = new Template("{% for i in range(500) %}{% endfor %}done");
    const outer = new Template("{{ text }}{% for i in range(3) %}{{ text }}{% endfor %}", {
      codegen: true,
    });
    const texts: string[] = [];
    const write = (): void => {
      texts.push(inner.render({}));
    };
    outer.renderTo({ text: "x".repeat(20_000) }, write, { limits: { steps: 100 } });
    expect(new Set(texts)).toEqual(new Set(["done"]));
  });

  it("leave the errors of write as they are", () => {
    const template = new Template("{{ text }}", { codegen: true });
    const own = new RangeError("mine");
    const render = (): void => {
      template.renderTo({ text: "x" }, () => {
        throw own;
      });
    };
    expect(render).toThrow(own);
  });

  it("can be lifted, and left out", () => {
    const template = "{% for i in range(n) %}{% endfor %}done";
    const limits = { steps: Infinity };
    expect(new Template(template).render({ n: 50_000 }, { limits })).toBe("done");
    const free = new Template(template, { limits: false });
    expect(free.render({ n: 50_000 }, { limits: { steps: 1 } })).toBe("done");
  });

  it.each([NaN, -1])("are numbers from 0 on, not %s", (steps) => {
    const error = failureOf(() => lines.render({ n: 1 }, { limits: { steps } }));
    expect(error).toMatchObject({ phase: "input", path: "limits.steps" });
  });
});

describe("a generated module", () => {
  let directory = "";

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "limits-"));
  });

  afterAll(async () => {
    await rm(directory, { recursive: true });
  });

  const TEMPLATE = "{% for m in messages %}{{ m.content }}{% endfor %}";

  async function moduleOf(limits: boolean): Promise<string> {
    const runtime = join(ROOT, "runtime");
    const options = {
      name: "t",
      dialect: "jinja",
      targets: ["text", "bytes"],
      runtime,
      limits,
    } as const;
    return (await compile(TEMPLATE, options)).code;
  }

  it("counts a round a loop where it was compiled with limits, and nothing else", async () => {
    const [plain, limited] = [await moduleOf(false), await moduleOf(true)];
    expect(plain).not.toMatch(/limit|round/);
    expect(limited).toContain('round(out.length, "1:4");');
    const file = join(directory, "t.ts");
    await writeFile(file, limited);
    const module: unknown = await import(file);
    if (!hasRender(module)) throw new Error("no render");
    const input = { messages: [{ content: "a" }, { content: "b" }] };
    expect(module.render(input)).toBe("ab");
    const error = failureOf(() => module.render(input, { limits: { steps: 1 } }));
    expect(error).toMatchObject({ type: "LimitError", line: 1, column: 4 });
  });
});

function hasRender(module: unknown): module is { readonly render: Render } {
  return (
    typeof module === "object" &&
    module !== null &&
    "render" in module &&
    typeof module.render === "function"
  );
}

/** Each so many cases: all of them take as long as a column of the comparison. */
const EVERY = 20;

it("what templates do that are not hostile does not change", async () => {
  const folder = new URL("conformance/", import.meta.url);
  const [plain, limited] = [await createEngine("compiled"), await createEngine("compiled", true)];
  const files = (await readdir(folder)).filter((name) => name.endsWith(".jsonl"));
  for (const name of files) {
    const lines = (await readFile(new URL(name, folder), "utf8")).split("\n").filter(Boolean);
    const rows = lines.filter((_, i) => i % EVERY === 0).map(parseRow);
    expect(rows.map(limited)).toEqual(rows.map(plain));
  }
});
