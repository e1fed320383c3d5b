/** Printing, truth, arithmetic, comparison and membership. */
import * as build from "../../ir/build.js";
import { isDroppable } from "../../ir/effects.js";
import {
  Any,
  Bool,
  Deep,
  Float,
  Function,
  Index,
  intersect,
  Int,
  isDeep,
  List,
  Markup,
  may,
  None,
  only,
  Range,
  Text,
  Tuple,
  Undefined,
  type Kinds,
} from "../../ir/kinds.js";
import type { CompareOperator, Expr } from "../../ir/nodes.js";
import { KEEPS, SILENT, strictAt, type Typed, type Use } from "./use.js";
import { kindsOfLiteral } from "./value-kinds.js";
import type { ExpressionSpecializer } from "./expressions.js";
import { fusedList } from "./jinja-chains.js";
import {
  decided,
  integerOf,
  isPath,
  operands,
  plain,
  textOf,
  type IntrinsicExpr,
  type Rule,
  type Rules,
} from "./rule.js";

export const operatorRules: Rules = {
  "jinja.str": (sx, expr) => toText(sx, sx.rewrite(first(expr), SILENT)),
  "jinja.truth": truth,
  "jinja.text": rightText,
  "jinja.neg": negative,
  "jinja.add": add,
  "jinja.sub": (sx, expr) => ofIndexes(sx, expr, "-"),
  "jinja.mod": remainder,
  "jinja.slice": slice,
  "jinja.eq": equal,
  "jinja.lt": order("<"),
  "jinja.le": order("<="),
  "jinja.gt": order(">"),
  "jinja.ge": order(">="),
  "jinja.isIn": member,
  "jinja.list": list,
};

function first(expr: IntrinsicExpr): Expr {
  return expr.args[0] ?? build.UNDEFINED;
}

/** Python's str() of a value. */
export function toText(sx: ExpressionSpecializer, value: Typed): Typed {
  const { expr } = value;
  if (expr.op === "literal") {
    const text = literalText(expr.value);
    if (text !== null) return { expr: build.literal(text), kinds: Text };
  }
  if (sx.isText(value)) return value;
  if (expr.op === "choose") {
    const then = toText(sx, { expr: expr.then, kinds: sx.kindsOf(expr.then) });
    const otherwise = toText(sx, { expr: expr.otherwise, kinds: sx.kindsOf(expr.otherwise) });
    return { expr: build.choose(expr.test, then.expr, otherwise.expr), kinds: Text };
  }
  return { expr: build.intrinsic("jinja.str", [expr]), kinds: Text };
}

function literalText(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (value === undefined) return "";
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  const isIndex = typeof value === "number" && only(kindsOfLiteral(value), Index);
  return isIndex ? String(value) : null;
}

function truth(sx: ExpressionSpecializer, expr: IntrinsicExpr): Typed {
  const { expr: value, kinds } = sx.rewrite(first(expr), SILENT);
  return { expr: truthOf(sx, value, kinds), kinds: Bool };
}

/** Python's truth of a value, as a boolean expression. */
function truthOf(sx: ExpressionSpecializer, value: Expr, kinds: Kinds): Expr {
  if (value.op === "literal" && typeof value.value !== "bigint") {
    return build.literal(Boolean(value.value));
  }
  if (sx.fact(value)?.isTrue === true) return build.TRUE;
  if (only(kinds, Function)) {
    return decided(true, value, build.intrinsic("jinja.truth", [value])).expr;
  }
  if (only(kinds, Bool)) return value;
  if (only(kinds, Undefined | None)) {
    return decided(false, value, build.intrinsic("jinja.truth", [value])).expr;
  }
  if (only(kinds, Text)) return build.compare(value, "!==", build.literal(""));
  if (only(kinds, Index)) return build.compare(value, "!==", build.literal(0));
  if (value.op === "coalesce" && isNothing(value.otherwise)) {
    return build.intrinsic("jinja.truth", [value.value]);
  }
  if (value.op === "choose") {
    return build.choose(
      value.test,
      truthOf(sx, value.then, sx.kindsOf(value.then)),
      truthOf(sx, value.otherwise, sx.kindsOf(value.otherwise)),
    );
  }
  return build.intrinsic("jinja.truth", [value]);
}

function subjectOf(expr: Expr): Expr {
  return expr.op === "coalesce" ? expr.value : expr;
}

function isNothing(expr: Expr): boolean {
  return expr.op === "literal" && (expr.value === null || expr.value === undefined);
}

/** The right side of text + value; text itself needs no check. */
function rightText(sx: ExpressionSpecializer, expr: IntrinsicExpr): Typed {
  const value = sx.rewrite(first(expr), expr.place === null ? KEEPS : strictAt(expr.place));
  if (sx.isText(value) || expr.place === null) return value;
  return { expr: { ...expr, args: [withoutCheck(value.expr, expr.place)] }, kinds: Text };
}

function negative(sx: ExpressionSpecializer, expr: IntrinsicExpr): Typed {
  const integer = integerOf(expr);
  return integer === null ? plain(sx, expr) : { expr: build.literal(integer), kinds: Index };
}

/** Text + value, and sums of indexes. */
function add(sx: ExpressionSpecializer, expr: IntrinsicExpr): Typed {
  const [leftArg, rightArg] = expr.args;
  if (leftArg === undefined || rightArg === undefined || expr.place === null)
    return plain(sx, expr);
  const use = strictAt(expr.place);
  const [left, right] = operands(sx, [leftArg, rightArg], [use, use]);
  if (left === undefined || right === undefined) return plain(sx, expr);
  if (sx.isText(left)) {
    if (sx.isText(right)) return joined(left.expr, right.expr);
    if (isDeep(right.kinds) && !may(right.kinds, Markup)) {
      const value = withoutCheck(right.expr, expr.place);
      return joined(left.expr, build.intrinsic("jinja.text", [value], expr.place));
    }
    return { expr: { ...expr, args: [left.expr, right.expr] }, kinds: Text | Markup };
  }
  const isPlain = isDeep(left.kinds) && !may(left.kinds, Markup);
  if (isPlain && sx.isText(right) && isDroppable(right.expr)) {
    const value = withoutCheck(left.expr, expr.place);
    return joined(build.intrinsic("jinja.textBefore", [value], expr.place), right.expr);
  }
  return sumOrPlain(sx, expr, "+", left, right);
}

/** A rule that raises an Undefined itself needs no check before it at the same place. */
export function withoutCheck(expr: Expr, place: string): Expr {
  const isCheck = expr.op === "intrinsic" && expr.name === "jinja.strict" && expr.place === place;
  return (isCheck ? expr.args[0] : undefined) ?? expr;
}

function joined(left: Expr, right: Expr): Typed {
  const parts = [left, right].flatMap((part) => (part.op === "concat" ? part.parts : [part]));
  return { expr: build.concat(parts), kinds: Text };
}

function ofIndexes(sx: ExpressionSpecializer, expr: IntrinsicExpr, operator: "+" | "-"): Typed {
  const use = expr.place === null ? KEEPS : strictAt(expr.place);
  // A view of a dict takes an Undefined on the right of a minus for nothing.
  const [left, right] = operands(sx, expr.args, [use, operator === "-" ? KEEPS : use]);
  return left === undefined || right === undefined
    ? plain(sx, expr)
    : sumOrPlain(sx, expr, operator, left, right);
}

/** An index and a small literal cannot leave the integers that JavaScript keeps exact. */
function sumOrPlain(
  sx: ExpressionSpecializer,
  expr: IntrinsicExpr,
  operator: "+" | "-",
  left: Typed,
  right: Typed,
): Typed {
  const areIndexes = sx.isIndex(left) && sx.isIndex(right);
  const isExact =
    isSmall(left.expr) ||
    isSmall(right.expr) ||
    (isBounded(sx, left.expr) && isBounded(sx, right.expr));
  if (areIndexes && isExact) {
    return { expr: build.arithmetic(left.expr, operator, right.expr), kinds: Index };
  }
  return {
    expr: { ...expr, args: [left.expr, right.expr] },
    kinds: kindsOfSum(left.kinds, right.kinds),
  };
}

function isSmall(value: Expr): boolean {
  return value.op === "literal" && typeof value.value === "number" && Math.abs(value.value) < 1e6;
}

/** Lengths, indexes of loops, and sums of a few of them: far from where JavaScript's integers end. */
function isBounded(sx: ExpressionSpecializer, expr: Expr): boolean {
  switch (expr.op) {
    case "literal":
      return isSmall(expr);
    case "local":
      return sx.counters.has(expr.local);
    case "count":
      return true;
    case "intrinsic":
      return expr.name === "jinja.lengthFilter" || expr.name === "jinja.textLength";
    case "arithmetic":
      return (
        (expr.operator === "+" || expr.operator === "-") &&
        isBounded(sx, expr.left) &&
        isBounded(sx, expr.right)
      );
    default:
      return false;
  }
}

/** Sums of JSON data are numbers, texts or lists of JSON data. */
function kindsOfSum(left: Kinds, right: Kinds): Kinds {
  const integers = Bool | Index | Int;
  if (only(left, integers) && only(right, integers)) return Index | Int;
  const isPlain = isDeep(left) && isDeep(right) && !may(left | right, Markup);
  return isPlain ? Index | Int | Float | Text | List | Deep : Any;
}

/** A slice of a text or list of JSON data is one again. */
function slice(sx: ExpressionSpecializer, expr: IntrinsicExpr): Typed {
  if (expr.place === null) return plain(sx, expr);
  const [value, ...rest] = operands(sx, expr.args, [strictAt(expr.place)]);
  if (value === undefined) return plain(sx, expr);
  const sliced = intersect(value.kinds, Text | List);
  const isPlain = isDeep(value.kinds) && !may(value.kinds, Markup | Tuple | Range);
  return {
    expr: { ...expr, args: [value.expr, ...rest.map((bound) => bound.expr)] },
    kinds: isPlain && may(sliced, Text | List) ? sliced | Deep : Any,
  };
}

/** A loop's index modulo a small number: JavaScript's own remainder. */
function remainder(sx: ExpressionSpecializer, expr: IntrinsicExpr): Typed {
  const [left, right] = expr.args;
  const divisor = integerOf(right);
  if (left?.op === "local" && sx.counters.has(left.local) && divisor !== null && divisor > 0) {
    return {
      expr: build.arithmetic(left, "%", build.literal(divisor)),
      kinds: Index,
    };
  }
  return plain(sx, expr);
}

function equal(sx: ExpressionSpecializer, expr: IntrinsicExpr): Typed {
  const [left, right] = expr.args.map((arg) => sx.rewrite(arg, SILENT));
  if (left === undefined || right === undefined) return plain(sx, expr);
  const result =
    emptyEqual(sx, left, right) ??
    emptyEqual(sx, right, left) ??
    literalEqual(left, right) ??
    literalEqual(right, left);
  if (result !== null) return { expr: result, kinds: Bool };
  const areSame = [Text, Bool].some((kind) => only(left.kinds, kind) && only(right.kinds, kind));
  const areIndexes = only(left.kinds, Index) && only(right.kinds, Index);
  return {
    expr:
      areSame || areIndexes
        ? build.compare(left.expr, "===", right.expr)
        : build.intrinsic("jinja.eq", [left.expr, right.expr]),
    kinds: Bool,
  };
}

/** A text that is known not to be empty is not equal to the empty one. */
function emptyEqual(sx: ExpressionSpecializer, value: Typed, other: Typed): Expr | null {
  const isEmpty = other.expr.op === "literal" && other.expr.value === "";
  const isTrue = sx.fact(value.expr)?.isTrue === true && only(value.kinds, Text);
  return isEmpty && isTrue ? build.FALSE : null;
}

/** Equality with a literal that only one kind of value can be equal to. */
function literalEqual(value: Typed, other: Typed): Expr | null {
  if (other.expr.op !== "literal") return null;
  const wanted = other.expr.value;
  if (value.expr.op === "literal" && typeof wanted === typeof value.expr.value) {
    return build.literal(wanted === value.expr.value);
  }
  const isMaybe = value.expr.op === "coalesce" && isNothing(value.expr.otherwise);
  // Nothing is equal to no literal but itself: what stands in for it need not be asked.
  const asks =
    isMaybe && wanted !== null && wanted !== undefined ? subjectOf(value.expr) : value.expr;
  const asked = build.compare(asks, "===", other.expr);
  const isOther = isDroppable(value.expr) ? build.FALSE : null;
  if (typeof wanted === "string" && !may(value.kinds, Markup)) {
    return may(value.kinds, Text) ? asked : isOther;
  }
  if (wanted === null) {
    return may(value.kinds, None) ? asked : isOther;
  }
  if (typeof wanted === "number" && only(value.kinds, Index)) {
    return asked;
  }
  if (typeof wanted === "boolean" && !may(value.kinds, Index | Int | Float)) {
    return may(value.kinds, Bool) ? asked : isOther;
  }
  return null;
}

function order(operator: CompareOperator): Rule {
  return (sx, expr) => {
    const use: Use = expr.place === null ? KEEPS : strictAt(expr.place);
    const [left, right] = operands(sx, expr.args, [use, use]);
    if (left === undefined || right === undefined) return plain(sx, expr);
    const areIndexes = sx.isIndex(left) && sx.isIndex(right);
    return {
      expr: areIndexes
        ? build.compare(left.expr, operator, right.expr)
        : { ...expr, args: [left.expr, right.expr] },
      kinds: Bool,
    };
  };
}

/** `needle in container`. */
function member(sx: ExpressionSpecializer, expr: IntrinsicExpr): Typed {
  const [needleArg, containerArg] = expr.args;
  if (needleArg === undefined || containerArg === undefined || expr.place === null) {
    return plain(sx, expr);
  }
  const needle = sx.rewrite(needleArg, SILENT);
  const container = sx.rewrite(containerArg, SILENT);
  const kinds = Bool;
  // JavaScript evaluates the container first: of two that can fail, Python's left one has to.
  const isOrderFree = isDroppable(needle.expr) || isDroppable(container.expr);
  if (isOrderFree && sx.isText(needle) && sx.isText(container)) {
    return {
      expr: { op: "method", object: container.expr, name: "includes", args: [needle.expr] },
      kinds,
    };
  }
  const options = literalTexts(container.expr);
  if (options !== null && !may(needle.kinds, Markup) && isPath(needle.expr)) {
    const [head, ...rest] = options;
    const is = (text: string): Expr => build.compare(needle.expr, "===", build.literal(text));
    return { expr: rest.reduce<Expr>((a, b) => build.or(a, is(b)), is(head)), kinds };
  }
  if (textOf(needle.expr) !== null) {
    return {
      expr: build.intrinsic("jinja.has", [container.expr, needle.expr], expr.place),
      kinds,
    };
  }
  return { expr: { ...expr, args: [needle.expr, container.expr] }, kinds };
}

/** A short literal list or tuple of texts. */
function literalTexts(expr: Expr): [string, ...string[]] | null {
  const items = expr.op === "intrinsic" && expr.name === "jinja.tuple" ? expr.args[0] : expr;
  if (items?.op !== "list" || items.items.length > 4) return null;
  const [head, ...rest] = items.items.map((item) => textOf(item));
  if (head === undefined || head === null) return null;
  const texts = rest.filter((text) => text !== null);
  return texts.length === rest.length ? [head, ...texts] : null;
}

function list(sx: ExpressionSpecializer, expr: IntrinsicExpr): Typed {
  const fused = fusedList(sx, first(expr));
  if (fused !== null) return fused;
  const value = sx.rewrite(first(expr), SILENT);
  if (sx.isList(value)) return value;
  const kinds = isDeep(value.kinds) ? List | Deep : List;
  return { expr: { ...expr, args: [value.expr] }, kinds };
}
