/** Tests: answered from the kinds where they tell, else as plain as the kinds allow. */
import * as build from "../../ir/build.js";
import {
  Bool,
  Dict,
  Hinted,
  isNever,
  List,
  Markup,
  may,
  None,
  only,
  Text,
  Tuple,
  Undefined,
  type Kinds,
} from "../../ir/kinds.js";
import type { Expr } from "../../ir/nodes.js";
import { SILENT, type Typed } from "./use.js";
import type { ExpressionSpecializer } from "./expressions.js";
import { decided, plain, type IntrinsicExpr, type Rule, type Rules } from "./rule.js";

export const testRules: Rules = {
  "jinja.isDefined": defined,
  "jinja.isString": (sx, expr) =>
    byKinds(sx, expr, Text | Markup, (value, kinds) =>
      may(kinds, Markup) ? null : { op: "typeof", value, type: "string" },
    ),
  "jinja.isNone": (sx, expr) =>
    byKinds(sx, expr, None, (value) => build.compare(value, "===", build.NULL)),
  "jinja.isBoolean": (sx, expr) =>
    byKinds(sx, expr, Bool, (value) => ({ op: "typeof", value, type: "boolean" })),
  "jinja.isTrue": isLiteral(true),
  "jinja.isFalse": isLiteral(false),
  "jinja.isMapping": (sx, expr) => byKinds(sx, expr, Dict, () => null),
  "jinja.isIterable": certainFor(Text | Markup | List | Tuple | Dict | Undefined | Hinted),
  "jinja.isSequence": certainFor(Text | Markup | List | Tuple | Dict),
};

/** True where only these kinds are possible, false where none of them is, else by a test of the value. */
function byKinds(
  sx: ExpressionSpecializer,
  expr: IntrinsicExpr,
  yes: Kinds,
  test: (value: Expr, kinds: Kinds) => Expr | null,
): Typed {
  const [arg] = expr.args;
  if (arg === undefined) return plain(sx, expr);
  const { expr: value, kinds } = sx.rewrite(arg, SILENT);
  const kept = { ...expr, args: [value] };
  if (only(kinds, yes) && !isNever(kinds)) return decided(true, value, kept);
  if (!may(kinds, yes)) return decided(false, value, kept);
  return { expr: test(value, kinds) ?? kept, kinds: Bool };
}

function certainFor(yes: Kinds): Rule {
  return (sx, expr) => {
    const [arg] = expr.args;
    if (arg === undefined) return plain(sx, expr);
    const { expr: value, kinds } = sx.rewrite(arg, SILENT);
    const kept = { ...expr, args: [value] };
    const isCertain = only(kinds, yes) && !isNever(kinds);
    return isCertain ? decided(true, value, kept) : { expr: kept, kinds: Bool };
  };
}

function isLiteral(wanted: boolean): Rule {
  return (sx, expr) => {
    const [arg] = expr.args;
    if (arg === undefined) return plain(sx, expr);
    const { expr: value, kinds } = sx.rewrite(arg, SILENT);
    return may(kinds, Bool)
      ? { expr: build.compare(value, "===", build.literal(wanted)), kinds: Bool }
      : decided(false, value, { ...expr, args: [value] });
  };
}

/** An Undefined that carries its message is an object; others are JavaScript's undefined. */
function defined(sx: ExpressionSpecializer, expr: IntrinsicExpr): Typed {
  const [arg] = expr.args;
  if (arg === undefined) return plain(sx, expr);
  const { expr: value, kinds } = sx.rewrite(arg, SILENT);
  const kept = { ...expr, args: [value] };
  if (!may(kinds, Undefined | Hinted)) return decided(true, value, kept);
  if (only(kinds, Undefined | Hinted) && !isNever(kinds)) return decided(false, value, kept);
  return {
    expr: may(kinds, Hinted) ? kept : build.compare(value, "!==", build.UNDEFINED),
    kinds: Bool,
  };
}
