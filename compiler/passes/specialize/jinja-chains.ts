/**
 * `x|selectattr("role", "equalto", "user")|list` of JSON data as a filter of JavaScript's own. Asking one field of
 * each item for a text, or whether it is there, cannot fail: nobody can tell that it no longer happens step by step.
 */
import * as build from "../../ir/build.js";
import { Deep, isDeep, Json, List } from "../../ir/kinds.js";
import type { Expr, Local } from "../../ir/nodes.js";
import { isPlainName } from "../../ir/plain-names.js";
import type { ExpressionSpecializer } from "./expressions.js";
import { textOf } from "./rule.js";
import { SILENT, type Typed } from "./use.js";

type Chain = Extract<Expr, { op: "chain" }>;

/** The list that the filters of a chain leave, or null where they must be asked one by one. */
export function fusedList(sx: ExpressionSpecializer, expr: Expr): Typed | null {
  if (expr.op !== "intrinsic" || expr.name !== "jinja.callFilter") return null;
  const [name, value, args, named] = expr.args;
  const filter = textOf(name);
  const isChain = filter === "selectattr" || filter === "rejectattr";
  const hasNames = named?.op !== "literal";
  if (!isChain || hasNames || value === undefined || args?.op !== "list") return null;
  const item = sx.round.items.of(expr);
  const test = testOf(item, args.items);
  const source = test === null ? null : sourceOf(sx, value, expr.place);
  if (test === null || source === null) return null;
  const body = filter === "selectattr" ? test : build.not(test);
  return rewriteChain(sx, { op: "chain", mode: "filter", source, item, body });
}

/** The items that the filter goes through, as a list. */
function sourceOf(sx: ExpressionSpecializer, value: Expr, place: string | null): Expr | null {
  const inner = fusedList(sx, value);
  if (inner !== null) return inner.expr;
  const list = sx.rewrite(value, SILENT);
  return isDeep(list.kinds) && place !== null
    ? build.intrinsic("jinja.selectable", [list.expr], place)
    : null;
}

/** What the filter asks of an item: a plain field, compared with a text or asked whether it is there. */
function testOf(item: Local, [field, test, wanted]: readonly Expr[]): Expr | null {
  const name = textOf(field);
  if (name === null || !isPlainName(name) || /[^A-Za-z_]/.test(name)) return null;
  const read = build.read(build.ref(item), name, true);
  switch (textOf(test)) {
    case "==":
    case "eq":
    case "equalto":
      return textOf(wanted) === null || wanted === undefined
        ? null
        : build.compare(read, "===", wanted);
    case "defined":
      return wanted === undefined ? build.compare(read, "!==", build.UNDEFINED) : null;
    case "undefined":
      return wanted === undefined ? build.compare(read, "===", build.UNDEFINED) : null;
    default:
      return null;
  }
}

/** A filter of a list; its item is JSON data where the list is. */
export function rewriteChain(sx: ExpressionSpecializer, expr: Chain): Typed {
  const source = sx.rewrite(expr.source, SILENT);
  sx.round.assign(expr.item, Json);
  const body = sx.within(() => sx.test(expr.body).expr);
  return { expr: { ...expr, source: source.expr, body }, kinds: List | Deep };
}
