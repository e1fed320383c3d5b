/** Chains of selectattr become filters of JavaScript's own, where nobody can tell. */
import { describe, expect, it } from "vitest";
import { printModule } from "../compiler/ir/print.js";
import { compileTemplate } from "../compiler/template.js";
import { RenderError } from "../runtime/index.js";
import { afterPasses } from "./stages.js";

function isFused(template: string): boolean {
  return printModule(afterPasses(template, "jinja", ["specialize"])).includes("filter(");
}

describe("fused chains", () => {
  it.each([
    "{{ messages|selectattr('role', 'equalto', 'user')|list|length }}",
    "{{ messages|selectattr('role', 'eq', 'user')|list }}",
    "{% for m in messages|rejectattr('role', '==', 'user') %}{{ m.content }}{% endfor %}",
    "{% for m in messages|selectattr('tools', 'undefined') %}{{ m.content }}{% endfor %}",
    "{% for m in messages|rejectattr('a', 'equalto', 'x')|selectattr('b', 'defined') %}{{ m }}{% endfor %}",
  ])("%s", (template) => {
    expect(isFused(template)).toBe(true);
  });

  it.each([
    ["a path of two steps", "{{ messages|selectattr('a.b', 'equalto', 'x')|list }}"],
    ["a test that may fail", "{{ messages|selectattr('a', 'gt', 1)|list }}"],
    ["a name that Python has", "{{ messages|selectattr('items', 'defined')|list }}"],
    ["what is kept as a generator", "{{ messages|selectattr('a', 'equalto', 'x') }}"],
  ])("not %s", (_, template) => {
    expect(isFused(template)).toBe(false);
  });

  const inputs: readonly unknown[] = [
    undefined,
    null,
    [],
    "",
    0,
    {},
    "abc",
    7,
    true,
    { role: 1 },
    [{ role: "user" }, { role: "system" }, {}, null, "user", ["user"], 3],
  ];

  it.each(inputs)("selects of %j as without the passes", (messages) => {
    const template =
      "{% for m in messages|selectattr('role', 'equalto', 'user') %}{{ m }};{% endfor %}" +
      "{{ messages|rejectattr('role', 'defined')|list }}";
    const answer = (passes: boolean): string => {
      try {
        return compileTemplate(template, { dialect: "jinja", passes }).render({ messages });
      } catch (error) {
        if (!(error instanceof RenderError)) throw error;
        return `${error.type} at ${String(error.line)}: ${error.message}`;
      }
    };
    expect(answer(true)).toBe(answer(false));
  });
});
