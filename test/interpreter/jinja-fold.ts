/**
 * Jinja2's constant folding (`as_const` in jinja2/nodes.py). It matters in a few places: a folded infinity or NaN is
 * written into the generated code as a name that does not exist, a folded `~` does not escape, and a folded slice of
 * something without slices is undefined instead of an error.
 */
import type * as ast from "../../compiler/jinja/ast.js";
import { arithmetic, unary } from "./jinja-arithmetic.js";
import { environmentAttribute, environmentItem } from "./jinja-attributes.js";
import { callDefinition, filters } from "./jinja-filters.js";
import { compare, contains, equal, listOf, truth } from "./jinja-operators.js";
import type { Mode } from "./jinja-plan.js";
import { tests } from "./jinja-tests.js";
import { escape, text } from "./jinja-text.js";
import {
  bool,
  FALSE,
  InterpreterError,
  NONE,
  PyBool,
  PyComplex,
  PyDict,
  PyFloat,
  PyInt,
  PyList,
  PyNone,
  PyRange,
  PySlice,
  PyStr,
  PyTuple,
  raise,
  str,
  TRUE,
} from "./jinja-values.js";
import type { Kwargs, Value } from "./jinja-values.js";

/** Jinja2's signal that an expression is no constant. */
class Impossible extends Error {}

/** Thrown often, so made once. */
const notConstant = new Impossible("not a constant");

function impossible(): never {
  throw notConstant;
}

export function literalValue(node: ast.Literal): Value {
  const { value } = node;
  if (value === null) return NONE;
  if (typeof value === "boolean") return value ? TRUE : FALSE;
  if (typeof value === "string") return str(value);
  return node.float ? new PyFloat(Number(value)) : new PyInt(value);
}

/** One comparison of a chain. */
export function comparison(op: ast.CompareOp, left: Value, right: Value): boolean {
  if (op === "==") return equal(left, right);
  if (op === "!=") return !equal(left, right);
  if (op === "in") return contains(left, right);
  if (op === "not in") return !contains(left, right);
  return compare(op, left, right);
}

class Folder {
  readonly #mode: Mode;

  constructor(mode: Mode) {
    this.#mode = mode;
  }

  constant(node: ast.Expr): Value {
    switch (node.type) {
      case "Literal":
        return literalValue(node);
      case "Tuple":
        return new PyTuple(node.items.map((item) => this.constant(item)));
      case "List":
        return new PyList(node.items.map((item) => this.constant(item)));
      case "Dict":
        return this.#dict(node);
      case "Conditional":
        return this.#conditional(node);
      case "Logical":
        return this.#logical(node);
      case "Not":
        return bool(!truth(this.constant(node.value)));
      case "Unary":
        return unary(node.op, this.constant(node.value));
      case "Binary":
        return arithmetic(node.op, this.constant(node.left), this.constant(node.right));
      case "Concat":
        return str(node.items.map((item) => text(this.constant(item))).join(""));
      case "Compare":
        return this.#compare(node);
      case "Attribute":
        return environmentAttribute(this.constant(node.object), node.name);
      case "Item":
        return environmentItem(this.constant(node.object), this.constant(node.key));
      case "Slice":
        return new PySlice(this.#part(node.start), this.#part(node.stop), this.#part(node.step));
      case "Filter":
      case "Test":
        return this.#filterOrTest(node);
      case "Name":
      case "Call":
        return impossible();
    }
  }

  #part(node: ast.Expr | null): Value {
    return node === null ? NONE : this.constant(node);
  }

  #dict(node: ast.DictExpr): Value {
    const dict = new PyDict();
    for (const { key, value } of node.items) dict.set(this.constant(key), this.constant(value));
    return dict;
  }

  #conditional(node: ast.Conditional): Value {
    if (truth(this.constant(node.test))) return this.constant(node.then);
    return node.otherwise === null ? impossible() : this.constant(node.otherwise);
  }

  #logical(node: ast.Logical): Value {
    const left = this.constant(node.left);
    return truth(left) === (node.op === "or") ? left : this.constant(node.right);
  }

  #compare(node: ast.Compare): Value {
    let left = this.constant(node.left);
    for (const { op, value } of node.rest) {
      const right = this.constant(value);
      if (!comparison(op, left, right)) return FALSE;
      left = right;
    }
    return TRUE;
  }

  #filterOrTest(node: ast.Filter | ast.Test): Value {
    const table = node.type === "Filter" ? filters : tests;
    const definition = table.get(node.name);
    if (this.#mode.volatile || node.value === null || definition === undefined) return impossible();
    if (definition.needsContext === true) return impossible();
    const args = [...node.args.map((arg) => this.constant(arg))];
    if (node.splat !== null) args.push(...listOf(this.constant(node.splat)));
    const kwargs: Kwargs = new Map();
    for (const { name, value } of node.kwargs) kwargs.set(name, this.constant(value));
    if (node.kwSplat !== null) this.#spread(kwargs, this.constant(node.kwSplat));
    const context = { autoescape: this.#mode.autoescape, now: undefined };
    return callDefinition(definition, [this.constant(node.value), ...args], kwargs, context);
  }

  #spread(kwargs: Kwargs, mapping: Value): void {
    if (!(mapping instanceof PyDict)) impossible();
    for (const { key, value } of mapping.entries.values()) {
      if (!(key instanceof PyStr)) impossible();
      kwargs.set(key.text, value);
    }
  }
}

/** The value of a constant expression, or null. Whatever goes wrong is left to the render. */
export function foldConstant(node: ast.Expr, mode: Mode): Value | null {
  try {
    return new Folder(mode).constant(node);
  } catch (error) {
    if (error instanceof Impossible || error instanceof InterpreterError) return null;
    throw error;
  }
}

/** Jinja2's `has_safe_repr`: what can be written into the generated code. */
function hasSafeRepr(value: Value): boolean {
  if (value instanceof PyList) return value.items.every((item) => hasSafeRepr(item));
  if (value instanceof PyTuple) {
    return value.typeName === "tuple" && value.items.every((item) => hasSafeRepr(item));
  }
  if (value instanceof PyDict) {
    return [...value.entries.values()].every(
      (entry) => hasSafeRepr(entry.key) && hasSafeRepr(entry.value),
    );
  }
  return [PyNone, PyBool, PyInt, PyFloat, PyComplex, PyStr, PyRange].some(
    (kind) => value instanceof kind,
  );
}

function checkName(value: number, suffix: string): void {
  if (Number.isFinite(value)) return;
  raise("NameError", `name '${Number.isNaN(value) ? "nan" : "inf"}${suffix}' is not defined`);
}

/**
 * What Python reads where the generated code has `repr(value)`: `inf` and `nan` are names that it does not know, and a
 * complex number is a sum of an integer or float and an imaginary number.
 */
function readAgain(value: Value): Value {
  if (value instanceof PyFloat) checkName(value.value, "");
  if (value instanceof PyComplex) return readComplex(value);
  if (value instanceof PyList) return new PyList(value.items.map(readAgain));
  if (value instanceof PyTuple && value.typeName === "tuple")
    return new PyTuple(value.items.map(readAgain));
  if (!(value instanceof PyDict)) return value;
  const dict = new PyDict();
  for (const entry of value.entries.values())
    dict.set(readAgain(entry.key), readAgain(entry.value));
  return dict;
}

function readComplex({ real, imaginary }: PyComplex): PyComplex {
  checkName(real, "");
  checkName(imaginary, "j");
  const isNegative = imaginary < 0 || Object.is(imaginary, -0);
  // `-2j` is the negative of `2j`, `(-0-2j)` the integer 0 without it.
  if (Object.is(real, 0)) return new PyComplex(isNegative ? -0 : 0, imaginary);
  return new PyComplex(0 + real, isNegative ? 0 - -imaginary : imaginary);
}

/** What the generated code holds in place of an expression that Jinja2 folded, or null if it did not. */
export class Constants {
  readonly #known = new WeakMap<ast.Expr, Value | null>();
  readonly #printed = new WeakMap<ast.Expr, string | null>();

  /** The text of an output that is wholly constant, or null. */
  printed(node: ast.Expr, mode: Mode): string | null {
    let shown = this.#printed.get(node);
    if (shown === undefined) {
      const value = foldConstant(node, mode);
      shown = value === null ? null : mode.autoescape ? escape(value).text : text(value);
      this.#printed.set(node, shown);
    }
    return shown;
  }

  valueOf(node: ast.Expr, mode: Mode): Value | null {
    let value = this.#known.get(node);
    if (value === undefined) {
      const folded = foldConstant(node, mode);
      value = folded !== null && hasSafeRepr(folded) ? folded : null;
      this.#known.set(node, value);
    }
    return value === null ? null : readAgain(value);
  }
}
