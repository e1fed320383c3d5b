/** Go's lexer, parser and node printing: our own templates with the answers of Go 1.26 recorded. */
import { expect, test } from "vitest";
import { CompileError, Diagnostics } from "../compiler/diagnostics.js";
import type { ListNode, Operand, Stmt, TemplateSet } from "../compiler/go/ast.js";
import { builtins } from "../compiler/go/builtins.js";
import { byteColumn, mentions, parse, vars } from "../compiler/go/parser.js";
import { place, printNode } from "../compiler/go/print.js";
import { Source } from "../compiler/source.js";

function parsed(text: string, dialect: "go" | "ollama" = "go"): TemplateSet {
  const source = new Source(text, "test.gotmpl");
  return parse(source, new Diagnostics(source), { dialect });
}

function refusal(text: string, dialect: "go" | "ollama" = "go"): CompileError {
  try {
    parsed(text, dialect);
  } catch (error) {
    if (error instanceof CompileError) return error;
    throw error;
  }
  throw new Error(`not refused: ${text}`);
}

/** The only operand of a template that is one action. */
function operand(text: string): Operand {
  const [action] = parsed(text).main.nodes;
  const argument = action?.type === "Action" ? action.pipe.commands[0]?.args[0] : undefined;
  if (argument === undefined) throw new Error(`no operand: ${text}`);
  return argument;
}

test.each([
  ["{{ .A", "unclosed action"],
  ["a\n{{ .A\n\n", "unclosed action started at :2", 4],
  ["{{ ( .A\n}}", "unclosed left paren in action started at :1", 2],
  ["{{ .A ) }}", "unexpected right paren"],
  ["{{ /* no */ }}", 'unexpected "/" in command'],
  ["{{/* open", "unclosed comment"],
  ["{{/* x */ }}", "comment ends before closing delimiter"],
  ["{{ 2-}}", 'bad number syntax: "2-"'],
  ["{{ 0x }}", 'illegal number syntax: "0x"'],
  ["{{ 1e999 }}", 'illegal number syntax: "1e999"'],
  ["{{ 09 }}", 'integer overflow: "09"'],
  ["{{ 0b1+2i }}", "syntax error scanning complex number"],
  ["{{ 1_+2i }}", 'strconv.ParseFloat: parsing "1_": invalid syntax'],
  ["{{ 'ab' }}", "malformed character constant: 'ab'"],
  ["{{ '' }}", "invalid syntax"],
  ["{{ '\\\n' }}", "unterminated character constant"],
  ['{{ "\\q" }}', "invalid syntax"],
  ['{{ "\\400" }}', "invalid syntax"],
  ['{{ "\\ud800" }}', "invalid syntax"],
  ['{{ "open }}', "unterminated quoted string"],
  ["{{ `open }}", "unterminated raw quoted string"],
  ["{{ # }}", 'unexpected "#" in command'],
  ["{{ é\u00a0 }}", "bad character U+00A0"],
  ["{{ 😀 }}", "unrecognized character in action: U+1F600 '😀'"],
  ["{{ .A[0] }}", "bad character U+005B '['"],
  ["{{ $x := : }}", "expected :="],
  ["{{ }}", "missing value for command"],
  ["{{ () }}", "missing value for parenthesized pipeline"],
  ["{{ .A | 1 }}", "non executable command in pipeline stage 2"],
  ["{{ print | true }}", "non executable command in pipeline stage 2"],
  ["{{ nil.A }}", 'unexpected . after term "nil"'],
  ['{{ "a".B }}', 'unexpected . after term "\\"a\\""'],
  ["{{ nope }}", 'function "nope" not defined'],
  ["{{ $x }}", 'undefined variable "$x"'],
  ["{{ if .A }}{{ $x := 1 }}{{ end }}{{ $x }}", 'undefined variable "$x"'],
  ["{{ $a, $b := .X }}", "too many declarations in command"],
  ["{{ range $a, $b, $c := .X }}{{ end }}", "too many declarations in range"],
  ["{{ range $a, .X }}{{ end }}", "range can only initialize variables"],
  ["{{ if .A }}", "unexpected EOF"],
  ["x{{ end }}", "unexpected {{end}}"],
  ["{{ else }}", "unexpected {{else}}"],
  ["{{ if .A }}{{ else }}{{ else }}{{ end }}", "expected end; found {{else}}"],
  ["{{ range .A }}{{ else if .B }}{{ end }}", "unexpected <if> in input"],
  ["{{ break }}", "{{break}} outside {{range}}"],
  [
    '{{ range .A }}{{ block "b" . }}{{ continue }}{{ end }}{{ end }}',
    "{{continue}} outside {{range}}",
  ],
  ["{{ range .A }}{{ break 1 }}{{ end }}", 'unexpected "1" in {{break}}'],
  ["{{ template x }}", 'unexpected "x" in template clause'],
  ["{{ define x }}", 'unexpected "x" in define clause'],
  ['{{ define "x" }}{{ else }}', "unexpected {{else}} in define clause"],
  ['{{ if .A }}{{ define "x" }}{{ end }}{{ end }}', "unexpected <define> in command"],
  ["{{ end abcdefghijklm }}", 'unexpected "abcdefghij"... in end'],
  ["{{ print . . .A.. }}", "unexpected <.> in operand"],
  [
    '{{ define "x" }}1{{ end }}\n{{ define "x" }}2{{ end }}',
    'template: multiple definition of template "x"',
    2,
  ],
  ['{{ define "" }}1{{ end }}2', 'template: multiple definition of template ""'],
])("refuses %j as Go does", (text, message, line = 1) => {
  const error = refusal(text);
  expect(error.message).toBe(`template: :${String(line)}: ${message}`);
  expect(error.line).toBe(line);
});

test("only a line feed starts a new line", () => {
  expect(refusal("\r\u2028{{ nope }}").message).toBe('template: :1: function "nope" not defined');
});

test.each([
  ["a \n{{- .A -}}\n b", "a{{.A}}b"],
  ["a {{- /* c */ -}} b", "ab"],
  ["{{ -1}}{{- 2 }}", "{{-1}}{{2}}"],
  ["\v{{- 1 -}}\u00a0", "\v{{1}}\u00a0"],
  ["{{ $x:=1 }}{{ $x  =  2 }}{{ $x.A }}", "{{$x := 1}}{{$x = 2}}{{$x.A}}"],
  [
    "{{ range $i,$v := .L }}{{ break }}{{ else }}x{{ end }}",
    "{{range $i, $v := .L}}{{break}}{{else}}x{{end}}",
  ],
  [
    "{{ if .A }}a{{ else if .B }}b{{ else }}c{{ end }}",
    "{{if .A}}a{{else}}{{if .B}}b{{else}}c{{end}}{{end}}",
  ],
  ["{{ with .A }}a{{ else with .B }}b{{ end }}", "{{with .A}}a{{else}}{{with .B}}b{{end}}{{end}}"],
  ["{{ (print .A|len).B.C (.D).E }}", "{{(print .A | len).B.C (.D).E}}"],
  ["{{ print.A }}{{ $.A.B }}", "{{print.A}}{{$.A.B}}"],
  ["{{ 'a' }}{{ 0x1p4 }}{{ \"\\xff\" }}{{ `r` }}", "{{'a'}}{{0x1p4}}{{\"\\xff\"}}{{`r`}}"],
  ["{{ template `a\t\u00a0é` . }}", '{{template "a\\t\\u00a0é" .}}'],
  ["{{ print | }}{{ eq true nil . }}", "{{print}}{{eq true nil .}}"],
])("prints the tree of %j as Go does", (text, printed) => {
  expect(printNode(parsed(text).main)).toBe(printed);
});

test.each([
  ["12", 12n, 12n, 12],
  ["-12", -12n, null, -12],
  ["+12", 12n, null, 12],
  ["-0", 0n, 0n, 0],
  ["0x_1F", 31n, 31n, 31],
  ["0b101", 5n, 5n, 5],
  ["0o17", 15n, 15n, 15],
  ["017", 15n, 15n, 15],
  ["1_000", 1000n, 1000n, 1000],
  ["18446744073709551615", null, 18446744073709551615n, 18446744073709551616],
  ["1e3", 1000n, 1000n, 1000],
  ["1e19", null, 10000000000000000000n, 1e19],
  ["1e20", null, null, 1e20],
  ["-1.5", null, null, -1.5],
  [".5", null, null, 0.5],
  ["0x1.8p1", 3n, 3n, 3],
  ["0x1p-1074", null, null, 5e-324],
  ["0x1p-1075", 0n, 0n, 0],
  ["0x1.fffffffffffff7p0", null, null, 1.9999999999999998],
  ["0x1.fffffffffffff8p0", 2n, 2n, 2],
  ["'é'", 233n, 233n, 233],
  ["'\\xff'", 255n, 255n, 255],
  ["0i", 0n, 0n, 0],
  ["3+0i", 3n, 3n, 3],
  ["1+2i", null, null, null],
])("reads the constant %s with every type that fits", (text, int, uint, float) => {
  expect(operand(`{{ ${text} }}`)).toMatchObject({ type: "Number", text, int, uint, float });
});

test("complex constants keep their parts", () => {
  expect(operand("{{ 1.5-2i }}")).toMatchObject({ complex: { real: 1.5, imaginary: -2 } });
  expect(operand("{{ 2i }}")).toMatchObject({ complex: { real: 0, imaginary: 2 }, float: null });
});

test.each([
  ['"a\\tb\\"\\\\"', 'a\tb"\\'],
  ['"\\u00e9\\U0001F600"', "é😀"],
  ['"\\xe6\\x97\\xa5\\346\\227\\245"', "日日"],
  ['"\\xff\\xc0é"', "\udcff\udcc0é"],
  ['"\\xed\\xa0\\x80"', "\udced\udca0\udc80"],
  ['`a\\n\r\n"`', 'a\\n\n"'],
])("unquotes %s", (literal, text) => {
  expect(operand(`{{ ${literal} }}`)).toMatchObject({ type: "String", quoted: literal, text });
});

/** Every statement and operand with Go's position, in the order of the source. */
function positions(node: ListNode | Stmt | Operand): string[] {
  const own = `${node.type} ${String(node.span.start)}`;
  switch (node.type) {
    case "List":
      return [own, ...node.nodes.flatMap(positions)];
    case "If":
    case "Range":
    case "With":
      return [own, ...positions(node.pipe), ...positions(node.list)].concat(
        node.otherwise === null ? [] : positions(node.otherwise),
      );
    case "Action":
      return [own, ...positions(node.pipe)];
    case "Chain":
      return [own, ...positions(node.node)];
    case "Pipe":
      return [own, ...node.commands.flatMap((command) => command.args.flatMap(positions))];
    default:
      return [own];
  }
}

test("nodes stand where Go says", () => {
  const text = "ab{{ if (.A.B | len).C }}{{ $.D.E }}{{ else if 1 }}{{ end }}";
  expect(positions(parsed(text).main)).toEqual(
    [
      "List 0",
      "Text 0",
      "If 8",
      "Pipe 8",
      "Chain 20",
      "Pipe 9",
      "Field 11",
      "Identifier 16",
    ].concat(
      [
        "List 25",
        "Action 28",
        "Pipe 28",
        "Variable 29",
        "List 44",
        "If 47",
        "Pipe 47",
        "Number 47",
      ],
      ["List 51"],
    ),
  );
});

test("places are Go's line and byte column", () => {
  const text = "日\n é{{ .A.B }}";
  const source = new Source(text, "test.gotmpl");
  const node = operand(text.slice(4));
  expect(byteColumn(source, text.indexOf(".B"))).toBe(8);
  const moved = { ...node, span: { start: text.indexOf(".B"), end: text.length } };
  expect(place(source, moved, 'q"')).toBe('2:8: executing "q\\"" at <.A.B>');
});

test("definitions: empty ones yield, blocks define and call", () => {
  const { main, defines } = parsed(
    '{{ define "a" }} {{ end }}{{ define "a" }}1{{ end }}{{ define "a" }}\n{{ end }}{{ block "b" .X }}2{{ end }}',
  );
  expect(printNode(main)).toBe('{{template "b" .X}}');
  expect([...defines].map(([name, list]) => [name, printNode(list)])).toEqual([
    ["a", "1"],
    ["b", "2"],
  ]);
});

test('a definition of "" is the main template if nothing else is', () => {
  expect(printNode(parsed('{{ define "" }}1{{ end }} ').main)).toBe("1");
});

test("Ollama refuses calls without a pipeline, with the call's line", () => {
  const error = refusal('{{ .Prompt }}\n{{ define "x" }}{{ template "y" }}{{ end }}', "ollama");
  expect(error.message).toBe("undefined template specified");
  expect(error.line).toBe(2);
});

test.each([
  ["{{ .Prompt }}", "{{.Prompt}}{{.Response}}"],
  ["{{ .messages }}", "{{.messages}}"],
  ["{{ print $.RESPONSE }}", "{{print $.RESPONSE}}"],
  ["{{ (index .Messages 0).Content }}", "{{(index .Messages 0).Content}}{{.Response}}"],
  ["{{ print (index .Messages 0) }}", "{{print (index .Messages 0)}}"],
  ['{{ define "x" }}{{ .Messages }}{{ end }}', ""],
])("Ollama reads %j as %j", (text, printed) => {
  expect(printNode(parsed(text, "ollama").main)).toBe(printed);
});

test("vars are the lower-cased names of fields and variables", () => {
  const set = parsed("{{ $M := .X }}{{ range .Ünd }}{{ $M.Σ }}{{ .𐐀 }}{{ .ﬀ }}{{ end }}");
  expect(vars(set)).toEqual(["$m", "x", "ünd", "σ", "ﬀ", "𐐨"]);
  expect(mentions(set).has("messages")).toBe(false);
});

test("deep nesting is refused, not a crash", () => {
  const text = `{{${"(".repeat(10001)}1${")".repeat(10001)}}}`;
  expect(refusal(text).message).toBe("template: :1: max expression depth exceeded");
  expect(printNode(parsed(text.replaceAll(/\({9501}|\){9501}/g, "")).main)).toHaveLength(1005);
});

test("the functions with their arity", () => {
  expect(builtins.size).toBe(23);
  expect(builtins.get("eq")).toEqual({ name: "eq", min: 1, max: null, origin: "go" });
  expect(builtins.get("json")).toEqual({ name: "json", min: 1, max: 1, origin: "ollama" });
});
