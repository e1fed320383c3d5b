/** The known differences from transformers that docs/compatibility.md lists, so that the list stays true. */
import { expect, it } from "vitest";
import { Template } from "../compiler/template.js";

function render(template: string, input: object = {}): string {
  return new Template(template).render(input);
}

it("globals: an input of the same name does not hide them", () => {
  expect(render("{% for i in range(2) %}{{ i }}{% endfor %}", { range: 5 })).toBe("01");
});

it("surrogates: two escapes of one character are one character", () => {
  expect(render(String.raw`{{ '\ud83c\udf0d'|length }}`)).toBe("1");
});

it("recursion: the stack of the JavaScript engine is the limit", () => {
  expect(() => render("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}")).toThrow(
    "maximum recursion depth exceeded",
  );
});

it("character names: the rarer ones are unknown", () => {
  expect(render(String.raw`{{ '\N{SNOWMAN}' }}`)).toBe("☃");
  expect(() => render(String.raw`{{ '\N{LINEAR B SYLLABLE B008 A}' }}`)).toThrow(
    "unknown Unicode character name",
  );
});

it("long integers: they fail where they are printed", () => {
  const template = "{{ 'a' }}{% if false %}{{ 10**5000 }}{% endif %}";
  expect(render(template)).toBe("a");
  expect(() => render("{{ 10**5000 }}")).toThrow("Exceeds the limit (4300 digits)");
});
