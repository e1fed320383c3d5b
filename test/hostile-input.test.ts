/** Whatever an input holds, a render gives a text or throws a RenderError, the same one twice, and leaves the input alone. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileTemplate, Template } from "../compiler/template.js";
import { wrongOf } from "../scripts/fuzz/hostile/check.js";
import { hostileInput } from "../scripts/fuzz/hostile/inputs.js";
import { Sources } from "../scripts/fuzz/mutated/cases.js";
import { RenderError } from "../runtime/index.js";

const OWN = new Sources().own.map(({ dialect, source }) => ({
  dialect,
  source,
  title: source.slice(0, 40).replaceAll("\n", " "),
}));
const RUNS = 20;

function holds(render: (input: object) => unknown): void {
  const { failed, seed, errorInstance } = fc.check(
    fc.property(hostileInput, (input) => {
      expect(wrongOf(render, input)).toBeUndefined();
    }),
    { numRuns: RUNS },
  );
  // fast-check's own report would print the input, and traps of it would answer.
  const message = errorInstance instanceof Error ? errorInstance.message : "";
  expect(failed, `seed ${String(seed)}: ${message}`).toBe(false);
}

describe("hostile inputs", () => {
  it.each(OWN)("of code: $title", ({ dialect, source }) => {
    const template = compileTemplate(source, { dialect, name: "hostile" });
    holds((input) => template.render(input));
  });

  it.each(OWN)("of closures: $title", ({ dialect, source }) => {
    const template = new Template(source, { dialect, codegen: false });
    holds((input) => template.render(input));
  });
});

describe("what no JSON text holds", () => {
  const of = (item: unknown, template: string): unknown => {
    try {
      return compileTemplate(template, { dialect: "go", name: "odd" }).render({ list: [item] });
    } catch (error) {
      return error;
    }
  };

  it("in a list is nil to Go where it is undefined", () => {
    for (const template of [
      "{{ range .list }}{{ . }}{{ end }}",
      "{{ range $i, $item := .list }}{{ $i }}{{ $item }}{{ end }}",
      "{{ range .list }}{{ .name }}{{ end }}",
      "{{ range .list }}{{ len . }}{{ end }}",
      "{{ (index .list 0).name }}",
    ])
      expect(of(undefined, template)).toEqual(of(null, template));
  });

  it("has no text in Go where it is a function", () => {
    const error = of(() => "called", "{{ index .list 0 }}");
    expect(error).toBeInstanceOf(RenderError);
    expect(String(error)).toContain("can't print");
    expect(String(of(() => "called", "{{ range .list }}{{ len . }}{{ end }}"))).toContain("func()");
  });
});

describe("what an input throws", () => {
  const template = compileTemplate("{{ a.b }}", { dialect: "jinja", name: "throws" });
  const thrownBy = (get: () => unknown): unknown => {
    try {
      return template.render({ a: Object.defineProperty({}, "b", { enumerable: true, get }) });
    } catch (error) {
      return error;
    }
  };

  it("is a RenderError with its name and message", () => {
    const error = thrownBy(() => {
      throw new TypeError("a getter");
    });
    expect(error).toBeInstanceOf(RenderError);
    expect(error).toMatchObject({ type: "TypeError", message: "a getter" });
  });

  it("is a RenderError where it has neither", () => {
    class Unprintable extends Error {
      override get message(): string {
        throw new Error("no message");
      }
    }
    const error = thrownBy(() => {
      throw new Unprintable();
    });
    expect(error).toBeInstanceOf(RenderError);
  });
});
