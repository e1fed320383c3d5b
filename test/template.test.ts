/** The class Template: where code from text is forbidden, before and after the passes have run, and as a drop-in. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CompileError, createTemplateCache, RenderError, Template } from "../compiler/template.js";
import { isRecord } from "../scripts/rows.js";
import type { Order } from "./without-code.js";

const MESSAGES = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Where is it warm? Où? 🌞" },
  { role: "assistant", content: "In Paris.", reasoning_content: "think" },
  { role: "user", content: "And now?" },
];
const TOOLS = [
  {
    type: "function",
    function: {
      name: "get_weather",
      description: "The weather",
      parameters: { type: "object", properties: { city: { type: "string" } } },
    },
  },
];
const INPUT = { messages: MESSAGES, tools: TOOLS, add_generation_prompt: true };

/** More than enough for the passes to have run. */
const MANY = 40;

function read(name: string): string {
  return readFileSync(new URL(`../templates/${name}`, import.meta.url), "utf8");
}

const ORDERS: readonly Order[] = [
  { source: read("glm.jinja"), dialect: "jinja", input: INPUT, renders: MANY },
  { source: read("mimo.gotmpl"), dialect: "ollama", input: { messages: MESSAGES }, renders: MANY },
  {
    source: "{{ range .a }}<{{ . }}>{{ end }}",
    dialect: "go",
    input: { a: [1, "x"] },
    renders: MANY,
  },
];

function failureOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("where code from text is forbidden", () => {
  it("templates render in a process and in a worker, and codegen: true says why it cannot", () => {
    const flags = ["--disallow-code-generation-from-strings", "--import", "tsx"];
    const program = new URL("without-code.ts", import.meta.url).pathname;
    const answer = execFileSync(process.execPath, [...flags, program], {
      encoding: "utf8",
      input: JSON.stringify(ORDERS),
    });
    const reports: unknown = JSON.parse(answer);
    const texts = ORDERS.map(({ source, dialect, input }) => [
      new Template(source, { dialect, codegen: true }).render(input),
    ]);
    const refusals = [
      "Code generation from strings disallowed for this context",
      expect.stringContaining("forbids code from text"),
    ];
    expect(reports).toEqual([
      { place: "process", refusals, texts },
      { place: "worker", refusals, texts },
    ]);
  });
});

describe.each([undefined, false, true])("codegen: %s", (codegen) => {
  const options = codegen === undefined ? {} : { codegen };

  it.each(ORDERS)("renders $dialect alike, however often", ({ source, dialect, input }) => {
    const template = new Template(source, { dialect, ...options });
    const expected = new Template(source, { dialect, codegen: true }).render(input);
    const bytes = new TextEncoder().encode(expected);
    for (let i = 0; i < MANY; i++) {
      expect(template.render(input)).toBe(expected);
      expect(template.renderBytes(input)).toEqual(bytes);
      const chunks: number[] = [];
      template.renderTo(input, (chunk) => {
        chunks.push(...chunk);
      });
      expect(Uint8Array.from(chunks)).toEqual(bytes);
    }
  });

  it("fails alike, however often, on the same line and column", () => {
    const template = new Template("{% if x %}\n  {{ x.y.z }}{% endif %}", options);
    const failures = Array.from({ length: MANY }, () =>
      failureOf(() => template.render({ x: { a: 1 } })),
    );
    const [first] = failures;
    expect(first).toBeInstanceOf(RenderError);
    expect(first).toMatchObject({ phase: "render", type: "UndefinedError", line: 2 });
    for (const failure of failures) expect(failure).toEqual(first);
    expect(template.render({ x: false })).toBe("");
  });

  it("notes generation spans alike, however often", () => {
    const source =
      "{% macro say(m) %}{% generation %}é{{ m }}{% endgeneration %}{% endmacro %}" +
      "🌞{% for m in ms %}{{ say(m) }}|{% endfor %}";
    const template = new Template(source, options);
    const all = Array.from({ length: MANY }, () => template.renderWithSpans({ ms: ["a", "b"] }));
    for (const spanned of all) {
      expect(spanned).toEqual({
        text: "🌞éa|éb|",
        spans: [
          [1, 3],
          [4, 6],
        ],
      });
    }
  });

  it("nesting that exhausts the stack ends as Python's does", () => {
    const template = new Template("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", options);
    for (let i = 0; i < 2; i++) {
      const failure = failureOf(() => template.render());
      expect(failure).toMatchObject({ phase: "render", type: "RecursionError" });
    }
    expect(new Template("{{ 1 }}", options).render()).toBe("1");
  });
});

describe("a Template", () => {
  it("refuses a template at once, with its line", () => {
    const failure = failureOf(() => new Template("a\n{% if %}"));
    expect(failure).toBeInstanceOf(CompileError);
    expect(failure).toMatchObject({ line: 2 });
  });

  it("reads its clock in every way of running", () => {
    const source = "{{ strftime_now('%d.%m.%Y') }}";
    const now = "2026-01-31T08:05:09";
    const texts = [undefined, false, true].map((codegen) =>
      new Template(source, codegen === undefined ? {} : { codegen }).render({}, { now }),
    );
    expect(texts).toEqual(["31.01.2026", "31.01.2026", "31.01.2026"]);
  });

  it("describes itself when asked, before and after renders", () => {
    const [asked, rendered] = [new Template(read("glm.jinja")), new Template(read("glm.jinja"))];
    for (let i = 0; i < MANY; i++) rendered.render(INPUT);
    expect({ ...asked.meta }).toEqual({ ...rendered.meta });
    expect(asked.meta).toEqual({ ...new Template(read("glm.jinja"), { codegen: true }).meta });
    expect(asked.meta.capabilities.tools).toBe(true);
    expect(JSON.parse(JSON.stringify(asked.meta))).toMatchObject({ dialect: "jinja" });
    expect(asked.render(INPUT)).toBe(rendered.render(INPUT));
  });

  it("large texts bring the passes on before many renders do", () => {
    const template = new Template("{% for m in messages %}{{ m.content }}{% endfor %}");
    const messages = [{ content: "x".repeat(1 << 20) }];
    for (let i = 0; i < 3; i++) expect(template.render({ messages })).toHaveLength(1 << 20);
  });
});

describe("in the place of @huggingface/jinja's Template", () => {
  it("renders nothing but text from nothing", () => {
    expect(new Template("a{{ b }}c").render()).toBe("ac");
  });

  it.each(["raise_exception", "strftime_now", "range", "my_function"])(
    "the function %s is no input",
    (name) => {
      const template = new Template("{{ messages[0].role }}");
      const failure = failureOf(() => template.render({ messages: MESSAGES, [name]: () => 1 }));
      expect(failure).toBeInstanceOf(RenderError);
      expect(failure).toMatchObject({ phase: "input", type: "TypeError", path: name });
      expect(String(failure)).toContain(`${name} is a function`);
    },
  );

  it("asks nothing of a field that the template does not read", () => {
    let reads = 0;
    const other = {
      toJSON(): never {
        reads++;
        throw new Error("asked");
      },
    };
    const template = new Template("{{ messages[0].role }}{{ toString is defined }}");
    expect(template.render({ messages: MESSAGES, other })).toBe(`${MESSAGES[0]?.role ?? ""}False`);
    expect(reads).toBe(0);
  });

  it.each([undefined, false, true])(
    "takes what is no plain data as such: codegen %s",
    (codegen) => {
      class Message {
        readonly role = "user";
        get content(): string {
          return `a ${this.role}'s`;
        }
      }
      const template = new Template(
        "{{ messages|map(attribute='role')|join(',') }} {{ extra|tojson }} {{ day }}",
        codegen === undefined ? {} : { codegen },
      );
      const day = { toJSON: () => "monday" };
      const messages = [new Message(), new Map([["role", "tool"]]), { role: "system" }];
      const input = { messages: new Set(messages), extra: { a: [new Map([["b", 1]])] }, day };
      expect(template.render(input)).toBe('user,tool,system {"a": [{"b": 1}]} monday');
      expect(template.render(new Map(Object.entries(input)))).toBe(template.render(input));
      expect(template.render({ __proto__: null, ...input })).toBe(template.render(input));
    },
  );

  it("format says who has a formatter", () => {
    expect(() => new Template("{{a}}").format()).toThrow("@huggingface/jinja");
  });
});

describe("a cache of templates", () => {
  it("compiles a source once for each dialect", () => {
    const cache = createTemplateCache(10);
    const first = cache.get("{{ 1 }}");
    expect(cache.get("{{ 1 }}")).toBe(first);
    expect(cache.get("{{ 1 }}", { dialect: "jinja" })).toBe(first);
    const go = cache.get("{{ 1 }}", { dialect: "go" });
    expect(go).not.toBe(first);
    expect(go.meta.dialect).toBe("go");
  });

  it("forgets what was used longest ago, of any dialect", () => {
    const cache = createTemplateCache(2);
    const [a, b] = [cache.get("a"), cache.get("b", { dialect: "go" })];
    expect(cache.get("a")).toBe(a);
    const c = cache.get("c", { dialect: "ollama" });
    expect(cache.get("a")).toBe(a);
    expect(cache.get("c", { dialect: "ollama" })).toBe(c);
    expect(cache.get("b", { dialect: "go" })).not.toBe(b);
    expect(cache.get("a")).not.toBe(a);
  });

  it("keeps no template that is refused, and drops none for it", () => {
    const cache = createTemplateCache(1);
    const kept = cache.get("a");
    for (let i = 0; i < 2; i++) expect(() => cache.get("{% if %}")).toThrow(CompileError);
    expect(cache.get("a")).toBe(kept);
  });

  it.each([0, -1, 1.5, NaN, Infinity])("cannot keep %s templates", (max) => {
    expect(() => createTemplateCache(max)).toThrow(RangeError);
  });

  it("takes its number from nobody's text", () => {
    const create: (max: unknown) => unknown = (max) =>
      isRecord({ max }) && Reflect.apply(createTemplateCache, undefined, [max]);
    expect(() => create("3")).toThrow(RangeError);
  });
});
