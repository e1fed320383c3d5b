/** Whose the characters of a rendered text are, operation by operation. */
import { describe, expect, it } from "vitest";
import { Template } from "../compiler/template.js";
import { failureOf } from "./failure.js";
import { shown } from "./origin.js";

const INPUT = {
  s: "abc",
  empty: "",
  n: 5,
  sign: "<b>",
  lines: "x\ny",
  m: { role: "user", content: "  Hello, world  ", tags: ["x", "y"] },
  messages: [
    { role: "system", content: "Be kind." },
    { role: "user", content: "Hi" },
  ],
};

/** On closures and as code: what they give is the same. */
function jinja(template: string, input: object = INPUT): string {
  const [closures, code] = [false, true].map((codegen) =>
    shown(new Template(template, { codegen }).renderSegments(input)),
  );
  expect(code).toBe(closures);
  return String(code);
}

describe("segments of Jinja templates", () => {
  it("leave out nothing where some of several texts are empty", () => {
    for (let kept = 0; kept < 64; kept++) {
      const names = ["a", "b", "c", "d", "e", "f"];
      const input = Object.fromEntries(names.map((name, i) => [name, kept & (1 << i) ? name : ""]));
      const segments = names.flatMap((name) => (input[name] === "" ? [] : [`<${name}>${name}`]));
      expect(jinja(names.map((name) => `{{ ${name} }}`).join(""), input)).toBe(segments.join(" "));
      expect(jinja(`{{ ${names.join(" ~ ")} }}`, input)).toBe(segments.join(" "));
    }
  });

  it.each([
    ["plain text", "a{{ s }}b", '"a" <abc>s "b"'],
    ["no text", "a{{ empty }}b{{ s }}{{ empty }}{{ s }}", '"ab" <abcabc>s'],
    [
      "no text before another",
      "{{ '<' ~ empty ~ '>' }}{% set x %}[{{ empty }}]{% endset %}{{ x }}{{ s ~ empty ~ s }}",
      '"<>[]" <abcabc>s',
    ],
    ["numbers", "{{ n }}", "<5>n"],
    ["fields", "{{ m.content }}", "<  Hello, world  >m.content"],
    ["concatenation", '{{ "<" ~ s ~ ">" }}{{ s + "!" }}', '"<" <abc>s ">" <abc>s "!"'],
    ["variables", "{% set x = s %}{{ x }}", "<abc>s"],
    ["set blocks", "{% set x %}[{{ s }}]{% endset %}{{ x }}", '"[" <abc>s "]"'],
    ["macros", "{% macro f(x) %}({{ x }}){% endmacro %}{{ f(s) }}", '"(" <abc>s ")"'],
    [
      "call blocks",
      "{% macro f() %}({{ caller() }}){% endmacro %}{% call f() %}{{ s }}{% endcall %}",
      '"(" <abc>s ")"',
    ],
    [
      "namespaces",
      "{% set ns = namespace(x='') %}{% for t in m.tags %}{% set ns.x = ns.x ~ t ~ ';' %}{% endfor %}{{ ns.x }}",
      '<x>m.tags.0 ";" <y>m.tags.1 ";"',
    ],
    [
      "loops",
      "{% for t in m.tags %}{{ loop.index }}{{ t }}{% endfor %}",
      '"1" <x>m.tags.0 "2" <y>m.tags.1',
    ],
    [
      "pairs",
      "{% for k, v in m.items() %}{{ k }}={{ v }};{% endfor %}",
      '<role>m.role "=" <user>m.role ";" <content>m.content "=" <  Hello, world  >m.content ";" <tags>m.tags "=" <[\'x\', \'y\']>m.tags ";"',
    ],
    ["slices of lists", "{% for t in m.tags[1:] %}{{ t }}{% endfor %}", "<y>m.tags.1"],
    ["lists of the template", "{% for t in ['a', s] %}{{ t }}{% endfor %}", '"a" <abc>s'],
    ["what a test chooses", "{{ 'one' if s == 'abc' else 'two' }}", '"one"'],
    ["what a test has shown", "{% if s == 'abc' %}{{ s }}{% endif %}", "<abc>s"],
    ["searches and lengths", "{{ s|length }}{{ 'b' in s }}", '"3True"'],
    ["defaults", "{{ s|default('x') }}{{ q|default('x') }}", '<abc>s "x"'],
    ["a key in JSON", "{{ {s: 1}|tojson }}", '"{" <"abc">s ": 1}"'],
    ["methods of text", "{{ s.find('c') }}{{ s.center(5) }}", "<2 abc >s"],
    ["containers as JSON", "{{ m.tags|tojson }}", '<["x", "y"]>m.tags'],
    ["sums of texts", "{% set x = s + '-' + m.role %}{{ x + '.' }}", '<abc>s "-" <user>m.role "."'],
    [
      "stripping",
      "{{ m.content.strip() }}{{ (' (' ~ s ~ ') ')|trim }}",
      '<Hello, world>m.content "(" <abc>s ")"',
    ],
    [
      "splitting",
      "{% for p in (s ~ ',' ~ m.role).split(',') %}{{ p }}{% endfor %}",
      "<abc>s <user>m.role",
    ],
    [
      "replacing",
      "{{ s|replace('b', '--') }}{{ s.replace('a', m.role) }}",
      '<a>s "--" <c>s <user>m.role <bc>s',
    ],
    ["slicing", "{{ ('<' ~ s ~ '>')[1:-1] }}{{ s[0] }}", "<abca>s"],
    ["letters", "{{ ('x' ~ s)|upper }}", '"X" <ABC>s'],
    [
      "joining",
      "{{ m.tags|join('+') }}{{ ['a', s]|join(' ') }}",
      '<x>m.tags.0 "+" <y>m.tags.1 "a " <abc>s',
    ],
    ["formats", "{{ '%s=%s' % (s, m.role) }}", '<abc>s "=" <user>m.role'],
    [
      "formats with widths",
      "{{ '%5s|%-5s|%03d%%|%.1f|%.2s|%*d' % (s, m.role, n, n, s, 3, n) }}",
      '"  " <abc>s "|" <user>m.role " |" <005>n "%|" <5.0>n "|" <ab>s "|" <  5>n',
    ],
    [
      "formats by name",
      "{{ '%(b)s, %(a)r' % {'a': s, 'b': m.role} }}{{ '%(role)s' % m }}",
      "<user>m.role \", \" <'abc'>s <user>m.role",
    ],
    ["formats with the template's values", "{{ '%s %d %s' % (true, 3, none) }}", '"True 3 None"'],
    [
      "formats of the input",
      "{{ (s ~ '%4s') % m.role }}{{ (s ~ '%%') % () }}",
      '<abc>s <user>m.role <abc>s "%"',
    ],
    [
      "dicts of the template as JSON",
      "{{ {'a': s, 'b': [n, 'c'], 'm': m.tags}|tojson }}",
      '"{\\"a\\": " <"abc">s ", \\"b\\": [" <5>n ", \\"c\\"], \\"m\\": " <["x", "y"]>m.tags "}"',
    ],
    ["indents", "{{ ('a\n' ~ lines)|indent(2) }}", '"a\\n  " <x\n>lines "  " <y>lines'],
    [
      "escapes",
      "{{ ('<' ~ sign ~ s)|e }}{{ sign|e }}",
      '"&lt;" <&lt;b&gt;>sign <abc>s <&lt;b&gt;>sign',
    ],
    [
      "sums with safe text",
      "{{ '<'|safe + sign + '&' + s|safe + n|string }}{% set t = s|safe %}{{ m.role + '=' + t }}",
      '"<" <&lt;b&gt;>sign "&amp;" <abc>s <5>n <user>m.role "=" <abc>s',
    ],
    ["filters of formats", "{{ '%s=%d!'|format(s, n) }}", '<abc>s "=" <5>n "!"'],
    ["filters of formats with widths", "{{ '%5s=%02d'|format(s, n) }}", '"  " <abc>s "=" <05>n'],
    [
      "braces",
      "{{ '{}: {}'.format(s, n) }}{{ '{1}{0}{{'.format(s, 'x') }}",
      '<abc>s ": " <5>n "x" <abc>s "{"',
    ],
    [
      "macros that are stripped",
      "{% macro f(x) %} ({{ x }}) {% endmacro %}{{ f(s)|trim }}",
      '"(" <abc>s ")"',
    ],
    [
      "lists and texts of the template",
      "{{ ['a', 'b']|join(',') }}{{ '{}!'.format('x') }}{{ []|tojson }}",
      '"a,bx![]"',
    ],
    ["words of the engine", "{{ q is defined }}{{ none }}", '"FalseNone"'],
  ])("%s", (_, template, segments) => {
    expect(jinja(template)).toBe(segments);
  });

  it("name the role of the message that a path leads into", () => {
    const segments = new Template(
      "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}",
    ).renderSegments(INPUT);
    expect(segments.map(({ role }) => role)).toEqual([
      ...["system", undefined, "system", undefined],
      ...["user", undefined, "user", undefined],
    ]);
  });

  it("fail as the render does", () => {
    const template = new Template("{{ s }}\n{{ raise_exception('no ' ~ s) }}");
    const expected = failureOf(() => template.render(INPUT));
    expect(failureOf(() => template.renderSegments(INPUT))).toEqual(expected);
  });
});

/** What stands in the input at a path. */
function standing(input: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined),
    input,
  );
}

describe("places of the input", () => {
  const part = (i: number): object => ({
    text: `part ${i}`,
    in: { deep: [{ text: `deep ${i}` }] },
  });
  const messages = Array.from({ length: 30 }, (_, i) => ({
    role: i % 3 === 0 ? "user" : "tool",
    content: `text ${i}`,
    parts: Array.from({ length: i % 10 === 0 ? 60 : 2 }, (__, j) => part(100 * i + j)),
  }));
  const others = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`other${i}`, { text: `other ${i}`, list: [part(i)] }]),
  );
  const SHOW =
    "{{ m.content }};{% for p in m.parts %}{{ p.text }},{{ p.in.deep[0].text }};{% endfor %}";

  it.each([
    ["in order", `{% for m in messages %}${SHOW}{% endfor %}`],
    ["twice", `{% for k in [1, 2] %}{% for m in messages %}${SHOW}{% endfor %}{% endfor %}`],
    ["backward", `{% for m in messages|reverse %}${SHOW}{% endfor %}`],
    ["a few of them", `{% for m in messages[3::7] %}${SHOW}{% endfor %}`],
    [
      "beside each other",
      "{% for m in messages %}{{ messages[loop.index0 - 9].parts[1].text }};{{ m.parts[0].in.deep[0].text }};" +
        "{{ messages[-1].content }};{% endfor %}",
    ],
    [
      "from one list and another",
      "{% for m in messages %}{{ m.parts[1].text }};{{ tools[loop.index0 % 3].text }};{{ other39.list[0].in.deep[0].text }};" +
        "{{ other3.text }};{% endfor %}",
    ],
  ])("are found in whatever order they are read: %s", (_, source) => {
    const input = { ...others, messages, tools: [part(-1), part(-2), part(-3)] };
    const segments = new Template(source).renderSegments(input);
    const shownAt = segments.filter(({ from }) => from === "input");
    expect(shownAt.length).toBeGreaterThan(5);
    for (const { text, path } of shownAt)
      expect([path, standing(input, path ?? [])]).toEqual([path, text]);
  });

  it("are those of the object that is read, where it stands there twice", () => {
    const twice = { role: "user", content: "Hi" };
    const input = { first: twice, messages: [twice, { role: "assistant", content: "Yo" }, twice] };
    const source = "{% for m in messages %}{{ m.content }};{% endfor %}{{ first.content }}";
    for (const { text, from, path } of new Template(source).renderSegments(input)) {
      if (from === "input") expect(standing(input, path ?? [])).toBe(text);
    }
  });
  // All texts of the input begin with a mark, and none of a template does.
  const CALLS = ["§a", "§b"].map((name) => ({
    function: { name, arguments: { x: `${name}x`, y: `${name}y`, more: { deep: [`${name}z`] } } },
  }));
  const MARKED = {
    tools: [{ function: { name: "§t0" } }, { name: "§t1" }],
    messages: ["§m0", "§m1", "§m2"].map((content) => ({ content, calls: CALLS, tags: [content] })),
    table: { "§k": { v: "§v" }, "§l": { v: "§w" } },
    pairs: { "§p": "§q", "§r": "§s" },
  };
  const LOOP = "{% for m in messages %}{% for c in m.calls %}";
  const END = "{% endfor %}{% endfor %}";

  it.each([
    ["items of a list", "{% for m in messages %}{{ m.content }}{{ m.tags[0] }}{% endfor %}"],
    ["items of a list in an item", `${LOOP}{{ c.function.name }}${END}`],
    ["an item that is set anew", `${LOOP}{% set c = c.function %}{{ c.name }}${END}`],
    [
      "an item that may be set anew",
      "{% for t in tools %}{% if t.function %}{% set t = t.function %}{% endif %}{{ t.name }}{% endfor %}",
    ],
    [
      "an item that is set to one of another list",
      "{% for m in messages %}{% set m = tools[0].function if loop.first else {'name': m.content} %}{{ m.name }}{% endfor %}",
    ],
    [
      "pairs",
      `${LOOP}{% for k, v in c.function.arguments.items() %}{{ k }}{{ v }};{% endfor %}${END}`,
    ],
    [
      "pairs of a filter",
      `${LOOP}{% for k, v in c.function.arguments|items %}{{ v }};{% endfor %}${END}`,
    ],
    [
      "pairs whose item is set anew",
      "{% for k, v in pairs|items %}{% set v = v if v is mapping else v|string %}{{ k }}={{ v }};{% endfor %}",
    ],
    [
      "pairs whose key is set anew",
      "{% for k, v in pairs.items() %}{% set k = k ~ '!' %}{{ k }}={{ v }};{% endfor %}",
    ],
    ["pairs of containers", "{% for k, v in table.items() %}{{ k }}={{ v.v }};{% endfor %}"],
    ["items of pairs", "{% for pair in pairs.items() %}{{ pair[0] }}={{ pair[1] }};{% endfor %}"],
    ["keys", "{% for k in pairs %}{{ k }}={{ pairs[k] }};{% endfor %}"],
    ["keys of containers", "{% for k in table %}{{ k }}={{ table[k].v }};{% endfor %}"],
    [
      "characters",
      "{% for m in messages %}{% for c in m.content %}{{ '[' ~ c }}{% endfor %}{% endfor %}",
    ],
    [
      "texts",
      "{% for m in messages %}{% for t in m.tags %}{{ t }}{{ t|upper }}{% endfor %}{% endfor %}",
    ],
    [
      "a list that is turned round",
      "{% for m in messages[::-1] %}{{ m.content }}{{ m.tags[0] }}{% endfor %}",
    ],
    [
      "a part of a list",
      "{% for m in messages[1:] %}{{ m.content }}{% if not loop.first %}{{ loop.previtem.content }}{% endif %}{% endfor %}",
    ],
    ["a list in a variable", "{% set l = messages %}{% for m in l %}{{ m.content }}{% endfor %}"],
    [
      "one list or another",
      "{% set l = messages if add else tools %}{% for m in l %}{{ m.content }}{{ m.name }}{% endfor %}",
    ],
    [
      "a list that is set anew",
      "{% set l = messages %}{% for m in l %}{{ m.content }}{% endfor %}{% set l = tools %}{% for t in l %}{{ t.name }}{% endfor %}",
    ],
    [
      "an item in a macro",
      "{% for m in messages %}{% macro f(x) %}{{ m.content }}{{ x.function.name }}{% endmacro %}{{ f(m.calls[1]) }}{% endfor %}",
    ],
    [
      "an item in a call",
      "{% macro f() %}{{ caller() }}{% endmacro %}{% for m in messages %}{% call f() %}{{ m.content }}{% endcall %}{% endfor %}",
    ],
    [
      "an item in a set block",
      "{% for m in messages %}{% set x %}{{ m.content }}{% endset %}{{ x }}{{ x|trim }}{% endfor %}",
    ],
    [
      "other items",
      "{% for m in messages %}{{ messages[loop.index0].content }}{{ messages[-1].content }}{% endfor %}",
    ],
    [
      "JSON",
      `{% for m in messages %}{{ m|tojson }}{{ m.tags|tojson(indent=1) }}{% endfor %}${LOOP}{{ c.function|tojson }}${END}`,
    ],
    [
      "text or JSON",
      `${LOOP}{% for k, v in c.function.arguments.items() %}{{ v if v is string else v|tojson }};{% endfor %}${END}`,
    ],
    [
      "an item in a namespace",
      "{% set ns = namespace(m=none) %}{% for m in messages %}{% set ns.m = m %}{{ ns.m.content }}{% endfor %}",
    ],
  ])("take nothing of the input for the template's: %s", (_, source) => {
    for (const limits of [false, true]) {
      for (const codegen of [false, true]) {
        const template = new Template(source, { codegen, limits });
        const segments = template.renderSegments(MARKED);
        expect(segments.map(({ text }) => text).join("")).toBe(template.render(MARKED));
        expect(
          segments.filter(({ from, text }) => from === "template" && text.includes("§")),
        ).toEqual([]);
        expect(segments.filter(({ from, path }) => from === "input" && path === undefined)).toEqual(
          [],
        );
      }
    }
  });
});

describe("segments of Ollama's templates", () => {
  const ollama = (template: string, input: object): string => {
    const [closures, code] = [false, true].map((codegen) =>
      shown(new Template(template, { dialect: "ollama", codegen }).renderSegments(input)),
    );
    expect(code).toBe(closures);
    return String(code);
  };

  it("lead to the request's own messages, wherever Ollama puts them", () => {
    const template = "{{ .System }}|{{ range .Messages }}{{ .Role }}: {{ .Content }}\n{{ end }}";
    const input = {
      system: "S",
      messages: [
        { role: "system", content: "T" },
        { role: "user", content: "U" },
        { role: "user", content: "V" },
      ],
      response: "R",
    };
    expect(ollama(template, input)).toBe(
      '<S>system "\\n\\n" <T>messages.0.content "|system: " <S>system "\\n\\n" <T>messages.0.content "\\n" ' +
        '<user>messages.1.role ": " <U>messages.1.content "\\n\\n" <V>messages.2.content "\\nassistant: " <R>response "\\n"',
    );
  });
});
