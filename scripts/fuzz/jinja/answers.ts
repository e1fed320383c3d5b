/** CPython's answers that a fuzzer can compare. */
import type { Expectation } from "../../../test/compare.js";

const LIMITS = new Set(["TimeLimit", "MemoryError", "OutputLimit", "Crash"]);

/** Whether a limit of time, memory or output ended the render, which no two runs have in common. */
export function isLimited({ ok, type }: Expectation): boolean {
  return !ok && type !== undefined && LIMITS.has(type);
}

/** CPython counts the lines of the Python that Jinja2 generated, which no template has. */
export function comparable(expect: Expectation): Expectation {
  if (expect.type !== "SyntaxError") return expect;
  const { line: _line, ...rest } = expect;
  return rest;
}
