/** Whatever stands in a template, its name, its file's name or its constants, the generated file holds only our own code. */
import fc from "fast-check";
import { ts } from "ts-morph";
import { describe, expect, it } from "vitest";
import { compile, CompileError, type Dialect } from "../compiler/index.js";
import { emitBody } from "../compiler/emit/body.js";
import { withoutMarks } from "../compiler/emit/marks.js";
import type { Module } from "../compiler/ir/nodes.js";
import { mappedCode } from "../compiler/mapped-code.js";
import { toModule } from "../compiler/pipeline.js";
import { compileTemplate, programText } from "../compiler/template.js";
import { interpretGo } from "./interpreter/go.js";
import { interpretJinja } from "./interpreter/jinja.js";

// ------------------------------------------------------------ hostile words

const SNIPPETS = [
  "`",
  "${",
  "${process.exit()}",
  "*/",
  "/*",
  "//",
  "</script>",
  "</SCRIPT ",
  "<!--",
  "-->",
  "\u2028",
  "\u2029",
  "\ud800",
  "\udc00",
  "\ufeff",
  "\u202e",
  "\u0000",
  '"',
  "'",
  "\\",
  "\\u",
  "\r",
  "\n",
  "\r\n",
  ";alert(1)//",
  '");require("fs");("',
  "@ts-nocheck",
  "prettier-ignore",
  "//# sourceMappingURL=x",
  "/*# sourceURL=x",
  "//@ sourceURL=x",
  "\u0001",
  "\u0002",
  "é",
  "😀",
  "a",
  " ",
] as const;

const hostile = fc
  .array(fc.oneof(fc.constantFrom(...SNIPPETS), fc.string({ maxLength: 3, unit: "binary" })), {
    maxLength: 8,
  })
  .map((parts) => parts.join(""));

const IDENTIFIERS = [
  "constructor",
  "__proto__",
  "prototype",
  "arguments",
  "eval",
  "await",
  "async",
  "this",
  "let",
  "static",
  "yield",
  "class",
  "function",
  "undefined",
  "NaN",
  "globalThis",
  "process",
  "require",
  "Function",
  "Object",
  "text",
  "list",
  "value",
  "truth",
  "str",
  "missing",
  "asValue",
  "out",
  "input",
  "_input",
  "options",
  "prompt",
  "renderPrompt",
  "render",
  "renderError",
  "meta",
  "i",
  "_",
  "__",
  "µ",
  "naïve",
  "名前",
  "ªª",
  "hasOwnProperty",
  "toString",
] as const;
const identifier = fc.constantFrom(...IDENTIFIERS);
const goIdentifier = identifier.filter((name) => /^[\p{L}_][\p{L}\p{Nd}_]*$/u.test(name));

/** A literal of Jinja or Go: the escapes that both have. */
function quoted(text: string): string {
  const units = [...text].map((unit) => {
    const code = unit.codePointAt(0) ?? 0;
    if (unit === '"' || unit === "\\") return `\\${unit}`;
    return code < 0x20 ? `\\x${code.toString(16).padStart(2, "0")}` : unit;
  });
  return `"${units.join("")}"`;
}

/** Text outside tags, where no tag starts. */
function plainText(text: string): string {
  return text.replace(/[{}#%]/g, "").toWellFormed();
}

const jinjaTemplate = fc
  .tuple(hostile, hostile, hostile, identifier, identifier, identifier, identifier)
  .map(([text, literal, comment, a, b, field, macro]) => {
    const word = quoted(literal.toWellFormed());
    return [
      plainText(text),
      `{# ${plainText(comment)} #}`,
      `{% macro ${macro}(${b}) %}<{{ ${b} }}>${plainText(literal)}{% endmacro %}`,
      `{% set ${a} = ${word} %}{{ ${a} }}{% if ${a} == ${word} %}{{ ${macro}(${word}) }}{% endif %}`,
      `{% for ${b} in messages %}{{ ${b}.${field} }}{{ ${b}[${word}] }}{{ loop.index }}`,
      `{% set ${field} = ${b} %}{% endfor %}`,
      `{{ ${field} is defined }}{{ {${word}: ${word}} | tojson }}`,
      `{% set ns = namespace(${field}=${word}) %}{{ ns.${field} }}`,
    ].join("\n");
  });

const goTemplate = fc
  .tuple(hostile, hostile, hostile, goIdentifier, goIdentifier, goIdentifier)
  .map(([text, literal, comment, a, b, define]) => {
    const word = quoted(literal.toWellFormed());
    return [
      plainText(text),
      `{{/* ${plainText(comment).replaceAll("*/", "")} */}}`,
      `{{ define ${quoted(define + plainText(literal))} }}<{{ . }}>{{ end }}`,
      `{{ $${a} := ${word} }}{{ $${a} }}{{ template ${quoted(define + plainText(literal))} $${a} }}`,
      `{{ range $${b}, $${a} := .messages }}{{ $${b} }}{{ $${a}.role }}{{ index $${a} ${word} }}{{ end }}`,
      `{{ if eq $${a} ${word} }}${plainText(text)}{{ end }}{{ .${a} }}{{ json ${word} }}`,
    ].join("\n");
  });

const ollamaTemplate = fc
  .tuple(hostile, hostile, goIdentifier, goIdentifier)
  .map(([text, literal, a, b]) => {
    const word = quoted(literal.toWellFormed());
    return [
      plainText(text),
      `{{ $${a} := ${word} }}{{ if .System }}{{ .System }}{{ $${a} }}{{ end }}`,
      `{{ range $${b}, $${a} := .Messages }}{{ $${b} }}{{ if eq $${a}.Role ${word} }}${plainText(text)}{{ end }}`,
      `{{ $${a}.Content }}{{ range .ToolCalls }}{{ .Function.Name }}{{ end }}{{ end }}{{ $${a} }}`,
    ].join("\n");
  });

// ------------------------------------------------------------ what a generated file may hold

const K = ts.SyntaxKind;

/** The kinds of node that the emitter knows; everything else has come in from outside. */
const ALLOWED: ReadonlySet<ts.SyntaxKind> = new Set([
  // the file and its declarations
  K.SourceFile,
  K.EndOfFileToken,
  K.ImportDeclaration,
  K.ImportClause,
  K.NamedImports,
  K.ImportSpecifier,
  K.InterfaceDeclaration,
  K.HeritageClause,
  K.ExpressionWithTypeArguments,
  K.PropertySignature,
  K.TypeAliasDeclaration,
  K.FunctionDeclaration,
  K.Parameter,
  K.ExportAssignment,
  K.ExportKeyword,
  K.ReadonlyKeyword,
  K.QuestionToken,
  K.VariableStatement,
  K.VariableDeclarationList,
  K.VariableDeclaration,
  K.ObjectBindingPattern,
  K.ArrayBindingPattern,
  K.BindingElement,
  K.OmittedExpression,
  // types
  K.TypeReference,
  K.TypeOperator,
  K.ArrayType,
  K.UnionType,
  K.IntersectionType,
  K.ParenthesizedType,
  K.LiteralType,
  K.TypeLiteral,
  K.StringKeyword,
  K.NumberKeyword,
  K.BooleanKeyword,
  K.UnknownKeyword,
  K.ObjectKeyword,
  K.UndefinedKeyword,
  K.NullKeyword,
  // statements
  K.Block,
  K.ExpressionStatement,
  K.ReturnStatement,
  K.IfStatement,
  K.ForOfStatement,
  K.ForStatement,
  K.WhileStatement,
  K.BreakStatement,
  K.ContinueStatement,
  K.TryStatement,
  K.CatchClause,
  K.ThrowStatement,
  // expressions
  K.Identifier,
  K.StringLiteral,
  K.NoSubstitutionTemplateLiteral,
  K.NumericLiteral,
  K.BigIntLiteral,
  K.TrueKeyword,
  K.FalseKeyword,
  K.BinaryExpression,
  K.ConditionalExpression,
  K.PrefixUnaryExpression,
  K.PostfixUnaryExpression,
  K.ParenthesizedExpression,
  K.TypeOfExpression,
  K.CallExpression,
  K.NewExpression,
  K.PropertyAccessExpression,
  K.QuestionDotToken,
  K.ElementAccessExpression,
  K.NonNullExpression,
  K.ArrowFunction,
  K.EqualsGreaterThanToken,
  K.ArrayLiteralExpression,
  K.ObjectLiteralExpression,
  K.PropertyAssignment,
  K.ComputedPropertyName,
  K.ShorthandPropertyAssignment,
  K.SpreadElement,
  K.ColonToken,
]);

function isOperator(kind: ts.SyntaxKind): boolean {
  return kind >= K.FirstBinaryOperator && kind <= K.LastBinaryOperator;
}

/** What makes the file more than literals, names of its own and the emitter's kinds of node. */
function violations(code: string): string[] {
  const file = ts.createSourceFile("generated.ts", code, ts.ScriptTarget.Latest, true);
  const found = syntaxErrors(file);
  const declared = declaredNames(file);
  const visit = (node: ts.Node): void => {
    if (!ALLOWED.has(node.kind) && !isOperator(node.kind)) {
      found.push(`a node of kind ${ts.SyntaxKind[node.kind]}`);
    }
    if (ts.isIdentifier(node) && isReference(node) && !declared.has(node.text)) {
      found.push(`the name ${node.text}`);
    }
    if (ts.isNewExpression(node) && node.expression.getText() !== "Set") {
      found.push(`new ${node.expression.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  if (/<\/script|<!--/i.test(code)) found.push("an end of script");
  if (SOURCE_COMMENT.test(code)) found.push("the address of a source map");
  if (/[\u2028\u2029\u202a-\u202e\ufeff\r]/.test(code) || !code.isWellFormed()) {
    found.push("a character that hides");
  }
  return found;
}

/** What Node looks for in the text of a program, be it in a comment or in a literal. */
const SOURCE_COMMENT = /\/[*/][#@]\s+source(?:Mapping)?URL=/;

function syntaxErrors(file: ts.SourceFile): string[] {
  const { diagnostics } = ts.transpileModule(file.text, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  });
  return (diagnostics ?? []).map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, "; "),
  );
}

/** Declared names, and the two that are the language's own. */
function declaredNames(file: ts.SourceFile): ReadonlySet<string> {
  const names = new Set(["undefined", "Set", "Object", "const"]);
  const visit = (node: ts.Node): void => {
    const isDeclaration =
      ts.isVariableDeclaration(node) ||
      ts.isBindingElement(node) ||
      ts.isParameter(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isImportSpecifier(node);
    if (isDeclaration && node.name !== undefined && ts.isIdentifier(node.name)) {
      names.add(node.name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

/** Whether the identifier names a variable or a type, not a property. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent))
    return parent.name !== node;
  if (ts.isImportSpecifier(parent) || ts.isBindingElement(parent)) return parent.name === node;
  return true;
}

/** The names that strict code may not bind. */
function isRefusal(error: unknown): boolean {
  return error instanceof CompileError;
}

interface Hostile {
  readonly template: string;
  readonly name: string;
  readonly file: string;
  readonly define: Readonly<Record<string, unknown>>;
}

function hostileOf(template: fc.Arbitrary<string>): fc.Arbitrary<Hostile> {
  return fc.record({
    template,
    name: hostile,
    file: hostile,
    define: fc.dictionary(identifier, hostile, { maxKeys: 2 }),
  });
}

const RUNS = Number(process.env["RUNS"] ?? 40);

async function expectInert({ template, name, file, define }: Hostile, dialect: Dialect) {
  try {
    const { code } = await compile(template, { name, file, define, dialect });
    expect(violations(code), code).toEqual([]);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

describe("the generated file is inert", () => {
  it.each([
    ["jinja", jinjaTemplate],
    ["go", goTemplate],
    ["ollama", ollamaTemplate],
  ] as const)("%s", async (dialect, template) => {
    await fc.assert(
      fc.asyncProperty(hostileOf(template), (one) => expectInert(one, dialect)),
      { numRuns: RUNS },
    );
  });

  it("finds what is not", () => {
    expect(violations("const a = eval('1');")).toEqual(["the name eval"]);
    expect(violations("const a = `${1}`;")).toContain("a node of kind TemplateExpression");
    expect(violations("const f = () => f`x`;")).toContain(
      "a node of kind TaggedTemplateExpression",
    );
    expect(violations('const a = import("fs");')).toContain("a node of kind ImportKeyword");
    expect(violations('const a = "//# sourceURL=x";')).toEqual(["the address of a source map"]);
    expect(violations('const a = "</script>";')).toEqual(["an end of script"]);
    expect(violations("const a = ;")).not.toEqual([]);
  });
});

/** The output, or that there is none. */
function outcome(render: () => string): string | null {
  try {
    return render();
  } catch {
    return null;
  }
}

const wellFormed = hostile.map((text) => text.toWellFormed());
const input = fc.record({
  messages: fc.array(fc.record({ role: wellFormed, content: wellFormed }), { maxLength: 2 }),
});

function lowered(source: string, name: string, dialect: Dialect): Module | null {
  try {
    return toModule(source, { name, dialect }).module;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

describe("a function with a source map", () => {
  it("is inert but for two comments at its end", () => {
    const template = fc.oneof(
      fc.tuple(fc.constant("jinja" as const), jinjaTemplate),
      fc.tuple(fc.constant("go" as const), goTemplate),
    );
    fc.assert(
      fc.property(template, hostile, ([dialect, source], name) => {
        const module = lowered(source, name, dialect);
        if (module === null) return;
        const body = emitBody(module, {
          typed: false,
          comments: false,
          inputType: "",
          marked: true,
        });
        const lines = mappedCode(programText(body), { name, source }).split("\n");
        const [url, map] = lines.splice(-2);
        expect(url).toMatch(/^\/\/# sourceURL=[\w!()*./~%-]+\.[0-9a-f]{8}\.js$/);
        expect(map).toMatch(/^\/\/# sourceMappingURL=data:application\/json;base64,[\w+/]+=*$/);
        expect(lines.join("\n")).toBe(withoutMarks(programText(body)));
        expect(SOURCE_COMMENT.test(lines.join("\n"))).toBe(false);
        expect(lines.join("\n")).not.toMatch(/[\u0001\u0002]/);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("a hostile template renders as interpreted", () => {
  it("jinja", () => {
    fc.assert(
      fc.property(jinjaTemplate, input, (template, data) => {
        const compiled = outcome(() =>
          compileTemplate(template, { dialect: "jinja" }).render(data),
        );
        const json = JSON.stringify(data);
        expect(compiled).toBe(outcome(() => interpretJinja(template, json).output));
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    ["go", goTemplate],
    ["ollama", ollamaTemplate],
  ] as const)("%s", (dialect, goText) => {
    fc.assert(
      fc.property(goText, input, (template, data) => {
        const compiled = outcome(() => compileTemplate(template, { dialect }).render(data));
        const json = JSON.stringify(data);
        expect(compiled).toBe(outcome(() => interpretGo(template, dialect, json).output));
      }),
      { numRuns: RUNS },
    );
  });
});
