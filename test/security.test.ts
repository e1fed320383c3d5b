/** Attacks that are on record against engines of chat templates, each with what becomes of it here; see SECURITY.md. */
import { describe, expect, it } from "vitest";
import { compile, CompileError } from "../compiler/index.js";
import { compileTemplate, createTemplateCache, Template } from "../compiler/template.js";
import { fromOpenAI } from "../runtime/chat/index.js";
import { RenderError, type Dialect } from "../runtime/index.js";
import { refusalOf, USER } from "./adapted.js";

/** The text, or the type of the RenderError; anything else that is thrown is a fault. */
function outcome(template: string, input: object = {}, dialect: Dialect = "jinja"): string {
  try {
    return compileTemplate(template, { dialect, name: "hostile" }).render(input);
  } catch (error) {
    if (error instanceof CompileError) return "CompileError";
    if (error instanceof RenderError) return error.type;
    throw error;
  }
}

/** Whatever it says, nothing of the process is in it, and nothing of JavaScript's or Python's objects. */
const INNARDS = /native code|\[object|<class|<built-in|<module|uid=|root:|function \w*\(/;

function expectNothingShown(expression: string, input: object = {}): void {
  expect(outcome(`{{ ${expression} }}`, input)).not.toMatch(INNARDS);
}

describe("code execution by a template that came with a model", () => {
  // A template of a GGUF file or of a rerank request walks from any value to its class, and on to the modules that are
  // loaded: CVE-2024-34359, CVE-2026-5760, GHSA-46cm-pfwv-cgf8.
  it.each([
    "''.__class__",
    "''.__class__.__mro__[1].__subclasses__()",
    "''['__class__']",
    "().__class__.__base__.__subclasses__()",
    "messages.__class__",
    "messages.__init__.__globals__",
    "cycler.__init__.__globals__.os.popen('id').read()",
    "lipsum.__globals__['os'].popen('id').read()",
    "namespace.__init__.__globals__",
    "joiner.__init__.__globals__",
    "self.__init__.__globals__",
    "raise_exception.__globals__",
    "strftime_now.__globals__",
    "loop.__class__",
    "''.constructor",
    "''.constructor.constructor('return process')()",
    "[].constructor.constructor('return process')()",
    "messages.constructor('return 1')()",
    "messages['map'].constructor",
    "(1).constructor",
    "raise_exception.constructor",
    "messages.__proto__",
    "messages['__proto__']['polluted']",
  ])("{{ %s }}", (expression) => {
    expectNothingShown(expression, { messages: [{ role: "user", content: "x" }] });
  });

  it("and of a Go template, which has fields and functions only", () => {
    for (const action of [
      ".constructor",
      ".Messages.constructor",
      ".__proto__",
      ".Messages.__proto__.x",
      'index .Messages "constructor"',
      'call .constructor "return 1"',
      "$.toString",
    ]) {
      for (const dialect of ["go", "ollama"] as const) {
        const text = outcome(`{{ ${action} }}`, { Messages: [{}], messages: [] }, dialect);
        expect(text).not.toMatch(INNARDS);
      }
    }
  });

  it("compiling evaluates nothing: not even what would raise", async () => {
    const { code } = await compile("{{ raise_exception('now') }}", { dialect: "jinja", name: "x" });
    expect(code).toContain("now");
  });
});

describe("ways around the sandbox", () => {
  // str.format reads attributes of its arguments, and is reached by reference: CVE-2024-56326.
  it.each([
    "'{0.__class__}'.format(messages)",
    "'{0.__class__.__init__.__globals__}'.format(messages)",
    "'{x.constructor}'.format(x=messages)",
    "'{x[__class__]}'.format(x={})",
    "'{0.a.__class__}'.format({'a': 1})",
    "'{0.__class__}'.format_map({'0': 1})",
    "'{x.__class__}'.format_map({'x': 1})",
    "('{0.__class__}'|safe).format(1)",
    "['{0.__class__}']|map('format', 1)|list",
  ])("{{ %s }}", (expression) => {
    expectNothingShown(expression, { messages: [1] });
  });

  it("a method that is kept under another name stays checked", () => {
    const kept = "{% set f = '{0.__class__}'.format %}{{ f(1) }}";
    expect(outcome(kept)).not.toMatch(INNARDS);
    const mapped = "{% set f = ''.join %}{{ f(['a'|attr('__class__')]) }}";
    expect(outcome(mapped)).not.toMatch(INNARDS);
  });

  // The filter attr gives the method itself, past the check: CVE-2025-27516.
  it.each([
    "'{0.__class__}'|attr('format')(1)",
    "('{0.__class__}'|attr('format'))(messages)",
    "messages|attr('__class__')",
    "messages|attr('constructor')",
    "messages|attr('__proto__')",
    "messages|map(attribute='__class__')|list",
    "messages|map(attribute='constructor')|list",
    "messages|map(attribute='content.__class__')|list",
    "messages|map('attr', '__class__')|list",
    "messages|selectattr('__class__')|list|length",
    "messages|selectattr('constructor')|list|length",
    "messages|rejectattr('content.constructor')|map(attribute='__proto__')|list",
    "messages|groupby('__class__')|list",
    "messages|sort(attribute='__class__')|map(attribute='__class__')|list",
    "messages|unique(attribute='__class__')|map(attribute='toString')|list",
    "messages|sum(attribute='__class__')",
    "messages|min(attribute='constructor')|attr('constructor')",
  ])("{{ %s }}", (expression) => {
    expectNothingShown(expression, { messages: [{ content: "x" }] });
  });

  // A file name of the attacker's choice was written into the code: CVE-2024-56201.
  it("the name of a template and of its file are inert", async () => {
    const name = "x`;globalThis.pwned=1//*/\n\u2028${globalThis.pwned=1}";
    const { code } = await compile("{{ a }}", { dialect: "jinja", name, file: name });
    expect(code).not.toContain("\u2028");
    const bare = code.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/^\/\/.*$|\/\*[^]*?\*\//gm, "");
    expect(bare).not.toMatch(/pwned\s*=/);
    compileTemplate("{{ a }}{{ b.c() }}", { dialect: "jinja", name });
    expect("pwned" in globalThis).toBe(false);
  });
});

describe("templates and their options do not come from requests", () => {
  // A request that brings a template, also within chat_template_kwargs, had the server run it: CVE-2025-61620.
  it.each([
    ["chat_template", { chat_template: "{% for a in range(9**9) %}{% endfor %}" }],
    ["chat_template_kwargs.chat_template", { chat_template_kwargs: { chat_template: "{{ 1 }}" } }],
    ["chat_template_kwargs.messages", { chat_template_kwargs: { messages: [] } }],
    ["chat_template_kwargs.tokenize", { chat_template_kwargs: { tokenize: true } }],
    [
      "chat_template_kwargs.add_generation_prompt",
      { chat_template_kwargs: { add_generation_prompt: 1 } },
    ],
  ])("%s", (path, extra) => {
    expect(refusalOf(fromOpenAI, { messages: [USER], ...extra }).split(":")[0]).toBe(path);
  });

  it("kwargs within kwargs are a variable like any other", () => {
    const nested = { chat_template_kwargs: { chat_template: "{{ 7 * 7 }}" } };
    expect(outcome("{{ a.chat_template_kwargs.chat_template }}", { a: nested })).toBe(
      "{{ 7 * 7 }}",
    );
  });

  it("content is never read as a template", () => {
    const content = "{{ 7 * 7 }}{% for x in range(10**9) %}{{.System}}${1}";
    const messages = [{ role: "user", content }];
    expect(outcome("{{ messages[0].content }}", { messages })).toBe(content);
    expect(outcome("{{range .messages}}{{.content}}{{end}}", { messages }, "go")).toBe(content);
  });
});

describe("memory and time", () => {
  it.each([
    ["a range beyond the sandbox's", "{% for a in range(10**9) %}{% endfor %}"],
    ["a text times a number", "{{ 'x' * 10**9 * 10**9 }}"],
    ["a list times a number", "{{ ([1] * 10**9)|length }}"],
    ["a width", "{{ '%*d' % (10**10, 1) }}"],
    [
      "ranges in ranges",
      "{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}x{% endfor %}{% endfor %}{% endfor %}",
    ],
    ["a macro that calls itself", "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"],
    [
      "a text that doubles",
      `{% set ns = namespace(a='x') %}{% for i in range(99) %}{% set ns.a = ns.a ~ ns.a %}{% endfor %}{{ ns.a }}`,
    ],
    [
      "a list that doubles",
      `{% set ns = namespace(a=[1]) %}{% for i in range(99) %}{% set ns.a = ns.a + ns.a %}{% endfor %}`,
    ],
  ])("%s is an error with a place", (_, template) => {
    const run = (): string => new Template(template, { dialect: "jinja" }).render({});
    expect(run).toThrow(RenderError);
  });

  it("also in Go", () => {
    for (const template of [
      "{{range 100000000000}}x{{end}}",
      '{{define "a"}}{{template "a"}}{{end}}{{template "a"}}',
    ]) {
      const run = (): string => new Template(template, { dialect: "go" }).render({});
      expect(run).toThrow(RenderError);
    }
  });
});

const PROTOTYPE_NAMES = [
  ...["constructor", "__proto__", "prototype", "toString", "valueOf", "hasOwnProperty", "length"],
  ...["isPrototypeOf", "toLocaleString", "__defineGetter__", "at", "map", "push", "concat"],
  ...["slice", "charAt", "toUpperCase", "includes", "size", "name", "then", "toJSON"],
];

describe("values have their own keys only", () => {
  it.each(PROTOTYPE_NAMES)("%s", (name) => {
    const subjects = { object: { a: 1 }, list: [1], text: "t", number: 7, flag: true };
    for (const subject of Object.keys(subjects)) {
      expect(outcome(`{{ ${subject}.${name} is defined }}`, subjects)).toBe("False");
      expect(outcome(`{{ ${subject}['${name}'] is defined }}`, subjects)).toBe("False");
      expect(outcome(`{{ '${name}' in object }}`, subjects)).toBe("False");
      expect(outcome(`{{if .${subject}.${name}}}shown{{end}}`, subjects, "go")).not.toBe("shown");
    }
    expect(outcome(`{{ ${name} is defined }}`, {})).toBe("False");
    expect(outcome(`{{ object.${name} }}`, { object: { [name]: "own" } })).not.toMatch(INNARDS);
  });

  it("inherited properties are none", () => {
    const message: unknown = Object.create({ role: "inherited" });
    expect(outcome("[{{ m.role }}]", { m: message })).not.toContain("inherited");
    expect(outcome("[{{ .m.role }}]", { m: message }, "go")).not.toContain("inherited");
  });

  it("a key __proto__ of JSON is a key", () => {
    const m: unknown = JSON.parse('{"__proto__":{"role":"x"},"a":1}');
    expect(outcome("{{ m.role is defined }} {{ m|tojson }}", { m })).toBe(
      'False {"__proto__": {"role": "x"}, "a": 1}',
    );
    expect("role" in {}).toBe(false);
  });
});

const CHANGING =
  "{% set ns = namespace(a=[]) %}{% for m in messages %}{% set _ = m.update({'x': 1}) %}{% endfor %}";

describe("renders share nothing and change nothing", () => {
  const frozen = Object.freeze({
    messages: Object.freeze([Object.freeze({ role: "user", content: "x" })]),
  });
  const template = compileTemplate(
    "{% for m in messages|sort(attribute='role')|reverse %}{{ m.role }}{{ m|tojson }}{{ m.items()|list }}{% endfor %}",
    { dialect: "jinja", name: "frozen" },
  );

  it("frozen inputs, twice", () => {
    expect(template.render(frozen)).toBe(template.render(frozen));
  });

  it("methods that change a dict or a list leave the input as it is", () => {
    const input = { messages: [{ role: "user" }], list: [1] };
    for (const step of [
      CHANGING,
      "{{ list.append(2) }}",
      "{{ list.pop() }}",
      "{{ messages[0].pop('role') }}",
    ]) {
      outcome(step, input);
      expect(input).toEqual({ messages: [{ role: "user" }], list: [1] });
    }
  });

  it("nested in a render, and after an error", () => {
    const template = compileTemplate("{% for m in messages %}{{ m.a.b }}{% endfor %}", {
      dialect: "jinja",
      name: "nested",
    });
    const good = { messages: [{ a: { b: "x" } }, { a: { b: "y" } }] };
    const inner: string[] = [];
    const nesting = {
      messages: [
        Object.defineProperty({}, "a", {
          enumerable: true,
          get: () => {
            inner.push(template.render(good));
            return { b: "outer" };
          },
        }),
      ],
    };
    expect(template.render(nesting)).toBe("outer");
    expect(new Set(inner)).toEqual(new Set(["xy"]));
    expect(() => template.render({ messages: [{}] })).toThrow(RenderError);
    expect(template.render(good)).toBe("xy");
  });

  it("a template of a cache keeps nothing of what it rendered", () => {
    const cache = createTemplateCache(1);
    const source = "{% set ns = namespace(n=0) %}{% set ns.n = ns.n + 1 %}{{ ns.n }}{{ x }}";
    expect(cache.get(source).render({ x: "a" })).toBe("1a");
    expect(cache.get(source).render({})).toBe("1");
    cache.get("{{ other }}").render({});
    expect(cache.get(source).render({})).toBe("1");
  });
});

describe("an error gives no part of a prompt", () => {
  const failing = new Template("{% for m in messages %}{{ m.content }}{% endfor %}{{ a.b.c }}", {
    dialect: "jinja",
    codegen: true,
  });
  const input = { messages: Array.from({ length: 8 }, () => ({ content: "x".repeat(10_000) })) };

  it("render and renderBytes throw; renderTo says how much was written", () => {
    expect(() => failing.render(input)).toThrow(RenderError);
    expect(() => failing.renderBytes(input)).toThrow(RenderError);
    let written = 0;
    const run = (): unknown => {
      try {
        failing.renderTo(input, (chunk) => (written += chunk.length));
      } catch (error) {
        return error;
      }
      return undefined;
    };
    expect(run()).toMatchObject({ written });
  });
});
