/** Lookup, iteration and the filters on containers: each row is a Jinja expression, the same by the runtime, and what the real engine printed or raised. */
import { describe, expect, test } from "vitest";
import { toInput } from "../runtime/input.js";
import { parseJson, RenderError } from "../runtime/index.js";
import * as r from "../runtime/jinja/index.js";
import { value } from "../runtime/values.js";

const P = "3:5";

type Row = readonly [expression: string, run: () => unknown, expected: string];

const rows: readonly Row[] = [
  [
    "d.items()",
    () => r.callMethod({ a: 1, items: 2 }, "items", [], null, P),
    "dict_items([('a', 1), ('items', 2)])",
  ],
  [
    "[l[-1], l['0'], l.9, l[1.0]]",
    () => [
      r.item([1, 2], -1, P),
      r.item([1, 2], "0", P),
      r.item([1, 2], 9, P),
      r.item([1, 2], r.float(1), P),
    ],
    "[2, Undefined, Undefined, Undefined]",
  ],
  ["l[::-1]", () => r.slice([1, 2, 3], null, null, -1, P), "[3, 2, 1]"],
  [
    "[3,'b','A'|lower,1.5]|map('string')|list",
    () => r.listFilter(r.mapFilter([3, "b", "a", 1.5], ["string"], null, P), P),
    "['3', 'b', 'a', '1.5']",
  ],
  [
    "['b','A','a']|sort",
    () => r.sortFilter(["b", "A", "a"], false, false, null, P),
    "['A', 'a', 'b']",
  ],
  [
    "d|dictsort(false,'value',true)",
    () => r.dictsortFilter({ a: 1, b: 3, c: 2 }, false, "value", true, P),
    "[('b', 3), ('c', 2), ('a', 1)]",
  ],
  [
    "l|groupby('k')|list",
    () =>
      r.groupbyFilter(
        [
          { k: "x", n: 1 },
          { k: "X", n: 2 },
          { k: "a", n: 3 },
        ],
        "k",
        null,
        false,
        P,
      ),
    "[('a', [{'k': 'a', 'n': 3}]), ('x', [{'k': 'x', 'n': 1}, {'k': 'X', 'n': 2}])]",
  ],
  [
    "l|selectattr('n','gt',1)|list",
    () => r.listFilter(r.selectattrFilter([{ n: 1 }, { n: 2 }], ["n", "gt", 1], null, P), P),
    "[{'n': 2}]",
  ],
  [
    "[l|unique|list, l|batch(2,0)|list, l|slice(2)|list]",
    () =>
      [
        r.uniqueFilter([1, r.float(1), true, 2], false, null, P),
        r.batchFilter([1, r.float(1), true, 2], 2, 0, P),
        r.sliceFilter([1, r.float(1), true, 2], 2, null, P),
      ].map((g) => r.list(g, P)),
    "[[1, 2], [[1, 1.0], [True, 2]], [[1, 1.0], [True, 2]]]",
  ],
  [
    "[range(5)[1:4], range(0,10,3)|list, 4 in range(0,10,2)]",
    () => [
      r.slice(r.range([5], null, P), 1, 4, null, P),
      r.list(r.range([0, 10, 3], null, P), P),
      r.isIn(4, r.range([0, 10, 2], null, P), P),
    ],
    "[range(1, 4), [0, 3, 6, 9], True]",
  ],
  [
    "[[1,2] < [1,3], [1] == [1.0], {'a':1} == {'a':true}]",
    () => [r.lt([1, 2], [1, 3], P), r.eq([1], [r.float(1)]), r.eq({ a: 1 }, { a: true })],
    "[True, True, True]",
  ],
  [
    "['a' in d, 1 in d, 'toString' in d]",
    () => [
      r.has({ a: null }, "a", P),
      r.isIn(1, { a: null }, P),
      r.has({ a: null }, "toString", P),
    ],
    "[True, False, False]",
  ],
  [
    "[u|default('m'), none|default('m'), ''|default('m', true)]",
    () => [
      r.defaultFilter(undefined, "m", false, P),
      r.defaultFilter(null, "m", false, P),
      r.defaultFilter("", "m", true, P),
    ],
    "['m', None, 'm']",
  ],
  ["namespace(a=1)", () => r.namespace([], { a: 1 }, P), "<Namespace {'a': 1}>"],
  [
    "d|pprint",
    () => r.pprintFilter({ b: Array.from({ length: 40 }, (_, i) => i), a: "x" }, P),
    "{'a': 'x',\n 'b': [0,\n       1,\n       2,\n       3,\n       4,\n       5,\n       6,\n       7,\n       8,\n       9,\n       10,\n       11,\n       12,\n       13,\n       14,\n       15,\n       16,\n       17,\n       18,\n       19,\n       20,\n       21,\n       22,\n       23,\n       24,\n       25,\n       26,\n       27,\n       28,\n       29,\n       30,\n       31,\n       32,\n       33,\n       34,\n       35,\n       36,\n       37,\n       38,\n       39]}",
  ],
];

function outcome(run: () => unknown): string {
  try {
    return r.str(run());
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    expect([error.phase, error.line, error.column]).toEqual(["render", 3, 5]);
    return `${error.type}: ${error.message}`;
  }
}

test.each(rows)("%s", (_expression, run, expected) => {
  expect(outcome(run)).toBe(expected);
});

/** What `for…in` sees of the fields, pair by pair. */
function pairsIn(fields: Readonly<Record<string, unknown>>): unknown[] {
  const pairs: unknown[] = [];
  for (const key in fields) pairs.push([key, fields[key]]);
  return pairs;
}

describe("the fields of a dict are its pairs, in Python's order", () => {
  const outer = { outer: 1 };
  const dicts: readonly (readonly [string, unknown])[] = [
    ["fields", { a: 1, b: null, c: [] }],
    ["no field", {}],
    ["a field that holds undefined", { a: undefined, b: 2, c: undefined }],
    ["a dict without a prototype", Object.assign(Object.create(null), { a: 1 })],
    ["an own field beside an inherited one", Object.setPrototypeOf({ a: 1 }, outer)],
    ["only inherited ones", Object.create(outer)],
    ["keys like numbers", parseJson('{"b": 1, "10": 2, "2": 3, "a": 4}')],
    ["names of JavaScript's own", parseJson('{"__proto__": 1, "constructor": 2, "": 3}')],
    ["keys of another kind", toInput(new Map<unknown, unknown>([[2, "x"], ["a", 1], [null, 3]]))], // prettier-ignore
  ];

  test.each(dicts)("%s", (_name, dict) => {
    const pairs: readonly (readonly unknown[])[] = r.items(value(dict), P);
    const own = pairs.map(([key, item]) => [String(key), item]);
    expect(pairsIn(r.fieldsOf(value(dict), P))).toEqual(own);
    expect(pairsIn(r.fieldsIn(dict, P))).toEqual(own);
  });

  test("a dict that needs nothing is gone through itself", () => {
    const dict = { a: 1 };
    expect(r.fieldsOf(value(dict), P)).toBe(dict);
  });

  test("what is no dict fails as its pairs do", () => {
    for (const other of [undefined, null, 1, "text", [], true]) {
      expect(outcome(() => r.fieldsOf(value(other), P))).toBe(
        outcome(() => r.items(value(other), P)),
      );
      const [fields, pairs] = [r.fieldsIn, r.itemPairs].map((rule) =>
        outcome(() => (rule(other, P), "fine")),
      );
      expect(fields).toBe(pairs);
    }
  });
});

test("an object is true where it holds something of its own", () => {
  const empty = [{}, { a: undefined }, Object.create({ outer: 1 }), [], r.tuple([]), r.float(0)];
  expect(empty.map(r.truth)).toEqual(empty.map(() => false));
  const full = [
    { a: null },
    { a: undefined, b: 0 },
    parseJson('{"1": 0}'),
    toInput(new Map([[1, 0]])),
    [undefined],
    r.tuple([0]),
    r.float(1),
  ];
  expect(full.map(r.truth)).toEqual(full.map(() => true));
});
