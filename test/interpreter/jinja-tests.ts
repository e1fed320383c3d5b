/** Jinja2's tests (jinja2/tests.py). */
import { arithmetic } from "./jinja-arithmetic.js";
import { isCallable } from "./jinja-attributes.js";
import { filters } from "./jinja-filters.js";
import type { FilterArguments, FilterDefinition } from "./jinja-filters.js";
import { Loop } from "./jinja-loop.js";
import { compare, contains, equal, iterateOrNull, lengthOrNull } from "./jinja-operators.js";
import type { OrderOp } from "./jinja-operators.js";
import { text } from "./jinja-text.js";
import { classes } from "./jinja-unicode.js";
import {
  bool,
  DictView,
  FALSE,
  hashKey,
  int,
  Markup,
  NONE,
  PyBool,
  PyComplex,
  PyDict,
  PyFloat,
  PyInt,
  PyNone,
  PySet,
  PyStr,
  raise,
  TRUE,
  Undefined,
} from "./jinja-values.js";
import type { Value } from "./jinja-values.js";

type Entry = readonly [string, FilterDefinition];

function test(names: string, name: string, holds: (value: Value) => boolean): Entry[] {
  const run = ([value = NONE]: FilterArguments): Value => bool(holds(value));
  return names.split(" ").map((each): Entry => [each, { name, run }]);
}

/** The operators as tests are C functions with two arguments. */
function operator(names: string, holds: (a: Value, b: Value) => boolean): Entry[] {
  const [name = ""] = names.split(" ");
  const definition: FilterDefinition = {
    name,
    run: () => NONE,
    open: (args, kwargs) => {
      if (kwargs.size > 0) raise("TypeError", `_operator.${name}() takes no keyword arguments`);
      const [a, b] = args;
      if (a === undefined || b === undefined || args.length !== 2) {
        raise("TypeError", `${name} expected 2 arguments, got ${args.length}`);
      }
      return bool(holds(a, b));
    },
  };
  return names.split(" ").map((each): Entry => [each, definition]);
}

function order(names: string, op: OrderOp): Entry[] {
  return operator(names, (a, b) => compare(op, a, b));
}

/** `value % divisor == result`. */
function remainderIs(value: Value, divisor: Value, result: number): boolean {
  return equal(arithmetic("%", value, divisor), int(result));
}

/** Has a length and can be subscripted. */
function isSequence(value: Value): boolean {
  const unordered = value instanceof DictView || value instanceof PySet;
  if (unordered || value instanceof Loop) return false;
  return lengthOrNull(value) !== null;
}

function exists(names: ReadonlyMap<string, unknown>, name: Value): boolean {
  hashKey(name);
  return name instanceof PyStr && names.has(name.text);
}

const isNumber = (value: Value): boolean =>
  value instanceof PyInt || value instanceof PyFloat || value instanceof PyComplex;
const isLower = (value: Value): boolean => classes["islower"]?.(text(value)) === true;
const isUpper = (value: Value): boolean => classes["isupper"]?.(text(value)) === true;

export const tests: ReadonlyMap<string, FilterDefinition> = new Map<string, FilterDefinition>([
  ...test("odd", "test_odd", (value) => remainderIs(value, int(2), 1)),
  ...test("even", "test_even", (value) => remainderIs(value, int(2), 0)),
  ...test("defined", "test_defined", (value) => !(value instanceof Undefined)),
  ...test("undefined", "test_undefined", (value) => value instanceof Undefined),
  ...test("none", "test_none", (value) => value instanceof PyNone),
  ...test("boolean", "test_boolean", (value) => value instanceof PyBool),
  ...test("false", "test_false", (value) => value === FALSE),
  ...test("true", "test_true", (value) => value === TRUE),
  ...test(
    "integer",
    "test_integer",
    (value) => value instanceof PyInt && !(value instanceof PyBool),
  ),
  ...test("float", "test_float", (value) => value instanceof PyFloat),
  ...test("lower", "test_lower", isLower),
  ...test("upper", "test_upper", isUpper),
  ...test("string", "test_string", (value) => value instanceof PyStr),
  ...test("mapping", "test_mapping", (value) => value instanceof PyDict),
  ...test("number", "test_number", isNumber),
  ...test("sequence", "test_sequence", isSequence),
  ...test("iterable", "test_iterable", (value) => iterateOrNull(value) !== null),
  ...test("escaped", "test_escaped", (value) => value instanceof Markup),
  [
    "callable",
    { name: "callable", builtin: true, run: ([value = NONE]) => bool(isCallable(value)) },
  ],
  [
    "divisibleby",
    {
      name: "test_divisibleby",
      parameters: "value num",
      run: ([value = NONE, divisor = NONE]) => bool(remainderIs(value, divisor, 0)),
    },
  ],
  [
    "sameas",
    {
      name: "test_sameas",
      parameters: "value other",
      run: ([value = NONE, other = NONE]) => bool(isSame(value, other)),
    },
  ],
  [
    "in",
    {
      name: "test_in",
      parameters: "value seq",
      run: ([value = NONE, container = NONE]) => bool(contains(value, container)),
    },
  ],
  [
    "filter",
    {
      name: "test_filter",
      implicit: 1,
      run: ([value = NONE]) => bool(exists(filters, value)),
    },
  ],
  ["test", { name: "test_test", implicit: 1, run: ([value = NONE]) => bool(exists(tests, value)) }],
  ...operator("eq == equalto", equal),
  ...operator("ne !=", (a, b) => !equal(a, b)),
  ...order("gt > greaterthan", ">"),
  ...order("ge >=", ">="),
  ...order("lt < lessthan", "<"),
  ...order("le <=", "<="),
]);

/** `is` in CPython: small integers, and texts of at most one Latin-1 character, exist once. */
function isSame(a: Value, b: Value): boolean {
  if (a instanceof PyInt && b instanceof PyInt && a.typeName === b.typeName) {
    return a === b || (a.value === b.value && a.value >= -5n && a.value <= 256n);
  }
  if (a instanceof PyStr && b instanceof PyStr && a.typeName === "str" && b.typeName === "str") {
    return a === b || (a.text === b.text && a.text.length <= 1 && a.text <= "\u00ff");
  }
  return a === b;
}
