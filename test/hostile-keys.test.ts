/** Dicts whose keys are the names of JavaScript's own methods: no rule asks such an object for a text or a number. */
import { describe, expect, it } from "vitest";
import { FILTERS, TESTS } from "../compiler/jinja/builtins.js";
import { CompileError, compileTemplate } from "../compiler/template.js";
import { RenderError } from "../runtime/index.js";

const HOSTILE = { toString: 1, valueOf: 1, toJSON: 1, constructor: 1 };
const OTHERS = ["1", "'a'", "[1]", "l", "none", "1.5", "(1,)", "{'a': 1}", "u", "range(2)"];
const OPERATORS = ["in", "not in", "==", "!=", "<", "<=", "+", "-", "*", "/", "//", "%", "**", "~"];

const operations = OTHERS.flatMap((other) =>
  OPERATORS.flatMap((op) => [`l ${op} ${other}`, `${other} ${op} l`]),
);
const filters = [...FILTERS.keys()].flatMap((name) => [
  `l|${name}`,
  `'a'|${name}(l)`,
  `l|${name}(l)`,
]);
const tests = [...TESTS.keys()].flatMap((name) => [`l is ${name}`, `1 is ${name}(l)`]);

/** What a rule says that JavaScript says, and neither Python nor Jinja2. */
const FOREIGN = /primitive|is not a function|Cannot|undefined \(/;

function foreign(expression: string, codegen: boolean): string | null {
  try {
    const template = compileTemplate(`{{ ${expression} }}`, { dialect: "jinja", codegen });
    template.render({ l: HOSTILE });
  } catch (error) {
    if (error instanceof CompileError) return null;
    if (error instanceof RenderError && !FOREIGN.test(error.message)) return null;
    return `${expression}: ${String(error)}`;
  }
  return null;
}

describe.each([true, false])("codegen: %s", (codegen) => {
  it.each([
    ["operators", operations],
    ["filters", filters],
    ["tests", tests],
  ])("%s", (_, expressions) => {
    const found = expressions.map((each) => foreign(each, codegen)).filter((each) => each !== null);
    expect(found).toEqual([]);
  });
});
