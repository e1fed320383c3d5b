/** The names of transformers' Jinja environment, with the parameters that Python's functions have. */
import type { CompareOp } from "./ast.js";

export type Default = string | number | boolean | null;

export interface SignatureParameter {
  readonly name: string;
  /** Absent: the argument is required, or its default is a Python float, which {@link float} gives. */
  readonly default?: Default;
  readonly float?: number;
}

export interface Signature {
  readonly name: string;
  /** What follows the value, in Python's order. */
  readonly parameters: readonly SignatureParameter[];
  readonly varargs: boolean;
  readonly kwargs: boolean;
  /** The runtime's function; an alias has the function of the filter it stands for. */
  readonly runtime: string;
}

type ParameterRow = string | readonly [name: string, value: Default] | SignatureParameter;

/** Filters and their parameters (jinja2/filters.py; tojson is transformers'). */
const FILTER_ROWS: Readonly<Record<string, readonly ParameterRow[]>> = {
  abs: [],
  attr: ["name"],
  batch: ["linecount", ["fill_with", null]],
  capitalize: [],
  center: [["width", 80]],
  default: [
    ["default_value", ""],
    ["boolean", false],
  ],
  dictsort: [
    ["case_sensitive", false],
    ["by", "key"],
    ["reverse", false],
  ],
  escape: [],
  filesizeformat: [["binary", false]],
  first: [],
  float: [{ name: "default", float: 0 }],
  forceescape: [],
  groupby: ["attribute", ["default", null], ["case_sensitive", false]],
  indent: [
    ["width", 4],
    ["first", false],
    ["blank", false],
  ],
  int: [
    ["default", 0],
    ["base", 10],
  ],
  items: [],
  join: [
    ["d", ""],
    ["attribute", null],
  ],
  last: [],
  length: [],
  list: [],
  lower: [],
  max: [
    ["case_sensitive", false],
    ["attribute", null],
  ],
  min: [
    ["case_sensitive", false],
    ["attribute", null],
  ],
  pprint: [],
  random: [],
  replace: ["old", "new", ["count", null]],
  reverse: [],
  round: [
    ["precision", 0],
    ["method", "common"],
  ],
  safe: [],
  slice: ["slices", ["fill_with", null]],
  sort: [
    ["reverse", false],
    ["case_sensitive", false],
    ["attribute", null],
  ],
  string: [],
  striptags: [],
  sum: [
    ["attribute", null],
    ["start", 0],
  ],
  title: [],
  tojson: [
    ["ensure_ascii", false],
    ["indent", null],
    ["separators", null],
    ["sort_keys", false],
  ],
  trim: [["chars", null]],
  truncate: [
    ["length", 255],
    ["killwords", false],
    ["end", "..."],
    ["leeway", null],
  ],
  unique: [
    ["case_sensitive", false],
    ["attribute", null],
  ],
  upper: [],
  urlencode: [],
  urlize: [
    ["trim_url_limit", null],
    ["nofollow", false],
    ["target", null],
    ["rel", null],
    ["extra_schemes", null],
  ],
  wordcount: [],
  wordwrap: [
    ["width", 79],
    ["break_long_words", true],
    ["wrapstring", null],
    ["break_on_hyphens", true],
  ],
  xmlattr: [["autospace", true]],
};

/** Filters that take any arguments and pass them on. */
const VARIADIC_FILTERS = ["format", "map", "reject", "rejectattr", "select", "selectattr"];

const FILTER_ALIASES = { count: "length", d: "default", e: "escape" } as const;

/** Tests and their parameters (jinja2/tests.py). */
const TEST_ROWS: Readonly<Record<string, readonly ParameterRow[]>> = {
  "!=": ["b"],
  "<": ["b"],
  "<=": ["b"],
  "==": ["b"],
  ">": ["b"],
  ">=": ["b"],
  boolean: [],
  callable: [],
  defined: [],
  divisibleby: ["num"],
  eq: ["b"],
  equalto: ["b"],
  escaped: [],
  even: [],
  false: [],
  filter: [],
  float: [],
  ge: ["b"],
  greaterthan: ["b"],
  gt: ["b"],
  in: ["seq"],
  integer: [],
  iterable: [],
  le: ["b"],
  lessthan: ["b"],
  lower: [],
  lt: ["b"],
  mapping: [],
  ne: ["b"],
  none: [],
  number: [],
  odd: [],
  sameas: ["other"],
  sequence: [],
  string: [],
  test: [],
  true: [],
  undefined: [],
  upper: [],
};

/** Jinja2's filters in transformers' environment. */
export const FILTERS: ReadonlyMap<string, Signature> = new Map(filterEntries());

/** Jinja2's tests; the runtime's callTest handles any of them. */
export const TESTS: ReadonlyMap<string, Signature> = new Map(
  Object.entries(TEST_ROWS).map(([name, rows]) => [name, signature(name, rows, "callTest")]),
);

/** The global functions of transformers' environment. */
export const GLOBALS: ReadonlySet<string> = new Set([
  "range",
  "dict",
  "lipsum",
  "cycler",
  "joiner",
  "namespace",
  "raise_exception",
  "strftime_now",
]);

function filterEntries(): [string, Signature][] {
  const entries: [string, Signature][] = [];
  for (const [name, rows] of Object.entries(FILTER_ROWS)) {
    entries.push([name, signature(name, rows, `${name}Filter`)]);
  }
  for (const name of VARIADIC_FILTERS) {
    const fixed = signature(name, [], `${name}Filter`);
    entries.push([name, { ...fixed, varargs: true, kwargs: true }]);
  }
  for (const [alias, name] of Object.entries(FILTER_ALIASES)) {
    entries.push([alias, signature(alias, FILTER_ROWS[name] ?? [], `${name}Filter`)]);
  }
  return entries;
}

function signature(name: string, rows: readonly ParameterRow[], runtime: string): Signature {
  return { name, parameters: rows.map(parameterOf), varargs: false, kwargs: false, runtime };
}

function parameterOf(row: ParameterRow): SignatureParameter {
  if (typeof row === "string") return { name: row };
  return "name" in row ? row : { name: row[0], default: row[1] };
}

/** Tests that are comparisons by another name. */
export const COMPARISON_TESTS: ReadonlyMap<string, CompareOp> = new Map([
  ["==", "=="],
  ["eq", "=="],
  ["equalto", "=="],
  ["!=", "!="],
  ["ne", "!="],
  ["<", "<"],
  ["lt", "<"],
  ["lessthan", "<"],
  ["<=", "<="],
  ["le", "<="],
  [">", ">"],
  ["gt", ">"],
  ["greaterthan", ">"],
  [">=", ">="],
  ["ge", ">="],
  ["in", "in"],
]);
