/** Constants are folded by the runtime's own functions, and only where nothing can fail. */
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../compiler/template.js";
import { after, change } from "./stages.js";

describe("fold-constants", () => {
  const folded = (text: string): string => after(text, "fold-constants");

  it("evaluates what has only constants in it", () => {
    expect(folded("{{ 'a' | upper }}{{ 1 + 2 * 3 }}{{ 7 // -2 }}{{ 2 ** 100 }}"))
      .toMatchInlineSnapshot(`
        "jinja
          emit "A"
          emit "7"
          emit "-4"
          emit "1267650600228229401496703205376""
      `);
  });

  it("decides choices and comparisons of constants", () => {
    expect(folded("{{ 'x' if 'a' == 'a' and not false else 'y' }}")).toMatchInlineSnapshot(`
      "jinja
        emit "x""
    `);
  });

  it("leaves to the render what raises, and what gives no constant", () => {
    expect(change("{{ 1 // 0 }}", "fold-constants")).toMatch(/^unchanged/);
    expect(change("{{ 'a' + 1 }}", "fold-constants")).toMatch(/^unchanged/);
    expect(change("{{ 6 / 2 }}", "fold-constants")).toMatch(/^unchanged/);
    expect(change("{{ x + 1 }}", "fold-constants")).toMatch(/^unchanged/);
  });

  it("folds constants of the caller through tests", () => {
    const source =
      "{% if enable_thinking is defined and not enable_thinking %}a{% else %}b{% endif %}";
    const define = { enable_thinking: false };
    const template = compileTemplate(source, { dialect: "jinja", define });
    expect(template.render({ enable_thinking: true })).toBe("a");
    expect(template.meta.variables).toEqual([]);
  });
});
