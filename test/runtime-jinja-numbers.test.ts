/** Python's numbers: each row is a Jinja expression, the same by the runtime, and what the real engine printed or raised. */
import { expect, test } from "vitest";
import { RenderError } from "../runtime/index.js";
import * as r from "../runtime/jinja/index.js";

const P = "3:5";

type Row = readonly [expression: string, run: () => unknown, expected: string];

const rows: readonly Row[] = [
  [
    "[6/2, 7//-2, -7%3, 7.5%-2, 2**-1, 2**100]",
    () => [
      r.div(6, 2, P),
      r.floordiv(7, -2, P),
      r.mod(-7, 3, P),
      r.mod(7.5, -2, P),
      r.pow(2, -1, P),
      r.pow(2, 100, P),
    ],
    "[3.0, -4, 2, -0.5, 0.5, 1267650600228229401496703205376]",
  ],
  ["a*3", () => r.mul(9007199254740993n, 3, P), "27021597764222979"],
  ["a-b", () => r.sub(2n ** 64n, 2n ** 64n - 5n, P), "5"],
  [
    "[x, x*0, -x]",
    () => [r.float(1e16), r.mul(r.float(1e16), 0, P), r.neg(r.float(1e16), P)],
    "[1e+16, 0.0, -1e+16]",
  ],
  [
    "l",
    () => [1e-5, 1e-4, r.float(1e15), r.float(1e16), 5e-324, -0, 123456789.123, Infinity],
    "[1e-05, 0.0001, 1000000000000000.0, 1e+16, 5e-324, -0.0, 123456789.123, inf]",
  ],
  [
    "[2.5|round, 2.675|round(2), 1250|round(-2), 3.7|round(0,'floor')]",
    () => [
      r.roundFilter(2.5, 0, "common", P),
      r.roundFilter(2.675, 2, "common", P),
      r.roundFilter(1250, -2, "common", P),
      r.roundFilter(3.7, 0, "floor", P),
    ],
    "[2.0, 2.67, 1200, 3.0]",
  ],
  [
    "['1e3'|int, '1_000'|int, '0x1f'|int(0,16), ' 4.9 '|int, 'x'|int(7)]",
    () =>
      ["1e3", "1_000"]
        .map((s) => r.intFilter(s, 0, 10, P))
        .concat(
          r.intFilter("0x1f", 0, 16, P),
          r.intFilter(" 4.9 ", 0, 10, P),
          r.intFilter("x", 7, 10, P),
        ),
    "[1000, 1000, 31, 4, 7]",
  ],
  [
    "[true + true, 1 == true, 1 == 1.0, true|abs]",
    () => [r.add(true, true, P), r.eq(1, true), r.eq(1, r.float(1)), r.absFilter(true, P)],
    "[2, True, True, 1]",
  ],
  ["2**53 == 9007199254740993", () => r.eq(2 ** 53, 9007199254740993n), "False"],
  [
    "[1000|filesizeformat, 1536|filesizeformat(true)]",
    () => [r.filesizeformatFilter(1000, false, P), r.filesizeformatFilter(1536, true, P)],
    "['1.0 kB', '1.5 KiB']",
  ],
  ["(7).bit_length()", () => r.callMethod(7, "bit_length", [], null, P), "3"],
  ["1 // 0", () => r.floordiv(1, 0, P), "ZeroDivisionError: integer division or modulo by zero"],
  ["1.0 / 0", () => r.div(r.float(1), 0, P), "ZeroDivisionError: float division by zero"],
  [
    "x ** 2",
    () => r.pow(r.float(1e200), 2, P),
    "OverflowError: (34, 'Numerical result out of range')",
  ],
  [
    "{1: 'x', 1.0: 'y', true: 'z'}",
    () =>
      r.dict(
        [
          [1, "x"],
          [r.float(1), "y"],
          [true, "z"],
        ],
        P,
      ),
    "{1: 'z'}",
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
