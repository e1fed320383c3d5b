/** Compiling runs nothing of a template, and ends soon: whatever it holds, a template compiles or is a CompileError. */
import { describe, expect, it } from "vitest";
import { CompileError, compileTemplate } from "../compiler/template.js";
import type { Dialect } from "../runtime/index.js";
import { toModule } from "../compiler/pipeline.js";
import { cpuRatio } from "./growth.js";

/** Compiles; what is refused must be refused with a place. */
function compiles(template: string, dialect: Dialect): void {
  try {
    compileTemplate(template, { dialect, name: "hostile" });
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    expect(error.diagnostics[0]?.line).toBeGreaterThan(0);
  }
}

/** What opens, what is innermost, what closes. */
type Nest = readonly [open: string, middle: string, close: string];

/** Deep enough that work which doubles with each level would never end. */
const DEPTH = 40;

function nested([open, middle, close]: Nest): string {
  return open.repeat(DEPTH) + middle + close.repeat(DEPTH);
}

const JINJA_EXPRESSIONS: readonly Nest[] = [
  ["{'a':", "1", "}['a']"],
  ["{'a':", "1", "}.a"],
  ["{'a':", "a", ",'b':a}|tojson"],
  ["[", "1", "][0]"],
  ["[", "a", ",a]|join"],
  ["(", "a", " and a)"],
  ["(", "1", " or 1)"],
  ["(a if ", "a", " else a)"],
  ["(a if a else ", "a", ")"],
  ["(a if a else a|map(", "a", "))"],
  ["(", "a", " ~ a)"],
  ["(", "1", " + 1)"],
  ["(", "[1]", " * 2)"],
  ["(", "2", " ** 2)"],
  ["(", "a", " < a)"],
  ["(", "a", " in a)"],
  ["(not ", "1", ")"],
  ["f(a,", "a", ")"],
  ["f(x=", "a", ")"],
  ["a.b(", "a", ")"],
  ["a[", "a", "]"],
  ["a[a:", "1", "]"],
  ["a|default(", "a", ")"],
  ["(", "a", "|default(a)|trim)"],
  ["a|map(", "a", ")"],
  ["a|selectattr('b', 'in', ", "a", ")"],
  ["a|replace(", "a", ", a)"],
  ["(", "a", "|length > 1)"],
  ["(", "a", " is defined and a)"],
  ["namespace(a=", "1", ")"],
  ["range(", "1", ")"],
  ["'%s' % (", "1", ",)"],
];

const JINJA_BLOCKS: readonly Nest[] = [
  ["{% if a %}y{% else %}", "x", "{% endif %}"],
  ["{% set x = a %}{% if x %}", "{{ x }}", "{% set x = b %}{% endif %}{{ x }}"],
  ["{% for a in b %}{% if a %}", "x", "{% else %}y{% endif %}{% endfor %}"],
  ["{% macro f(a) %}", "{{ f(1) }}", "{% endmacro %}{{ f(1) }}"],
  ["{% with a = b %}", "{{ a }}", "{% endwith %}"],
  ["{% filter upper %}", "a", "{% endfilter %}"],
  ["{% call f() %}", "a", "{% endcall %}"],
  ["{% if a is defined %}", "x", "{% elif b %}y{% endif %}"],
];

const GO_EXPRESSIONS: readonly Nest[] = [
  ["(and .System ", ".System", ")"],
  ["(or ", ".System", " .System)"],
  ["(eq ", ".System", " .System)"],
  ["(not ", ".System", ")"],
  ["(index .Messages ", "0", ")"],
  ["(slice .Messages ", "0", ")"],
  ['(printf "%s" ', ".System", ")"],
  ["(json ", ".System", ")"],
];

const GO_BLOCKS: readonly Nest[] = [
  ["{{if .System}}y{{else}}", "x", "{{end}}"],
  ["{{range .Messages}}", "x", "{{else}}y{{end}}"],
  ["{{with .System}}", "{{.}}", "{{else}}y{{end}}"],
  ["{{$a := 1}}{{if .System}}", "x", "{{$a = 2}}{{end}}{{$a}}"],
];

describe("nesting", () => {
  it.each(JINJA_EXPRESSIONS)("jinja: %s%s%s", (...nest) => {
    compiles(`{{ ${nested(nest)} }}`, "jinja");
  });

  it.each(JINJA_BLOCKS)("jinja: %s%s%s", (...nest) => {
    compiles(nested(nest), "jinja");
  });

  it.each(GO_EXPRESSIONS)("go: %s%s%s", (...nest) => {
    compiles(`{{ ${nested(nest)} }}`, "go");
    compiles(`{{ ${nested(nest)} }}`, "ollama");
  });

  it.each(GO_BLOCKS)("go: %s%s%s", (...nest) => {
    compiles(nested(nest), "go");
    compiles(nested(nest), "ollama");
  });

  it.each(["{{ ((((", "{% if a %}", "{{ [[[[", "{{ a" + ".b(".repeat(9)])(
    "deeper than the stack: %s",
    (open) => {
      compiles(open.repeat(20_000), "jinja");
    },
  );

  it("deeper than the stack, in Go", () => {
    compiles("{{if .A}}".repeat(20_000), "go");
    compiles(`{{ ${"(".repeat(50_000)}1 }}`, "ollama");
  });
});

/** Each asks for a value of many megabytes while its operands are constants. */
const CONSTANT_BOMBS = [
  "9**9**9",
  "9**9**9**9",
  "(2**100000)**1000",
  Array.from({ length: 500 }, () => "2").join(" ** "),
  "'a' * 10**8",
  "'x' * 100000 * 100000",
  `'a'${" * 1000".repeat(50)}`,
  "['a'] * 10**8",
  "[[1]*10**4]*10**4",
  "(1,) * 10**9",
  "range(10**5)|list",
  "range(10**9)|list",
  "'%1000000000d' % 1",
  "'%.1000000000d' % 1",
  "'%.1000000000f' % 1",
  "'%.100000000e' % 1.5",
  "'%.100000000g' % 1.5",
  "'{:>1000000000}'.format(1)",
  "'{:.1000000000f}'.format(1)",
  "'{0:{1}}'.format(1, 10**9)",
  "'x'|center(10**9)",
  "'x'.ljust(10**9)",
  "'x'.zfill(10**8)",
  "'\\t'.expandtabs(10**9)",
  "'a\\nb'|indent(10**9)",
  "('ab' * 10**4).replace('a', 'x' * 10**5)",
  "'a,b'|list|join('x' * 10**8)",
  "5|round(-10**8)",
  "1.5|round(10**9)",
  "1.5|round(-10**9)",
  "[1]|batch(10**9, 'x')|list",
  "[1]|slice(10**8)|list",
  "lipsum(n=10**6)",
  "'aaaaaaaaaa' ~ ".repeat(800) + "1",
] as const;

const GO_BOMBS = [
  '{{printf "%1000000000d" 1}}',
  '{{printf "%.1000000000f" 1.0}}',
  '{{printf "%*d" 1000000000 1}}',
  '{{len (printf "%99999999s" "")}}',
  '{{$a := "x"}}' + '{{$a = printf "%s%s" $a $a}}'.repeat(40) + "{{$a}}",
  "{{range 1000000000}}x{{end}}",
  Array.from(
    { length: 25 },
    (_, i) => `{{define "a${i}"}}{{template "a${i + 1}" .}}{{template "a${i + 1}" .}}{{end}}`,
  ).join("") + '{{define "a25"}}x{{end}}{{template "a0" .}}',
] as const;

function codeSize(template: string, dialect: Dialect): number {
  const { module } = toModule(template, { dialect, name: "bomb" });
  const plain = (_: string, value: unknown): unknown =>
    typeof value === "bigint" ? String(value) : value;
  return JSON.stringify(module, plain).length;
}

describe("blocks in Go nest 200 deep", () => {
  it.each(["{{if .A}}", "{{range .A}}", "{{with .A}}"])("%s", (open) => {
    const nest = (depth: number): string => `${open.repeat(depth)}x${"{{end}}".repeat(depth)}`;
    const refusal = (template: string): unknown => {
      try {
        compileTemplate(template, { dialect: "go", name: "nested" });
        return null;
      } catch (error) {
        return error instanceof CompileError ? error.diagnostics[0]?.code : error;
      }
    };
    expect(refusal(nest(200))).toBe(null);
    expect(refusal(nest(201))).toBe("limit/nesting");
    // A chain of else-ifs is no nesting.
    expect(refusal(`${open}${"{{else if .A}}y".repeat(300)}{{end}}`)).toBe(
      open === "{{if .A}}" ? null : "go/syntax",
    );
  });
});

describe("a template has 100,000 tokens at most", () => {
  const codeOf = (template: string, dialect: Dialect): string | undefined => {
    try {
      compileTemplate(template, { dialect, name: "large" });
      return undefined;
    } catch (error) {
      if (error instanceof CompileError) return error.diagnostics[0]?.code;
      throw error;
    }
  };

  it.each<[Dialect, string]>([
    ["jinja", "{{ a }}"],
    ["jinja", "{% if a %}{% endif %}"],
    ["jinja", "{% set x = [1, 2, 3] %}"],
    ["go", "{{.a}}"],
    ["ollama", "{{ if .System }}x{{ end }}"],
  ])("%s: %s", (dialect, part) => {
    expect(codeOf(part.repeat(1_000), dialect)).toBe(undefined);
    expect(codeOf(part.repeat(35_000), dialect)).toBe("limit/size");
  });

  it("text and comments are one token each, however long", () => {
    expect(codeOf("x\n{".repeat(200_000), "jinja")).toBe(undefined);
    expect(codeOf(`{# ${"{{ a }}".repeat(50_000)} #}`, "jinja")).toBe(undefined);
    expect(codeOf("x\n{".repeat(200_000), "go")).toBe(undefined);
  });
});

describe("constants are folded only while they stay small", () => {
  it.each(CONSTANT_BOMBS)("jinja: {{ %s }}", (expression) => {
    const template = `{{ ${expression} }}`;
    expect(codeSize(template, "jinja")).toBeLessThan(5000 + 400 * template.length);
  });

  it.each(GO_BOMBS.map((template) => [template.slice(0, 60), template]))(
    "go: %s",
    (_, template) => {
      expect(codeSize(template, "go")).toBeLessThan(5000 + 400 * template.length);
    },
  );

  it("numbers that no engine takes", () => {
    for (const digits of [`1${"0".repeat(10_000)}`, "1e100000", `0x${"f".repeat(10_000)}`]) {
      compiles(`{{${digits}}}`, "go");
      compiles(`{{ ${digits} }}`, "jinja");
    }
  });

  it("a variable that doubles with each set", () => {
    const doubling = (start: string, step: string): string =>
      `{% set a = ${start} %}${`{% set a = ${step} %}`.repeat(40)}{{ a }}`;
    for (const [start, step] of [
      ["'x' * 10000", "a ~ a"],
      ["[1]", "[a, a]"],
      ["{'k': 1}", "{'a': a, 'b': a}"],
      ["2", "a * a"],
      ["'%s%s'", "a % (a, a)"],
    ] as const) {
      const template = doubling(start, step);
      expect(codeSize(template, "jinja")).toBeLessThan(5000 + 400 * template.length);
    }
  });
});

function parts(count: number, part: (at: string) => string): string {
  return Array.from({ length: count }, (_, at) => part(String(at))).join("");
}

function define(at: string): string {
  return `{{define "t${at}"}}{{.}}{{end}}{{template "t${at}" .}}`;
}

/** Quadratic work takes 16 times as long for four times the template. */
const LINEAR = 9;

describe("a template of four times the length takes about four times as long", () => {
  it.each<[Dialect, string, (count: number) => string]>([
    ["go", "fields", (count) => "{{.a}}".repeat(count)],
    ["ollama", "fields", (count) => "{{.System}}".repeat(count)],
    ["jinja", "outputs", (count) => "{{ a.b }}".repeat(count)],
    ["jinja", "texts", (count) => "{{ '{{' }}".repeat(count)],
    ["jinja", "operands", (count) => `{{ [${"1,".repeat(count)}] }}`],
    ["jinja", "white space", (count) => `{{ a${" ".repeat(10 * count)}`],
    ["jinja", "comments that do not end", (count) => "{# ".repeat(5 * count)],
    ["jinja", "strings that do not end", (count) => "{{ 'a ".repeat(5 * count)],
    ["jinja", "raw blocks that almost end", (count) => `{% raw %}${"{% endraw".repeat(count)}`],
    ["jinja", "names", (count) => parts(count, (at) => `{{ a${at} }}`)],
    ["jinja", "sets", (count) => parts(count, (at) => `{% set a${at} = b.c %}{{ a${at} }}`)],
    [
      "jinja",
      "sets in branches",
      (count) =>
        parts(count / 2, (at) => `{% if b %}{% set a${at} = b.c %}{% endif %}`) +
        parts(count / 2, (at) => `{{ a${at} }}`),
    ],
    [
      "jinja",
      "macros",
      (count) =>
        parts(count / 2, (at) => `{% macro f${at}(a) %}{{ a }}{% endmacro %}{{ f${at}(b) }}`),
    ],
    ["go", "defines", (count) => parts(count / 2, (at) => define(at))],
    ["go", "white space to trim", (count) => `{{.a}}${" ".repeat(10 * count)}{{- .b}}`],
  ])("%s: %s", (dialect, _, template) => {
    const ratio = cpuRatio(
      (size) => {
        compiles(template(size), dialect);
      },
      [1000, 4000],
    );
    expect(ratio).toBeLessThan(LINEAR);
  });
});
