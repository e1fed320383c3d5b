/** The Jinja front end against answers recorded from Jinja2 3.1.6 in transformers' environment. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CompileError, Diagnostics } from "../compiler/diagnostics.js";
import type { Expr, Stmt } from "../compiler/jinja/ast.js";
import { FILTERS, GLOBALS, TESTS } from "../compiler/jinja/builtins.js";
import { isSpace, PYTHON_SPACE, stripEnd } from "../compiler/jinja/characters.js";
import { parse } from "../compiler/jinja/parser.js";
import { statementBodies } from "../compiler/jinja/walk.js";
import { Source } from "../compiler/source.js";

interface Case {
  readonly template: string;
  /** The texts and their lines, where Jinja2 takes the template. */
  readonly texts?: readonly (readonly [string, number])[];
  /** Jinja2's message; null where Python refuses the generated code. */
  readonly error?: string | null;
  readonly line?: number;
}

const cases: readonly Case[] = readFileSync(
  new URL("fixtures/jinja-frontend/cases.jsonl", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map(readCase);

function readCase(row: string): Case {
  const value: unknown = JSON.parse(row);
  if (!isCase(value)) throw new Error(`not a case: ${row}`);
  return value;
}

function isCase(value: unknown): value is Case {
  return typeof value === "object" && value !== null && "template" in value;
}

function compile(text: string): { body: readonly Stmt[]; warnings: string[] } {
  const source = new Source(text, "test.jinja");
  const diagnostics = new Diagnostics(source);
  const { body } = parse(source, diagnostics);
  return { body, warnings: diagnostics.list.map(({ code }) => code) };
}

function refusal(text: string): CompileError {
  try {
    compile(text);
  } catch (error) {
    if (error instanceof CompileError) return error;
    throw error;
  }
  throw new Error(`not refused: ${text}`);
}

function expression(text: string): Expr {
  const statement = compile(`{{ ${text} }}`).body[0];
  const item = statement?.type === "Output" ? statement.items[0] : undefined;
  if (item === undefined || item.type === "TextData") throw new Error(`no expression: ${text}`);
  return item;
}

/** An expression with all its parentheses. */
function shape(node: Expr): string {
  switch (node.type) {
    case "Name":
      return node.name;
    case "Literal":
      return String(node.value);
    case "Binary":
      return `(${shape(node.left)} ${node.op} ${shape(node.right)})`;
    case "Logical":
      return `(${shape(node.left)} ${node.op} ${shape(node.right)})`;
    case "Concat":
      return `(${node.items.map(shape).join(" ~ ")})`;
    case "Unary":
      return `(${node.op}${shape(node.value)})`;
    case "Not":
      return `(not ${shape(node.value)})`;
    case "Compare":
      return `(${[shape(node.left), ...node.rest.map((r) => `${r.op} ${shape(r.value)}`)].join(" ")})`;
    case "Filter":
      return `${node.value === null ? "" : shape(node.value)}|${node.name}`;
    case "Test":
      return `(${shape(node.value)} is ${[node.name, ...node.args.map(shape)].join(" ")})`;
    default:
      return node.type;
  }
}

function textsOf(body: readonly Stmt[]): [string, number][] {
  return body.flatMap((node): [string, number][] => {
    if (node.type !== "Output") return statementBodies(node).flatMap(textsOf);
    return node.items.flatMap((item): [string, number][] =>
      item.type === "TextData" ? [[item.text, item.line]] : [],
    );
  });
}

describe("recorded answers", () => {
  it.each(cases.filter(({ texts }) => texts))("takes $template", ({ template, texts }) => {
    expect(textsOf(compile(template).body)).toEqual(texts);
  });

  it.each(cases.filter(({ texts }) => !texts))("refuses $template", ({ template, error, line }) => {
    const refused = refusal(template);
    if (typeof error !== "string") return;
    expect({ error: refused.message, line: refused.line }).toEqual({ error, line });
  });
});

describe("precedence", () => {
  it.each([
    ["1 + 2 ~ 3", "(1 + (2 ~ 3))"],
    ["a ~ b * c", "(a ~ (b * c))"],
    ["2 ** 3 ** 2", "((2 ** 3) ** 2)"],
    ["-2 ** 2", "((-2) ** 2)"],
    ["-a|abs", "(-a)|abs"],
    ["2 * 3|string", "(2 * 3|string)"],
    ["1 + 1 is odd", "(1 + (1 is odd))"],
    ["a is divisibleby 3 + 1", "((a is divisibleby 3) + 1)"],
    ["a is not odd", "(not (a is odd))"],
    ["not a in b", "(not (a in b))"],
    ["a not in b", "(a not in b)"],
    ["a < b <= c", "(a < b <= c)"],
    ["a or b and not c", "(a or (b and (not c)))"],
  ])("%s", (text, expected) => {
    expect(shape(expression(text))).toBe(expected);
  });
});

describe("literals", () => {
  it.each([
    ["0x_1F", 31],
    ["0b1_0", 2],
    ["1_000", 1000],
    ["9007199254740993", 9007199254740993n],
    ["1e400", Infinity],
    ["'a' 'b' \"c\"", "abc"],
    ["'\\x41\\u0042\\103\\q'", "ABC\\q"],
    ["'\\é'", "\\xe9"],
    ["'\\N{em dash}'", "—"],
    ["'a\r\nb'", "a\nb"],
    ["None", null],
  ])("%s", (text, value) => {
    expect(expression(text)).toMatchObject({ type: "Literal", value });
  });

  it("tells floats from integers", () => {
    expect(expression("1.0")).toMatchObject({ value: 1, float: true });
    expect(expression("1")).toMatchObject({ value: 1, float: false });
  });
});

describe("positions", () => {
  it("gives lines as Jinja2 and spans of the text as written", () => {
    const text = "a\r\n{{ b\r\n + c }}";
    const output = compile(text).body[0];
    const sum = output?.type === "Output" ? output.items[1] : undefined;
    expect(sum?.line).toBe(2);
    expect(text.slice(sum?.span.start, sum?.span.end)).toBe("b\r\n + c");
  });

  it("gives an elif the line of its condition", () => {
    const node = compile("{% if a %}\n{% elif\n b %}{% endif %}").body[0];
    expect(node?.type === "If" ? node.branches.map(({ line }) => line) : []).toEqual([1, 3]);
  });
});

describe("what only warns", () => {
  it.each([
    ["{% if a %}{{ b|nosuch }}{% endif %}", ["jinja/unknown-filter"]],
    ["{{ a if b is nosuch }}", ["jinja/unknown-test"]],
    ["{% include 'a' %}", ["jinja/no-loader"]],
    ["{{ false and a|nosuch }}", []],
  ])("%s", (text, warnings) => {
    expect(compile(text).warnings).toEqual(warnings);
  });
});

describe("Python's limits", () => {
  it.each([
    ["loops", "{% for x in y %}", "{% endfor %}", 20],
    ["indentation", "{% if x %}", "{% endif %}", 98],
    ["recursion", "{{ ((", "x)) }}", 1],
  ])("%s", (_, open, close, count) => {
    expect(() => compile(open.repeat(count) + close.repeat(count))).not.toThrow();
  });

  it("refuses what nests deeper", () => {
    const nested = (open: string, close: string, count: number): string =>
      refusal(open.repeat(count) + close.repeat(count)).message;
    expect(nested("{% for x in y %}", "{% endfor %}", 21)).toBe(
      "too many statically nested blocks",
    );
    expect(nested("{% if x %}", "{% endif %}", 99)).toBe("too many levels of indentation");
    expect(refusal(`{{ ${"(".repeat(500)}x${")".repeat(500)} }}`).message).toBe(
      "maximum recursion depth exceeded",
    );
    expect(refusal(`{{ x${"|upper".repeat(20000)} }}`).phase).toBe("compile");
  });
});

it("takes for white space what Python's patterns do", () => {
  const pattern = new RegExp(`^[${PYTHON_SPACE}]$`);
  const texts = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code));
  expect(texts.filter(isSpace)).toEqual(texts.filter((text) => pattern.test(text)));
  expect(isSpace("")).toBe(false);
  expect(stripEnd("a b \u3000\n")).toBe("a b");
});

it("knows the environment's names", () => {
  expect([FILTERS.size, TESTS.size, GLOBALS.size]).toEqual([54, 39, 8]);
  expect(FILTERS.get("tojson")?.parameters.map(({ name }) => name)).toEqual([
    "ensure_ascii",
    "indent",
    "separators",
    "sort_keys",
  ]);
});
