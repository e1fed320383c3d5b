/** Whose the characters are that text/template's functions write: operand by operand, and on random templates. */
import { describe, expect, it } from "vitest";
import { CompileError, compileTemplate, type CompiledTemplate } from "../compiler/template.js";
import { parseJson, type Segment } from "../runtime/index.js";
import { goInput, ollamaInput } from "../scripts/fuzz/go/inputs.js";
import { Random } from "../scripts/fuzz/go/random.js";
import { goShapes, ollamaShapes } from "../scripts/fuzz/go/shapes.js";
import { Templates } from "../scripts/fuzz/go/statements.js";
import { isRecord } from "../scripts/rows.js";
import { fault, mark, shown } from "./origin.js";

const INPUT = {
  s: "abc",
  t: "a<é>",
  n: 5,
  yes: true,
  words: ["x", "x"],
  map: { k: "v", l: "v" },
  format: "A%sB%zC%",
  deep: { one: { two: "w" }, list: [["p"], ["p"]] },
};

/** With passes and without, on closures and as code: what they give is the same. */
function segmentsOf(dialect: "go" | "ollama", template: string, input: object): string {
  const [first, ...others] = [
    { passes: true },
    { passes: true, codegen: false },
    { passes: false, codegen: false },
  ].map((options) =>
    shown(compileTemplate(template, { dialect, ...options }).renderSegments(input)),
  );
  for (const other of others) expect(other).toBe(first);
  return String(first);
}

describe("segments of text/template's functions", () => {
  it.each([
    ["fields", "{{ .s }}{{ .deep.one.two }}", "<abc>s <w>deep.one.two"],
    ["print", '{{ print "a" .s .n 1 }}|{{ print .n .n }}', '"a" <abc>s <5>n " 1|" <5>n " " <5>n'],
    ["print of lists", '{{ print .words .words "." }}', '<[x x]>words " " <[x x]>words "."'],
    ["println", '{{ println .s "x" .n }}', '<abc>s " x " <5>n "\\n"'],
    ["verbs", '{{ printf "a%sb%vc%d" .s .n .n }}', '"a" <abc>s "b" <5>n "c" <5>n'],
    ["verbs for the template's own", '{{ printf "%s-%d" "q" 7 }}', '"q-7"'],
    [
      "padding",
      '{{ printf "%5s|%-5s|%05d|%.2s" .s .s .n .s }}',
      '"  " <abc>s "|" <abc>s "  |" <00005>n "|" <ab>s',
    ],
    ["padding as wide as the input says", '{{ printf "%*s" 5 .s }}', '"  " <abc>s'],
    ["quotes", '{{ printf "%q %x" .s .s }}', '<"abc">s " " <616263>s'],
    ["operands by number", '{{ printf "%[2]s-%[1]s" .s .n }}', '<%!s(int=5)>n "-" <abc>s'],
    ["types", '{{ printf "%T %T" .s .n }}', '"string int"'],
    ["bad verbs", '{{ printf "%z" .s }}', "<%!z(string=abc)>s"],
    ["what is missing", '{{ printf "%s%%%" }}', '"%!s(MISSING)%%!(NOVERB)"'],
    ["what is too much", '{{ printf "a" .s .n }}', '"a%!(EXTRA string=" <abc>s ", int=" <5>n ")"'],
    ["formats of the input", '{{ printf .s "x" }}', '<abc>s "%!(EXTRA string=x)"'],
    [
      "directives of the input",
      "{{ printf .format .s 3 }}",
      "<A>format <abc>s <B%!z(int=3)C%!(NOVERB)>format",
    ],
    ["printed text, printed again", '{{ printf "%s." (print "<" .s ">") }}', '"<" <abc>s ">."'],
    ["padding of it", '{{ printf "%6.4s" (print "<" .s ">") }}', '"  <" <abc>s'],
    ["html", '{{ html "<" .t }}', '"&lt;" <a&lt;é&gt;>t'],
    ["html of pieces", '{{ print "<" .t | html }}', '"&lt;" <a&lt;é&gt;>t'],
    ["js", `{{ js "'" .t }}`, `"\\\\'" <a\\u003Cé\\u003E>t`],
    ["urlquery", '{{ urlquery "é" .n .n .t }}', '"%C3%A9" <5>n "+" <5>n <a%3C%C3%A9%3E>t'],
    ["slices of text", '{{ slice .s 1 }}{{ slice "xyz" (len .words) }}', '<bc>s "z"'],
    ["slices of pieces", '{{ slice (print "é<" .s ">" .n) 2 6 }}', '"<" <abc>s'],
    [
      "slices that cut a character",
      '{{ $x := print "é" .s }}{{ slice $x 0 1 }}{{ slice $x 1 3 }}',
      '"é" <a>s',
    ],
    ["slices of lists", "{{ range slice .words 1 }}{{ . }}{{ end }}", "<x>words.1"],
    ["items", '{{ index .words 1 }}{{ index .map "l" }}', "<x>words.1 <v>map.l"],
    ["items of items", "{{ index .deep.list 1 0 }}", "<p>deep.list.1.0"],
    ["bytes", '{{ index "abc" 0 }}{{ index .s 0 }}', '"97" <97>s'],
    [
      "pairs",
      "{{ range $k, $v := .map }}{{ $k }}={{ $v }};{{ end }}{{ range $i, $v := .words }}{{ $i }}{{ $v }}{{ end }}",
      '<k>map.k "=" <v>map.k ";" <l>map.l "=" <v>map.l ";0" <x>words.0 "1" <x>words.1',
    ],
    ["loops", "{{ range .words }}{{ . }}{{ end }}", "<x>words.0 <x>words.1"],
    ["choices", '{{ or .none "x" }}{{ or .s "x" }}{{ and .s "y" }}', '"x" <abc>s "y"'],
    ["words of the engine", '{{ len .s }}{{ eq .s "a" }}{{ not .s }}', '"3falsefalse"'],
    ["variables", '{{ $x := .s }}{{ $x = print $x "." }}{{ $x }}', '<abc>s "."'],
    ["defines", '{{ define "d" }}[{{ .s }}]{{ end }}{{ template "d" . }}', '"[" <abc>s "]"'],
    ["piped values", '{{ .s | printf "%s-%s" "q" | html }}', '"q-" <abc>s'],
    [
      "the whole input",
      '{{ with .map }}{{ . }}{{ end }}{{ printf "%v" .words }}',
      "<map[k:v l:v]>map <[x x]>words",
    ],
  ])("%s", (_, template, segments) => {
    expect(segmentsOf("go", template, INPUT)).toBe(segments);
  });

  it("of data that is a list have its indexes as paths", () => {
    const template =
      '{{ index . 1 }}{{ . }}{{ define "d" }}{{ print . }}{{ end }}{{ template "d" . }}';
    expect(segmentsOf("go", template, ["a", "b"])).toBe("<b>1 <[a b][a b]>");
  });

  it.each([
    [
      "messages",
      '{{ range .Messages }}{{ printf "%-6s%s" .Role .Content }}{{ print .Role .Content }}{{ end }}',
      '<user>messages.0.role "  " <hi>messages.0.content <user>messages.0.role <hi>messages.0.content',
    ],
    [
      "fields of structs in variables of several types",
      "{{ $m := .System }}{{ range .Messages }}{{ $m = . }}{{ end }}{{ $m.Role }}{{ range .Tools }}{{ $m = .Function }}{{ end }}{{ $m.Name }}",
      "<user>messages.0.role <f>tools.0.function.name",
    ],
    [
      "all messages",
      "{{ print .Messages }}{{ range slice .Messages 0 1 }}{{ json . }}{{ end }}",
      '<[0xc000010000]{"Role":"user","Content":"hi","Thinking":"","Images":null,"ToolCalls":null,"ToolName":"","ToolCallID":""}>messages.0',
    ],
    ["all messages as JSON", "{{ slice (json .Messages) 0 14 }}", '<[{"Role":"user>messages.0'],
    [
      "printed text as JSON",
      '{{ range .Messages }}{{ json (print "é\\"" .Content "<") }}{{ json .Content }}{{ end }}',
      '"\\"é\\\\\\"" <hi>messages.0.content "\\\\u003c\\"" <"hi">messages.0.content',
    ],
    [
      "data of tools",
      '{{ range .Messages }}{{ end }}{{ range .Tools }}{{ with .Function.Parameters.Defs }}{{ .x }}{{ index .list 1 }}{{ printf "%5v" .x }}{{ range .list }}{{ . }}{{ end }}{{ range $k, $v := . }}{{ $k }}{{ end }}{{ end }}{{ end }}',
      '<w>tools.0.function.parameters.$defs.x <l>tools.0.function.parameters.$defs.list.1 "    " ' +
        "<w>tools.0.function.parameters.$defs.x <l>tools.0.function.parameters.$defs.list.0 " +
        "<l>tools.0.function.parameters.$defs.list.1 <list>tools.0.function.parameters.$defs.list " +
        "<x>tools.0.function.parameters.$defs.x",
    ],
  ])("%s of Ollama", (_, template, segments) => {
    const parameters = { properties: {}, $defs: { x: "w", list: ["l", "l"] } };
    const input = {
      messages: [{ role: "user", content: "hi" }],
      tools: [{ type: "function", function: { name: "f", parameters } }],
    };
    expect(segmentsOf("ollama", template, input)).toBe(segments);
  });

  it("have the places of lists in a message that the server reads anew", () => {
    const template =
      "{{ range .Messages }}{{ .Content }}{{ .Images }}{{ range .Images }}{{ . }}{{ end }}{{ end }}";
    const input = { messages: [{ role: "user", Content: "hi", images: ["aGk=", "aG8="] }] };
    expect(segmentsOf("ollama", template, input)).toBe(
      "<hi>messages.0.content <[[104 105] [104 111]]>messages.0.images " +
        "<[104 105]>messages.0.images.0 <[104 111]>messages.0.images.1",
    );
  });
});

// ---------------------------------------------------------------- properties

/** Letters of the template, which neither inputs have, nor fmt's own words, nor escapes. */
const OWN = /[JKQYZ]/;

/** Templates of functions that can be taken apart: nothing in their output has two origins. */
class Separable {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  template(): string {
    return `J${this.#random.times(3, () => `{{ ${this.#text(3)} }}Z`).join("")}`;
  }

  #text(depth: number): string {
    const random = this.#random;
    if (depth === 0 || random.chance(0.2)) return this.#leaf();
    const call = this.#call(depth - 1);
    return random.chance(0.3) ? `(${call}) | ${this.#rule()}` : call;
  }

  #leaf(): string {
    return this.#random.pick([".s", ".t", ".words", ".n", ".deep.one.two", '"J"', '"K É "', "7"]);
  }

  #rule(): string {
    const rules = ["print", 'print "Q"', "html", 'html "J "', 'printf "K%sY"', "println"];
    return this.#random.pick(rules);
  }

  #call(depth: number): string {
    const random = this.#random;
    const some = (count: number) => random.times(count, () => `(${this.#text(depth)})`).join(" ");
    return random.pick([
      () => `print ${some(random.between(1, 3))}`,
      () => `println ${some(random.between(1, 3))}`,
      () => `html ${some(random.between(1, 3))}`,
      () => `js ${some(random.between(1, 2))}`,
      () => `urlquery ${some(random.between(1, 2))}`,
      () => `printf "${this.#format()}" ${some(random.between(0, 3))}`,
      () =>
        `slice (printf "%-9s" (print ${some(2)})) ${random.pick(["0", "1", "2 7", "3", "0 4"])}`,
      () => `or ${some(2)}`,
    ])();
  }

  #format(): string {
    const random = this.#random;
    const verbs = ["%s", "%v", "%9s", "%-9s", "%.3s", "%9.2v", "%%", "%[1]s", "%T"];
    const text = random.times(random.between(1, 3), () => random.pick(verbs)).join("Q ");
    return text + random.pick(["", "Z", "%"]);
  }
}

function outcome(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return String(error);
  }
}

function compiledOrRefused(source: string, dialect: "go" | "ollama"): CompiledTemplate | null {
  try {
    return compileTemplate(source, { dialect, codegen: false });
  } catch (error) {
    if (error instanceof CompileError) return null;
    throw error;
  }
}

/** What is wrong with a template's segments on an input whose texts are marked; undefined: nothing. */
function wrongOn(
  template: string,
  { dialect, input }: { readonly dialect: "go" | "ollama"; readonly input: unknown },
  check: (segments: readonly Segment[]) => string | undefined = () => undefined,
): string | undefined {
  const compiled = compiledOrRefused(template, dialect);
  if (compiled === null) return undefined;
  const marked = mark(input, "ends", false);
  const given = isRecord(marked.input) ? marked.input : {};
  const options = { now: "2026-03-04" };
  let segments: readonly Segment[] = [];
  const plain = outcome(() => compiled.render(given, options));
  const joined = outcome(() => {
    segments = compiled.renderSegments(given, options);
    return segments.map(({ text }) => text).join("");
  });
  const wrong =
    plain === joined ? (fault(segments, marked) ?? check(segments)) : `${plain} is ${joined}`;
  return wrong === undefined ? undefined : `${template}: ${wrong}`;
}

/** What writes a value of any type. */
const WRITERS = [
  "print",
  "println",
  "html",
  "js",
  "urlquery",
  "json",
  ...["v", "+v", "#v", "s", "q", "x", "9v", "z"].map((verb) => `printf "%${verb}"`),
];
const MESSAGES = ["$", "$.Messages", "(slice $.Messages 1)", "(index $.Messages 1)", "$.System"];
const TOOLS = ["$.Tools", "(index $.Tools 0)", "(index $.Tools 0).Function"];
const PARTS = ["Parameters", "Parameters.Properties", "Parameters.Defs", "Parameters.Items"];

describe("segments of whole values", () => {
  it.each([
    ...MESSAGES,
    ...TOOLS,
    ...PARTS.map((part) => `(index $.Tools 0).Function.${part}`),
    "(index $.Messages 4).ToolCalls",
    "(index (index $.Messages 4).ToolCalls 0).Function.Arguments",
  ])("are input: %s", (value) => {
    const parameters = {
      type: "object",
      $defs: { x: "w", list: ["l", "l"] },
      items: ["i", { j: "k" }],
      properties: { city: { type: "string", description: "d", enum: ["a", "b"] } },
    };
    const call = { function: { name: "f", arguments: { city: "c", more: ["m", 1] } } };
    const input = {
      system: "S",
      messages: [
        { role: "user", content: "hi" },
        { role: "user", content: "ho" },
        { role: "system", content: "T" },
        { role: "assistant", content: "", thinking: "t", tool_calls: [call] },
      ],
      tools: [{ type: "function", function: { name: "f", description: "g", parameters } }],
      prompt: "P",
    };
    const template = WRITERS.map((writer) => `{{ ${writer} ${value} }}`).join("|");
    const whole = `{{ range .Messages }}{{ end }}{{ ${value} }}{{ $v := ${value} }}{{ $v }}${template}`;
    const rendered = (segments: readonly Segment[]): string | undefined =>
      segments.length > 0 ? undefined : "renders nothing";
    expect(wrongOn(whole, { dialect: "ollama", input }, rendered)).toBeUndefined();
  });
});

describe("segments of random templates", () => {
  it("keep what the template writes apart from the input, where every function can be taken apart", () => {
    const random = new Random(20261130);
    const templates = new Separable(random);
    const input = { ...INPUT, yes: true };
    const own = (segments: readonly Segment[]): string | undefined =>
      segments.find(({ text, from }) => from === "input" && OWN.test(text))?.text;
    const wrong = random
      .times(300, () => templates.template())
      .map((template) => wrongOn(template, { dialect: "go", input }, own))
      .filter((each) => each !== undefined);
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  it.each(["go", "ollama"] as const)("never call input the template's: %s", (dialect) => {
    const random = new Random(20261201);
    const shapes = dialect === "go" ? goShapes : ollamaShapes;
    const templates = new Templates(random, { shapes, chat: [] });
    const wrong = random
      .times(150, () => {
        const template = templates.template();
        const json = dialect === "go" ? goInput(random) : ollamaInput(random);
        // Loops over large integers would not end while anybody waits.
        if (template.includes("range") && /\d/.test(template)) return undefined;
        const input = parseJson(json.replace(/(?<=[[:,]-?)\d{4,}(?=[\],}])/g, "77"));
        return wrongOn(template, { dialect, input });
      })
      .filter((each) => each !== undefined);
    expect(wrong.slice(0, 5)).toEqual([]);
  });
});
