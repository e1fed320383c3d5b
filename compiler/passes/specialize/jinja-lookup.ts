/** Names, attributes and items. */
import * as build from "../../ir/build.js";
import {
  Any,
  Deep,
  Field,
  Function,
  Generator,
  Hinted,
  Index,
  isDeep,
  Loop,
  Markup,
  may,
  only,
  Range,
  Text,
  Tuple,
  Undefined,
  View,
  without,
  type Kinds,
} from "../../ir/kinds.js";
import type { Expr } from "../../ir/nodes.js";
import { isPlainName } from "../../ir/plain-names.js";
import { elementKinds, kindsOfField } from "./value-kinds.js";
import { KEEPS, strictAt, type Typed, type Use } from "./use.js";
import type { ExpressionSpecializer } from "./expressions.js";
import { withoutCheck } from "./jinja-operators.js";
import type { Fact } from "./fact.js";
import { pathOf } from "./facts.js";
import {
  integerOf,
  isPath,
  operands,
  plain,
  textOf,
  type IntrinsicExpr,
  type Rules,
} from "./rule.js";

/** A field or item of JSON data that may be absent, by the rule that gives its message. */
const HINTED_FIELD: Kinds = without(Field, Undefined) | Hinted;

/** What has attributes of its own that no JavaScript object of its class has. */
const WITH_ATTRIBUTES: Kinds = Function | Loop | Markup | Generator | View | Range | Tuple;

export const lookupRules: Rules = {
  "jinja.named": (sx, expr, use) => named(sx, expr, use, "jinja.missingName"),
  "jinja.unset": (sx, expr, use) => named(sx, expr, use, null),
  "jinja.attr": lookup,
  "jinja.item": item,
  "jinja.noElse": undefinedValue,
  "jinja.noItem": undefinedValue,
  "jinja.unprovided": undefinedValue,
  "jinja.asNamespace": (sx, expr) => plain(sx, expr),
  "jinja.strict": (sx, expr) => strictArgument(sx, expr),
};

/** Nothing to raise where the value cannot be an Undefined. */
function strictArgument(sx: ExpressionSpecializer, expr: IntrinsicExpr): Typed {
  const [arg] = expr.args;
  if (arg === undefined || expr.place === null) return plain(sx, expr);
  const value = sx.rewrite(arg, strictAt(expr.place));
  return may(value.kinds, Undefined | Hinted)
    ? sx.strict(value.expr, value.kinds, expr.place)
    : value;
}

/** A variable that may not be set; its own name is in the message. */
function named(
  sx: ExpressionSpecializer,
  expr: IntrinsicExpr,
  use: Use,
  missing: "jinja.missingName" | null,
): Typed {
  const [variable, name] = expr.args;
  if (variable === undefined || name === undefined) return plain(sx, expr);
  if (variable.op === "intrinsic") {
    const given = sx.rewrite(variable, KEEPS);
    return withUse(sx, given.expr, given.kinds, use, expr, missing);
  }
  const kinds = sx.kinds(variable);
  const local = variable.op === "local" ? variable.local : null;
  if (local !== null && may(kinds, Function)) sx.round.escapeMacrosOf(local);
  if (local === null || use.mode === "silent" || !may(kinds, Undefined | Hinted)) {
    return local === null
      ? withUse(sx, variable, kinds, use, expr, missing)
      : sx.useOfLocal(local, variable, kinds, use);
  }
  sx.round.demandHint(local, kinds);
  return withUse(sx, variable, kinds, use, expr, missing);
}

function withUse(
  sx: ExpressionSpecializer,
  variable: Expr,
  kinds: Kinds,
  use: Use,
  expr: IntrinsicExpr,
  missing: "jinja.missingName" | null,
): Typed {
  if (use.mode === "silent" || !may(kinds, Undefined | Hinted)) return { expr: variable, kinds };
  const hinted: Typed = may(kinds, Undefined)
    ? {
        expr: { ...expr, args: [variable, ...expr.args.slice(1)] },
        kinds: without(kinds, Undefined) | Hinted,
      }
    : { expr: variable, kinds };
  if (use.mode === "keeps") return hinted;
  if (may(kinds, Hinted) || missing === null) return sx.strict(hinted.expr, kinds, use.place);
  const name = expr.args[1] ?? build.UNDEFINED;
  return {
    expr: {
      op: "coalesce",
      value: variable,
      otherwise: build.intrinsic(missing, [variable, name], use.place),
    },
    kinds: without(kinds, Undefined),
  };
}

function item(sx: ExpressionSpecializer, expr: IntrinsicExpr, use: Use): Typed {
  if (textOf(expr.args[1]) !== null) return lookup(sx, expr, use);
  return indexed(sx, expr, use);
}

/** `o.name` and `o['name']`: for names that no prototype and no Python type has, a plain property read. */
function lookup(sx: ExpressionSpecializer, expr: IntrinsicExpr, use: Use): Typed {
  const name = textOf(expr.args[1]);
  const [owner] = expr.args;
  if (name === null || owner === undefined || expr.place === null) return plain(sx, expr);
  if (!isPlainName(name)) {
    // Names that start with "_" raise nothing on an Undefined: the rule itself decides.
    const args = [sx.rewrite(owner, KEEPS).expr, build.literal(name)];
    return strictly(sx, { expr: { ...expr, args }, kinds: Any }, use);
  }
  const object = sx.rewrite(owner, strictAt(expr.place));
  if (may(object.kinds, WITH_ATTRIBUTES | Undefined | Hinted)) {
    const args = [object.expr, build.literal(name)];
    return strictly(sx, { expr: { ...expr, args }, kinds: Any }, use);
  }
  const isOptional = sx.fact(object.expr)?.isNarrowed !== true;
  const read = build.read(object.expr, name, isOptional);
  return absentAs(sx, read, object, build.literal(name), use, expr.place);
}

/** An intrinsic whose result may be an Undefined with its message. */
function strictly(sx: ExpressionSpecializer, value: Typed, use: Use): Typed {
  return use.mode === "strict" && may(value.kinds, Undefined | Hinted)
    ? sx.strict(value.expr, value.kinds, use.place)
    : value;
}

/** A read that may find nothing: what the surroundings need of the Undefined. */
function absentAs(
  sx: ExpressionSpecializer,
  read: Expr,
  owner: Typed,
  key: Expr,
  use: Use,
  place: string,
): Typed {
  const known = sx.fact(read);
  const kinds =
    known?.kinds ?? (read.op === "at" ? elementKinds(owner.kinds) : kindsOfField(owner.kinds));
  if (known?.literal !== undefined && !sx.round.keepsOrigin) {
    return { expr: build.literal(known.literal), kinds };
  }
  if (use.mode === "silent" || !may(kinds, Undefined)) {
    return may(kinds, Hinted) && use.mode === "strict"
      ? sx.strict(read, kinds, use.place)
      : { expr: seen(read, known), kinds };
  }
  if (!isPath(owner.expr)) return throughIntrinsic(sx, owner, key, use, place);
  const isStrict = use.mode === "strict";
  const otherwise = isStrict
    ? build.intrinsic("jinja.missing", [owner.expr, key], use.place)
    : build.intrinsic("jinja.absent", [owner.expr, key]);
  const defined = without(kinds, Undefined);
  const result: Typed = {
    expr: { op: "coalesce", value: read, otherwise },
    kinds: isStrict ? defined : defined | Hinted,
  };
  return may(kinds, Hinted) && isStrict ? sx.strict(result.expr, kinds, use.place) : result;
}

/** Notes on the read what TypeScript knows of it there. */
function seen(read: Expr, known: Fact | undefined): Expr {
  return read.op === "read" && known?.isNarrowed === true ? { ...read, kinds: known.kinds } : read;
}

/** The owner of a field would be evaluated twice: the general rule does the lookup. A list with an index is a path. */
function throughIntrinsic(
  sx: ExpressionSpecializer,
  owner: Typed,
  key: Expr,
  use: Use,
  place: string,
): Typed {
  const where = use.mode === "strict" ? use.place : place;
  const found = build.intrinsic("jinja.attr", [owner.expr, key], where);
  // A plain name is a field of a dict or nothing: what is absent is an Undefined with its message.
  const kinds = isDeep(owner.kinds) ? HINTED_FIELD : Any;
  return strictly(sx, { expr: found, kinds }, use);
}

/** `o[key]` for a key that is no literal text. */
function indexed(sx: ExpressionSpecializer, expr: IntrinsicExpr, use: Use): Typed {
  const [owner, key] = expr.args;
  if (owner === undefined || key === undefined || expr.place === null) return plain(sx, expr);
  const ends = endsOfSplit(sx, owner, key);
  if (ends !== null) return ends;
  const [object, index] = operands(sx, [owner, key], [strictAt(expr.place), KEEPS]);
  if (object === undefined || index === undefined) return plain(sx, expr);
  const list = sx.isList(object) ? object.expr : listBehind(sx, owner);
  const position = integerOf(key);
  if (list !== null && isPath(list) && isIndexInside(sx, index, position)) {
    const isInside = position === null && isBefore(index.expr);
    if (isInside)
      return {
        expr: build.at(list, index.expr),
        kinds: without(elementKinds(object.kinds), Undefined),
      };
    const at =
      position !== null && position < 0
        ? build.arithmetic(build.count(list), "-", build.literal(-position))
        : index.expr;
    return absentAs(
      sx,
      build.at(list, at),
      { expr: list, kinds: object.kinds },
      keyOf(position, at),
      use,
      expr.place,
    );
  }
  const kept = { ...expr, args: [object.expr, index.expr] };
  return strictly(sx, { expr: kept, kinds: itemKinds(object.kinds, index.kinds) }, use);
}

/** By an integer, JSON data gives JSON data or an Undefined that knows why; by a text it may give a method. */
function itemKinds(object: Kinds, key: Kinds): Kinds {
  return isDeep(object) && only(key, Index) ? HINTED_FIELD : Any;
}

function keyOf(position: number | null, at: Expr): Expr {
  return position === null ? at : build.literal(position);
}

/** A JavaScript index means the same as Python's where it is not negative. */
function isIndexInside(sx: ExpressionSpecializer, index: Typed, position: number | null): boolean {
  if (position !== null || isCounter(sx, index.expr)) return true;
  const { expr } = index;
  return (
    expr.op === "arithmetic" &&
    isCounter(sx, expr.left) &&
    expr.right.op === "literal" &&
    (expr.operator === "+" ||
      (expr.operator === "-" && expr.right.value === 1 && sx.fact(expr.left)?.isTrue === true))
  );
}

/** The item before a loop's own is inside its list. */
function isBefore(index: Expr): boolean {
  return index.op === "arithmetic" && index.operator === "-";
}

/** The index local of a loop is never negative. */
function isCounter(sx: ExpressionSpecializer, expr: Expr): boolean {
  return expr.op === "local" && sx.counters.has(expr.local);
}

/** The local that holds the list of this path, where a loop made one. */
function listBehind(sx: ExpressionSpecializer, owner: Expr): Expr | null {
  const path = pathOf(owner);
  return path === null ? null : sx.listOf(path);
}

/** `text.split(mark)[0]` and `[-1]`: no list is made. */
function endsOfSplit(sx: ExpressionSpecializer, owner: Expr, key: Expr): Typed | null {
  const position = integerOf(key);
  if (owner.op !== "intrinsic" || owner.name !== "jinja.callMethod") return null;
  if ((position !== 0 && position !== -1) || textOf(owner.args[1]) !== "split") return null;
  const [text, , args, named] = owner.args;
  if (text === undefined || args?.op !== "list" || args.items.length !== 1) return null;
  const mark = args.items[0];
  const isPlain = named?.op === "literal" && mark !== undefined && (textOf(mark) ?? "") !== "";
  if (!isPlain || owner.place === null) return null;
  const subject = receiver(sx, sx.rewrite(text, strictAt(owner.place)), "split", owner.place);
  if (subject === null) return null;
  const name = position === 0 ? "jinja.before" : "jinja.afterLast";
  return { expr: build.intrinsic(name, [subject.expr, mark]), kinds: Text };
}

/** Methods that text has and no other JSON data. */
const TEXT_ONLY: ReadonlySet<string> = new Set([
  "endswith",
  "lower",
  "lstrip",
  "replace",
  "rstrip",
  "split",
  "startswith",
  "strip",
  "title",
  "upper",
]);

/** The text that a method is called on; of JSON data nothing else has the methods of text. */
export function receiver(
  sx: ExpressionSpecializer,
  object: Typed,
  method: string,
  place: string,
): Typed | null {
  if (sx.isText(object)) return object;
  const isPlain = isDeep(object.kinds) && !may(object.kinds, Markup | Undefined | Hinted);
  if (!isPlain || !TEXT_ONLY.has(method)) return null;
  const args = [withoutCheck(object.expr, place), build.literal(method)];
  return { expr: build.intrinsic("jinja.textFor", args, place), kinds: Text };
}

/** An Undefined with a message of its own. */
function undefinedValue(_sx: ExpressionSpecializer, expr: IntrinsicExpr, use: Use): Typed {
  if (use.mode === "silent") return { expr: build.UNDEFINED, kinds: Undefined };
  if (use.mode === "keeps") return { expr, kinds: Hinted };
  return { expr: build.intrinsic("jinja.strict", [expr], use.place), kinds: Deep };
}
