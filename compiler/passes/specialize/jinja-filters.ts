/** Filters on values whose kinds are known. */
import * as build from "../../ir/build.js";
import { isDroppable } from "../../ir/effects.js";
import type { IntrinsicName } from "../../ir/intrinsics.js";
import {
  Hinted,
  Index,
  isDeep,
  Markup,
  may,
  None,
  Text,
  Undefined,
  union,
  without,
} from "../../ir/kinds.js";
import type { Expr } from "../../ir/nodes.js";
import { KEEPS, SILENT, type Typed } from "./use.js";
import type { ExpressionSpecializer } from "./expressions.js";
import { fusedList } from "./jinja-chains.js";
import { toText } from "./jinja-operators.js";
import { isPath, plain, type IntrinsicExpr, type Rule, type Rules } from "./rule.js";

export const filterRules: Rules = {
  "jinja.tojsonFilter": toJson,
  "jinja.trimFilter": onText("jinja.strip", 1),
  "jinja.upperFilter": onText("jinja.upper", 0),
  "jinja.lowerFilter": onText("jinja.lower", 0),
  "jinja.capitalizeFilter": onText("jinja.capitalize", 0),
  "jinja.stringFilter": string,
  "jinja.listFilter": (sx, expr) =>
    (expr.args[0] === undefined ? null : fusedList(sx, expr.args[0])) ?? plain(sx, expr),
  "jinja.lengthFilter": length,
  "jinja.defaultFilter": withDefault,
};

/** With its default arguments, on JSON data: the writer that can fail only where nothing is there. */
function toJson(sx: ExpressionSpecializer, expr: IntrinsicExpr): Typed {
  const [arg, ...options] = expr.args;
  const isDefault = options.every(
    (option) => option.op === "literal" && (option.value === false || option.value === null),
  );
  if (arg === undefined || !isDefault) return plain(sx, expr);
  const value = sx.rewrite(arg, SILENT);
  if (!isDeep(value.kinds) || expr.place === null) return plain(sx, expr);
  return may(value.kinds, Undefined | Hinted)
    ? { expr: build.intrinsic("jinja.jsonOf", [value.expr], expr.place), kinds: Text }
    : { expr: build.intrinsic("jinja.json", [value.expr]), kinds: Text };
}

/** A filter that is a function of text, or of str() of JSON data, where no option is given. */
function onText(name: IntrinsicName, options: number): Rule {
  return (sx, expr) => {
    const [arg, ...rest] = expr.args;
    if (arg === undefined) return plain(sx, expr);
    const value = sx.rewrite(arg, SILENT);
    const isDefault = rest.length === options && rest.every(isNone);
    const isPlain = isDeep(value.kinds) && !may(value.kinds, Markup);
    if (!isDefault || !(sx.isText(value) || isPlain)) return plain(sx, expr);
    return { expr: build.intrinsic(name, [toText(sx, value).expr]), kinds: Text };
  };
}

function isNone(expr: Expr): boolean {
  return expr.op === "literal" && expr.value === null;
}

/** `|string` keeps Markup; of anything else it is str(). */
function string(sx: ExpressionSpecializer, expr: IntrinsicExpr): Typed {
  const [arg] = expr.args;
  if (arg === undefined) return plain(sx, expr);
  const value = sx.rewrite(arg, SILENT);
  if (sx.isText(value)) return value;
  if (may(value.kinds, Markup)) return plain(sx, expr);
  return { expr: build.intrinsic("jinja.str", [value.expr]), kinds: Text };
}

function length(sx: ExpressionSpecializer, expr: IntrinsicExpr): Typed {
  const [arg] = expr.args;
  if (arg === undefined) return plain(sx, expr);
  const value = sx.rewrite(arg, SILENT);
  if (sx.isList(value)) return { expr: build.count(value.expr), kinds: Index };
  if (sx.isText(value)) {
    return { expr: build.intrinsic("jinja.textLength", [value.expr]), kinds: Index };
  }
  return { expr: { ...expr, args: [value.expr] }, kinds: Index };
}

/** `x|default(y)`: y where x is Undefined. */
function withDefault(sx: ExpressionSpecializer, expr: IntrinsicExpr): Typed {
  const [arg, otherwise, boolean] = expr.args;
  const isPlain = boolean?.op === "literal" && boolean.value === false;
  if (arg === undefined || otherwise === undefined || !isPlain) return plain(sx, expr);
  const value = sx.rewrite(arg, SILENT);
  const fallback = sx.rewrite(otherwise, KEEPS);
  // Jinja2 evaluates the default in any case: only what cannot fail may be left out.
  if (!may(value.kinds, Undefined | Hinted) && isDroppable(fallback.expr)) return value;
  if (may(value.kinds, Hinted) || may(value.kinds, None)) return plain(sx, expr);
  if (!isPath(fallback.expr)) return plain(sx, expr);
  return {
    expr: { op: "coalesce", value: value.expr, otherwise: fallback.expr },
    kinds: union(without(value.kinds, Undefined), fallback.kinds),
  };
}
