/** What the emitter writes: where variables stand and what they are called, how expressions bind, how text is quoted. */
import { createContext, runInContext, runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { emitBody } from "../compiler/emit/body.js";
import { ExpressionPrinter } from "../compiler/emit/expressions.js";
import {
  BYTE_PROMPT,
  MAKER,
  PIECES,
  PROMPT,
  SEGMENT_PROMPT,
} from "../compiler/emit/module-names.js";
import {
  commentText,
  constantName,
  dataLiteral,
  mangle,
  quote,
  templateLiteral,
  typeName,
} from "../compiler/emit/names.js";
import * as build from "../compiler/ir/build.js";
import { Any } from "../compiler/ir/kinds.js";
import type { CompareOperator, Dialect, Expr, Local } from "../compiler/ir/nodes.js";
import { toModule } from "../compiler/pipeline.js";
import { compileTemplate, programText, Template } from "../compiler/template.js";
import * as goRuntime from "../runtime/go/index.js";
import * as jinjaRuntime from "../runtime/jinja/index.js";

/** The program without types and comments, as it runs in process. */
function program(text: string, passes: boolean, dialect: Dialect = "jinja"): string {
  const { module } = toModule(text, { name: "test", dialect, passes });
  return programText(emitBody(module, { typed: false, comments: false, inputType: "" }));
}

function rendered(text: string, input: object = {}): string[] {
  return [true, false].map((passes) =>
    compileTemplate(text, { dialect: "jinja", passes }).render(input),
  );
}

describe("layout", () => {
  it("declares by const what is set once, by let what is set again", () => {
    const text =
      "{% for m in l %}{% set a = m.x %}{% set b = 'y' ~ a %}{{ a }}{% if b %}{% set b = m.z %}{% endif %}{{ b }}{% endfor %}";
    const code = program(text, true);
    expect(code).toContain("const a = ");
    expect(code).toContain("let b = ");
  });

  it("declares a variable in the innermost list around all its uses", () => {
    const code = program("{% if c %}{% set a = d.e %}{{ a }}{{ a }}{% endif %}", true);
    expect(code.indexOf("a = ")).toBeGreaterThan(code.indexOf("if ("));
  });

  it("declares before a branch what is set in it and read behind it", () => {
    const text = "{% for m in l %}{% if m %}{% set a = m %}{% endif %}{{ a }}{% endfor %}";
    expect(rendered(text, { l: [1, 0], a: 9 })).toEqual(["19", "19"]);
  });

  it("gives a variable that hides another a name of its own", () => {
    const text = "{% for m in l %}{% for m in m %}{{ m }}{% endfor %}{{ m | length }}{% endfor %}";
    expect(program(text, true)).toMatch(/of list\(m, [^)]*\)|m_2/);
    expect(rendered(text, { l: [["a", "b"], ["c"]] })).toEqual(["ab2c1", "ab2c1"]);
  });

  it("lets loops that stand beside each other use one name", () => {
    const code = program(
      "{% for m in a %}{{ m }}{% endfor %}{% for m in b %}{{ m }}{% endfor %}",
      true,
    );
    expect(code.match(/const m of/g)).toHaveLength(2);
  });

  it("gives names of imports, of the program's own and of JavaScript a mark", () => {
    const text =
      "{% for text in l %}{{ text + 'x' }}{% set out = text ~ 1 %}{{ out }}{{ out }}{% set class = text %}{{ class }}{% endfor %}";
    expect(program(text, false)).toMatch(/\bclass\$/);
    expect(rendered(text, { l: ["a"] })).toEqual(["axa1a1a", "axa1a1a"]);
    const importing = "{% for truth in l %}{% if truth %}{{ truth }}{% endif %}{% endfor %}";
    expect(program(importing, true)).toContain("truth(truth$)");
  });

  it("puts a macro that captures a variable where the variable is", () => {
    const text =
      "{% for m in l %}{% macro f() %}{{ m }}{% endmacro %}{{ f() }}{{ f() }}{% endfor %}";
    const code = program(text, true);
    expect(code.indexOf("function f(")).toBeGreaterThan(code.indexOf("for ("));
    expect(rendered(text, { l: [1, 2] })).toEqual(["1122", "1122"]);
  });

  it("puts a macro that captures nothing beside the prompt", () => {
    const code = program("{% macro f(a) %}<{{ a }}>{% endmacro %}{{ f('x') }}", true);
    expect(code).toMatch(/^}\n\nfunction f\(a\)/m);
  });

  it("keeps apart what two captures declare", () => {
    const text =
      "{% set a %}{% set t %}x{% endset %}{{ t }}{{ t }}{% endset %}{% set b %}{% set t %}y{% endset %}{{ t }}{{ t }}{% endset %}{{ a }}{{ b }}";
    expect(rendered(text)).toEqual(["xxyy", "xxyy"]);
  });

  it("reads an input whose name every object has only where the caller gave it", () => {
    expect(rendered("{{ constructor is defined }}{{ toString }}", { toString: 1 })).toEqual([
      "False1",
      "False1",
    ]);
  });
});

// ------------------------------------------------------------ precedence

const values: Readonly<Record<string, number | boolean | string | null>> = {
  a: 3,
  b: 2,
  c: -1,
  t: true,
  f: false,
  s: "s",
  n: null,
};

function variable(name: string): Local {
  return { id: name.charCodeAt(0), name, kinds: Any };
}

const printer = new ExpressionPrinter({
  local: ({ name }) => name,
  callee: ({ name }) => name,
  input: (name) => name,
  clock: () => "now",
  out: "out",
  functionOut: "out",
  runtime: (name) => name,
  rule: ({ name }) => name,
  text: quote,
  takesValue: () => false,
  isReadable: () => true,
  asValue: () => "asValue",
  annotate: () => "",
  mark: () => "",
  markPlace: () => "",
});

type Make = (left: Expr, right: Expr) => Expr;

const compare =
  (operator: CompareOperator): Make =>
  (left, right) =>
    build.compare(left, operator, right);

const OPERATORS: Readonly<Record<string, Make>> = {
  "+": (left, right) => build.arithmetic(left, "+", right),
  "-": (left, right) => build.arithmetic(left, "-", right),
  "*": (left, right) => build.arithmetic(left, "*", right),
  "===": compare("==="),
  "!==": compare("!=="),
  "<": compare("<"),
  ">=": compare(">="),
  and: build.and,
  or: build.or,
  coalesce: (value, otherwise) => ({ op: "coalesce", value, otherwise }),
  concat: (left, right) => ({ op: "concat", parts: [left, right] }),
  not: (value) => ({ op: "not", value }),
  typeof: (value) => ({ op: "typeof", value, type: "number" }),
  "choose test": (test, then) => build.choose(test, then, build.literal("otherwise")),
  "choose then": (then, otherwise) => build.choose(build.TRUE, then, otherwise),
  assign: (value) => ({ op: "assign", local: variable("z"), value }),
};

/** What the tree means, by itself: text is joined as text, every other operator is JavaScript's. */
function meaning(expr: Expr): unknown {
  const inner = (child: Expr): string => `(${valueText(meaning(child))})`;
  switch (expr.op) {
    case "literal":
      return expr.value;
    case "local":
      return values[expr.local.name];
    case "arithmetic":
    case "compare":
      return evaluated(`${inner(expr.left)} ${expr.operator} ${inner(expr.right)}`);
    case "and":
      return evaluated(`${inner(expr.left)} && ${inner(expr.right)}`);
    case "or":
      return evaluated(`${inner(expr.left)} || ${inner(expr.right)}`);
    case "coalesce":
      return meaning(expr.value) ?? meaning(expr.otherwise);
    case "concat":
      return evaluated(expr.parts.map(inner).join(" + "));
    case "not":
      return !meaning(expr.value);
    case "typeof":
      return typeof meaning(expr.value) === expr.type;
    case "choose":
      return meaning(expr.test) ? meaning(expr.then) : meaning(expr.otherwise);
    case "assign":
      return meaning(expr.value);
    default:
      throw new Error(`no meaning for ${expr.op}`);
  }
}

function valueText(value: unknown): string {
  if (typeof value === "string") return quote(value);
  return Object.is(value, -0) ? "-0" : String(value);
}

const scope: Record<string, unknown> = { ...values };
const context = createContext(scope);

function evaluated(code: string): unknown {
  scope["z"] = 0;
  return runInContext(code, context);
}

const names = Object.keys(OPERATORS);

describe("precedence: an operator in an operator means what the tree means", () => {
  it.each(names)("%s", (outer) => {
    const make = OPERATORS[outer];
    const operands = Object.keys(values).map((name) => build.ref(variable(name)));
    const wrong: string[] = [];
    for (const inner of names) {
      for (const [i, x] of operands.entries()) {
        const y = operands[(i + 1) % operands.length] ?? x;
        const z = operands[(i + 2) % operands.length] ?? x;
        const nested = OPERATORS[inner]?.(y, z) ?? x;
        for (const expr of [make?.(nested, x) ?? x, make?.(x, nested) ?? x]) {
          const code = printer.print(expr);
          if (!Object.is(evaluated(code), meaning(expr))) wrong.push(code);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it("writes no more parentheses than that takes", () => {
    const [a, b, c] = ["a", "b", "c"].map((name) => build.ref(variable(name)));
    if (a === undefined || b === undefined || c === undefined) throw new Error("three variables");
    expect(printer.print(build.and(build.compare(a, "===", b), build.not(c)))).toBe(
      "a === b && !c",
    );
    expect(printer.print(build.or(build.and(a, b), c))).toBe("a && b || c");
    expect(printer.print(build.arithmetic(build.arithmetic(a, "+", b), "-", c))).toBe("a + b - c");
    expect(printer.print(build.arithmetic(a, "-", build.arithmetic(b, "-", c)))).toBe(
      "a - (b - c)",
    );
    expect(printer.print(build.read(build.choose(a, b, c), "x", true))).toBe("(a ? b : c)?.x");
  });
});

// ------------------------------------------------------------ names and quotes

const HOSTILE = [
  "",
  'a"b\\c',
  "`${x}`",
  "line\nline\r\n\t\u2028\u2029",
  "</script><!--",
  "\ud800 \udc00 😀",
  "\u0000\u007f\u202e\ufeff",
  "*/ // é 名",
];

describe("names.ts", () => {
  it.each(HOSTILE)("quotes a text as itself, on one line of plain characters: %j", (text) => {
    const code = quote(text);
    expect(runInNewContext(code)).toBe(text);
    expect(code).not.toMatch(/[\r\n\u2028\u2029\u202e\ufeff]|<\/script|<!--/i);
    expect(code.isWellFormed()).toBe(true);
  });

  it.each(HOSTILE)("writes a template literal of the text: %j", (text) => {
    const code = templateLiteral(text);
    expect(runInNewContext(code)).toBe(text);
    expect(code).not.toMatch(/(?<!\\)\$\{|<\/script|<!--/i);
  });

  it.each(HOSTILE)("makes comments that end where their line ends: %j", (text) => {
    expect(commentText(text)).not.toMatch(/[\r\n\u2028\u2029]|\*\/|<\/script|<!--/i);
    expect(commentText(text).isWellFormed()).toBe(true);
  });

  it("cuts long comments between characters", () => {
    expect(commentText("😀".repeat(100)).isWellFormed()).toBe(true);
    expect([...commentText("a".repeat(200))]).toHaveLength(88);
  });

  it.each([
    "class",
    "await",
    "arguments",
    "eval",
    "__proto__",
    "constructor",
    "undefined",
    "1a",
    "a-b",
    "",
    "é",
    "ns.x",
  ])("makes an identifier of %j", (name) => {
    const identifier = mangle(name);
    expect(identifier).toMatch(/^[A-Za-z_$][\w$]*$/);
    expect(
      runInNewContext(`"use strict"; (() => { let ${identifier} = 1; return ${identifier}; })()`),
    ).toBe(1);
  });

  it("writes plain data", () => {
    const data = { a: [1, true, null, "</script>"], "b-c": { __proto__x: "\u2028" } };
    expect(runInNewContext(`(${dataLiteral(data)})`)).toEqual(data);
    expect(dataLiteral(data)).not.toMatch(/<\/script|\u2028/);
  });

  it("names constants and types by the words of their text", () => {
    expect(constantName("<|system|>\n# Tools\n\nYou may")).toBe("SYSTEM_TOOLS");
    expect(constantName("…")).toBe("TEXT");
    expect(typeName("qwen3-coder")).toBe("Qwen3Coder");
    expect(typeName("3b")).toBe("T3b");
    expect(typeName("…")).toBe("Template");
  });
});

describe("names of a module's own code", () => {
  it.each([
    ["jinja", jinjaRuntime],
    ["go", goRuntime],
  ])("are none of the runtime's: %s", (_, runtime) => {
    const own = [PROMPT, BYTE_PROMPT, SEGMENT_PROMPT, MAKER, ...Object.values(PIECES)];
    expect(own.filter((name) => name in runtime)).toEqual([]);
  });

  it.each(["gathered", "out", "trace", "segments", "pieces"])(
    "stay apart from a template's own: %s",
    (name) => {
      const source = `{% block b %}{{ ${name} }}{% endblock %}{% for m in messages %}{% set ${name} = m %}{{ ${name} }}{% endfor %}`;
      const input = { [name]: "x", messages: ["a", "b"] };
      for (const codegen of [true, false]) {
        const template = new Template(source, { codegen });
        const segments = template.renderSegments(input);
        expect(segments.map(({ text }) => text).join("")).toBe(template.render(input));
      }
    },
  );
});
