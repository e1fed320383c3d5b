/** Each pass by its rules: the IR before it, and after it. */
import { describe, expect, it } from "vitest";
import * as build from "../compiler/ir/build.js";
import { Any, List } from "../compiler/ir/kinds.js";
import { Ids, type Module, type Stmt } from "../compiler/ir/nodes.js";
import { printModule } from "../compiler/ir/print.js";
import { bindSources } from "../compiler/passes/bind-sources.js";
import { fieldLoops } from "../compiler/passes/field-loops.js";
import { after, afterPasses, change, CLEAN } from "./stages.js";

describe("promote-namespaces", () => {
  const pass = (text: string): string => change(text, "promote-namespaces");

  it("makes the attributes of a namespace locals", () => {
    expect(pass("{% set ns = namespace(a=1) %}{% set ns.b = ns.a %}{{ ns.b }}"))
      .toMatchInlineSnapshot(`
      "jinja
        set ns#1 = undefined
        set ns#1 = jinja.namespace([], {a: 1}) at 1:13
        run jinja.setAttr(jinja.asNamespace(ns#1) at 1:37, "b", jinja.attr(jinja.named(ns#1, "ns"), "a") at 1:44) at 1:37
        emit jinja.str(jinja.attr(jinja.named(ns#1, "ns"), "b") at 1:54)
      →
      jinja
        set a#2 = 1
        set b#3 = undefined
        set b#3 = jinja.unset(a#2, "a")
        emit jinja.str(jinja.unset(b#3, "b"))"
    `);
  });

  it("sets what the creation leaves out to undefined", () => {
    expect(
      after(
        "{% for m in l %}{% set ns = namespace() %}{{ ns.a }}{% set ns.a = 1 %}{% endfor %}",
        "promote-namespaces",
      ),
    ).toMatchInlineSnapshot(`
      "jinja
        set l#0 = @l
        each m#1 of jinja.list(jinja.named(l#0, "l")) at 1:13
          set a#4 = undefined
          emit jinja.str(jinja.unset(a#4, "a"))
          set a#4 = 1"
    `);
  });

  it("keeps a namespace that escapes", () => {
    expect(pass("{% set ns = namespace(a=1) %}{{ ns }}")).toMatch(/^unchanged/);
    expect(pass("{% set ns = namespace(a=1) %}{% set o = ns %}{{ o.a }}")).toMatch(/^unchanged/);
    expect(pass("{% set ns = namespace(a=1) %}{{ f(ns) }}")).toMatch(/^unchanged/);
  });

  it("keeps a namespace whose names are not all known", () => {
    expect(pass("{% set ns = namespace(a=1) %}{{ ns[name] }}")).toMatch(/^unchanged/);
    expect(pass("{% set ns = namespace(d) %}{{ ns.a }}")).toMatch(/^unchanged/);
    expect(pass("{% set ns = namespace(a=1) %}{{ ns._x }}")).toMatch(/^unchanged/);
  });

  it("keeps a namespace that may not exist where it is used", () => {
    expect(pass("{% if c %}{% set ns = namespace(a=1) %}{% endif %}{{ ns.a }}")).toMatch(
      /^unchanged/,
    );
  });

  it("keeps a namespace that a macro changes", () => {
    const text =
      "{% set ns = namespace(a=1) %}{% macro f() %}{% set ns.a = 2 %}{% endmacro %}{{ f() }}{{ ns.a }}";
    expect(pass(text)).toMatch(/^unchanged/);
  });
});

describe("raise-early", () => {
  const pass = (text: string): string => change(text, "raise-early", ["specialize"]);

  it("raises where the value arises, if the next thing evaluated would raise", () => {
    expect(pass("{% for m in l %}{% set x = m.a %}{{ x + 1 }}{% endfor %}")).toMatchInlineSnapshot(`
      "jinja
        set l#0: Field = @l
        each m#1: Json of jinja.list(l#0) at 1:13
          set x#2: Undefined|None|Bool|Index|Int|Float|Text|List|Dict|Hinted = undefined
          set x#2: Undefined|None|Bool|Index|Int|Float|Text|List|Dict|Hinted = m#1?.a ?? jinja.absent(m#1, "a")
          emit jinja.str(jinja.add(jinja.strict(x#2) at 1:37, 1) at 1:37)
      →
      jinja
        set l#0: Field = @l
        each m#1: Json of jinja.list(l#0) at 1:13
          set x#2: Undefined|None|Bool|Index|Int|Float|Text|List|Dict|Hinted = undefined
          set x#2: Undefined|None|Bool|Index|Int|Float|Text|List|Dict|Hinted = m#1?.a ?? jinja.missing(m#1, "a") at 1:37
          emit jinja.str(jinja.add(jinja.strict(x#2) at 1:37, 1) at 1:37)"
    `);
  });

  it("does not if something else comes first", () => {
    expect(pass("{% for m in l %}{% set x = m.a %}{{ y.b }}{{ x + 1 }}{% endfor %}")).toMatch(
      /^unchanged/,
    );
  });

  it("does not if the use may be skipped", () => {
    const guarded =
      "{% for m in l %}{% set f = a is string %}{% set x = m.a %}{% if f and x + 1 %}a{% endif %}{% endfor %}";
    expect(pass(guarded)).toMatch(/^unchanged/);
  });
});

describe("propagate", () => {
  const pass = (text: string): string => change(text, "propagate", ["specialize"]);

  it("puts an input in place of the variable that repeats it", () => {
    expect(pass("{{ a }}{% set b = a %}")).toMatchInlineSnapshot(`
      "jinja
        set a#0: Field = @a
        set b#1: Field = undefined
        emit jinja.str(a#0)
        set b#1: Field = a#0
      →
      jinja
        set b#1: Field = undefined
        emit jinja.str(@a)
        set b#1: Field = @a"
    `);
  });

  it("leaves variables that are set more than once", () => {
    expect(pass("{% set a = 'x' %}{% set a = 'y' %}{{ a }}")).toMatch(/^unchanged/);
  });
});

describe("dead-sets", () => {
  const pass = (text: string, before: readonly string[] = ["specialize"]): string =>
    change(text, "dead-sets", before);

  it("drops what is set again before it is read", () => {
    expect(pass("{% set a = b %}{% set a = c %}{{ a }}")).toMatchInlineSnapshot(`
      "jinja
        set b#0: Field = @b
        set a#1: Field = undefined
        set c#2: Field = @c
        set a#1: Field = b#0
        set a#1: Field = c#2
        emit jinja.str(a#1)
      →
      jinja
        set c#2: Field = @c
        set a#1: Field = c#2
        emit jinja.str(a#1)"
    `);
  });

  it("evaluates for the error what is not read but may fail", () => {
    expect(after("{% set a = b.c.d %}", "specialize", "dead-sets")).toMatchInlineSnapshot(`
      "jinja
        set b#0: Field = @b
        run jinja.strict(jinja.attr(b#0 ?? jinja.missingName(b#0, "b") at 1:12, "c") at 1:12) at 1:12?.d"
    `);
  });

  it("keeps what the next round of a loop reads", () => {
    const text =
      "{% set ns = namespace(a='') %}{% for m in l %}{{ ns.a }}{% set ns.a = m %}{% endfor %}";
    const before = ["promote-namespaces", "specialize"];
    expect(after(text, ...before, "dead-sets")).toMatch(/set a#\d+.* = m#/);
  });

  it("drops macros that nothing calls, with their definitions", () => {
    expect(after("{% macro f() %}x{% endmacro %}a", "specialize", "dead-sets"))
      .toMatchInlineSnapshot(`
      "jinja
        emit "a""
    `);
  });
});

describe("sink-sets", () => {
  const pass = (text: string): string => change(text, "sink-sets", CLEAN);

  it("moves a start value into the branch that alone uses it", () => {
    expect(
      pass(
        "{% set a = 'x' %}{% if c %}{{ a }}{% if d %}{% set a = 'y' %}{% endif %}{{ a }}{% endif %}",
      ),
    ).toMatchInlineSnapshot(`
      "jinja
        set a#0: Undefined|Text = "x"
        if jinja.truth(@c)
          emit jinja.str(a#0)
          if jinja.truth(@d)
            set a#0: Undefined|Text = "y"
          emit jinja.str(a#0)
      →
      jinja
        if jinja.truth(@c)
          set a#0: Undefined|Text = "x"
          emit jinja.str(a#0)
          if jinja.truth(@d)
            set a#0: Undefined|Text = "y"
          emit jinja.str(a#0)"
    `);
  });

  it("leaves it where the test or both branches use it", () => {
    expect(
      pass("{% set a = 'x' %}{% if c %}{% set a = c %}{% endif %}{% if a %}b{% endif %}"),
    ).toMatch(/^unchanged/);
    expect(
      pass("{% set a = 'x' %}{% if c %}{% set a = c %}{{ a }}{% else %}{{ a }}{% endif %}"),
    ).toMatch(/^unchanged/);
  });

  it("leaves it where the list around reads the variable", () => {
    const text =
      "{% set a = '0' %}{% if c %}{% set a = '1' %}{% if d %}{% set a = a ~ '2' %}{% endif %}{% endif %}{{ a }}";
    expect(pass(text)).toMatch(/^unchanged/);
  });
});

describe("else-if", () => {
  const pass = (text: string): string => change(text, "else-if", CLEAN);
  const asks = (first: string, second: string, inner = "a"): string =>
    `{% for m in l %}{% if m.role == ${first} %}${inner}{% endif %}{% if m.role == ${second} %}b{% endif %}{% endfor %}`;

  it("chains questions that exclude each other", () => {
    expect(pass(asks("'user'", "'tool'"))).toMatchInlineSnapshot(`
      "jinja
        each m#1: Json of jinja.list(@l) at 1:13
          if m#1?.role === "user"
            emit "a"
          if m#1?.role === "tool"
            emit "b"
      →
      jinja
        each m#1: Json of jinja.list(@l) at 1:13
          if m#1?.role === "user"
            emit "a"
          else
            if m#1?.role === "tool"
              emit "b""
    `);
  });

  it("keeps questions that both may hold, or whose subject changes in between", () => {
    expect(pass(asks("'user'", "'user'"))).toMatch(/^unchanged/);
    expect(pass(asks("'user'", "x"))).toMatch(/^unchanged/);
    expect(pass(asks("'user'", "'tool'", "{% set m = x %}"))).toMatch(/^unchanged/);
  });
});

describe("presence", () => {
  const pass = (text: string): string => change(text, "presence", [], "ollama");

  it("asks an optional field by JavaScript's truth, and reads it plainly behind that", () => {
    expect(pass("{{ range .Messages }}{{ if .Thinking }}{{ .Thinking }}{{ end }}{{ end }}"))
      .toMatchInlineSnapshot(`
      "ollama prepared by go.ollamaValues
        if @fillInMiddle
          emit renderSuffix#0()
          return
        each message#2: Dict of @messages
          if (message#2.thinking ?? "") !== ""
            emit message#2.thinking ?? ""
      renderSuffix#0()
      →
      ollama prepared by go.ollamaValues
        if @fillInMiddle
          emit renderSuffix#0()
          return
        each message#2: Dict of @messages
          if !!message#2.thinking
            emit message#2.thinking
      renderSuffix#0()"
    `);
  });

  it("goes through what may be absent without a guard", () => {
    expect(
      pass(
        "{{ range .Messages }}{{ if .ToolCalls }}{{ range .ToolCalls }}x{{ end }}{{ end }}{{ end }}",
      ),
    ).toMatchInlineSnapshot(`
      "ollama prepared by go.ollamaValues
        if @fillInMiddle
          emit renderSuffix#0()
          return
        each message#2: Dict of @messages
          if (message#2.tool_calls ?? []).length > 0
            each _ of message#2.tool_calls ?? []
              emit "x"
      renderSuffix#0()
      →
      ollama prepared by go.ollamaValues
        if @fillInMiddle
          emit renderSuffix#0()
          return
        each message#2: Dict of @messages
          each _ of message#2.tool_calls ?? []
            emit "x"
      renderSuffix#0()"
    `);
  });
});

describe("tidy", () => {
  const pass = (text: string): string => change(text, "tidy", CLEAN);

  it("drops a guard that decides nothing", () => {
    expect(pass("{% set a = x ~ 'y' %}{% if a %}{{ a }}{% endif %}")).toMatchInlineSnapshot(`
      "unchanged:
      jinja
        set a#1: Undefined|Text = jinja.str(@x) ~ "y"
        if a#1 !== ""
          emit jinja.str(a#1)"
    `);
  });

  it("keeps a guard whose test has an effect", () => {
    expect(pass("{% if f() %}{{ f() }}{% endif %}")).toMatch(/^unchanged/);
  });

  it("writes one of two short texts", () => {
    expect(pass("{% if a %}yes{% else %}no{% endif %}")).toMatchInlineSnapshot(`
      "jinja
        if jinja.truth(@a)
          emit "yes"
        else
          emit "no"
      →
      jinja
        emit jinja.truth(@a) ? "yes" : "no""
    `);
    expect(pass("{% if a %}a text that is long{% else %}no{% endif %}")).toMatch(/^unchanged/);
  });
});

describe("merge-text", () => {
  it("joins outputs that follow each other, and literals side by side", () => {
    expect(change("a{{ 'b' }}{{ x }}c{# no #}d", "merge-text", CLEAN)).toMatchInlineSnapshot(`
      "jinja
        emit "a"
        emit "b"
        emit jinja.str(@x)
        emit "c"
        emit "d"
      →
      jinja
        emit "ab" ~ jinja.str(@x) ~ "cd""
    `);
  });

  it("joins nothing across a statement", () => {
    expect(change("a{% if x %}b{% endif %}c", "merge-text", CLEAN)).toMatch(/^unchanged/);
  });
});

describe("field-loops", () => {
  const PAIRS = ["specialize"];
  const pass = (text: string): string => change(text, "field-loops", PAIRS);

  it("goes through the fields of a dict instead of its pairs", () => {
    expect(pass("{% for k, v in m.items() %}{{ k }}{% endfor %}")).toMatch(
      /entries \[k#\d: Text, v#\d: Json\] of jinja\.items[^]*→[^]*set fields#\d: Dict = jinja\.fieldsOf[^]*entries \[k#\d: Text, v#\d: Json\] in fields#\d/,
    );
    expect(pass("{% for k, v in m|items %}{{ k }}{% endfor %}")).toMatch(
      /→[^]*set fields#\d: Dict = jinja\.fieldsIn[^]*entries \[k#\d: Text, v#\d: Json\] in fields#\d/,
    );
  });

  it("goes through the sorted keys of a map of Ollama's", () => {
    const range = (list: string, map: string): string =>
      change(
        `{{ range .Messages }}{{ end }}{{ range ${list} }}{{ range $k, $v := ${map} }}{{ $k }}{{ $v }}{{ end }}{{ end }}`,
        "field-loops",
        [],
        "ollama",
      );
    expect(range(".Tools", ".Function.Parameters.Properties")).toMatch(
      /→[^]*set properties#\d+: Dict = .* \?\? {}\n *entries \[k#\d+: Text, v#\d+.*\] of go\.sortedKeys\(properties#\d+\)/,
    );
    expect(range("(index .Messages 0).ToolCalls", ".Function.Arguments")).toMatch(
      /→[^]*set args#\d+: Dict = [^?\n]*\n *entries \[k#\d+: Text, v#\d+.*\] of go\.sortedKeys\(args#\d+\)/,
    );
  });

  it("keeps the pairs where a loop asks whether there are any", () => {
    expect(pass("{% for k, v in m.items() %}{{ k }}{% else %}none{% endfor %}")).toMatch(
      /^unchanged/,
    );
  });

  it("keeps the pairs of what keeps its origin", () => {
    const before = afterPasses("{% for k, v in m.items() %}{{ k }}{% endfor %}", "jinja", PAIRS);
    expect(fieldLoops.run(before, { ids: new Ids(10), keepsOrigin: true })).toBe(before);
  });
});

describe("bind-sources", () => {
  const ids = new Ids(10);
  const item = { id: 0, name: "m", kinds: Any };
  const each = (source: Stmt & { op: "each" }): Module => ({
    dialect: "jinja",
    body: [source],
    functions: [],
    prepare: null,
    facts: new Map(),
  });
  const loop: Stmt & { op: "each" } = {
    op: "each",
    source: build.intrinsic("jinja.list", [build.input("l")], "1:1"),
    item,
    index: { id: 1, name: "i", kinds: List },
    body: [],
    empty: [],
    backward: false,
    origin: null,
  };

  it("names the list of a loop that counts", () => {
    expect(printModule(bindSources(each(loop), ids))).toMatchInlineSnapshot(`
      "jinja
        set list#10: List = jinja.list(@l) at 1:1
        each m#0 at i#1: List of list#10"
    `);
  });

  it("leaves loops that mention their list once, and lists that have a name", () => {
    const once = each({ ...loop, index: null });
    expect(printModule(bindSources(once, ids))).toBe(printModule(once));
    const named = each({ ...loop, source: build.input("l") });
    expect(printModule(bindSources(named, ids))).toBe(printModule(named));
  });
});
