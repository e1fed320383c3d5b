/** What is known of a template without a conversation: its inputs, what they may be, what it shows. */
import { describe, expect, it } from "vitest";
import { inspect } from "../compiler/index.js";
import { Template } from "../compiler/template.js";
import type { Capabilities, Forms, Variable } from "../runtime/index.js";

function variablesOf(template: string): readonly Variable[] {
  return inspect(template, { dialect: "jinja" }).variables;
}

function namesOf(template: string): readonly string[] {
  return variablesOf(template).map(({ name }) => name);
}

function variableOf(template: string, name: string): Variable | undefined {
  return variablesOf(template).find((one) => one.name === name);
}

describe("inputs", () => {
  it.each([
    [
      "what is printed, tested or iterated",
      "{{ a }}{% if b %}{% for c in d %}{% endfor %}{% endif %}",
      "abd",
    ],
    [
      "no name that every branch sets",
      "{% if a %}{% set x = 1 %}{% else %}{% set x = 2 %}{% endif %}{{ x }}",
      "a",
    ],
    ["a name that one branch sets", "{% if a %}{% set x = 1 %}{% endif %}{{ x }}", "ax"],
    ["a name that is read before it is set", "{{ x }}{% set x = 1 %}{{ x }}", "x"],
    [
      "a name that a branch with neither else nor end sets",
      "{% if a %}{% set x = 1 %}{% elif b %}{% set x = 2 %}{% endif %}{{ x }}",
      "abx",
    ],
    [
      "what a macro reads, and not its parameters",
      "{% macro m(p) %}{{ p }}{{ x }}{% endmacro %}{{ m(1) }}",
      "x",
    ],
    ["the default of a parameter", "{% macro m(p=x) %}{{ p }}{% endmacro %}{{ m() }}", "x"],
    ["no loop variable, nor loop", "{% for i in a %}{{ i }}{{ loop.index }}{% endfor %}", "a"],
    ["a loop variable behind its loop", "{% for i in a %}{{ i }}{% endfor %}{{ i }}", "ai"],
    [
      "what a loop sets and is read behind it",
      "{% for i in a %}{% set x = i %}{% endfor %}{{ x }}",
      "ax",
    ],
    [
      "what is asked for though the answer changes nothing",
      "{% if not a is defined %}{% set a = 1 %}{% endif %}{% if b %}{% endif %}c",
      "ab",
    ],
    [
      "nothing that is set wherever the template goes on",
      "{% if a %}{% set x = 1 %}{% else %}{{ raise_exception('no') }}{% endif %}{{ x }}",
      "a",
    ],
    ["nothing of code that never runs", "{% if false %}{{ x }}{% endif %}{{ a }}", "a"],
    [
      "no global of the environment that is called",
      "{% for i in range(n) %}{{ i }}{% endfor %}",
      "n",
    ],
  ])("are %s", (_, template, names) => {
    expect(namesOf(template).toSorted().join("")).toBe(names);
  });

  it.each([
    [
      "{% for m in messages %}{% if m.role == 'tool' and m.rare %}{{ note }}{% endif %}{% endfor %}",
      "note",
      { messages: [{ role: "tool", rare: true }] },
    ],
    [
      "{% for m in messages %}{% if m.x %}{% set seen = 1 %}{% endif %}{{ seen }}{% endfor %}",
      "seen",
      { messages: [{ x: false }] },
    ],
    [
      "{% macro m() %}{{ hidden }}{% endmacro %}{% if go %}{{ m() }}{% endif %}",
      "hidden",
      { go: 1 },
    ],
  ])("include what only rare inputs show: %s", (source, name, rare) => {
    expect(namesOf(source)).toContain(name);
    const template = new Template(source);
    expect(template.render({ ...rare, [name]: "shown" })).not.toBe(template.render(rare));
    expect(template.render({ [name]: "shown" })).toBe(template.render({}));
  });
});

describe("required", () => {
  it.each([
    ["{{ x + 'a' }}", true],
    ["{{ 'a' + x }}", true],
    ["{{ x.y }}", true],
    ["{{ x[0] }}", true],
    ["{{ x() }}", true],
    ["{{ x | tojson }}", true],
    ["{% if a %}{{ x.y }}{% endif %}", true],
    ["{% set l = x %}{{ l.y }}", true],
    ["{% macro m(p) %}{{ p.y }}{% endmacro %}{{ m(x) }}", true],
    ["{% if not x %}{{ raise_exception('x?') }}{% endif %}", true],
    ["{% if a %}{% set x = 'b' %}{% elif c %}{{ x.y }}{% endif %}", true],
    ["{{ x }}", false],
    ["{{ x ~ 'a' }}", false],
    ["{% for i in x %}{{ i }}{% endfor %}", false],
    ["{% if x %}{{ x.y }}{{ x | tojson }}{% endif %}", false],
    ["{% if x is defined and x.y %}{{ x.y.z }}{% endif %}", false],
    ["{% if x is not defined or x.y %}a{% endif %}", false],
    ["{{ x.y if x else 'n' }}", false],
    ["{{ (x | default('d')) + 'a' }}", false],
    ["{% if x is not defined %}{% set x = 'd' %}{% endif %}{{ x + 'a' }}", false],
    ["{% set l = x or 'd' %}{{ l + 'a' }}", false],
    ["{% if a or x %}{% if a %}b{% else %}{{ x.y }}{% endif %}{% endif %}", false],
    ["{% if x or a %}{% if a %}{% set x = a %}{% endif %}{{ x[:] }}{% endif %}", false],
  ])("%s: %s", (template, required) => {
    expect(variableOf(template, "x")?.required).toBe(required);
  });

  it("is what a render fails for", () => {
    expect(() => new Template("{{ x + 'a' }}").render({})).toThrow("'x' is undefined");
    expect(() => new Template("{{ x | tojson }}").render({})).toThrow();
  });

  it("are the messages, always", () => {
    const template = "{% for m in messages %}{{ m.role }}{% endfor %}";
    expect(variableOf(template, "messages")?.required).toBe(true);
  });
});

describe("values", () => {
  it.each([
    ["{% if x == 'a' %}1{% elif x == 'b' %}2{% endif %}", ["a", "b"]],
    ["{% if x in ['a', 'b'] or 'c' == x %}1{% endif %}", ["a", "b", "c"]],
    ["{% if x not in ('a', 'b') %}1{% endif %}", ["a", "b"]],
    ["{% if x != 'a' %}1{% endif %}", ["a"]],
    ["{% set l = x %}{% if l == 'a' %}1{% endif %}", ["a"]],
    ["{% set l = x | default('a') | lower %}{% if l == 'b' %}1{% endif %}", ["b"]],
    ["{% macro m(p) %}{% if p == 'a' %}1{% endif %}{% endmacro %}{{ m(x) }}", ["a"]],
    ["{% set n = namespace(l=x) %}{% if n.l == 'a' %}1{% endif %}", ["a"]],
    ["{% if x == 1 %}1{% endif %}", [1]],
    ["{% if x is true %}1{% endif %}", undefined],
    ["{% if 'a' in x %}1{% endif %}", undefined],
    [
      "{% set l = x %}{% if a %}{% set l = a.b %}{% endif %}{% if l == 'a' %}1{% endif %}",
      undefined,
    ],
    ["{% if y == 'a' %}{% set l = y %}{% else %}{% set l = x %}{% endif %}{{ l }}", undefined],
  ])("%s: %j", (template, values) => {
    expect(variableOf(template, "x")?.values).toEqual(values);
  });
});

describe("default", () => {
  it.each<[string, unknown]>([
    ["{{ x | default('d') }}", "d"],
    ["{{ x | default('d', true) }}", "d"],
    ["{{ x if x is defined else 'd' }}", "d"],
    ["{{ x or 'd' }}", "d"],
    ["{{ 'd' if x is undefined else x }}", "d"],
    ["{% if x is not defined %}{% set x = 'd' %}{% endif %}{{ x }}", "d"],
    ["{% if not x %}{% set x = 'd' %}{% endif %}{{ x }}", "d"],
    ["{% if x is defined %}{% set l = x %}{% else %}{% set l = 'd' %}{% endif %}{{ l }}", "d"],
    ["{% set n = namespace(l=x | default(3)) %}{{ n.l }}", 3],
    ["{% set l = x | default(false) %}{% if l %}y{% endif %}", false],
    ["{% if x is not defined or x %}y{% endif %}", true],
    ["{% if x is defined and x is false %}y{% endif %}", true],
    ["{% if x %}y{% endif %}", false],
    ["{{ 'y' if a and x else 'n' }}", false],
    ["{{ x | default('d') }}{{ x | default('e') }}", undefined],
    ["{% if x is defined %}y{% endif %}", undefined],
    ["{{ x }}", undefined],
    ["{% if a %}{% set x = 'd' %}{% endif %}{{ x }}", undefined],
  ])("%s: %j", (source, value) => {
    expect(variableOf(source, "x")?.default).toBe(value);
    if (value === undefined) return;
    const template = new Template(source);
    const rest = { a: true };
    expect(template.render({ ...rest, x: value })).toBe(template.render(rest));
  });
});

// ---------------------------------------------------------------- capabilities

const LOOP = "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}";

function capabilitiesOf(template: string, dialect: "jinja" | "ollama" = "jinja"): Capabilities {
  return inspect(template, { dialect }).capabilities;
}

const PLAIN: Capabilities = {
  system: true,
  tools: false,
  documents: false,
  thinking: false,
  images: false,
  prefill: true,
  content: "text",
  arguments: "both",
};

describe("capabilities", () => {
  const part = "{% if c.type == 'text' %}{{ c.text }}{% endif %}";
  const parts = `{% for m in messages %}{% for c in m.content %}${part}{% endfor %}{% endfor %}`;
  const either =
    "{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}" +
    `{% for c in m.content %}${part}{% if c.type == 'image' %}<image>{% endif %}{% endfor %}{% endif %}{% endfor %}`;
  const calls = (args: string): string =>
    "{% for m in messages %}{{ m.content }}{% for t in m.tool_calls or [] %}" +
    `{{ t.function.name }}{{ ${args} }}{% endfor %}{% endfor %}`;

  it.each<[string, Partial<Capabilities>, string]>([
    ["a conversation printed as it comes", {}, LOOP],
    [
      "no system message",
      { system: false },
      LOOP.replace("[", "{% if m.role == 'system' %}{% continue %}{% endif %}["),
    ],
    [
      "a refused system message",
      { system: false },
      LOOP.replace("[", "{% if m.role == 'system' %}{{ raise_exception('no') }}{% endif %}["),
    ],
    ["tools", { tools: true }, `{% if tools %}{{ tools | tojson }}{% endif %}${LOOP}`],
    ["tools that are only counted", {}, `{{ tools | length }}${LOOP}`],
    [
      "tools of a message",
      { tools: true },
      LOOP.replace("[", "{% if m.tools is defined %}{{ m.tools }}{% endif %}["),
    ],
    [
      "tools of which names are shown",
      { tools: true },
      `{% for t in tools %}{{ t.function.name }}{% endfor %}${LOOP}`,
    ],
    ["documents", { documents: true }, `{% for d in documents %}{{ d.title }}{% endfor %}${LOOP}`],
    ["reasoning", { thinking: true }, LOOP.replace("[", "{{ m.reasoning_content }}[")],
    [
      "reasoning that is cut out",
      { thinking: true },
      LOOP.replace("m.content", "m.content.split('</think>')[-1]"),
    ],
    [
      "a switch",
      { thinking: true },
      `${LOOP}{% if not enable_thinking %}<think></think>{% endif %}`,
    ],
    ["a switch by another name", {}, `${LOOP}{% if verbose %}!{% endif %}`],
    ["parts", { content: "parts" }, parts],
    ["text, parts and images", { content: "both", images: true }, either],
    ["arguments as an object", { arguments: "object" }, calls("t.function.arguments | tojson")],
    [
      "arguments by name",
      { arguments: "object" },
      calls("(t.function.arguments | items | list)[0][1]"),
    ],
    ["arguments as text", { arguments: "text" }, calls("t.function.arguments")],
    [
      "arguments as either",
      { arguments: "both" },
      calls(
        "t.function.arguments if t.function.arguments is string else t.function.arguments | tojson",
      ),
    ],
    [
      "no last answer",
      { prefill: false },
      LOOP.replace("[", "{% if loop.last and m.role == 'assistant' %}{% continue %}{% endif %}["),
    ],
  ])("%s: %j", (_, expected, template) => {
    expect(capabilitiesOf(template)).toEqual({ ...PLAIN, ...expected });
  });

  it.each<[Partial<Capabilities>, string]>([
    [{}, "{{ range .Messages }}[{{ .Role }}]{{ .Content }}{{ end }}"],
    [{ prefill: false }, "{{ range .Messages }}[{{ .Role }}]{{ .Content }}<end>{{ end }}"],
    [{ tools: true }, "{{ .Tools }}{{ range .Messages }}{{ .Content }}{{ end }}"],
    [{ thinking: true }, "{{ range .Messages }}{{ .Thinking }}{{ .Content }}{{ end }}"],
    [{ system: false }, "{{ .Prompt }}{{ .Response }}"],
    [{}, "{{ .System }}{{ .Prompt }}{{ .Response }}"],
  ])("of Ollama's templates: %j", (expected, template) => {
    const found = capabilitiesOf(template, "ollama");
    expect(found).toEqual({ ...PLAIN, arguments: "object", ...expected });
  });

  it("come from names where no conversation is shown", () => {
    const { system, tools } = capabilitiesOf(
      "{{ raise_exception('never') }}{{ tools }}{{ 'system' ~ a }}",
    );
    expect([system, tools]).toEqual([false, false]);
    expect(capabilitiesOf("{% if go %}{{ tools }}{% endif %}").tools).toBe(true);
  });

  it("are found in bounded time", () => {
    const loops =
      "{% for a in range(99999) %}{% for b in range(99999) %}{% set c = 1 %}x{% endfor %}{% endfor %}";
    const started = performance.now();
    expect(capabilitiesOf(`${loops}${LOOP}`).system).toBe(false);
    const twice =
      "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}";
    expect(capabilitiesOf(`${twice}${LOOP}`).system).toBe(false);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it("and all else are the same for a Template", () => {
    const source = `{{ bos_token }}${LOOP}{% if x | default('d') == 'e' %}y{% endif %}`;
    const { capabilities, variables, leadingBos } = inspect(source, { dialect: "jinja" });
    const { meta } = new Template(source);
    expect(meta.capabilities).toEqual(capabilities);
    expect(meta.variables).toEqual(variables);
    expect(meta.leadingBos).toBe(leadingBos);
  });
});

describe("leadingBos", () => {
  it.each([
    [`{{ bos_token }}${LOOP}`, true],
    [`{{ bos_token ~ 'a' }}${LOOP}`, true],
    [`{% if not messages %}a{% endif %}{% set b = bos_token %}{{ b }}${LOOP}`, true],
    [LOOP.replace("[", "{% if loop.first %}{{ bos_token }}{% endif %}["), true],
    [`<s>${LOOP}`, true],
    [`[gMASK]<sop>${LOOP}`, true],
    [`a{{ bos_token }}${LOOP}`, false],
    [LOOP, false],
  ])("%s: %s", (template, leads) => {
    expect(inspect(template, { dialect: "jinja" }).leadingBos).toBe(leads);
  });
});

// ---------------------------------------------------------------- forms

const SHOWN =
  "{{ m.content if m.content is string else (m.content | map(attribute='text') | join) }}";
const EACH = "{% for m in messages %}";
const END = "{% endfor %}";
const NAMES = "{% for t in m.tool_calls or [] %}{{ t.function.name }}{% endfor %}";

describe("forms", () => {
  const formsOf = (template: string, dialect: "jinja" | "ollama" = "jinja"): Forms =>
    inspect(template, { dialect }).forms;
  const called = (text: string): string => `${EACH}[{{ m.role }}]${text}${END}`;

  it.each<[string, Partial<Forms>, string]>([
    [
      "of content that is text",
      { content: { system: "text", user: "text", assistant: "text", tool: "text" } },
      LOOP,
    ],
    [
      "of content that may be parts, but for a role",
      { content: { system: "both", user: "both", assistant: "text", tool: "both" } },
      `${EACH}{% if m.role == 'assistant' %}{{ m.content }}{% else %}${SHOWN}{% endif %}${END}`,
    ],
    [
      "of an empty content that is missing",
      { emptyContent: "absent" },
      called(`{{ m.content }}${NAMES}`),
    ],
    [
      "of an empty content that is a text",
      { emptyContent: "text" },
      called(`{{ m.content + '' }}${NAMES}`),
    ],
    [
      "of an empty content that is null",
      { emptyContent: "null", callsWithText: false },
      called(`{% if m.content is none %}${NAMES}{% else %}{{ m.content }}{% endif %}`),
    ],
    ["without calls and with them", { toolCalls: false, callsWithText: false }, LOOP],
    ["with calls", { toolCalls: true, callsWithText: true }, called(`{{ m.content }}${NAMES}`)],
    [
      "without results",
      { toolResults: false },
      `${EACH}{% if m.role != 'tool' %}{{ m.content }}{% endif %}${END}`,
    ],
    ["of tools as an input", { toolsIn: "input" }, `{{ tools | tojson }}${LOOP}`],
    [
      "of tools in the system message",
      { toolsIn: "system" },
      called("{{ m.content }}{% for t in m.tools or [] %}{{ t.function.name }}{% endfor %}"),
    ],
    [
      "of tools as a text in the system message",
      { toolsIn: "system text" },
      called("{{ m.content + (m.tools or '') }}"),
    ],
    [
      "of ids that must be short",
      { callIds: "nine", toolCalls: true },
      called(
        "{{ m.content }}{% for t in m.tool_calls or [] %}{% if t.id | length != 9 %}{{ raise_exception('id') }}" +
          "{% endif %}{{ t.function.name }}{% endfor %}",
      ),
    ],
    ["without reasoning", { reasoning: null }, LOOP],
    ...(["reasoning_content", "thinking", "reasoning"] as const).map(
      (field): [string, Partial<Forms>, string] => [
        `of reasoning: ${field}`,
        { reasoning: field },
        called(`{{ m.content }}{{ m.${field} }}`),
      ],
    ),
    [
      "of images",
      { image: "image", imagesIn: ["user"] },
      `${EACH}{% for c in m.content %}{{ '<image>' if c.type == 'image' and m.role == 'user' else c.text }}{% endfor %}${END}`,
    ],
    [
      "of images with an address",
      { image: "image_url", imagesIn: ["system", "user", "assistant"] },
      `${EACH}{% if m.role != 'tool' %}{% for c in m.content %}{{ c.image_url.url if c.type == 'image_url' else c.text }}{% endfor %}{% endif %}${END}`,
    ],
    ["of images that are printed as they are", { image: null, imagesIn: [] }, LOOP],
    ["without developer where any role is a header", { developer: false }, LOOP],
    [
      "without developer where the header is written large",
      { developer: false },
      called("{{ m.role | capitalize }}{{ m.content }}"),
    ],
    [
      "with developer",
      { developer: true },
      `${EACH}{% if m.role in ['system', 'developer'] %}<s>{% endif %}{{ m.content }}${END}`,
    ],
    [
      "of a system message that comes first",
      { laterSystem: false },
      `${EACH}{% if m.role == 'system' and not loop.first %}{{ raise_exception('first') }}{% endif %}{{ m.content }}${END}`,
    ],
    ["of neighbours", { neighbours: ["system", "user", "assistant"] }, LOOP],
    [
      "of no neighbours",
      { neighbours: ["system"] },
      `${EACH}{% if m.role != 'system' and m.role == (messages[loop.index0 - 1].role if loop.index0 else '') %}` +
        `{{ raise_exception('alternate') }}{% endif %}{{ m.content }}${END}`,
    ],
  ])("%s: %j", (_, expected, template) => {
    expect(formsOf(template)).toMatchObject(expected);
  });

  it("of Ollama's templates", () => {
    const range = "{{ range .Messages }}[{{ .Role }}]{{ .Content }}{{ .Thinking }}";
    const calls = "{{ range .ToolCalls }}{{ .Function.Name }}{{ end }}{{ end }}";
    expect(formsOf(range + calls, "ollama")).toMatchObject({
      toolCalls: true,
      reasoning: "thinking",
      image: "images",
      developer: false,
    });
    expect(formsOf(`${range}{{ end }}`, "ollama").toolCalls).toBe(false);
  });

  it("refuse nothing where nothing is known", () => {
    expect(formsOf("{{ raise_exception('never') }}")).toMatchObject({
      toolCalls: true,
      toolResults: true,
      laterSystem: true,
    });
  });

  it("are the same for a Template", () => {
    expect(new Template(LOOP).meta.forms).toEqual(formsOf(LOOP));
  });
});
