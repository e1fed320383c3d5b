/** The messages of Jinja2 and Python: each row is a Jinja expression, the same by the runtime, and what the real engine printed or raised. */
import { expect, test } from "vitest";
import { RenderError } from "../runtime/index.js";
import * as r from "../runtime/jinja/index.js";

const P = "3:5";

type Row = readonly [expression: string, run: () => unknown, expected: string];

const rows: readonly Row[] = [
  ["x.y", () => r.attr(r.named(undefined, "x"), "y", P), "UndefinedError: 'x' is undefined"],
  [
    "d.x.y",
    () => r.attr(r.attr({}, "x", P), "y", P),
    "UndefinedError: 'dict object' has no attribute 'x'",
  ],
  ["l[9] + 1", () => r.add(r.item([], 9, P), 1, P), "UndefinedError: list object has no element 9"],
  [
    "no.x.y",
    () => r.attr(r.attr(null, "x", P), "y", P),
    "UndefinedError: 'None' has no attribute 'x'",
  ],
  ["'a' + 1", () => r.text(1, P), 'TypeError: can only concatenate str (not "int") to str'],
  ["l + 'a'", () => r.add([], "a", P), 'TypeError: can only concatenate list (not "str") to list'],
  [
    "none < 1",
    () => r.lt(null, 1, P),
    "TypeError: '<' not supported between instances of 'NoneType' and 'int'",
  ],
  [
    "l.append(1)",
    () => r.callMethod([], "append", [1], null, P),
    "SecurityError: access to attribute 'append' of 'list' object is unsafe.",
  ],
  [
    "s.__class__.x",
    () => r.attr(r.attr("", "__class__", P), "x", P),
    "SecurityError: access to attribute '__class__' of 'str' object is unsafe.",
  ],
  ["5|list", () => r.list(5, P), "TypeError: 'int' object is not iterable"],
  [
    "u|tojson",
    () => r.tojsonFilter(undefined, false, null, null, false, P),
    "TypeError: Object of type Undefined is not JSON serializable",
  ],
  [
    "l|map('nosuch')|list",
    () => r.list(r.mapFilter([1], ["nosuch"], null, P), P),
    "TemplateRuntimeError: No filter named 'nosuch'.",
  ],
  [
    "s|replace",
    () => r.callFilter("replace", "", [], null, P),
    "TypeError: do_replace() missing 2 required positional arguments: 'old' and 'new'",
  ],
  [
    "s|upper(1)",
    () => r.callFilter("upper", "", [1], null, P),
    "TypeError: do_upper() takes 1 positional argument but 2 were given",
  ],
  [
    "[1,'a']|sort",
    () => r.sortFilter([1, "a"], false, false, null, P),
    "TypeError: '<' not supported between instances of 'str' and 'int'",
  ],
  [
    "'{} {0}'.format(1)",
    () => r.callMethod("{} {0}", "format", [1], null, P),
    "ValueError: cannot switch from manual field specification to automatic field numbering",
  ],
  [
    "'%d' % 'a'",
    () => r.mod("%d", "a", P),
    "TypeError: %d format: a real number is required, not str",
  ],
  [
    "range(100001)",
    () => r.range([100001], null, P),
    "OverflowError: Range too big. The sandbox blocks ranges larger than MAX_RANGE (100000).",
  ],
  ["raise_exception('no ' ~ 1)", () => r.raiseException("no 1", P), "TemplateError: no 1"],
  ["[] in {}", () => r.isIn([], {}, P), "TypeError: unhashable type: 'list'"],
  ["s.split('')", () => r.callMethod("a", "split", [""], null, P), "ValueError: empty separator"],
  [
    "s.upper(1)",
    () => r.callMethod("a", "upper", [1], null, P),
    "TypeError: str.upper() takes no arguments (1 given)",
  ],
  ["s()", () => r.call("a", [], null, P), "TypeError: 'str' object is not callable"],
  ["cycler()", () => r.cycler([], null, P), "RuntimeError: at least one item has to be provided"],
  [
    "namespace(_a=1)",
    () => r.namespace([], { _a: 1 }, P),
    "SecurityError: Chat templates cannot store underscore-prefixed attributes on a namespace, but got '_a'. Please rename the attribute.",
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
