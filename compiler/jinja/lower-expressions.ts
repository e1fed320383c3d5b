/** Lowering of Jinja's expressions: every rule of Python and Jinja2 becomes a named intrinsic. */
import * as build from "../ir/build.js";
import { Any } from "../ir/kinds.js";
import type { IntrinsicName } from "../ir/intrinsics.js";
import type { Expr } from "../ir/nodes.js";
import type * as ast from "./ast.js";
import { GLOBALS } from "./builtins.js";
import { found } from "./cells.js";
import { isFolded } from "./constant-truth.js";
import { constantValue } from "./constant-value.js";
import { isConstant, leavesUndefined, mayReadOtherwise } from "./constants.js";
import type { Context, Frame } from "./context.js";
import { globalOf } from "./inputs.js";
import { lowerCall } from "./lower-calls.js";
import { lowerFilter, lowerTest } from "./lower-filters.js";
import { lowerLoopAttribute } from "./lower-loops.js";

const OPERATORS: Readonly<Record<ast.Binary["op"], IntrinsicName>> = {
  "+": "jinja.add",
  "-": "jinja.sub",
  "*": "jinja.mul",
  "/": "jinja.div",
  "//": "jinja.floordiv",
  "%": "jinja.mod",
  "**": "jinja.pow",
};

/**
 * The value of an expression. Jinja2 writes the floats that it has folded into its Python code as `inf` and `nan`:
 * names that do not exist.
 */
export function lowerValue(cx: Context, frame: Frame, node: ast.Expr): Expr {
  if (cx.folding || !isEvaluatedEarly(node, frame)) {
    const value = lowerNode(cx, frame, node, cx.folding);
    return !cx.folding && isInfinite(node) ? finite(cx, node, value) : value;
  }
  cx.folding = true;
  const value = lowerNode(cx, frame, node, false);
  cx.folding = false;
  return mayReadOtherwise(node) ? finite(cx, node, value) : value;
}

/** Whether the generated code holds the value itself. */
function isEvaluatedEarly(node: ast.Expr, frame: Frame): boolean {
  const isTried = isFolded(node) && frame.escape !== "ask";
  return isTried && isConstant(node, frame) && !leavesUndefined(node);
}

function finite(cx: Context, node: ast.Expr, value: Expr): Expr {
  return build.intrinsic("jinja.finite", [value], cx.place(node));
}

function isInfinite(node: ast.Expr): boolean {
  return node.type === "Literal" && node.float && !Number.isFinite(Number(node.value));
}

/** `isInside`: Jinja2 has folded what the expression is a part of. */
function lowerNode(cx: Context, frame: Frame, node: ast.Expr, isInside: boolean): Expr {
  switch (node.type) {
    case "Name":
      return lowerName(cx, frame, node);
    case "Literal":
      return node.float
        ? build.intrinsic("jinja.float", [build.literal(node.value)])
        : build.literal(node.value);
    case "Tuple":
      return build.intrinsic("jinja.tuple", [lowerList(cx, frame, node.items)]);
    case "List":
      return lowerList(cx, frame, node.items);
    case "Dict":
      return lowerDict(cx, frame, node);
    case "Conditional":
      return lowerConditional(cx, frame, node);
    case "Logical":
      return lowerLogical(cx, frame, node);
    case "Not":
    case "Compare":
    case "Test":
      return lowerTruth(cx, frame, node);
    case "Unary":
      return build.intrinsic(
        node.op === "-" ? "jinja.neg" : "jinja.pos",
        [lowerValue(cx, frame, node.value)],
        cx.place(node),
      );
    case "Binary":
      return lowerBinary(cx, frame, node);
    case "Concat":
      return lowerConcat(cx, frame, node);
    case "Attribute":
      return lowerAttribute(cx, frame, node);
    case "Item":
      return lowerItem(cx, frame, node, isInside);
    case "Slice":
      return lowerLooseSlice(cx, frame, node);
    case "Call":
      return lowerCall(cx, frame, node);
    case "Filter":
      return lowerFilter(cx, frame, node, null);
  }
}

/** Whether the expression is true, as a boolean: and, or, not and comparisons need no values. */
export function lowerTruth(cx: Context, frame: Frame, node: ast.Expr): Expr {
  if (cx.folding || !isEvaluatedEarly(node, frame)) return truthOf(cx, frame, node);
  cx.folding = true;
  const value = truthOf(cx, frame, node);
  cx.folding = false;
  return value;
}

function truthOf(cx: Context, frame: Frame, node: ast.Expr): Expr {
  switch (node.type) {
    case "Logical": {
      const left = lowerTruth(cx, frame, node.left);
      const right = lowerTruth(cx, frame, node.right);
      return node.op === "and" ? build.and(left, right) : build.or(left, right);
    }
    case "Not":
      return build.not(lowerTruth(cx, frame, node.value));
    case "Compare":
      return lowerCompare(cx, frame, node);
    case "Test":
      return lowerTest(cx, frame, node);
    default:
      return build.intrinsic("jinja.truth", [lowerValue(cx, frame, node)]);
  }
}

/** A negative number that Jinja2 folds stands in its Python code without brackets: `-2 ** n` is -(2 ** n) there. */
function lowerBinary(cx: Context, frame: Frame, node: ast.Binary): Expr {
  const place = cx.place(node);
  const [left, right] = [lowerValue(cx, frame, node.left), lowerValue(cx, frame, node.right)];
  // Where escaping is known to the render alone, nothing is folded.
  const isWritten = node.op === "**" && !cx.folding && frame.escape !== "ask";
  if (isWritten && isFoldedFilter(node.left, frame)) {
    return build.intrinsic("jinja.powOfFolded", [left, right], place);
  }
  if (!isWritten || !isNegative(node.left)) {
    return build.intrinsic(OPERATORS[node.op], [left, right], place);
  }
  const base = build.intrinsic("jinja.neg", [left], place);
  return build.intrinsic("jinja.neg", [build.intrinsic("jinja.pow", [base, right], place)], place);
}

/** What Jinja2 folds to a number whose sign only its filter tells. */
function isFoldedFilter(node: ast.Expr, frame: Frame): boolean {
  return node.type === "Filter" && constantValue(node) === null && isConstant(node, frame);
}

function isNegative(node: ast.Expr): boolean {
  const value = constantValue(node)?.value;
  const isNumber = typeof value === "number" || typeof value === "bigint";
  return isNumber && (value < 0 || Object.is(value, -0));
}

/** Where output is known to be escaped, `~` escapes too, unless Jinja2 has folded it before. */
function lowerConcat(cx: Context, frame: Frame, node: ast.Concat): Expr {
  const items = node.items.map((item) => lowerValue(cx, frame, item));
  return frame.escape === "yes" && !isConstant(node, frame)
    ? build.intrinsic("jinja.markupJoin", [build.list(items)])
    : build.concat(items.map((item) => build.intrinsic("jinja.str", [item])));
}

function lowerList(cx: Context, frame: Frame, items: readonly ast.Expr[]): Expr {
  return build.list(items.map((item) => lowerValue(cx, frame, item)));
}

/** A name is a variable of a frame around it, an input, or one of the environment's globals. */
function lowerName(cx: Context, frame: Frame, node: ast.Name): Expr {
  const local = frame.scope.find(node.name);
  if (local === null)
    return build.intrinsic("jinja.named", [build.UNDEFINED, build.literal(node.name)]);
  const load = frame.scope.findLoad(local);
  if (load?.kind === "parameter" && !cx.pending.has(local)) return build.ref(local);
  if (isGlobal(cx, node.name)) {
    return globalOf(node.name);
  }
  const name = build.literal(node.name);
  return build.intrinsic("jinja.named", [found(frame.scope, local), name]);
}

/** Whether the name means the environment's global: the template assigns no variable of that name. */
export function isGlobal(cx: Context, name: string): boolean {
  return GLOBALS.has(name) && !cx.assigned.has(name);
}

function lowerDict(cx: Context, frame: Frame, node: ast.DictExpr): Expr {
  const pairs = node.items.map(({ key, value }) => lowerList(cx, frame, [key, value]));
  return build.intrinsic("jinja.dict", [build.list(pairs)], cx.place(node));
}

function lowerConditional(cx: Context, frame: Frame, node: ast.Conditional): Expr {
  return build.choose(
    lowerTruth(cx, frame, node.test),
    lowerValue(cx, frame, node.then),
    node.otherwise === null
      ? build.intrinsic("jinja.noElse", [build.literal(node.line)])
      : lowerValue(cx, frame, node.otherwise),
  );
}

/** `a or b` as a value is a or b itself; a is evaluated once. */
function lowerLogical(cx: Context, frame: Frame, node: ast.Logical): Expr {
  if (isBoolean(node)) return lowerTruth(cx, frame, node);
  const right = lowerValue(cx, frame, node.right);
  const { first, again } = twice(cx, lowerValue(cx, frame, node.left));
  const test = isBoolean(node.left) ? first : build.intrinsic("jinja.truth", [first]);
  return node.op === "and" ? build.choose(test, right, again) : build.choose(test, again, right);
}

/** Whether the expression's value is a Python bool whatever its operands are. */
function isBoolean(node: ast.Expr): boolean {
  switch (node.type) {
    case "Not":
    case "Compare":
    case "Test":
      return true;
    case "Literal":
      return typeof node.value === "boolean";
    case "Logical":
      return isBoolean(node.left) && isBoolean(node.right);
    default:
      return false;
  }
}

/** Two uses of one value that is evaluated once. */
function twice(cx: Context, value: Expr): { first: Expr; again: Expr } {
  if (value.op === "literal" || value.op === "local") return { first: value, again: value };
  const local = cx.ids.local("value", Any);
  return { first: { op: "assign", local, value }, again: build.ref(local) };
}

function lowerCompare(cx: Context, frame: Frame, node: ast.Compare): Expr {
  let left = lowerValue(cx, frame, node.left);
  const tests: Expr[] = [];
  for (const [position, { op, value }] of node.rest.entries()) {
    const right = lowerValue(cx, frame, value);
    const isLast = position === node.rest.length - 1;
    const { first, again } = isLast ? { first: right, again: right } : twice(cx, right);
    tests.push(comparison(op, left, first, cx.place(node)));
    left = again;
  }
  return tests.reduce((all, test) => build.and(all, test));
}

/** One comparison of Python's. */
export function comparison(op: ast.CompareOp, left: Expr, right: Expr, place: string): Expr {
  switch (op) {
    case "==":
      return build.intrinsic("jinja.eq", [left, right]);
    case "!=":
      return build.not(build.intrinsic("jinja.eq", [left, right]));
    case "<":
      return build.intrinsic("jinja.lt", [left, right], place);
    case "<=":
      return build.intrinsic("jinja.le", [left, right], place);
    case ">":
      return build.intrinsic("jinja.gt", [left, right], place);
    case ">=":
      return build.intrinsic("jinja.ge", [left, right], place);
    case "in":
      return build.intrinsic("jinja.isIn", [left, right], place);
    case "not in":
      return build.not(build.intrinsic("jinja.isIn", [left, right], place));
  }
}

function lowerAttribute(cx: Context, frame: Frame, node: ast.Attribute): Expr {
  return (
    lowerLoopAttribute(cx, frame, node) ??
    build.intrinsic(
      "jinja.attr",
      [lowerValue(cx, frame, node.object), build.literal(node.name)],
      cx.place(node),
    )
  );
}

function lowerItem(cx: Context, frame: Frame, node: ast.Item, isInside: boolean): Expr {
  const object = lowerValue(cx, frame, node.object);
  if (node.key.type === "Slice") {
    const { start, stop, step } = node.key;
    const bounds = [start, stop, step].map((bound) =>
      bound === null ? build.NULL : lowerValue(cx, frame, bound),
    );
    const name = isInside ? "jinja.foldedSlice" : "jinja.slice";
    return build.intrinsic(name, [object, ...bounds], cx.place(node));
  }
  return build.intrinsic("jinja.item", [object, lowerValue(cx, frame, node.key)], cx.place(node));
}

/** A slice outside a subscript's own level (`x[1:2, 3]`) is a key that nothing has. */
function lowerLooseSlice(cx: Context, frame: Frame, node: ast.SliceExpr): Expr {
  const bounds = [node.start, node.stop, node.step].map((bound) =>
    bound === null ? build.NULL : lowerValue(cx, frame, bound),
  );
  return build.intrinsic("jinja.tuple", [build.list(bounds)]);
}
