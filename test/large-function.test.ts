/** A template whose function is too large to be optimised is compiled, with a warning. */
import { describe, expect, it } from "vitest";
import { compile } from "../compiler/index.js";

const branch = (i: number): string =>
  `{% if x == "a${String(i)}" %}${"word ".repeat(17)}{{ y }}{% endif %}\n`;

function template(branches: number): string {
  return Array.from({ length: branches }, (_, i) => branch(i)).join("");
}

describe("size/large-function", () => {
  it("is reported with what to do", async () => {
    const { diagnostics } = await compile(template(900), { name: "large", dialect: "jinja" });
    expect(diagnostics).toMatchObject([
      { code: "size/large-function", severity: "warning", line: 1, column: 1 },
    ]);
    expect(diagnostics[0]?.help).toBeTruthy();
  });

  it("is not reported for a small template", async () => {
    const { diagnostics } = await compile(template(30), { name: "small", dialect: "jinja" });
    expect(diagnostics).toEqual([]);
  });
});
