/** Inputs that are no plain data, in every place where a template looks: code and closures take them as their data. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Template } from "../compiler/template.js";
import { failureOf } from "./failure.js";
import { ROOT } from "./terminal.js";

const CALL = { function: { name: "add", arguments: { a: 1, b: { c: ["d"] } } }, id: "1" };
const INPUT = {
  messages: [
    { role: "system", content: "Be brief.", extra: { a: ["b"] } },
    { role: "user", content: [{ type: "text", text: "How much?" }] },
    { role: "assistant", content: "", reasoning_content: "hm", tool_calls: [CALL] },
    { role: "tool", content: "3", tool_call_id: "1" },
    { role: "user", content: "Thanks." },
  ],
  tools: [{ type: "function", function: { name: "add", parameters: { type: "object" } } }],
  documents: { a: { title: "t", pages: [1, 2] } },
  add_generation_prompt: true,
};

const SMALL = [
  "{% for m in messages %}{{ m.role }}{{ m['content'] }}{% endfor %}",
  "{% for m in messages[1:]|reverse %}{{ m.role }}{{ m.tool_calls[0].function.arguments }}{% endfor %}",
  "{% set m = messages|last %}{{ m.role }}{{ (messages|first).extra.a[0] }}{{ messages|length }}",
  "{% for m in messages %}{{ loop.previtem.role }}{{ messages[loop.index0 - 1].content }}{% endfor %}",
  "{% macro f(m, k='role') %}{{ m[k] }}{{ caller() if caller }}{% endmacro %}{% set g = f %}" +
    "{{ f(messages[0]) }}{{ g(messages[1], k='content') }}{% call f(tools[0]) %}{{ tools }}{% endcall %}",
  "{% macro f(a) %}{% for x in varargs %}{{ x.role }}{% endfor %}{{ kwargs.m.extra }}{% endmacro %}" +
    "{{ f(1, messages[0], m=messages[0]) }}{{ f(*messages) }}",
  "{% set ns = namespace(m=messages[0]) %}{{ ns.m.extra.a }}{% set ns.m = tools[0] %}{{ ns.m.function }}",
  "{% set l = [messages[0], tools] %}{{ l[0].extra.a }}{% set d = {'x': messages[2]} %}{{ d.x.tool_calls }}",
  "{% for k, v in documents.items() %}{{ k }}{{ v.title }}{% endfor %}{{ documents['a'].pages[1] }}",
  "{% for k in documents %}{{ documents[k].pages }}{% endfor %}{% for d in documents|dictsort %}{{ d[1].title }}{% endfor %}",
  "{{ 'a' in documents }}{{ 'extra' in messages[0] }}{{ 'text' in messages[1].content[0] }}",
  "{{ tools[0] in tools }}{{ messages[0] == messages[0] }}{{ messages[0].extra == {'a': ['b']} }}",
  "{{ (nothing or messages)[0].role }}{{ (messages if tools else tools)[1].content[0].text }}",
  "{{ (missing|default(messages))[2].tool_calls[0].id }}{{ messages|map(attribute='extra')|list }}",
  "{% for m in messages|selectattr('role', 'eq', 'user') %}{{ m.content }}{% endfor %}",
  "{% for m in messages if m.tool_calls %}{% for c in m.tool_calls recursive %}{{ c.function.name }}{% endfor %}{% endfor %}",
  "{% set x = tools[0] %}{% for i in range(2) %}{% if x.function %}{% set x = x.function %}{% endif %}{{ x.name }}{% endfor %}",
  "{% for a in messages %}{% set a = a.extra or a %}{{ a.a }}{{ a.content is string }}{% endfor %}",
  "{{ messages is iterable }}{{ documents is mapping }}{{ documents.a is mapping }}{{ tools is sequence }}",
  "{{ documents|tojson }}{{ tools|string }}{{ messages|join(attribute='role') }}",
];

const folder = `${ROOT}/scripts/bench/templates/`;
const LARGE = [
  `${ROOT}/templates/glm.jinja`,
  ...readdirSync(folder).map((name) => folder + name),
].map((path) => readFileSync(path, "utf8"));

type Path = readonly string[];

/** The paths of all lists and objects. */
function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]));
  return [path, ...inner];
}

function replaced(value: unknown, path: Path, make: (value: object) => unknown): unknown {
  const [key, ...rest] = path;
  if (typeof value !== "object" || value === null) return value;
  if (key === undefined) return make(value);
  const change = ([name, item]: [string, unknown]): [string, unknown] => [
    name,
    name === key ? replaced(item, rest, make) : item,
  ];
  const entries = Object.entries(value).map(change);
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

/** An object whose prototype has other fields than it has itself. */
class Message {
  constructor(fields: object) {
    Object.assign(this, fields);
  }

  get nothing(): string {
    return this.constructor.name;
  }
}

const OTHERS: Readonly<Record<string, (value: object) => unknown>> = {
  "a Map or a Set": (value) =>
    Array.isArray(value) ? new Set(value) : new Map(Object.entries(value)),
  "of a class": (value) => (Array.isArray(value) ? value : new Message(value)),
  "as toJSON gives it": (value) => ({ role: "another", toJSON: () => value }),
};

function asked(value: object): object {
  const toJSON = (): never => {
    throw new Error("asked for its data");
  };
  return { ...value, toJSON };
}

function rendered(template: Pick<Template, "render">, input: unknown): string {
  if (typeof input !== "object" || input === null) throw new TypeError("no input");
  try {
    return template.render(input);
  } catch (error) {
    return String(error);
  }
}

const TEMPLATES = [...SMALL, ...LARGE].map((source) => ({ source, title: source.slice(0, 60) }));

describe("what is no plain data", () => {
  it.each(TEMPLATES)("is taken as its data wherever it is: $title", ({ source }) => {
    const code = new Template(source, { codegen: true });
    const closures = new Template(source, { codegen: false });
    const expected = rendered(code, INPUT);
    for (const path of pathsOf(INPUT)) {
      for (const [name, make] of Object.entries(OTHERS)) {
        const input = replaced(INPUT, path, make);
        const where = `${path.join(".")} ${name}`;
        expect(rendered(code, input), `${where} in code`).toBe(expected);
        expect(rendered(closures, input), `${where} in closures`).toBe(expected);
      }
    }
  });

  it.each(TEMPLATES)("is asked for its data by code as by closures: $title", ({ source }) => {
    const code = new Template(source, { codegen: true });
    const closures = new Template(source, { codegen: false });
    const expected = [rendered(code, INPUT), "Error: asked for its data"];
    for (const path of pathsOf(INPUT)) {
      const input = replaced(INPUT, path, asked);
      const text = rendered(code, input);
      expect(expected.map((each) => text.endsWith(each))).toContain(true);
      expect(rendered(closures, input), path.join(".")).toBe(text);
    }
  });
});

describe("what the template does not read", () => {
  const template = "{% for m in messages %}{{ m.role }}{% endfor %}";

  it.each([true, false])("need not answer: codegen %s", (codegen) => {
    const message = {
      role: "user",
      get other(): never {
        throw new Error("read");
      },
    };
    expect(new Template(template, { codegen }).render({ messages: [message] })).toBe("user");
  });

  it.each([true, false])("may contain itself: codegen %s", (codegen) => {
    const message: { role: string; self?: object } = { role: "user" };
    message.self = message;
    expect(new Template(template, { codegen }).render({ messages: [message] })).toBe("user");
  });
});

describe("names of a template's own", () => {
  const names = [
    "runtime",
    "rules",
    "look",
    "whole0",
    "input",
    "value",
    "render",
    "begin",
    "prototype",
  ];

  it.each(names)("may be %s, in code too", (name) => {
    const source = `{% macro ${name}(m) %}{{ m.role }}{% endmacro %}{{ ${name}(messages[0]) }}`;
    expect(new Template(source, { codegen: true }).render(INPUT)).toBe("system");
  });
});

describe("a render inside of another", () => {
  const inner = new Template("{% for i in range(50) %}i{% endfor %}", { codegen: true });
  const outer = new Template("{% for i in range(9) %}{{ m.a|length }}{% endfor %}", {
    codegen: true,
  });
  const input = (limits: object) => ({
    m: {
      get a(): string {
        return inner.render({}, limits);
      },
    },
  });

  it("has limits of its own, and leaves those of the other", () => {
    const options = { limits: { steps: 200 } };
    expect(outer.render(input({ limits: { steps: 150 } }), options)).toBe("50".repeat(9));
    expect(outer.render(input({}), options)).toBe("50".repeat(9));
    const tooMuch = failureOf(() => outer.render(input({ limits: { steps: 9 } }), options));
    expect(tooMuch).toMatchObject({ type: "LimitError" });
    const less = { limits: { steps: 5 } };
    expect(failureOf(() => outer.render(input({}), less)).message).toContain("5 steps");
    expect(outer.render({ m: { a: "a" } })).toBe("1".repeat(9));
  });
});
