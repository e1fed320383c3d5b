/** The table of intrinsics names functions that the runtime has. */
import { expect, it } from "vitest";
import { intrinsics } from "../compiler/ir/intrinsics.js";
import * as goRuntime from "../runtime/go/index.js";
import * as jinjaRuntime from "../runtime/jinja/index.js";

it.each([
  ["jinja.", jinjaRuntime],
  ["go.", goRuntime],
])("every rule of %s is a function of its runtime", (prefix, runtime) => {
  const exported: Readonly<Record<string, unknown>> = runtime;
  const rules = Object.entries(intrinsics).filter(([name]) => name.startsWith(prefix));
  const missing = rules.filter(([, rule]) => typeof exported[rule.runtime] !== "function");
  expect(rules.length).toBeGreaterThan(50);
  expect(missing.map(([name]) => name)).toEqual([]);
});

it("a rule that cannot fail has no kinds on which it cannot", () => {
  const odd = Object.entries(intrinsics).filter(
    ([, rule]) => rule.safe !== undefined && !rule.throws,
  );
  expect(odd).toEqual([]);
});
