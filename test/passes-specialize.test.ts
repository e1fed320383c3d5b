/** The rules of specialisation: what it makes of intrinsics, what it believes and for how long. */
import { describe, expect, it } from "vitest";
import { after, change, CLEAN } from "./stages.js";

describe("specialize", () => {
  const special = (text: string): string => after(text, "specialize");

  it("reads a plain name as a property", () => {
    expect(change("{% for m in l %}{{ m.role }}{% endfor %}", "specialize")).toMatchInlineSnapshot(`
      "jinja
        set l#0 = @l
        each m#1 of jinja.list(jinja.named(l#0, "l")) at 1:13
          emit jinja.str(jinja.attr(m#1, "role") at 1:20)
      →
      jinja
        set l#0: Field = @l
        each m#1: Json of jinja.list(l#0) at 1:13
          emit jinja.str(m#1?.role)"
    `);
  });

  it("keeps the rule for names that JavaScript or Python has", () => {
    expect(special("{% for m in l %}{{ m.items }}{{ m._x }}{% endfor %}")).toContain(
      "jinja.attr(m#1",
    );
  });

  it("compares with a text as JavaScript does", () => {
    expect(special("{% for m in l %}{% if m.role == 'user' %}a{% endif %}{% endfor %}")).toContain(
      'if m#1?.role === "user"',
    );
  });

  it("believes a test of the template, in the branch that it guards", () => {
    expect(special("{% if x is string %}{{ x }}{{ x | trim }}{% else %}{{ x }}{% endif %}"))
      .toMatchInlineSnapshot(`
      "jinja
        set x#0: Field = @x
        if typeof x#0 === string
          emit x#0
          emit jinja.strip(x#0)
        else
          emit jinja.str(x#0)"
    `);
  });

  it("ends facts where a variable gets another value", () => {
    expect(special("{% if x is string %}{% set x = y %}{{ x }}{% endif %}")).toContain(
      "emit jinja.str(x#0)",
    );
  });

  it("ends facts at the head of a loop that assigns the variable", () => {
    const text =
      "{% set ns = namespace(x='') %}{% for m in l %}{{ ns.x }}{% set ns.x = m %}{% endfor %}";
    expect(after(text, "promote-namespaces", "specialize")).toContain("emit jinja.str(x#");
    const still = "{% set ns = namespace(x='') %}{% for m in l %}{{ ns.x }}{% endfor %}";
    expect(after(still, "promote-namespaces", "specialize")).not.toContain("jinja.str");
  });

  it("believes nothing of a variable that a function shares", () => {
    const text =
      "{% set x = 1 %}{% macro f() %}{{ x }}{% endmacro %}{% set x = 'a' %}{% if x %}b{% endif %}";
    expect(special(text)).toContain("if jinja.truth(x#");
    expect(special(text.replace("{{ x }}", ""))).not.toContain("jinja.truth");
  });

  it.each(["strip", "lstrip", "rstrip", "upper", "title", "replace", "removeprefix"])(
    "knows that %s gives text, whatever it is given",
    (name) => {
      const text = `{% for m in l %}{% if m.a.${name}(x) %}b{% endif %}{% endfor %}`;
      expect(special(text)).toMatch(/if jinja\.callMethod\(.*\) at \S+ !== ""/);
    },
  );

  it("checks an operand by itself where those after it cannot fail", () => {
    const sum = (right: string): string =>
      special(`{% for m in l %}{{ m.a + ${right} }}{% endfor %}`);
    expect(sum("m.b")).toContain('jinja.add(m#1?.a ?? jinja.missing(m#1, "a")');
    expect(sum("m.b.c")).not.toContain('jinja.add(m#1?.a ?? jinja.missing(m#1, "a")');
  });

  it("does not take a list for filled that its loop changes", () => {
    const text =
      "{% set ns = namespace(l=[1]) %}{% for m in ns.l %}{% if ns.l %}a{% endif %}{% set ns.l = [] %}{% endfor %}";
    expect(after(text, "promote-namespaces", "specialize")).toMatch(/if .*l#/);
  });

  it("keeps an Undefined's message only where a use may need it", () => {
    expect(special("{% for m in l %}{% set x = m.a %}{{ x }}{% endfor %}")).not.toContain("absent");
    expect(special("{% for m in l %}{% set x = m.a %}{{ x + 1 }}{% endfor %}")).toContain("absent");
  });

  it("raises at the place of the use", () => {
    expect(special("{% for m in l %}\n{{ m.a.b }}{% endfor %}")).toMatchInlineSnapshot(`
      "jinja
        set l#0: Field = @l
        each m#1: Json of jinja.list(l#0) at 1:13
          emit jinja.str((m#1?.a ?? jinja.missing(m#1, "a") at 2:4)?.b)"
    `);
  });

  it("drops branches that constants decide, and what comes after an error", () => {
    expect(special("{% if true %}a{% else %}b{% endif %}")).toMatchInlineSnapshot(`
      "jinja
        emit "a""
    `);
    expect(special("{{ raise_exception('no') }}")).toMatchInlineSnapshot(`
      "jinja
        run jinja.raiseException("no") at 1:4"
    `);
  });

  it("keeps a test that the kinds decide where its subject may fail", () => {
    expect(special("{% if (m.a ~ 'x') is none %}a{% endif %}")).toContain("jinja.isNone(");
    expect(special("{% if ('x' ~ 'y') is none %}a{% endif %}")).not.toContain("emit");
    expect(special("{% if m is not defined %}{{ m.a is defined }}{% endif %}")).toContain(
      "jinja.missingName",
    );
  });

  it("calls a macro directly, and counts what it is given", () => {
    expect(after("{% macro f(a, b=2) %}{{ a }}{{ b }}{% endmacro %}{{ f('x') }}", ...CLEAN))
      .toMatchInlineSnapshot(`
      "jinja
        define f#3
        emit f#3("x", -)
      f#3(a#1: Text, b#2: Undefined|Index)
        if b#2 === undefined
          set b#2: Undefined|Index = 2
        emit jinja.str(a#1)
        emit jinja.str(b#2)"
    `);
  });

  it("calls a macro directly where arguments are given by name, in its order", () => {
    const macro = "{% macro f(a, b=2) %}{{ a }}{{ b }}{% endmacro %}";
    expect(after(`${macro}{{ f('x', b=3) }}`, ...CLEAN)).toContain('f#3("x", 3)');
    expect(after(`${macro}{{ f(b=3, a='x') }}`, ...CLEAN)).toContain("jinja.call(");
    expect(after(`${macro}{{ f('x', c=3) }}`, ...CLEAN)).toContain("jinja.call(");
  });

  it.each([
    ["{% if x is string %}{{ x|length }}{% endif %}", "jinja.textLength(x#0)"],
    ["{% if x is string %}{{ x.strip() }}{% endif %}", "jinja.strip(x#0)"],
    ["{% if x is string %}{{ x.upper() }}{% endif %}", "jinja.upper(x#0)"],
    ["{% for m in l %}{{ m.get('name') }}{% endfor %}", ".name ?? null"],
    ["{% for k, v in m|items %}{{ k }}{{ v }}{% endfor %}", "[k#1: Text, v#2: Json]"],
    ["{{ 'a' ~ none ~ true ~ 1 }}", 'emit "a" ~ "None" ~ "True" ~ "1"'],
  ])("writes plain code for %s", (text, code) => {
    expect(special(text)).toContain(code);
  });

  it.each([
    ["{% if x is mapping %}{% if x is sequence %}a{% endif %}{% endif %}", "isSequence"],
    ["{% if x is mapping %}{% if x is iterable %}a{% endif %}{% endif %}", "isIterable"],
    ["{% if x %}{% if x %}a{% endif %}{% endif %}", "jinja.truth(x#0)\n    if"],
  ])("asks nothing twice in %s", (text, code) => {
    expect(special(text)).not.toContain(code);
  });

  it("keeps a macro as a value where it is one", () => {
    expect(after("{% macro f(a) %}{{ a }}{% endmacro %}{{ g(f) }}", ...CLEAN)).toContain(
      "jinja.macro(",
    );
  });
});
