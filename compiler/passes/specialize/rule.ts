/** What a rule of an intrinsic is, and what rules have in common. */
import * as build from "../../ir/build.js";
import { isDroppable } from "../../ir/effects.js";
import { intrinsics, type IntrinsicName } from "../../ir/intrinsics.js";
import { Bool, Deep, Hinted, isDeep, List, may, Undefined } from "../../ir/kinds.js";
import type { Expr } from "../../ir/nodes.js";
import { ExpressionSpecializer } from "./expressions.js";
import { KEEPS, SILENT, strictAt, type Typed, type Use } from "./use.js";

export type IntrinsicExpr = Extract<Expr, { op: "intrinsic" }>;

/** Rewrites one intrinsic; its arguments are not rewritten yet. */
export type Rule = (sx: ExpressionSpecializer, expr: IntrinsicExpr, use: Use) => Typed;

export type Rules = Partial<Record<IntrinsicName, Rule>>;

/** The call as it is, its arguments rewritten as the table says. */
export function plain(sx: ExpressionSpecializer, expr: IntrinsicExpr): Typed {
  const args = typedArguments(sx, expr);
  return {
    expr: { ...expr, args: args.map((arg) => arg.expr) },
    kinds: kindsOfCall(expr.name, args),
  };
}

/** Lists made of JSON data are JSON data. */
function kindsOfCall(name: IntrinsicName, args: readonly Typed[]): number {
  const { gives } = intrinsics[name];
  const [first] = args;
  const keepsDeep = gives === List && first !== undefined && isDeep(first.kinds);
  return keepsDeep ? gives | Deep : gives;
}

function typedArguments(sx: ExpressionSpecializer, expr: IntrinsicExpr): Typed[] {
  const { undefinedUse } = intrinsics[expr.name];
  const uses = expr.args.map((_, i): Use => {
    const how = undefinedUse[i] ?? undefinedUse.at(-1) ?? "keeps";
    if (how === "silent") return SILENT;
    return how === "keeps" || expr.place === null ? KEEPS : strictAt(expr.place);
  });
  // A method is looked up before its arguments are evaluated.
  return expr.name === "jinja.callMethod"
    ? expr.args.map((arg, i) => sx.rewrite(arg, uses[i] ?? KEEPS))
    : operands(sx, expr.args, uses);
}

/**
 * Python evaluates all operands before the operation asks what they are: an operand is checked by itself only where
 * nothing that follows can fail, and only after those before it.
 */
export function operands(
  sx: ExpressionSpecializer,
  args: readonly Expr[],
  uses: readonly Use[],
): Typed[] {
  const values: Typed[] = [];
  let isChecked = true;
  args.forEach((arg, i) => {
    const use = uses[i] ?? KEEPS;
    const canCheck = isChecked && args.slice(i + 1).every((next) => cannotFail(sx, next));
    const value = sx.rewrite(arg, use.mode === "strict" && !canCheck ? KEEPS : use);
    // A filter's value is not checked by itself either.
    if (use.mode === "strict" && may(value.kinds, Undefined | Hinted)) {
      isChecked = false;
    }
    values.push(value);
  });
  return values;
}

/** Whether evaluating the operand raises nothing, an Undefined in it aside. */
function cannotFail(sx: ExpressionSpecializer, arg: Expr): boolean {
  if (isDroppable(arg)) return true;
  if (arg.op === "intrinsic" && !LOOKUPS.has(arg.name)) return false;
  return isDroppable(sx.rewrite(arg, KEEPS).expr);
}

const LOOKUPS: ReadonlySet<IntrinsicName> = new Set(["jinja.attr", "jinja.item"]);

export function textOf(expr: Expr | undefined): string | null {
  return expr?.op === "literal" && typeof expr.value === "string" ? expr.value : null;
}

/** An integer literal, also a negated one. */
export function integerOf(expr: Expr | undefined): number | null {
  if (expr?.op === "literal" && typeof expr.value === "number") {
    return Number.isSafeInteger(expr.value) ? expr.value : null;
  }
  if (expr?.op === "intrinsic" && expr.name === "jinja.neg") {
    const positive = integerOf(expr.args[0]);
    return positive === null || positive === 0 ? null : -positive;
  }
  return null;
}

/** What the kinds of the value tell already; where evaluating it can fail, the test that does so stays. */
export function decided(answer: boolean, value: Expr, test: Expr): Typed {
  return { expr: isDroppable(value) ? build.literal(answer) : test, kinds: Bool };
}

/** Whether evaluating the expression again costs nothing and changes nothing. */
export function isPath(expr: Expr): boolean {
  return (
    expr.op === "local" ||
    expr.op === "input" ||
    expr.op === "literal" ||
    (expr.op === "read" && isPath(expr.object)) ||
    (expr.op === "at" && isPath(expr.list) && isIndexPath(expr.index))
  );
}

function isIndexPath(expr: Expr): boolean {
  return isPath(expr) || (expr.op === "arithmetic" && isPath(expr.left) && isPath(expr.right));
}
