/** Calls: methods of text and dicts by their own functions, macros directly. */
import * as build from "../../ir/build.js";
import { isDroppable } from "../../ir/effects.js";
import { isPlainName } from "../../ir/plain-names.js";
import type { IntrinsicName } from "../../ir/intrinsics.js";
import {
  Any,
  Deep,
  Dict,
  Field,
  Function,
  Hinted,
  isDeep,
  List,
  may,
  only,
  Text,
  Undefined,
  without,
  type Kinds,
} from "../../ir/kinds.js";
import type { Expr, FunctionDef, FunctionName, MethodCall } from "../../ir/nodes.js";
import { KEEPS, SILENT, strictAt, type Typed, type Use } from "./use.js";
import type { ExpressionSpecializer } from "./expressions.js";
import { pathOf } from "./facts.js";
import { receiver } from "./jinja-lookup.js";
import { isPath, plain, textOf, type IntrinsicExpr, type Rules } from "./rule.js";

export const callRules: Rules = {
  "jinja.callMethod": method,
  "jinja.call": call,
  "jinja.macro": macroValue,
};

/** Methods of str that take nothing, or one text. */
const TEXT_METHODS: Readonly<
  Record<string, { readonly none?: IntrinsicName; readonly one?: IntrinsicName }>
> = {
  strip: { none: "jinja.strip", one: "jinja.stripChars" },
  lstrip: { none: "jinja.lstrip", one: "jinja.lstripChars" },
  rstrip: { none: "jinja.rstrip", one: "jinja.rstripChars" },
  upper: { none: "jinja.upper" },
  lower: { none: "jinja.lower" },
};

const SCRIPT_METHODS: Readonly<Record<string, MethodCall["name"]>> = {
  startswith: "startsWith",
  endswith: "endsWith",
};

function method(sx: ExpressionSpecializer, expr: IntrinsicExpr, use: Use): Typed {
  const [owner, nameArg, args, named] = expr.args;
  const name = textOf(nameArg);
  if (owner === undefined || name === null || args?.op !== "list" || expr.place === null) {
    return plain(sx, expr);
  }
  // Names that start with "_" raise nothing on an Undefined: the call itself decides.
  const object = sx.rewrite(owner, name.startsWith("_") ? KEEPS : strictAt(expr.place));
  const hasNames = named?.op !== "literal";
  // Python looks the method up, evaluates the arguments and then calls: they must not fail first.
  const subject =
    hasNames || !(sx.isText(object) || args.items.every(isDroppable))
      ? null
      : receiver(sx, object, name, expr.place);
  const known = subject === null ? null : textMethod(sx, subject.expr, name, args.items);
  if (known !== null) return known;
  const field = hasNames || name !== "get" ? null : fieldOr(sx, object, args.items, expr.place);
  if (field !== null) return field;
  const keptArgs = sx.rewrite(args, KEEPS).expr;
  const keptNames = sx.rewrite(named ?? build.NULL, KEEPS).expr;
  const kept = { ...expr, args: [object.expr, build.literal(name), keptArgs, keptNames] };
  return strictResult(sx, { expr: kept, kinds: methodKinds(object.kinds, name) }, use);
}

/** `x.items()` of JSON data, where it is only gone through: its pairs, whose values are JSON data. */
export function itemsOf(sx: ExpressionSpecializer, expr: Expr): Typed | null {
  if (expr.op === "intrinsic" && expr.name === "jinja.itemsFilter") return itemPairs(sx, expr);
  if (expr.op !== "intrinsic" || expr.name !== "jinja.callMethod" || expr.place === null)
    return null;
  const [owner, name, args, named] = expr.args;
  const isPlain = args?.op === "list" && args.items.length === 0 && named?.op === "literal";
  if (owner === undefined || textOf(name) !== "items" || !isPlain) return null;
  const object = sx.rewrite(owner, strictAt(expr.place));
  if (!isDeep(object.kinds) || may(object.kinds, Undefined | Hinted)) return null;
  return {
    expr: build.intrinsic("jinja.items", [object.expr], expr.place),
    kinds: List | Deep,
  };
}

/** `d.get("name")` and `d.get("name", otherwise)` of JSON data: a plain read, if d is a dict. */
function fieldOr(
  sx: ExpressionSpecializer,
  object: Typed,
  [key, otherwise, ...more]: readonly Expr[],
  place: string,
): Typed | null {
  const name = textOf(key);
  const isPlain = isDeep(object.kinds) && !may(object.kinds, Undefined | Hinted);
  if (!isPlain || name === null || !isPlainName(name) || more.length > 0) return null;
  const isKnown = only(object.kinds, Dict);
  const owner = isKnown
    ? object.expr
    : build.intrinsic("jinja.dictFor", [object.expr, build.literal("get")], place);
  const isOptional = isKnown && sx.fact(object.expr)?.isNarrowed !== true;
  const read = build.read(owner, name, isOptional);
  const kinds = without(Field, Undefined);
  if (otherwise === undefined) {
    return { expr: { op: "coalesce", value: read, otherwise: build.NULL }, kinds };
  }
  if (!isPath(object.expr) || otherwise.op !== "literal") return null;
  const isAbsent = build.compare(read, "===", build.UNDEFINED);
  const again = build.read(object.expr, name, sx.fact(object.expr)?.isNarrowed !== true);
  return { expr: build.choose(isAbsent, otherwise, again), kinds };
}

/** `x|items` of JSON data. */
function itemPairs(sx: ExpressionSpecializer, expr: IntrinsicExpr): Typed | null {
  const [arg] = expr.args;
  if (arg === undefined || expr.place === null) return null;
  const object = sx.rewrite(arg, SILENT);
  if (!isDeep(object.kinds)) return null;
  return {
    expr: build.intrinsic("jinja.itemPairs", [object.expr], expr.place),
    kinds: List | Deep,
  };
}

function textMethod(
  sx: ExpressionSpecializer,
  object: Expr,
  name: string,
  items: readonly Expr[],
): Typed | null {
  const known = Object.hasOwn(TEXT_METHODS, name) ? TEXT_METHODS[name] : undefined;
  if (items.length === 0) {
    return known?.none === undefined
      ? null
      : { expr: build.intrinsic(known.none, [object]), kinds: Text };
  }
  const [arg] = items;
  if (arg === undefined || items.length > 1) return null;
  const value = sx.rewrite(arg, SILENT);
  if (!sx.isText(value)) return null;
  if (known?.one !== undefined) {
    return { expr: build.intrinsic(known.one, [object, value.expr]), kinds: Text };
  }
  const script = Object.hasOwn(SCRIPT_METHODS, name) ? SCRIPT_METHODS[name] : undefined;
  if (script !== undefined) {
    return { expr: { op: "method", object, name: script, args: [value.expr] }, kinds: 1 << 2 };
  }
  if (name === "split" && (textOf(value.expr) ?? "") !== "") {
    return {
      expr: build.intrinsic("jinja.splitText", [object, value.expr]),
      kinds: List | Deep,
    };
  }
  return null;
}

const GIVES_TEXT: ReadonlySet<string> = new Set([
  "strip",
  "lstrip",
  "rstrip",
  "upper",
  "lower",
  "title",
  "capitalize",
  "replace",
  "removeprefix",
  "removesuffix",
]);

/** A text's method gives text; a field of that name would have to be callable. */
function methodKinds(object: Kinds, name: string): Kinds {
  return GIVES_TEXT.has(name) && isDeep(object) ? Text : Any;
}

function strictResult(sx: ExpressionSpecializer, value: Typed, use: Use): Typed {
  return use.mode === "strict" && may(value.kinds, Undefined | Hinted)
    ? sx.strict(value.expr, value.kinds, use.place)
    : value;
}

/** A call of a value that is known to be a macro is a call of its function. */
function call(sx: ExpressionSpecializer, expr: IntrinsicExpr, use: Use): Typed {
  const [callee, args, named] = expr.args;
  if (callee === undefined || expr.place === null) return plain(sx, expr);
  const path = pathOf(callee);
  const macro = path === null ? undefined : sx.facts.get(path)?.macro;
  const fn = macro === undefined ? undefined : sx.round.functions.get(macro.id);
  if (fn !== undefined && args?.op === "list" && named !== undefined) {
    const direct = directCall(sx, fn, args.items, named);
    if (direct !== null) return direct;
  }
  const given = [args ?? build.NULL, named ?? build.NULL];
  // Python evaluates the arguments before it calls: their errors come first.
  const isLast = given.every(isDroppable);
  const value = sx.rewrite(callee, isLast ? strictAt(expr.place) : KEEPS);
  const rest = given.map((arg) => sx.rewrite(arg, KEEPS).expr);
  const kept = { ...expr, args: [value.expr, ...rest] };
  return strictResult(sx, { expr: kept, kinds: Any }, use);
}

/** Binds the arguments as Python does; null where Python's own binding must be asked. */
function directCall(
  sx: ExpressionSpecializer,
  fn: FunctionDef,
  positional: readonly Expr[],
  named: Expr,
): Typed | null {
  const parameters = sx.round.parameters.get(fn.name.id);
  const fields = named.op === "record" ? named.fields : [];
  const isPlain =
    parameters?.special === 0 &&
    (named.op === "record" || named.op === "literal") &&
    positional.length <= parameters.names.length &&
    // The method that calls a macro has a parameter of that name itself.
    fields.every(({ name }) => name !== "self") &&
    positional.every((arg) => arg.op !== "spread");
  if (!isPlain) return null;
  const free = parameters.names.slice(positional.length);
  const inOrder = fields.map(({ name }) => free.indexOf(name));
  if (inOrder.some((at, i) => at < 0 || at <= (inOrder[i - 1] ?? -1))) return null;
  const given: (Expr | null)[] = [
    ...positional,
    ...free.map((name) => fields.find((field) => field.name === name)?.value ?? null),
  ];
  return sx.rewrite({ op: "call", callee: fn.name, args: given }, SILENT);
}

/** A macro as a value: where the local that gets it is called directly, the value is never needed. */
function macroValue(sx: ExpressionSpecializer, expr: IntrinsicExpr): Typed {
  const fn = macroOf(expr);
  if (fn !== null) sx.round.escape(fn);
  return { expr, kinds: Function };
}

/** The function that a macro value stands for. */
export function macroOf(expr: Expr): FunctionName | null {
  if (expr.op !== "intrinsic" || expr.name !== "jinja.macro") return null;
  const fn = expr.args[3];
  return fn?.op === "function" ? fn.callee : null;
}
