/** Tests by name, for names and arguments that are known only at run time. */
import { fail } from "../errors.js";
import { isDict } from "../values.js";
import { eq, ge, gt, isIn, le, lt } from "./compare.js";
import { isFilterName } from "./filter-table.js";
import { isIterable } from "./iterate.js";
import { checkCount, noKeywords } from "./sequence.js";
import { bind, type ParameterRule } from "./signature.js";
import type { Keywords } from "./protocol.js";
import {
  isBoolean,
  isCallable,
  isDivisibleBy,
  isEscaped,
  isEven,
  isFalse,
  isFloat,
  isInteger,
  isLower,
  isNone,
  isNumber,
  isOdd,
  isSameAs,
  isSequence,
  isString,
  isTrue,
  isUpper,
} from "./tests.js";
import { textOf, typeName } from "./types.js";
import { isHashable } from "./hash.js";
import { isDefined, isNotDefined } from "./undefined.js";

type Test = (v: unknown, operand: unknown, place: string) => boolean;

/** The tests that are Python functions: `test_` and the name in messages, and the name of an operand. */
const TESTS: Readonly<Record<string, readonly [run: Test, operand?: string]>> = {
  boolean: [isBoolean],
  defined: [isDefined],
  divisibleby: [isDivisibleBy, "num"],
  escaped: [isEscaped],
  even: [(v, _, place) => isEven(v, place)],
  false: [isFalse],
  filter: [(v, _, place) => isKey(v, isFilterName, place)],
  float: [isFloat],
  in: [isIn, "seq"],
  integer: [isInteger],
  iterable: [isIterable],
  lower: [isLower],
  mapping: [isDict],
  none: [isNone],
  number: [isNumber],
  odd: [(v, _, place) => isOdd(v, place)],
  sameas: [isSameAs, "other"],
  sequence: [isSequence],
  string: [isString],
  test: [(v, _, place) => isKey(v, isTestName, place)],
  true: [isTrue],
  undefined: [isNotDefined],
  upper: [isUpper],
};

/** The tests that are functions of Python's module `operator`, by all their names. */
const OPERATORS: Readonly<Record<string, readonly [name: string, run: Test]>> = {
  "==": ["eq", eq],
  eq: ["eq", eq],
  equalto: ["eq", eq],
  "!=": ["ne", (a, b) => !eq(a, b)],
  ne: ["ne", (a, b) => !eq(a, b)],
  ">": ["gt", gt],
  gt: ["gt", gt],
  greaterthan: ["gt", gt],
  ge: ["ge", ge],
  ">=": ["ge", ge],
  "<": ["lt", lt],
  lt: ["lt", lt],
  lessthan: ["lt", lt],
  "<=": ["le", le],
  le: ["le", le],
};

/** `v in names`, names being a dict: what cannot be a key raises. */
function isKey(v: unknown, isName: (name: string) => boolean, place: string): boolean {
  if (isHashable(v)) return isName(textOf(v) ?? "");
  return fail("TypeError", `unhashable type: '${typeName(v)}'`, place);
}

/** Whether Jinja2 has a test of that name. */
export function isTestName(name: string): boolean {
  return Object.hasOwn(TESTS, name) || Object.hasOwn(OPERATORS, name) || name === "callable";
}

/** Runs a test that exists, its arguments bound as Python binds them. */
export function runTest(
  name: string,
  v: unknown,
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
): boolean {
  if (name === "callable") {
    noKeywords("callable", kwargs, place);
    return args.length === 0
      ? isCallable(v)
      : fail(
          "TypeError",
          `callable() takes exactly one argument (${args.length + 1} given)`,
          place,
        );
  }
  const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (operator !== undefined) {
    noKeywords(`_operator.${operator[0]}`, kwargs, place);
    checkCount(operator[0], [v, ...args], 2, 2, place);
    return operator[1](v, args[0], place);
  }
  const test = TESTS[name];
  if (test === undefined) {
    return fail("TemplateRuntimeError", `No test named '${name}' found.`, place);
  }
  const [run, operand] = test;
  const hidden = name === "filter" || name === "test" ? 1 : 0;
  const signature = {
    name: `test_${name}`,
    subject: "value",
    hidden,
    parameters: operand === undefined ? [] : [required(operand)],
  };
  return run(v, bind(signature, args, kwargs, place)[0], place);
}

function required(name: string): ParameterRule {
  return [name];
}
