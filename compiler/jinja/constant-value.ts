/** Values that Jinja2 computes when it compiles, of expressions that are made of small constants (nodes.py, as_const). */
import type * as ast from "./ast.js";
import { COMPARISON_TESTS } from "./builtins.js";

/** Python's None, bool, int (as bigint), float (as number), str, list or tuple. */
type Constant = null | boolean | bigint | number | string | readonly Constant[];

/** A constant, so that None can be told from nothing. */
interface Known {
  readonly value: Constant;
}

/** Asked for at every level of nesting; computed anew, a long expression would cost more than its length. */
const computedValues = new WeakMap<ast.Expr, Known | null>();
/** What is no longer than this is computed in less time than it is found in. */
const SHORT = 64;

/** The value, or null where the expression is no constant, or one whose value is not computed here. */
export function constantValue(node: ast.Expr): Known | null {
  if (node.span.end - node.span.start <= SHORT) return valueOf(node);
  const before = computedValues.get(node);
  if (before !== undefined) return before;
  const found = valueOf(node);
  computedValues.set(node, found);
  return found;
}

function valueOf(node: ast.Expr): Known | null {
  switch (node.type) {
    case "Literal":
      return known(literal(node));
    case "List":
    case "Tuple":
      return listOf(node.items);
    case "Unary":
      return negated(node);
    case "Binary":
      return computed(node);
    case "Concat":
      return joined(node.items);
    case "Not":
      return map(constantValue(node.value), (value) => !isTrue(value));
    case "Logical": {
      const left = constantValue(node.left);
      if (left === null || isTrue(left.value) === (node.op === "or")) return left;
      return constantValue(node.right);
    }
    case "Conditional": {
      const test = constantValue(node.test);
      const taken = test === null ? null : isTrue(test.value) ? node.then : node.otherwise;
      return taken === null ? null : constantValue(taken);
    }
    case "Compare":
      return compared(node);
    case "Test":
      return tested(node);
    case "Filter":
      return filtered(node);
    case "Item":
      return subscripted(node);
    case "Attribute":
      return node.object.type === "Dict" && !DICT_ATTRIBUTE.test(node.name)
        ? fieldOf(node.object, node.name)
        : null;
    default:
      return null;
  }
}

/** Python's truth of a constant. */
export function isTrue(value: Constant): boolean {
  if (typeof value === "string" || Array.isArray(value)) return value.length > 0;
  return value !== null && value !== false && value !== 0n && value !== 0;
}

function known(value: Constant): Known {
  return { value };
}

function map(of: Known | null, change: (value: Constant) => Constant): Known | null {
  return of === null ? null : known(change(of.value));
}

function literal({ value, float }: ast.Literal): Constant {
  return typeof value === "number" && !float ? BigInt(value) : value;
}

function listOf(items: readonly ast.Expr[]): Known | null {
  const values: Constant[] = [];
  for (const item of items) {
    const value = constantValue(item);
    if (value === null) return null;
    values.push(value.value);
  }
  return known(values);
}

function negated(node: ast.Unary): Known | null {
  const value = constantValue(node.value)?.value;
  if (typeof value !== "bigint" && typeof value !== "number") return null;
  return known(node.op === "-" ? -value : value);
}

function computed(node: ast.Binary): Known | null {
  const left = constantValue(node.left)?.value;
  const right = constantValue(node.right)?.value;
  if (typeof left === "string" && typeof right === "string" && node.op === "+") {
    return known(left + right);
  }
  if (!isNumber(left) || !isNumber(right)) return null;
  if (typeof left !== "bigint" || typeof right !== "bigint") {
    return computedFloat(node.op, Number(left), Number(right));
  }
  switch (node.op) {
    case "+":
      return known(left + right);
    case "-":
      return known(left - right);
    case "*":
      return known(left * right);
    case "/":
      return right === 0n ? null : known(Number(left) / Number(right));
    default:
      return null;
  }
}

function computedFloat(op: ast.Binary["op"], left: number, right: number): Known | null {
  switch (op) {
    case "+":
      return known(left + right);
    case "-":
      return known(left - right);
    case "*":
      return known(left * right);
    case "/":
      return right === 0 ? null : known(left / right);
    default:
      return null;
  }
}

function joined(items: readonly ast.Expr[]): Known | null {
  const values = listOf(items)?.value;
  if (!Array.isArray(values)) return null;
  const texts = values.map((value: Constant) =>
    typeof value === "bigint" ? String(value) : value,
  );
  return texts.every((text) => typeof text === "string") ? known(texts.join("")) : null;
}

/** A chain ends at its first comparison that does not hold: the rest need not be constant. */
function compared(node: ast.Compare): Known | null {
  let left = constantValue(node.left);
  for (const { op, value } of node.rest) {
    const right = constantValue(value);
    const holds = left === null || right === null ? null : holdsFor(op, left.value, right.value);
    if (holds !== true) return holds === null ? null : known(false);
    left = right;
  }
  return known(true);
}

function holdsFor(op: ast.CompareOp, left: Constant, right: Constant): boolean | null {
  if (op === "in" || op === "not in") {
    const found = contains(left, right);
    return found === null ? null : found === (op === "in");
  }
  const isNumeric = isNumber(left) && isNumber(right);
  if (!isNumeric && (typeof left !== "string" || typeof right !== "string")) return null;
  switch (op) {
    case "==":
      return left == right;
    case "!=":
      return left != right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
  }
}

function contains(left: Constant, right: Constant): boolean | null {
  if (typeof right === "string") return typeof left === "string" ? right.includes(left) : null;
  if (!Array.isArray(right) || !isPlain(left) || !right.every(isPlain)) return null;
  return right.includes(left);
}

/** Texts and integers: equal only to their own kind. */
function isPlain(value: Constant): boolean {
  return typeof value === "string" || typeof value === "bigint";
}

function isNumber(value: Constant | undefined): value is bigint | number {
  return typeof value === "bigint" || typeof value === "number";
}

function tested(node: ast.Test): Known | null {
  const operator = COMPARISON_TESTS.get(node.name);
  if (operator !== undefined) return comparedByName(node, operator);
  const value = constantValue(node.value)?.value;
  if (value === undefined || node.args.length + node.kwargs.length > 0) return null;
  switch (node.name) {
    case "odd":
    case "even":
      return typeof value === "bigint"
        ? known((value % 2n === 0n) === (node.name === "even"))
        : null;
    case "defined":
      return known(true);
    case "undefined":
      return known(false);
    case "none":
      return known(value === null);
    case "string":
      return known(typeof value === "string");
    case "number":
      return known(isNumber(value) || typeof value === "boolean");
    default:
      return null;
  }
}

/** `2 is gt 1`. */
function comparedByName({ value, args, kwargs }: ast.Test, op: ast.CompareOp): Known | null {
  const [operand] = args;
  if (operand === undefined || args.length + kwargs.length > 1) return null;
  const [left, right] = [constantValue(value), constantValue(operand)];
  const holds = left === null || right === null ? null : holdsFor(op, left.value, right.value);
  return holds === null ? null : known(holds);
}

function filtered(node: ast.Filter): Known | null {
  const value = node.value === null ? undefined : constantValue(node.value)?.value;
  if (value === undefined || node.args.length + node.kwargs.length > 0) return null;
  switch (node.name) {
    case "length":
    case "count":
      return counted(value);
    case "first":
      return itemOf(value, 0);
    case "last":
      return itemOf(value, -1);
    case "int":
      return wholeNumber(value);
    case "float":
      return isNumber(value) ? known(Number(value)) : null;
    default:
      return null;
  }
}

function counted(value: Constant): Known | null {
  if (typeof value === "string") return known(BigInt(Array.from(value).length));
  return Array.isArray(value) ? known(BigInt(value.length)) : null;
}

/** An item that is there; what is not there is no constant. */
function itemOf(value: Constant, index: number): Known | null {
  const items: readonly Constant[] =
    typeof value === "string" ? Array.from(value) : Array.isArray(value) ? value : [];
  const item = items.at(index);
  const isInside = index < items.length && index >= -items.length;
  return item === undefined || !isInside ? null : known(item);
}

function wholeNumber(value: Constant): Known | null {
  if (typeof value === "bigint") return known(value);
  return typeof value === "string" && /^[-+]?[0-9]{1,15}$/.test(value)
    ? known(BigInt(value.replace("+", "")))
    : null;
}

/** What a dict has for an attribute before its items are asked. */
const DICT_ATTRIBUTE =
  /^(?:_.*|clear|copy|fromkeys|get|items|keys|pop|popitem|setdefault|update|values)$/;

/** `['a'][0]` and `{'a': 1}['a']`. */
function subscripted({ object, key }: ast.Item): Known | null {
  const wanted = constantValue(key)?.value;
  if (object.type === "Dict" && typeof wanted === "string") return fieldOf(object, wanted);
  const value = constantValue(object)?.value;
  return value === undefined || typeof wanted !== "bigint" ? null : itemOf(value, Number(wanted));
}

function fieldOf(dict: ast.DictExpr, name: string): Known | null {
  if (dict.items.some(({ key, value }) => !isKnown(key) || !isKnown(value))) return null;
  const found = dict.items.findLast(({ key }) => constantValue(key)?.value === name);
  return found === undefined ? null : constantValue(found.value);
}

function isKnown(node: ast.Expr): boolean {
  return constantValue(node) !== null;
}
