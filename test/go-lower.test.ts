import { describe, expect, it } from "vitest";
import { Diagnostics } from "../compiler/diagnostics.js";
import { lower, type LowerOptions } from "../compiler/go/lower.js";
import { parse } from "../compiler/go/parser.js";
import type { Expr, Module, Stmt } from "../compiler/ir/nodes.js";
import { statementLists, walkModule } from "../compiler/ir/visit.js";
import { Source } from "../compiler/source.js";
import { compileTemplate } from "../compiler/template.js";

interface Lowered {
  readonly module: Module;
  readonly warnings: readonly string[];
}

function lowered(text: string, options: Partial<LowerOptions> = {}): Lowered {
  const source = new Source(text, "test");
  const diagnostics = new Diagnostics(source);
  const dialect = options.dialect ?? "ollama";
  const set = parse(source, diagnostics, { dialect });
  const module = lower(set, source, diagnostics, { ...options, dialect });
  return { module, warnings: diagnostics.list.map(({ code, line }) => `${String(line)} ${code}`) };
}

/** The names of the intrinsics that a module calls outside the suffix body. */
function rules(module: Module): Set<string> {
  const names = new Set<string>();
  const messages = {
    ...module,
    functions: module.functions.filter((fn) => fn.name.name !== "renderSuffix"),
  };
  walkModule(messages, (expr) => {
    if (expr.op === "intrinsic") names.add(expr.name);
  });
  return names;
}

function statementsOf(list: readonly Stmt[]): Stmt[] {
  return list.flatMap((stmt) => [stmt, ...statementLists(stmt).flatMap(statementsOf)]);
}

function assigned(module: Module, name: string): Expr | undefined {
  const found = statementsOf(module.body).find(
    (stmt) => stmt.op === "set" && stmt.local.name === name,
  );
  return found?.op === "set" ? found.value : undefined;
}

function rendered(text: string, input: object, dialect: "ollama" | "go" = "ollama"): string {
  return compileTemplate(text, { dialect, passes: false }).render(input);
}

const USER = { role: "user", content: "hi" };

describe("Ollama's data model", () => {
  it("reads known fields in the request's own form, without a rule", () => {
    const text = '{{ range .Messages }}{{ if eq .Role "user" }}{{ .Content }}{{ end }}{{ end }}';
    expect(rules(lowered(text).module)).toEqual(new Set());
  });

  it("warns of unknown fields, which fail where they are executed", () => {
    const text = "{{ range .Messages }}\n{{ .Name }}{{ end }}";
    expect(lowered(text).warnings).toEqual(["2 go/unknown-field"]);
    expect(() => rendered(text, { messages: [USER] })).toThrow(
      'template: :2:3: executing "" at <.Name>: can\'t evaluate field Name in type *template.templateMessage',
    );
    expect(rendered(text, { messages: [] })).toBe("");
  });

  it("counts what a slice from a range's index leaves without calling a rule", () => {
    const text =
      "{{ range $i, $_ := .Messages }}{{ $last := eq (len (slice $.Messages $i)) 1 }}{{ $last }}{{ end }}";
    const { module } = lowered(text);
    expect(assigned(module, "last")).toMatchObject({ op: "compare", left: { op: "local" } });
    expect(rules(module)).toEqual(new Set());
    expect(rules(lowered(text, { optimize: false }).module)).toContain("go.lengthOfSlice");
  });

  it("does not do so where the index or the list may be another", () => {
    const assigning =
      "{{ range $i, $_ := .Messages }}{{ $i = 0 }}{{ len (slice $.Messages $i) }}{{ end }}";
    expect(rules(lowered(assigning).module)).toContain("go.lengthOfSlice");
    const other = "{{ range $i, $_ := .Tools }}{{ len (slice $.Messages $i) }}{{ end }}";
    expect(rules(lowered(other).module)).toContain("go.lengthOfSlice");
  });

  it("asks JavaScript for the type of an argument", () => {
    const text =
      '{{ range .Messages }}{{ range .ToolCalls }}{{ range $k, $v := .Function.Arguments }}{{ if eq (printf "%T" $v) "string" }}s{{ end }}{{ end }}{{ end }}{{ end }}';
    expect(rules(lowered(text).module)).toEqual(new Set(["go.sorted"]));
  });

  it("decodes strictly where texts are cut by bytes", () => {
    expect(lowered("{{ range .Messages }}{{ .Content }}{{ end }}").module.prepare).toBe(
      "go.ollamaValues",
    );
    const cut = "{{ range .Messages }}{{ slice .Content 0 1 }}{{ end }}";
    expect(lowered(cut).module.prepare).toBe("go.ollamaValuesStrict");
    expect(
      rendered(`${cut}{{ range .Messages }}{{ slice .Content 1 2 }}{{ end }}`, {
        messages: [{ role: "user", content: "é" }],
      }),
    ).toBe("é");
  });
});

describe("variables", () => {
  it("reports a declaration that only hides another", () => {
    const text = "{{ $x := 1 }}{{ if .Messages }}\n{{ $x := 2 }}{{ end }}{{ $x }}";
    const { module, warnings } = lowered(text);
    expect(warnings).toEqual(["2 go/shadowed-variable"]);
    const notes = statementsOf(module.body).filter((stmt) => stmt.op === "note");
    expect(notes.map((note) => note.origin?.text)).toEqual([
      "$x := 2 has no effect (declares a new variable)",
    ]);
    expect(rendered(text, { messages: [USER] })).toBe("\n1");
  });

  it("gives a variable the type of all its values", () => {
    const text =
      '{{ $m := "none" }}{{ range .Messages }}{{ $m = . }}{{ end }}{{ if eq (printf "%T" $m) "string" }}{{ $m }}{{ else }}{{ $m.Content }}{{ end }}';
    expect(rendered(text, { messages: [] })).toBe("none");
    expect(rendered(text, { messages: [USER] })).toBe("hi");
  });

  it("leaves the value to the variables of an empty range", () => {
    const text = "{{ range $k, $v := .l }}x{{ else }}{{ $v }}{{ end }}";
    expect(rendered(text, { l: [] }, "go")).toBe("[]");
  });
});

describe("defines", () => {
  it("makes one function for each type of argument, and names it in errors", () => {
    const text =
      '{{ define "m" }}<{{ .Role }}>{{ end }}{{ range .Messages }}{{ template "m" . }}{{ end }}{{ range .Tools }}{{ template "m" . }}{{ end }}';
    const names = lowered(text).module.functions.map((fn) => fn.name.name);
    expect(names.filter((name) => name === "m")).toHaveLength(2);
    expect(rendered(text, { messages: [USER] })).toBe("<user>");
    const tools = [{ type: "function", function: { name: "f", parameters: {} } }];
    expect(() => rendered(text, { tools })).toThrow(
      'executing "m" at <.Role>: can\'t evaluate field Role in type template.templateTool',
    );
  });

  it("recurses, and hands the inputs on", () => {
    const text =
      '{{ define "r" }}{{ if . }}{{ index . 0 }}{{ template "r" (slice . 1) }}{{ end }}{{ end }}{{ template "r" .l }}';
    expect(rendered(text, { l: [1, 2, 3] }, "go")).toBe("123");
    const root =
      '{{ define "all" }}{{ len .Messages }}{{ $.System }}{{ end }}{{ template "all" . }}';
    expect(rendered(root, { system: "s", messages: [USER] })).toBe("2s");
  });
});

describe("the three ways of Execute", () => {
  const text =
    "{{ if .Suffix }}{{ .Prompt }}_{{ .Suffix }}{{ end }}{{ range .Messages }}m{{ end }}";

  it("gives a prompt with a suffix a body of its own", () => {
    expect(rendered(text, { prompt: "a", suffix: "b", messages: [USER] })).toBe("a_b");
    expect(rendered(text, { prompt: "a" })).toBe("m");
  });

  it("renders templates without messages turn by turn, the last one up to .Response", () => {
    const turn = "[{{ .System }}|{{ .Prompt }}|{{ .Response }}]";
    const messages = [USER, { role: "assistant", content: "yes" }, { ...USER, content: "more" }];
    expect(rendered(turn, { messages, system: "s" })).toBe("[s|hi|yes][|more|");
    expect(lowered(turn).module.functions).toHaveLength(2);
    const dated = "{{ currentDate }}{{ .Prompt }}{{ .Response }}";
    expect(lowered(dated).module.functions).toHaveLength(3);
    expect(() => rendered(dated, { messages })).toThrow('"currentDate" is not a defined function');
  });

  it("obeys forceLegacy only where asked to", () => {
    const { module } = lowered(text, { forceLegacy: true });
    expect(module.functions.map((fn) => fn.name.name)).toEqual(["renderTurn", "renderSuffix"]);
  });
});

describe("range", () => {
  it("catches a break of its else list", () => {
    const text =
      "{{ range .l }}{{ range .x }}y{{ else }}{{ if .b }}{{ break }}{{ end }}e{{ end }}a{{ end }}";
    expect(rendered(text, { l: [{ b: true }, { b: false }, { x: [1] }] }, "go")).toBe("aeaya");
  });
});
