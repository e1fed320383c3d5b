/** text/template's functions on values; what is expected here Go 1.26.8 has printed. */
import { describe, expect, it } from "vitest";
import { parseJson } from "../runtime/json.js";
import { value, type Fields } from "../runtime/values.js";
import {
  Any,
  Args,
  call,
  currentDate,
  eq,
  field,
  fieldChain,
  fieldUnwrapped,
  ge,
  index,
  iterate,
  iteratePairs,
  json,
  jsonAny,
  le,
  len,
  lenUnwrapped,
  lt,
  Message,
  NestedProperties,
  not,
  Property,
  slice,
  sorted,
  text,
  toTypeScriptType,
  truth,
  typed,
  yesterdayDate,
} from "../runtime/go/index.js";

const PLACE = `1:2: executing "" at <x>`;

function data(json: string): Fields {
  const v = value(parseJson(json));
  return typeof v === "object" && v !== null ? v : {};
}

function message(f: () => unknown): string {
  try {
    return `no error: ${text(f())}`;
  } catch (error) {
    return error instanceof Error ? error.message.replace(`template: :${PLACE}: `, "") : "";
  }
}

const D = data(`{"i": 5, "f": 1.5, "s": "aé", "l": [10, "a"], "m": {"x": 1}, "n": null, "e": []}`);

describe("truth", () => {
  it("is false for zero values and what is empty", () => {
    for (const v of [null, undefined, 0, -0, "", false, [], {}, typed(Args, {})]) {
      expect(truth(v)).toBe(false);
    }
    expect([truth(typed(Property, {})), not("0")]).toEqual([true, false]);
  });
});

describe("comparisons", () => {
  it("compare within one kind", () => {
    expect([eq([1, 2, 1], ""), eq([index("a", [0], ""), 97], ""), eq([null, null], "")]).toEqual([
      true,
      true,
      true,
    ]);
    expect([lt(["～", "😀"], ""), le([2, 2], ""), ge([1.5, 2.5], "")]).toEqual([true, true, false]);
  });

  it.each([
    [() => eq([D["i"], D["f"]], PLACE), "eq: incompatible types for comparison: int and float64"],
    [() => eq([D["l"], D["l"]], PLACE), "eq: non-comparable type [%!s(int=10) a]: []interface {}"],
    [() => lt([D["n"], 1], PLACE), "lt: invalid type for comparison"],
    [() => eq([1], PLACE), "eq: missing argument for comparison"],
  ])("%s", (f, expected) => {
    expect(message(f)).toBe(`error calling ${expected}`);
  });
});

describe("len, index, slice", () => {
  it("count bytes in strings", () => {
    expect(
      [len("日本é", ""), index("é", [0], ""), slice("日本", [0, 3], "")].map((v) => text(v)),
    ).toEqual(["8", "195", "日"]);
  });

  it.each([
    [() => len(D["n"], PLACE), "len: len of nil pointer"],
    [() => lenUnwrapped(null, PLACE), "len: reflect: call of reflect.Value.Type on zero Value"],
    [() => len(D["i"], PLACE), "len: len of type int"],
    [() => index(D["l"], [2], PLACE), "index: reflect: slice index out of range"],
    [() => index(D["l"], [-1], PLACE), "index: index out of range: -1"],
    [() => index(D["m"], ["a", "b"], PLACE), "index: index of nil pointer"],
    [() => index(D["m"], [1], PLACE), "index: value has type int; should be string"],
    [() => slice(D["l"], [3], PLACE), "slice: index out of range: 3"],
    [() => slice(D["l"], [2, 1], PLACE), "slice: invalid slice index: 2 > 1"],
    [
      () => slice(D["l"], [typed(Any, 1)], PLACE),
      "slice: cannot index slice/array with type interface {}",
    ],
    [() => call(D["i"], [], ".i", PLACE), "call: non-function .i of type int"],
  ])("%s", (f, expected) => {
    expect(message(f)).toBe(`error calling ${expected}`);
  });
});

describe("fields", () => {
  it.each([
    [() => field(D["n"], "x", PLACE), "nil pointer evaluating interface {}.x"],
    [() => field(D["i"], "x", PLACE), "can't evaluate field x in type interface {}"],
    [() => fieldUnwrapped(D["i"], "x", PLACE), "can't evaluate field x in type int"],
    [() => fieldUnwrapped(null, "x", PLACE), "no error: <no value>"],
    [() => fieldChain(D, ["m", "constructor"], PLACE), "no error: <no value>"],
    [
      () => fieldUnwrapped(typed(Message, { role: "user", content: "" }), "Name", PLACE),
      "can't evaluate field Name in type *template.templateMessage",
    ],
    [
      () => fieldUnwrapped(typed(NestedProperties, {}), "lat", PLACE),
      "can't evaluate field lat in type *api.ToolPropertiesMap",
    ],
    [() => fieldUnwrapped(typed(Args, { String: 1 }), "String", PLACE), 'no error: {"String":1}'],
  ])("%s", (f, expected) => {
    expect(message(f)).toBe(expected);
  });
});

describe("range", () => {
  it("visits lists, sorted maps and integers", () => {
    const map = data(`{"😀": 1, "～": 2, "b": 3, "10": 4, "9": 5}`);
    expect(iteratePairs(map, "").map(([key]) => key)).toEqual(["10", "9", "b", "～", "😀"]);
    expect(sorted(map).map(([key]) => key)).toEqual(["10", "9", "b", "～", "😀"]);
    expect(iterate(3, "").map(([, n]) => text(n))).toEqual(["0", "1", "2"]);
    expect([iterate(null, ""), iterate(-1, ""), sorted(undefined)]).toEqual([[], [], []]);
  });

  it("visits an iterator by the order of the request", () => {
    const properties = data(`{"y": {"type": "a"}, "10": {"type": "b"}}`);
    const all = field(typed(NestedProperties, properties), "All", "");
    expect(iterate(all, "").map(([, name]) => name)).toEqual(["y", "10"]);
  });

  it("refuses all else", () => {
    expect(message(() => iterate("abc", PLACE))).toBe("range can't iterate over abc");
    expect(message(() => iteratePairs(3, PLACE))).toBe(
      "can't use 3 to iterate over more than one variable",
    );
    expect(message(() => iterate(typed(NestedProperties, undefined), PLACE))).toBe(
      "range can't iterate over <nil>",
    );
  });
});

describe("json", () => {
  it("escapes as Go does", () => {
    const long = "x".repeat(64);
    expect(json('<a>&\u2028\b\u007f😀"')).toBe('"\\u003ca\\u003e\\u0026\\u2028\\b\u007f😀\\""');
    expect(json(`${long}\ud800\\ud800\udc80&`)).toBe(`"${long}\ufffd\\\\ud800\\ufffd\\u0026"`);
  });

  it("writes numbers by their Go type", () => {
    expect(json([-0, 1e-7, 1e21, 1e20, 9007199254740993n])).toBe(
      "[-0,1e-7,1e+21,100000000000000000000,9007199254740992]",
    );
    expect(jsonAny([9007199254740993n, 12345678901234567890n])).toBe(
      "[9007199254740993,12345678901234567000]",
    );
  });

  it("is empty where a part has no JSON form", () => {
    expect(json([1, { a: NaN }])).toBe("");
  });
});

describe("Ollama's functions", () => {
  it("give dates by the clock's own offset", () => {
    expect(currentDate("2024-03-01T23:30:00-08:00")).toBe("2024-03-01");
    expect(yesterdayDate("2024-03-01")).toBe("2024-02-29");
    expect(currentDate(new Date(2024, 0, 5))).toBe("2024-01-05");
  });

  it("name TypeScript types", () => {
    const property = { anyOf: [{ type: "integer" }, { type: ["array", "null", "x"] }] };
    expect(toTypeScriptType(typed(Property, property))).toBe("number | any[] | null | any");
    expect(toTypeScriptType({ type: "string" })).toBe("any");
  });
});
