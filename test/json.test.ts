/** The lossless JSON reader and the JSON writers, by what Python read and wrote. */
import { expect, test } from "vitest";
import { parseJson } from "../runtime/index.js";
import * as r from "../runtime/jinja/index.js";

type Row = readonly [source: string, printed: string, ...json: string[]];

const rows: readonly Row[] = [
  [
    '{"a":[1,"é\\ud83c\\udf0d\\u2028",null,true],"b":{}}',
    "{'a': [1, 'é🌍\\u2028', None, True], 'b': {}}",
    '{"a": [1, "é🌍 ", null, true], "b": {}}',
    '{\n  "a": [\n    1,\n    "é🌍 ",\n    null,\n    true\n  ],\n  "b": {}\n}',
    '{"a": [1, "\\u00e9\\ud83c\\udf0d\\u2028", null, true], "b": {}}',
    '{"a":[1,"é🌍 ",null,true],"b":{}}',
    '{\n"a": [\n1,\n"é🌍 ",\nnull,\ntrue\n],\n"b": {}\n}',
  ],
  [
    "[1.0,1e16,-0.0,1e-7,0.1,123456789012345678901234567890]",
    "[1.0, 1e+16, -0.0, 1e-07, 0.1, 123456789012345678901234567890]",
    "[1.0, 1e+16, -0.0, 1e-07, 0.1, 123456789012345678901234567890]",
    "[\n  1.0,\n  1e+16,\n  -0.0,\n  1e-07,\n  0.1,\n  123456789012345678901234567890\n]",
    "[1.0, 1e+16, -0.0, 1e-07, 0.1, 123456789012345678901234567890]",
    "[1.0,1e+16,-0.0,1e-07,0.1,123456789012345678901234567890]",
    "[\n1.0,\n1e+16,\n-0.0,\n1e-07,\n0.1,\n123456789012345678901234567890\n]",
  ],
  [
    '{"10":1,"2":2,"a":3}',
    "{'10': 1, '2': 2, 'a': 3}",
    '{"10": 1, "2": 2, "a": 3}',
    '{\n  "10": 1,\n  "2": 2,\n  "a": 3\n}',
    '{"10": 1, "2": 2, "a": 3}',
    '{"10":1,"2":2,"a":3}',
    '{\n"10": 1,\n"2": 2,\n"a": 3\n}',
  ],
  [
    '["\\u0000\\u001f\\u007f","\\\\ud83c","\\"q\\"","</x>"]',
    "['\\x00\\x1f\\x7f', '\\\\ud83c', '\"q\"', '</x>']",
    '["\\u0000\\u001f", "\\\\ud83c", "\\"q\\"", "</x>"]',
    '[\n  "\\u0000\\u001f",\n  "\\\\ud83c",\n  "\\"q\\"",\n  "</x>"\n]',
    '["\\u0000\\u001f\\u007f", "\\\\ud83c", "\\"q\\"", "</x>"]',
    '["\\u0000\\u001f","\\\\ud83c","\\"q\\"","</x>"]',
    '[\n"\\u0000\\u001f",\n"\\\\ud83c",\n"\\"q\\"",\n"</x>"\n]',
  ],
  ["[]", "[]", "[]", "[]", "[]", "[]", "[]"],
  [
    '{"__proto__":1,"constructor":2}',
    "{'__proto__': 1, 'constructor': 2}",
    '{"__proto__": 1, "constructor": 2}',
    '{\n  "__proto__": 1,\n  "constructor": 2\n}',
    '{"__proto__": 1, "constructor": 2}',
    '{"__proto__":1,"constructor":2}',
    '{\n"__proto__": 1,\n"constructor": 2\n}',
  ],
  [
    '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\\n"',
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
    '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\\n"',
    '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\\n"',
    '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\\n"',
    '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\\n"',
    '"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\\n"',
  ],
  [
    "[NaN,Infinity,-Infinity]",
    "[nan, inf, -inf]",
    "[NaN, Infinity, -Infinity]",
    "[\n  NaN,\n  Infinity,\n  -Infinity\n]",
    "[NaN, Infinity, -Infinity]",
    "[NaN,Infinity,-Infinity]",
    "[\nNaN,\nInfinity,\n-Infinity\n]",
  ],
  [
    '{"z":1,"a":{"c":[],"b":[[1],{}]}}',
    "{'z': 1, 'a': {'c': [], 'b': [[1], {}]}}",
    '{"z": 1, "a": {"c": [], "b": [[1], {}]}}',
    '{\n  "z": 1,\n  "a": {\n    "c": [],\n    "b": [\n      [\n        1\n      ],\n      {}\n    ]\n  }\n}',
    '{"a": {"b": [[1], {}], "c": []}, "z": 1}',
    '{"z":1,"a":{"c":[],"b":[[1],{}]}}',
    '{\n"z": 1,\n"a": {\n"c": [],\n"b": [\n[\n1\n],\n{}\n]\n}\n}',
  ],
];

test.each(rows)("%s", (source, printed, ...expected) => {
  const v = parseJson(source);
  expect(r.str(v)).toBe(printed);
  expect(r.json(v)).toBe(expected[0]);
  const written = [
    r.tojsonFilter(v, false, null, null, false, "1:1"),
    r.tojsonFilter(v, false, 2, null, false, "1:1"),
    r.tojsonFilter(v, true, null, null, true, "1:1"),
    r.tojsonFilter(v, false, null, r.tuple([",", ":"]), false, "1:1"),
    r.tojsonFilter(v, false, 0, null, false, "1:1"),
  ];
  expect(written).toEqual(expected);
});

test.each(["", "{", "[1,]", "01", "'a'", "[1] 2", '"a', '{"a"}', '"\\x"'])(
  "refuses %j",
  (source) => {
    expect(() => parseJson(source)).toThrow(SyntaxError);
  },
);

test("keeps lone surrogates as they are, as Python does", () => {
  const lone = `${"x".repeat(70)}\ud83c\n\\ud83c`;
  expect(r.json(lone)).toBe(`"${"x".repeat(70)}\ud83c\\n\\\\ud83c"`);
});
