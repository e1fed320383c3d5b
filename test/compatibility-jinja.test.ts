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

it("unhashable keys: refused as soon as they are compiled", () => {
  expect(() => render("{{ {[]: 1|max}|length }}")).toThrow("unhashable type: 'list'");
  expect(() => render("{{ {[]: 'a'|upper}|length }}")).toThrow("unhashable type: 'list'");
  const inBranch = (dict: string): string => `{% if false %}{{ ${dict}|length }}{% endif %}`;
  expect(() => render(inBranch("{[]: 1|max}"))).toThrow("unhashable type: 'list'");
  expect(render(inBranch("{[]: [1]|map('upper')|list}"))).toBe("");
});

it("powers: rounded correctly", () => {
  expect(render("{{ x ** 2.6 }}", { x: 0.8966143144770771 })).toBe("0.7529649093017217");
  expect(render("{{ x ** y }}", { x: -42.66132195011748, y: 3.7826644183456013 })).toBe(
    "(1136670.8818280047-924419.7139385585j)",
  );
  expect(render("{{ (x ** 0.1)|abs }}", { x: -0.7 })).toBe("0.9649610951198176");
});

it("encodings: those of Unicode, ASCII and Latin-1", () => {
  expect(render("{{ 'é'.encode('utf-16-be') }}")).toBe(String.raw`b'\x00\xe9'`);
  expect(() => render("{{ 'a'.encode('cp1252') }}")).toThrow("unknown encoding: cp1252");
  expect(() => render("{{ 'é'.encode('ascii', 'namereplace') }}")).toThrow("namereplace");
});

it("sets: texts stay in the order in which they came", () => {
  expect(render("{{ d.keys() - [] }}", { d: { b: 1, a: 2 } })).toBe("{'b', 'a'}");
  expect(render("{{ {2.5: 1, 0.5: 1}.keys() - [] }}")).toBe("{2.5, 0.5}");
  const integers = "{1: 1, 9: 1, 2: 1, 17: 1, 33: 1, 3: 1}";
  expect(render(`{{ ${integers}.keys() - [2] }}`)).toBe("{1, 33, 3, 9, 17}");
});

it("addresses: all objects have the same", () => {
  expect(render("{{ [1]|map }}{{ range }}")).toBe(
    "<generator object sync_do_map at 0x7f0000000000><function safe_range at 0x7f0000000000>",
  );
});

it("what holds itself: a namespace is cut off, not the list in it", () => {
  const template = "{% set ns = namespace() %}{% set ns.b = [ns] %}";
  expect(render(`${template}{{ ns }}`)).toBe("<Namespace {'b': [<Namespace {...}>]}>");
  expect(render(`${template}{{ ns.b }}`)).toBe("[<Namespace {'b': [<Namespace {...}>]}>]");
});

it("newer characters: they are what the JavaScript engine's Unicode says", () => {
  const isKnown = /\p{So}/u.test("\u{1fae8}");
  expect(render("{{ [c] }}", { c: "\u{1fae8}" })).toBe(
    isKnown ? "['\u{1fae8}']" : "['\\U0001fae8']",
  );
  expect(render("{{ c|upper }}", { c: "\u0264" })).toBe("\u0264".toUpperCase());
});
