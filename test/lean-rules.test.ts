/** The rules that stand for general ones where an argument is written in the template: the same answers, less code. */
import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isPlainName } from "../compiler/ir/plain-names.js";
import { parseJson, toInput } from "../runtime/index.js";
import * as jinja from "../runtime/jinja/index.js";
import { typeName } from "../runtime/jinja/types.js";
import { OrderedDict } from "../runtime/values.js";

const VALUES: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  null: null,
  true: true,
  int: 3,
  float: 1.5,
  "integral float": parseJson("2.0"),
  bigint: 2n ** 70n,
  text: "a\u{1f600}b",
  "no text": "",
  list: [1, null, "x"],
  dict: { role: "user", content: null, union: 1 },
  "dict with numbers as keys": parseJson('{"0": "zero", "role": "r"}'),
  "dict with ints as keys": toInput(new Map([[0, "zero"]])),
  "dict without anything": new OrderedDict(),
  tuple: jinja.tuple(["a", "b"]),
  Undefined: jinja.named(undefined, "missing"),
  namespace: jinja.namespace([], { role: "n" }, ""),
  range: jinja.range([3], null, ""),
};

/** What Python's own classes have, what templates read, and what neither has. */
const NAMES =
  "role content decode union isdisjoint difference step start stop mapping first name add x".split(
    " ",
  );
const KEYS: readonly (string | number)[] = [...NAMES, 0, 1, -1, 7];

describe.each(Object.entries(VALUES))("of %s", (_, owner) => {
  it.each(NAMES.filter(isPlainName))("the attribute %s is what the general rule finds", (name) => {
    expect(answer(() => jinja.member(owner, name, "1:2"))).toEqual(
      answer(() => jinja.attr(owner, name, "1:2")),
    );
  });

  it.each(KEYS)("the item %s is what the general rule finds", (key) => {
    expect(answer(() => jinja.entry(owner, key, "1:2"))).toEqual(
      answer(() => jinja.item(owner, key, "1:2")),
    );
    expect(answer(() => jinja.entryOf(owner, key, "1:2"))).toEqual(
      answer(() => jinja.itemOf(owner, key, "1:2")),
    );
  });

  it.each(["get", "items", "keys", "values"])("calls %s as the general rule does", (name) => {
    for (const args of [[], ["role"], ["x", 1], [1, 2, 3]]) {
      for (const kwargs of [null, { default: 1 }]) {
        expect(answer(() => jinja.callDict(owner, name, args, kwargs, "1:2"))).toEqual(
          answer(() => jinja.callMethod(owner, name, args, kwargs, "1:2")),
        );
      }
    }
  });

  it("joins as the general rule does", () => {
    expect(answer(() => jinja.joined(owner, ", ", null, "1:2"))).toEqual(
      answer(() => jinja.joinFilter(owner, ", ", null, "1:2")),
    );
  });
});

describe("a bundle", () => {
  it("holds no methods for lookups and joins under plain keys", async () => {
    const { metafile } = await build({
      stdin: {
        contents: `export { dictFor, entry, entryOf, index, joined, member, textFor } from "./runtime/jinja/index.js";`,
        resolveDir: fileURLToPath(new URL("..", import.meta.url)),
      },
      bundle: true,
      format: "esm",
      metafile: true,
      treeShaking: true,
      write: false,
    });
    const used = Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
        bytesInOutput > 0 ? [path] : [],
      ),
    );
    expect(used).toContain("runtime/jinja/lookup.ts");
    expect(used.filter((path) => path.includes("-methods") || path.includes("limits"))).toEqual([]);
  });
});

/** What it gives, as a template shows it, or what it raises. */
function answer(run: () => unknown): unknown {
  try {
    const given = run();
    return [typeName(given), jinja.str(given), errorOf(() => jinja.text(given, "3:4"))];
  } catch (error) {
    return String(error);
  }
}

function errorOf(run: () => unknown): string {
  try {
    return String(run());
  } catch (error) {
    return String(error);
  }
}
