/** renderTo and renderBytes: the same text as render, as UTF-8, whatever is rendered inside or fails midway. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RenderError, type Dialect } from "../runtime/index.js";
import { compile } from "../compiler/index.js";
import { compileTemplate, Template } from "../compiler/template.js";

/** How many UTF-16 units make a chunk. */
const CHUNK = 16_384;
/** A template that renders by code from the first render on: it hands text on as generated modules do. */
function code(text: string, dialect: Dialect = "jinja"): Template {
  return new Template(text, { dialect, codegen: true });
}

const LIST = code("{% for m in messages %}{{ m }}{% endfor %}");

function chunksOf(template: Pick<Template, "renderTo">, input: object): Buffer[] {
  const chunks: Buffer[] = [];
  template.renderTo(input, (chunk) => chunks.push(Buffer.from(chunk)));
  return chunks;
}

/** Both forms must be the text's UTF-8, and no chunk may end within a character. */
function expectBytesOfText(template: Template, input: object): void {
  const text = Buffer.from(template.render(input));
  expect(text.equals(template.renderBytes(input))).toBe(true);
  const chunks = chunksOf(template, input);
  expect(text.equals(Buffer.concat(chunks))).toBe(true);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  expect(chunks.map((chunk) => decoder.decode(chunk)).join("")).toBe(text.toString());
}

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("around the end of a chunk", () => {
  const signs = fc.constantFrom("a", "é", "€", "🙂", "\ud83d", "\ude42", "\udc80", "\0");
  const short = fc.array(signs, { maxLength: 6 }).map((list) => list.join(""));
  /** Ends within six units of a chunk's border. */
  const long = fc
    .tuple(fc.constantFrom("a", "é", "€", "🙂"), fc.integer({ min: -6, max: 6 }))
    .map(([sign, more]) => sign.repeat(CHUNK).slice(0, CHUNK + more));

  it("bytes are those of the text", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(short, long), { maxLength: 8 }), (messages) => {
        expectBytesOfText(LIST, { messages });
      }),
      { numRuns: 200 },
    );
  });

  it("a pair whose halves come from different writes stays one character", () => {
    for (let length = CHUNK - 2; length < CHUNK + 3; length++) {
      const messages = ["x".repeat(length), "\ud83d", "\ude42", "y"];
      expect(Buffer.from(LIST.renderBytes({ messages })).toString()).toBe(
        `${"x".repeat(length)}🙂y`,
      );
      expectBytesOfText(LIST, { messages });
    }
  });

  it.each(["x", "é", "€", "🙂"])("one value of %s is longer than any buffer", (sign) => {
    expectBytesOfText(LIST, { messages: ["a", sign.repeat(700_000), "b"] });
    expectBytesOfText(code("{{ text }}"), { text: sign.repeat(700_000) });
  });

  it("is handed on while it is rendered, each chunk as soon as it is full", () => {
    const chunks = chunksOf(LIST, {
      messages: Array.from({ length: 100 }, () => "x".repeat(1000)),
    });
    expect(chunks.length).toBe(6);
    expect(chunks.slice(0, -1).every(({ length }) => length === 17_000)).toBe(true);
  });

  it("writes nothing where there is nothing to write", () => {
    expect(chunksOf(LIST, { messages: [] })).toEqual([]);
    expect(LIST.renderBytes({ messages: [] }).length).toBe(0);
  });
});

it("gives the same bytes on closures and on code", () => {
  const template = new Template("{% for m in messages %}{{ m }}{% endfor %}{{ 1 // n }}");
  const messages = ["é".repeat(CHUNK), "\ud83d", "\ude42"];
  for (let run = 0; run < 50; run++) {
    expectBytesOfText(template, { messages, n: 1 });
    expect(errorOf(() => template.renderBytes({ messages, n: 0 }))).toBeInstanceOf(RenderError);
  }
});

describe("random templates", () => {
  const { statements } = fc.letrec<{ statements: string; statement: string }>((tie) => ({
    statements: fc.array(tie("statement"), { maxLength: 3 }).map((list) => list.join("")),
    statement: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom("text ", "é🙂", "{{ x }}", "{{ xs | join }}", "{{ big }}", "{{ m(x) }}"),
      fc
        .constantFrom("{% break %}", "{% continue %}")
        .map((tag) => `{% for y in xs %}{{ y }}${tag}{% endfor %}`),
      tie("statements").map((body) => `{% for x in xs %}${body}{% endfor %}`),
      tie("statements").map((body) => `{% for x in xs %}${body}{% else %}none{% endfor %}`),
      tie("statements").map((body) => `{% if x %}${body}{% else %}no{% endif %}`),
      tie("statements").map((body) => `{% set x %}${body}{% endset %}{{ x }}`),
      tie("statements").map((body) => `{% generation %}${body}{% endgeneration %}`),
      tie("statements").map((body) => `{% filter upper %}${body}{% endfilter %}`),
      tie("statements").map((body) => `{% call m(x) %}${body}{% endcall %}`),
    ),
  }));
  const macro =
    "{% macro m(v) %}<{% for y in xs %}{{ y }}{% endfor %}{{ v }}{% if caller %}{{ caller() }}{% endif %}>{% endmacro %}";
  const input = fc.record({
    x: fc.constantFrom("", "x", "ж", "𝒳"),
    xs: fc.array(fc.constantFrom("1", "ü", "🙂🙂", ""), { maxLength: 3 }),
    big: fc.constantFrom("-", "b".repeat(9000), "€".repeat(5500), "🙂".repeat(8191)),
  });

  it.each([true, false])("bytes are those of the text (passes: %s)", (passes) => {
    fc.assert(
      fc.property(statements, input, (body, values) => {
        const template = compileTemplate(macro + body, { dialect: "jinja", passes });
        const text = Buffer.from(template.render(values));
        expect(text.equals(template.renderBytes(values))).toBe(true);
        expect(text.equals(Buffer.concat(chunksOf(template, values)))).toBe(true);
        expect(template.renderWithSpans(values).text).toBe(text.toString());
      }),
      { numRuns: 120 },
    );
  });
});

describe("Go's bytes", () => {
  function bytesOf(text: string, input: object = {}, dialect: "go" | "ollama" = "go"): number[] {
    const template = code(text, dialect);
    const bytes = template.renderBytes(input);
    expect(Buffer.concat(chunksOf(template, input)).equals(bytes)).toBe(true);
    return [...bytes];
  }

  it("stray bytes are themselves", () => {
    expect(bytesOf(String.raw`{{ "\xff\x80a" }}`)).toEqual([0xff, 0x80, 0x61]);
    expect(bytesOf("{{ slice .a 0 1 }}|{{ slice .a 1 }}", { a: "é" })).toEqual([0xc3, 0x7c, 0xa9]);
  });

  it("stray bytes that come together are their character", () => {
    expect(bytesOf("{{ slice .a 0 1 }}{{ slice .a 1 }}", { a: "é" })).toEqual([0xc3, 0xa9]);
    const pieces = "{{ range .l }}{{ slice $.a 0 2 }}{{ slice $.a 2 }}{{ end }}";
    const wanted = Buffer.from("🙂".repeat(9000));
    expect(wanted.equals(Buffer.from(bytesOf(pieces, { a: "🙂", l: Array(9000).fill(0) })))).toBe(
      true,
    );
  });

  it("stray bytes around the end of a chunk are themselves", () => {
    for (let length = CHUNK - 2; length < CHUNK + 2; length++) {
      const text = "{{ range .l }}{{ . }}{{ slice $.a 0 1 }}{{ end }}";
      const l = ["x".repeat(length), "", "y"];
      const wanted = [...Buffer.from("x".repeat(length)), 0xf0, 0xf0, 0x79, 0xf0];
      expect(bytesOf(text, { a: "🙂", l })).toEqual(wanted);
    }
  });

  it("a lone surrogate of the input is Go's U+FFFD, in every dialect", () => {
    const replaced = [0xef, 0xbf, 0xbd];
    for (const unit of ["\ud800", "\udc80", "\udfff"]) {
      expect(bytesOf("{{ .a }}", { a: unit })).toEqual(replaced);
      expect(bytesOf("{{ slice .a 0 3 }}", { a: unit })).toEqual(replaced);
      const request = { messages: [{ role: "user", content: unit }] };
      expect(bytesOf("{{ range .Messages }}{{ .Content }}{{ end }}", request, "ollama")).toEqual(
        replaced,
      );
      expect([...LIST.renderBytes({ messages: [unit] })]).toEqual(replaced);
    }
  });

  it("Ollama's three ways give the same in bytes", () => {
    const text =
      "{{ .Prompt }}|{{ .Suffix }}{{ range .Messages }}{{ slice .Content 0 1 }}{{ slice .Content 1 }}{{ end }}";
    const template = code(text, "ollama");
    for (const input of [
      { prompt: "é", suffix: "ü" },
      { messages: [{ role: "user", content: "é" }] },
    ]) {
      expect(Buffer.from(template.render(input)).equals(template.renderBytes(input))).toBe(true);
    }
  });
});

describe("a render inside another's write", () => {
  it("does not disturb it", () => {
    const messages = Array.from({ length: 40 }, (_, i) => `${String(i)}é`.repeat(1000));
    const wanted = LIST.render({ messages });
    const outer: Buffer[] = [];
    const inner: string[] = [];
    LIST.renderTo({ messages }, (chunk) => {
      inner.push(Buffer.from(LIST.renderBytes({ messages: messages.slice(0, 9) })).toString());
      inner.push(Buffer.concat(chunksOf(LIST, { messages: messages.slice(0, 9) })).toString());
      errorOf(() => code("{{ 1 // 0 }}").renderBytes({}));
      outer.push(Buffer.from(chunk));
    });
    expect(Buffer.concat(outer).toString()).toBe(wanted);
    expect(new Set(inner)).toEqual(new Set([LIST.render({ messages: messages.slice(0, 9) })]));
  });

  it("may go as deep as it likes", () => {
    const render = (depth: number): string => {
      const parts: string[] = [];
      LIST.renderTo({ messages: [`<${String(depth)}`, "x".repeat(20_000), ">"] }, (chunk) => {
        const text = Buffer.from(chunk).toString();
        parts.push(depth > 0 ? render(depth - 1) : "", text);
      });
      return parts.join("");
    };
    const level = (depth: number): [string, string] => [
      `<${String(depth)}${"x".repeat(20_000)}`,
      ">",
    ];
    const wanted = (depth: number): string => {
      const [first, second] = level(depth);
      const inner = depth > 0 ? wanted(depth - 1) : "";
      return inner + first + inner + second;
    };
    expect(render(4)).toBe(wanted(4));
  });
});

describe("failures", () => {
  const FAILING = code("{% for m in messages %}{{ m }}{{ 1 // n }}{% endfor %}");
  const messages = Array.from({ length: 50 }, () => "é".repeat(1000));
  const late = code("{% for m in messages %}{{ m }}{% endfor %}{{ raise_exception('late') }}");

  it("tells how much had been written", () => {
    let received = 0;
    const error = errorOf(() => {
      late.renderTo({ messages }, (chunk) => (received += chunk.length));
    });
    expect(error).toBeInstanceOf(RenderError);
    expect(error).toMatchObject({ phase: "render", message: "late", written: received });
    expect(received).toBeGreaterThan(0);
    expect(errorOf(() => late.renderBytes({ messages }))).toMatchObject({ message: "late" });
  });

  it("fails as render does, before anything is written", () => {
    const text = errorOf(() => FAILING.render({ messages, n: 0 }));
    const written: unknown[] = [];
    const error = errorOf(() => {
      FAILING.renderTo({ messages, n: 0 }, (chunk) => written.push(chunk));
    });
    expect(written).toEqual([]);
    expect(error).toMatchObject({ message: "integer division or modulo by zero", written: 0 });
    expect(error).toMatchObject({ type: (text instanceof RenderError && text.type) || "none" });
  });

  it("leaves the buffer usable", () => {
    for (let i = 0; i < 3; i++) {
      errorOf(() => late.renderBytes({ messages }));
      errorOf(() => {
        late.renderTo({ messages }, () => undefined);
      });
      expectBytesOfText(LIST, { messages });
    }
  });

  it("passes on what write throws, as it is", () => {
    const own = new Error("the socket is closed");
    const nested = new RenderError("of another render", { phase: "render", type: "Error" });
    for (const thrown of [own, nested]) {
      const error = errorOf(() => {
        LIST.renderTo({ messages }, () => {
          throw thrown;
        });
      });
      expect(error).toBe(thrown);
      expect(error).not.toHaveProperty("written", expect.anything());
      expectBytesOfText(LIST, { messages });
    }
  });
});

describe("who owns the bytes", () => {
  it("renderBytes gives them away, in a buffer of just their size", () => {
    const first = LIST.renderBytes({ messages: ["first"] });
    LIST.renderBytes({ messages: ["second"] });
    expect(Buffer.from(first).toString()).toBe("first");
    expect(first.buffer.byteLength).toBe(5);
    first.fill(0);
    expect(Buffer.from(LIST.renderBytes({ messages: ["third"] })).toString()).toBe("third");
  });

  it("a chunk's memory is used again, and may even be taken away", () => {
    const messages = Array.from({ length: 30 }, (_, i) => String(i % 10).repeat(2000));
    const wanted = LIST.render({ messages });
    const kept: Uint8Array[] = [];
    LIST.renderTo({ messages }, (chunk) => kept.push(chunk));
    expect(Buffer.concat(kept).toString()).not.toBe(wanted);
    const moved: string[] = [];
    LIST.renderTo({ messages }, ({ buffer, byteLength }) => {
      if (!(buffer instanceof ArrayBuffer)) return;
      const taken = structuredClone(buffer, { transfer: [buffer] });
      moved.push(Buffer.from(taken, 0, byteLength).toString());
    });
    expect(moved.join("")).toBe(wanted);
    expectBytesOfText(LIST, { messages });
  });
});

describe("long prompts", () => {
  it.each(["a", "é", "🌍"])("of several megabytes come whole, of %s", (character) => {
    const template = compileTemplate("{% for m in messages %}{{ m.content }}{% endfor %}", {
      dialect: "jinja",
    });
    const messages = Array.from({ length: 300 }, (_, i) => ({
      content: character.repeat(2500 + i * 7),
    }));
    const bytes = template.renderBytes({ messages });
    expect(Buffer.compare(bytes, Buffer.from(template.render({ messages })))).toBe(0);
  });

  it("may follow each other and shorter ones, each in memory of its own", () => {
    const sizes = [40, 3000, 40, 2000, 5000, 0, 3000];
    const inputs = sizes.map((count, i) => ({
      messages: Array.from({ length: count }, (_, k) => `${String(i)}é${String(k)}`.repeat(100)),
    }));
    const made = inputs.map((input) => LIST.renderBytes(input));
    for (const [i, bytes] of made.entries()) {
      const wanted = Buffer.from(LIST.render(inputs[i] ?? {}));
      expect(wanted.equals(bytes)).toBe(true);
      expect(bytes.buffer.byteLength).toBe(wanted.length);
    }
  });
});

describe("generated modules", () => {
  /** A function of the module, with what stands before its first brace. */
  function functionIn(module: string, name: string): string {
    const start = module.indexOf(`function ${name}(`);
    return start < 0 ? "" : module.slice(start, module.indexOf("\n}\n", start));
  }

  async function modules(text: string): Promise<[string, string]> {
    const options = { name: "test", dialect: "jinja" } as const;
    const { code: textOnly } = await compile(text, options);
    const { code: both } = await compile(text, { ...options, targets: ["text", "bytes"] });
    return [textOnly, both];
  }

  it("have the functions that the targets ask for, and the same body for text", async () => {
    const [textOnly, both] = await modules("{% for m in messages %}{{ m.role }}{% endfor %}");
    expect(textOnly).not.toMatch(/renderTo|renderBytes|ByteSink/);
    expect(both).toContain("export function renderTo(");
    expect(both).toContain("export function renderBytes(");
    expect(functionIn(both, "renderPrompt")).toBe(functionIn(textOnly, "renderPrompt"));
    const added = "    out = sink.take(out);\n";
    expect(functionIn(both, "writePrompt").replace(added, "")).toBe(
      functionIn(both, "renderPrompt").replace(
        "renderPrompt(input: TestInput",
        "writePrompt(input: TestInput, sink: ByteSink",
      ),
    );
  });

  it("have one body where nothing grows", async () => {
    const [, both] = await modules("{{ bos_token }}{% if tools %}{{ tools }}{% endif %}");
    expect(both).toContain("return encode(() => renderPrompt(input));");
    expect(both).not.toMatch(/ByteSink|writePrompt/);
  });

  it("keep their names from those of the template", () => {
    const text =
      "{% macro encodeTo(sink) %}[{{ sink }}]{% endmacro %}{% macro renderTo(write) %}{{ encodeTo(write) }}{% endmacro %}" +
      "{% for sink in encode %}{{ encodeTo(sink) }}{{ renderTo(writePrompt) }}{{ take }}{% endfor %}";
    const input = { encode: ["a", "b"], writePrompt: "w", take: "t", sink: "none" };
    expect(Buffer.from(code(text).renderBytes(input)).toString()).toBe("[a][w]t[b][w]t");
  });
});
