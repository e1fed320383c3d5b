/** The table of intrinsics names functions that the runtime has. */
import { expect, it } from "vitest";
import { intrinsics, runtimeName, type IntrinsicName } from "../compiler/ir/intrinsics.js";
import * as goRuntime from "../runtime/go/index.js";
import * as jinjaRuntime from "../runtime/jinja/index.js";

const isRule = (name: string): name is IntrinsicName => name in intrinsics;
const intrinsicNames = Object.keys(intrinsics).filter(isRule);

it.each([
  ["jinja.", jinjaRuntime],
  ["go.", goRuntime],
])("every rule of %s is a function of its runtime", (prefix, runtime) => {
  const exported: Readonly<Record<string, unknown>> = runtime;
  const rules = intrinsicNames.filter((name) => name.startsWith(prefix));
  const missing = rules.filter((name) => typeof exported[runtimeName(name)] !== "function");
  expect(rules.length).toBeGreaterThan(50);
  expect(missing).toEqual([]);
});

it("a rule that cannot fail has no kinds on which it cannot", () => {
  const odd = Object.entries(intrinsics).filter(
    ([, rule]) => rule.safe !== undefined && !rule.throws,
  );
  expect(odd).toEqual([]);
});
