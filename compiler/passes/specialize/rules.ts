/** The rules of intrinsics: what each becomes when the kinds of its arguments are known. */
import { only, Text } from "../../ir/kinds.js";
import { ExpressionSpecializer } from "./expressions.js";
import { callRules } from "./jinja-calls.js";
import { filterRules } from "./jinja-filters.js";
import { lookupRules } from "./jinja-lookup.js";
import { operatorRules } from "./jinja-operators.js";
import { testRules } from "./jinja-tests.js";
import { plain, type IntrinsicExpr, type Rules } from "./rule.js";
import { SILENT, type Typed, type Use } from "./use.js";

const rules: Rules = {
  ...lookupRules,
  ...operatorRules,
  ...testRules,
  ...callRules,
  ...filterRules,
  // {{ $v }} of an argument that is known to be text
  "go.textJson": (sx, expr) => {
    const [arg] = expr.args;
    const value = arg === undefined ? null : sx.rewrite(arg, SILENT);
    return value !== null && only(value.kinds, Text) ? value : plain(sx, expr);
  },
};

/** Rewrites one intrinsic by its rule, or only its arguments. */
export function applyRule(sx: ExpressionSpecializer, expr: IntrinsicExpr, use: Use): Typed {
  const rule = rules[expr.name];
  return rule === undefined ? plain(sx, expr) : rule(sx, expr, use);
}
