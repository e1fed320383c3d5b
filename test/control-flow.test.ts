/** Random programs of sets, namespaces, loops and macros: the compiled program does what the interpreter does. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileTemplate, CompileError } from "../compiler/template.js";
import type { PassSelection } from "../compiler/passes/index.js";
import { interpretJinja } from "./interpreter/jinja.js";

const NAMES = ["x", "y", "flag"] as const;
const name = fc.constantFrom(...NAMES);
const path = fc.oneof(
  name,
  fc.constantFrom("ns.x", "ns.y", "m.role", "m.content", "m", "tools", "loop.index", "loop.first"),
);

const expression: fc.Arbitrary<string> = fc.letrec<{ expr: string }>((tie) => ({
  expr: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    path,
    fc.constantFrom("''", "'a'", "0", "1", "[]", "['a']", "none", "true", "false"),
    fc.tuple(path, fc.constantFrom("is defined", "is string", "is none", "is mapping")).map(join),
    fc.tuple(path, fc.constantFrom("==", "!=")).map(([left, op]) => `${left} ${op} 'user'`),
    tie("expr").map((value) => `(not ${value})`),
    fc
      .tuple(tie("expr"), fc.constantFrom("and", "or", "~"), tie("expr"))
      .map(([left, op, right]) => `(${left} ${op} ${right})`),
    fc
      .tuple(tie("expr"), tie("expr"), tie("expr"))
      .map(([then, test, otherwise]) => `(${then} if ${test} else ${otherwise})`),
    fc.tuple(path, tie("expr")).map(([left, right]) => `(${left} + ${right})`),
    tie("expr").map((value) => `f(${value})`),
  ),
})).expr;

function join(words: readonly string[]): string {
  return words.join(" ");
}

const statement: fc.Arbitrary<string> = fc.letrec<{ stmt: string; body: string }>((tie) => ({
  body: fc.array(tie("stmt"), { minLength: 1, maxLength: 4 }).map((list) => list.join("")),
  stmt: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    fc.constantFrom("a", "b"),
    expression.map((value) => `{{ ${value} }}`),
    fc.tuple(name, expression).map(([target, value]) => `{% set ${target} = ${value} %}`),
    fc
      .tuple(fc.constantFrom("ns.x", "ns.y"), expression)
      .map(([target, value]) => `{% set ${target} = ${value} %}`),
    fc.tuple(name, tie("body")).map(([target, body]) => `{% set ${target} %}${body}{% endset %}`),
    fc.tuple(expression, tie("body")).map(([test, body]) => `{% if ${test} %}${body}{% endif %}`),
    fc
      .tuple(expression, tie("body"), tie("body"))
      .map(([test, then, rest]) => `{% if ${test} %}${then}{% else %}${rest}{% endif %}`),
    fc
      .tuple(fc.constantFrom("messages", "ns.x", "[1, 2]", "x", "tools"), tie("body"))
      .map(([source, body]) => `{% for m in ${source} %}${body}{% endfor %}`),
    tie("body").map((body) => `{% macro f(y) %}${body}{% endmacro %}`),
    fc
      .tuple(expression, fc.constantFrom("break", "continue"))
      .map(
        ([test, jump]) =>
          `{% for m in messages %}{% if ${test} %}{% ${jump} %}{% endif %}.{% endfor %}`,
      ),
  ),
})).stmt;

const template = fc
  .tuple(fc.boolean(), fc.array(statement, { minLength: 1, maxLength: 6 }))
  .map(([hasMacro, list]) =>
    [
      "{% set ns = namespace(x='', y=[]) %}",
      hasMacro ? "{% macro f(y) %}[{{ y }}]{% endmacro %}" : "",
      ...list,
    ].join(""),
  );

const message = fc.record(
  { role: fc.constantFrom("user", "assistant"), content: fc.constantFrom("", "hi", null) },
  { requiredKeys: [] },
);
const input = fc.record(
  {
    messages: fc.array(message, { maxLength: 3 }),
    tools: fc.constantFrom(null, [], ["t"]),
    x: fc.constantFrom("", "X", 1),
    flag: fc.boolean(),
  },
  { requiredKeys: ["messages"] },
);

/** The output, or that there is none; null where the template is refused. */
function compiled(text: string, data: object, passes: PassSelection): string | null {
  try {
    return `ok ${compileTemplate(text, { dialect: "jinja", passes }).render(data)}`;
  } catch (error) {
    return error instanceof CompileError ? null : "fails";
  }
}

function interpreted(text: string, data: object): string | null {
  try {
    return `ok ${interpretJinja(text, JSON.stringify(data)).output}`;
  } catch (error) {
    return error instanceof CompileError ? null : "fails";
  }
}

describe("random programs", () => {
  it.each([true, false])("render as interpreted, with passes: %s", (passes) => {
    fc.assert(
      fc.property(template, input, (text, data) => {
        expect(compiled(text, data, passes)).toBe(interpreted(text, data));
      }),
      { numRuns: Number(process.env["RUNS"] ?? 150) },
    );
  });
});
