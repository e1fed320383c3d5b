/** The pass that turns a searched text of integers into a set: where it applies, where it must not, and that both agree. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passes } from "../compiler/passes/index.js";
import { compileTemplate } from "../compiler/template.js";
import { afterPasses } from "./stages.js";
import { printModule } from "../compiler/ir/print.js";

const names = passes.map(({ name }) => name);
const upTo = names.slice(0, names.indexOf("integer-set") + 1);

function isSet(template: string): boolean {
  return printModule(afterPasses(template, "jinja", upTo)).includes("new-set");
}

/** Notes the index of each message of a role, and asks for each index whether it is among them. */
function noting(entry: string, search: string, start = "''"): string {
  return (
    `{% set ns = namespace(seen=${start}, last=-1) %}` +
    "{% for m in messages %}{% if m.role == 'user' %}{% set ns.last = loop.index0 %}" +
    `{% else %}{% set ns.seen = ${entry} %}{% endif %}{% endfor %}` +
    `{% for m in messages %}{{ 'y' if ${search} else 'n' }}{% endfor %}`
  );
}

const DELIMITED = noting("ns.seen ~ ',' ~ ns.last ~ ','", "(',' ~ loop.index0 ~ ',') in ns.seen");

describe("integer-set", () => {
  it("applies where delimiters bound each integer", () => {
    expect(isSet(DELIMITED)).toBe(true);
    expect(
      isSet(noting("ns.seen ~ '<|' ~ ns.last ~ '|>'", "('<|' ~ loop.index0 ~ '|>') in ns.seen")),
    ).toBe(true);
  });

  it.each([
    ["no delimiter after", noting("ns.seen ~ ',' ~ ns.last", "(',' ~ loop.index0) in ns.seen")],
    [
      "different delimiters",
      noting("ns.seen ~ ',' ~ ns.last ~ ';'", "(',' ~ loop.index0 ~ ',') in ns.seen"),
    ],
    [
      "a delimiter with a digit",
      noting("ns.seen ~ '1' ~ ns.last ~ ','", "('1' ~ loop.index0 ~ ',') in ns.seen"),
    ],
    [
      "a delimiter with a sign",
      noting("ns.seen ~ '-' ~ ns.last ~ ','", "('-' ~ loop.index0 ~ ',') in ns.seen"),
    ],
    [
      "a start that is not empty",
      noting("ns.seen ~ ',' ~ ns.last ~ ','", "(',' ~ loop.index0 ~ ',') in ns.seen", "',0,'"),
    ],
    [
      "text of the input",
      noting("ns.seen ~ ',' ~ m.content ~ ','", "(',' ~ loop.index0 ~ ',') in ns.seen"),
    ],
    [
      "a number that may be text",
      noting("ns.seen ~ ',' ~ ns.last ~ ','", "(',' ~ m.content ~ ',') in ns.seen"),
    ],
    ["text that is also written", `${DELIMITED}{{ ns.seen }}`],
    ["text that is also tested", `${DELIMITED}{% if ns.seen %}!{% endif %}`],
  ])("does not apply to %s", (_, template) => {
    expect(isSet(template)).toBe(false);
  });

  it("renders what the text rendered", () => {
    const roles = fc.array(fc.constantFrom("user", "assistant"), { maxLength: 30 });
    const without = compileTemplate(DELIMITED, {
      dialect: "jinja",
      passes: { without: ["integer-set"] },
    });
    const all = compileTemplate(DELIMITED, { dialect: "jinja" });
    fc.assert(
      fc.property(roles, (list) => {
        const input = { messages: list.map((role) => ({ role, content: "x" })) };
        expect(all.render(input)).toBe(without.render(input));
      }),
    );
  });
});
