/** What a test asks of a value, and what its answer shows. */
import type { IntrinsicName } from "../ir/intrinsics.js";
import { TYPE_TESTS } from "../ir/jinja-intrinsics.js";
import type { Expr } from "../ir/nodes.js";

/** Tests that no Undefined passes. */
export const POSITIVE: ReadonlySet<IntrinsicName> = new Set<IntrinsicName>([
  "jinja.isDefined",
  "jinja.truth",
  ...TYPE_TESTS,
  "jinja.eq",
  "jinja.isIn",
]);

/** Whether the expression is a literal or a list of them: nothing that could be Undefined as well. */
export function isPlain(expr: Expr): boolean {
  if (expr.op === "list") return expr.items.every(isPlain);
  if (expr.op === "intrinsic" && expr.name === "jinja.tuple") return expr.args.every(isPlain);
  return expr.op === "literal" && expr.value !== undefined;
}

/** What is shown to be there where a test comes out like that. */
export function presenceTest(test: Expr, holds: boolean): Expr | null {
  if (test.op === "compare") {
    const isEquality = test.operator === "===" || test.operator === "!==";
    if (!isEquality || test.right.op !== "literal") return null;
    const isEqual = (test.operator === "===") === holds;
    const isUndefined = test.right.value === undefined;
    return isEqual !== isUndefined ? test.left : null;
  }
  if (!holds) return null;
  if (test.op === "typeof" || test.op === "truthy") return test.value;
  return test.op === "intrinsic" && POSITIVE.has(test.name) ? (test.args[0] ?? null) : null;
}

/** Whether it asks whether an input is true: the answer stays the same in one render. */
export function isOfInput(test: Expr): boolean {
  return test.op === "intrinsic" && test.name === "jinja.truth" && test.args[0]?.op === "input";
}
