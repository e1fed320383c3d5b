/** `len`, `index` and `slice`, as text/template's funcs.go applies them by the operand's type. */
import type { Expr } from "../ir/nodes.js";
import type { Call } from "./lower-calls.js";
import { intrinsic, listOf, literal, NIL, val, type Lowering, type Val } from "./lower-state.js";
import { mayThrow } from "./lower-failing.js";
import { box, countOf, itemsOf } from "./lower-values.js";
import { goName, isClipped, isModel, models, type ModelType } from "./model.js";
import { byteLength } from "./strings.js";

/** len. */
export function length(state: Lowering, call: Call): Val {
  const value = call.args[0] ?? NIL;
  switch (value.type) {
    case "nil": {
      const zero = "reflect: call of reflect.Value.Type on zero Value";
      return call.fail(value.wrapped ? "len of nil pointer" : zero);
    }
    case "bool":
    case "int":
    case "float64":
      return call.fail(`len of type ${value.type}`);
    case "string":
      return val("int", textLength(state, value));
    case "json":
    case "any":
    case "root":
    case "never":
      return val("int", ownLength(state, call, value));
    default:
      return modelLength(state, call, value, value.type);
  }
}

function modelLength(state: Lowering, call: Call, value: Val, type: ModelType): Val {
  const { shape } = models[type];
  if (shape === "struct" || type === "image") return val("int", ownLength(state, call, value));
  if (shape === "map") return val("int", intrinsic("go.size", [value.expr]));
  return val("int", countOf(value));
}

function textLength(state: Lowering, { expr }: Val): Expr {
  if (expr.op === "literal" && typeof expr.value === "string")
    return literal(byteLength(expr.value));
  return (state.optimize ? paddedLength(state, expr) : null) ?? intrinsic("go.byteLength", [expr]);
}

/** `len (printf "a%*s" n "")`, the idiom for n + 1. */
function paddedLength(state: Lowering, expr: Expr): Expr | null {
  if (expr.op !== "intrinsic" || expr.name !== "go.printf") return null;
  const [format, list] = expr.args;
  if (format?.op !== "literal" || typeof format.value !== "string" || list?.op !== "list")
    return null;
  const [prefix, rest] = format.value.split("%*s");
  const [width, text, ...more] = list.items;
  if (rest !== "" || prefix === undefined || prefix.includes("%") || more.length > 0) return null;
  if (width?.op !== "local" || text?.op !== "literal" || text.value !== "") return null;
  // Only an index is sure to be a width that fmt takes as it is: never negative.
  return state.indexes.has(width.local) ? lengthAfter(prefix, width) : null;
}

function lengthAfter(prefix: string, width: Expr): Expr {
  const length = literal(byteLength(prefix));
  return { op: "arithmetic", operator: "+", left: width, right: length };
}

function ownLength(state: Lowering, call: Call, value: Val): Expr {
  const { expr } = value;
  if (expr.op === "intrinsic" && expr.name === "go.slice" && expr.place !== null) {
    return intrinsic("go.lengthOfSlice", expr.args, expr.place);
  }
  return intrinsic(value.wrapped ? "go.len" : "go.lenUnwrapped", [box(state, value)], call.place);
}

/** index. */
export function indexed(state: Lowering, call: Call): Val {
  const [first = NIL, ...keys] = call.args;
  if (first.type === "nil") return call.fail("index of untyped nil");
  let value = first;
  const isOwn = keys.length === 0 && !isModel(first.type);
  // Every key is evaluated before the first is looked up.
  if (isOwn || keys.slice(1).some(({ expr }) => mayThrow(expr)))
    return ownItem(state, call, first, keys);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? NIL;
    const next = typedItem(value, key, call);
    if (next === null) return ownItem(state, call, value, keys.slice(i));
    value = next;
  }
  return value;
}

function typedItem(value: Val, key: Val, call: Call): Val | null {
  if (!isModel(value.type) || value.type === "image") return null;
  const { shape, element } = models[value.type];
  if (element === undefined) return null;
  if (shape === "list" && key.type === "int") {
    const expr = intrinsic("go.item", [itemsOf(value), key.expr], call.place);
    return { type: element, expr, wrapped: element === "json" };
  }
  if (shape === "map" && key.type === "string") {
    const name = element === "property" ? "go.propertyOf" : "go.argument";
    return {
      type: element,
      expr: intrinsic(name, [value.expr, key.expr]),
      wrapped: element === "json",
    };
  }
  return null;
}

function ownItem(state: Lowering, call: Call, value: Val, keys: readonly Val[]): Val {
  if (value.type === "string") state.strict = true;
  const boxed = listOf(keys.map((key) => box(state, key)));
  const expr = intrinsic("go.index", [box(state, value), boxed], call.place);
  return { ...val("any", expr), wrapped: true };
}

/** slice. */
export function sliced(state: Lowering, call: Call): Val {
  const [value = NIL, ...indexes] = call.args;
  if (value.type === "nil") return call.fail("slice of untyped nil");
  const plain = indexes.every((index) => index.type === "int") && indexes.length < 3;
  if (value.type === "string" && plain) {
    state.strict = true;
    const args = [value.expr, ...indexes.map((index) => index.expr)];
    return { ...val("string", intrinsic("go.sliceBytes", pad(args, 3), call.place)), stray: true };
  }
  const proven = state.optimize && plain ? provenSlice(state, value, indexes) : null;
  if (proven !== null) return val(value.type, proven);
  if (plain && isModel(value.type) && isClipped(value.type)) {
    const args = [itemsOf(value), ...indexes.map((index) => index.expr)];
    return val(value.type, intrinsic("go.sliceList", pad(args, 3), call.place));
  }
  return ownSlice(state, call, value, indexes);
}

/** The place is the last of a fixed number of arguments. */
function pad(args: readonly Expr[], count: number): Expr[] {
  return Array.from({ length: count }, (_, i) => args[i] ?? literal(undefined));
}

/** `slice $.Messages $i` where `$i` is the index of a range over the very list: it cannot fail. */
function provenSlice(state: Lowering, value: Val, indexes: readonly Val[]): Expr | null {
  const [from, ...more] = indexes;
  if (from?.expr.op !== "local" || more.length > 0 || !isModel(value.type)) return null;
  const ranged = state.indexes.get(from.expr.local);
  const list = itemsOf(value);
  if (ranged === undefined || !sameExpr(ranged, list)) return null;
  return { op: "method", object: list, name: "slice", args: [from.expr] };
}

/** Whether two paths of reads are the same. */
function sameExpr(a: Expr, b: Expr): boolean {
  if (a.op === "input" && b.op === "input") return a.name === b.name;
  if (a.op === "local" && b.op === "local") return a.local === b.local;
  if (a.op === "read" && b.op === "read") return a.name === b.name && sameExpr(a.object, b.object);
  return a.op === "coalesce" && b.op === "coalesce" && sameExpr(a.value, b.value);
}

function ownSlice(state: Lowering, call: Call, value: Val, indexes: readonly Val[]): Val {
  if (goName(value.type) === null || value.type === "string") state.strict = true;
  const boxed = listOf(indexes.map((index) => sliceIndex(state, index)));
  const expr = intrinsic("go.slice", [box(state, value), boxed], call.place);
  return { ...val("any", expr), stray: value.type === "string" || value.type === "any" };
}

/** Unlike `index`, `slice` does not look into an interface. */
function sliceIndex(state: Lowering, value: Val): Expr {
  if (value.wrapped) {
    // A box of the data model would tell the type of what the interface holds.
    const held = isModel(value.type) ? value.expr : box(state, value);
    return intrinsic("go.boxInterface", [held]);
  }
  if (value.type === "any") return intrinsic("go.unwrap", [value.expr]);
  return value.type === "json" ? intrinsic("go.unwrapJson", [value.expr]) : box(state, value);
}
