/** Everything that a template can name, and rows of the grammar that use it: each is made as often as the others. */
import { FILTERS, TESTS } from "../../../compiler/jinja/builtins.js";
import type { Random } from "../random.js";
import { GRAMMAR } from "./grammar.js";

/** The methods that the sandbox lets a template call, by the kind of the grammar that has them. */
const METHODS: Readonly<Record<string, string>> = {
  text:
    "capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha " +
    "isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower " +
    "lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip " +
    "split splitlines startswith strip swapcase title translate upper zfill",
  bytes:
    "capitalize center count decode endswith expandtabs find fromhex hex index isalnum isalpha isascii isdigit " +
    "islower isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace " +
    "rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill",
  list: "copy count index",
  dict: "copy fromkeys get items keys values",
  tuple: "count index",
  int: "as_integer_ratio bit_count bit_length conjugate from_bytes to_bytes",
  float: "as_integer_ratio conjugate fromhex hex is_integer",
  set: "copy difference intersection isdisjoint issubset issuperset symmetric_difference union",
};

const ROWS = {
  method: [
    "<set>.intersection(<ints>)",
    "<set>.difference(<list>)",
    "(<text>|e).striptags()",
    "(<text>|e).unescape()",
    "(<any>|e).escape(<any>)",
    "<dict>.keys().isdisjoint(<list>)",
    "cycler(<any>, <any>).next()",
    "cycler(<any>, <any>).reset()",
    "loop.cycle(<any>, <any>)",
    "loop.changed(<any>)",
    "(<list>|map('string')).send(<any>)",
    "(<list>|select).send(none)",
    "(<list>|batch(2)).close()",
    "(<list>|select).throw(<any>)",
  ],
  operator: [
    ...["+", "-", "*", "/", "//", "%", "**", "~", "and", "or"].map((op) => `<any> ${op} <any>`),
    ...["==", "!=", "<", "<=", ">", ">=", "in", "not in"].map((op) => `<any> ${op} <any>`),
    ...["+", "-", "*", "/", "//", "%", "**"].map((op) => `<int> ${op} <float>`),
    ...["+", "-", "*", "/", "**"].map((op) => `((0 - <int>) ** 0.5) ${op} <float>`),
    ...["<float> ** ((0 - <int>) ** 0.5)", "((0 - <float>) ** <float>)|abs"],
    ...["<", "<=", ">", ">="].map((op) => `<text> ${op} <text>`),
    ...["-<any>", "+<any>", "+<int>", "+<float>", "not <any>", "<any> if <bool> else <any>"],
    ...["<any>[<any>]", "<any>[<index>:<index>:<step>]", "(<any>, <any>)", "<any> < <any> < <any>"],
    ...[
      "<callable>(*<list>)",
      "<callable>(**<dict>)",
      "range(<any>)",
      "dict(<any>)",
      "lipsum(n=0)",
    ],
    ...["namespace(a=<any>).a", "joiner(<any>)()", "strftime_now(<format>)", "<any>.<key>"],
  ],
  statement: [
    "{% include <any> %}",
    "{% include <any> ignore missing %}",
    "{% import <any> as y %}",
    "{% from <any> import y %}",
    "{% for v in <any> %}{% break %}{% endfor %}",
    "{% for v in <any> %}{% continue %}{% endfor %}",
    "{% autoescape <bool> %}{{ <any> }}{% endautoescape %}",
    "{% with w = <any> %}{{ w }}{% endwith %}",
    "{% set w %}{{ <any> }}{% endset %}",
    "{% filter <filter> %}{{ <any> }}{% endfilter %}",
    "{% generation %}{{ <any> }}{% endgeneration %}",
    "{% macro w(a) %}{{ a }}{% endmacro %}{% call w(<any>) %}{{ <any> }}{% endcall %}",
    "{% set w = namespace(a=1) %}{% set w.a = <any> %}",
    "{% set w = namespace(a=1) %}{% set w.a %}{{ <any> }}{% endset %}",
  ],
} as const;

function escaped(name: string): string {
  return name.replace(/[^\w]/g, "\\$&");
}

/** The rows of the grammar in which a pattern occurs. */
function known(pattern: RegExp): readonly string[] {
  return Object.values(GRAMMAR).flatMap(({ rows }) => rows.filter((row) => pattern.test(row)));
}

function filterRows(name: string): readonly string[] {
  if (name === "random") return ["[<any>]|random"];
  const rows = [`<any>|${name}`, `<any>|${name}(<any>)`, `<list>|map('${name}')|list`];
  return [...rows, ...known(new RegExp(`\\|${name}\\b`))];
}

function testRows(name: string): readonly string[] {
  const rows = [`<list>|select('${name}')|list`, `<list>|reject('${name}', <any>)|list`];
  if (!/^[a-z]/.test(name)) return rows;
  const own = [`<any> is ${name}`, `<any> is not ${name}(<any>)`];
  return [...rows, ...own, ...own, ...known(new RegExp(`\\bis (not )?${escaped(name)}\\b`))];
}

function methodRows(kind: string, name: string): readonly string[] {
  const rows = [`<${kind}>.${name}()`, `<${kind}>.${name}(<any>)`, `<${kind}>.${name}(<${kind}>)`];
  return [...rows, ...(kind === "text" ? known(new RegExp(`\\.${name}\\(`)) : [])];
}

/** What the coverage counts, by its groups: every name must come often enough. */
export const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  Filter: [...FILTERS.keys()],
  Test: [...TESTS.keys()],
  method: [
    ...new Set([...Object.values(METHODS).flatMap((names) => names.split(" ")), "striptags"]),
    ...["unescape", "escape", "next", "reset", "cycle", "changed", "send", "close", "throw"],
  ],
  operator: [
    ...["+", "-", "*", "/", "//", "%", "**"].map((op) => `Binary ${op}`),
    ...["==", "!=", "<", "<=", ">", ">=", "in", "not in"].map((op) => `Compare ${op}`),
    ...["Logical and", "Logical or", "Unary -", "Unary +"],
  ],
  node: [
    ...["Autoescape", "Block", "Break", "CallBlock", "Continue", "Extends", "FilterBlock", "For"],
    ...[
      "FromImport",
      "Generation",
      "If",
      "Import",
      "Include",
      "Macro",
      "Output",
      "Set",
      "SetBlock",
    ],
    ...[
      "With",
      "TextData",
      "Name",
      "Literal",
      "Attribute",
      "Item",
      "Slice",
      "Conditional",
      "Concat",
    ],
    ...["Not", "List", "Dict", "Tuple", "NamespaceTarget"],
  ],
  value: ["text", "int", "big int", "float", "bool", "none", "list", "dict"],
};

function allDrills(): readonly (readonly string[])[] {
  const methods = Object.entries(METHODS).flatMap(([kind, names]) =>
    names.split(" ").map((name) => methodRows(kind, name)),
  );
  const single = [...ROWS.method, ...ROWS.operator, ...ROWS.statement].map((row) => [row]);
  return [
    ...[...FILTERS.keys()].map(filterRows),
    ...[...TESTS.keys()].map(testRows),
    ...methods,
    ...single,
  ];
}

/** Gives the rows of one thing after another, in an order that is new each time round. */
export class Drills {
  readonly #random: Random;
  readonly #drills = allDrills();
  #left: (readonly string[])[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  next(): string {
    if (this.#left.length === 0) this.#left = [...this.#drills];
    const [rows] = this.#left.splice(this.#random.below(this.#left.length), 1);
    return this.#random.pick(rows ?? ["1"]);
  }
}
