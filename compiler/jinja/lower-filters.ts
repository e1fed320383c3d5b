/** Lowering of filters and tests: arguments are bound to Python's parameters here, once. */
import * as build from "../ir/build.js";
import { intrinsics, type IntrinsicName } from "../ir/intrinsics.js";
import type { Expr } from "../ir/nodes.js";
import type * as ast from "./ast.js";
import { COMPARISON_TESTS, FILTERS, type Signature } from "./builtins.js";
import type { Context, Frame } from "./context.js";
import { ASKING_FILTERS, setting } from "./lower-autoescape.js";
import { lowerArguments } from "./lower-calls.js";
import { comparison, lowerValue } from "./lower-expressions.js";

/** `captured`: the text that a filter block or set block filters. */
export function lowerFilter(
  cx: Context,
  frame: Frame,
  node: ast.Filter,
  captured: Expr | null,
): Expr {
  const value = filteredValue(cx, frame, node, captured);
  if (cx.escaping !== null && ASKING_FILTERS.has(node.name)) {
    return build.intrinsic(
      "jinja.callFilterIn",
      [setting(cx), build.literal(node.name), value, ...lowerArguments(cx, frame, node)],
      cx.place(node),
    );
  }
  const signature = FILTERS.get(node.name);
  const bound = signature === undefined ? null : bindArguments(cx, frame, node, signature);
  const name = signature === undefined ? null : intrinsicName(signature.runtime);
  if (bound !== null && name !== null) {
    const place = intrinsics[name].throws ? cx.place(node) : null;
    return build.intrinsic(name, [value, ...bound], place);
  }
  return build.intrinsic(
    "jinja.callFilter",
    [build.literal(node.name), value, ...lowerArguments(cx, frame, node)],
    cx.place(node),
  );
}

function filteredValue(cx: Context, frame: Frame, node: ast.Filter, captured: Expr | null): Expr {
  if (node.value === null) return captured ?? build.UNDEFINED;
  return node.value.type === "Filter"
    ? lowerFilter(cx, frame, node.value, captured)
    : lowerValue(cx, frame, node.value);
}

function intrinsicName(runtime: string): IntrinsicName | null {
  const name = `jinja.${runtime}`;
  return isIntrinsic(name) ? name : null;
}

function isIntrinsic(name: string): name is IntrinsicName {
  return Object.hasOwn(intrinsics, name);
}

/** The arguments in the order of the parameters, defaults filled in; null where Python's binding must be asked. */
function bindArguments(
  cx: Context,
  frame: Frame,
  node: ast.Arguments,
  signature: Signature,
): readonly Expr[] | null {
  const { parameters, varargs, kwargs } = signature;
  const isPlain = node.splat === null && node.kwSplat === null && !varargs && !kwargs;
  if (!isPlain || node.args.length > parameters.length) return null;
  const known = parameters.slice(node.args.length).map(({ name }) => name);
  const names = node.kwargs.map(({ name }) => name);
  if (names.some((name) => !known.includes(name)) || !inParameterOrder(names, known)) return null;
  const bound: Expr[] = node.args.map((arg) => lowerValue(cx, frame, arg));
  for (const parameter of parameters.slice(node.args.length)) {
    const named = node.kwargs.find(({ name }) => name === parameter.name);
    if (named !== undefined) bound.push(lowerValue(cx, frame, named.value));
    else if (parameter.default !== undefined) bound.push(build.literal(parameter.default));
    else if (parameter.float !== undefined) bound.push(floatLiteral(parameter.float));
    else return null;
  }
  return bound;
}

function floatLiteral(value: number): Expr {
  return build.intrinsic("jinja.float", [build.literal(value)]);
}

/** Arguments are evaluated in the order in which they are written. */
function inParameterOrder(names: readonly string[], known: readonly string[]): boolean {
  const positions = names.map((name) => known.indexOf(name));
  return positions.every((position, i) => i === 0 || position > (positions[i - 1] ?? -1));
}

/** Tests that take nothing but the value. */
const SIMPLE_TESTS: ReadonlyMap<string, IntrinsicName> = new Map([
  ["defined", "jinja.isDefined"],
  ["string", "jinja.isString"],
  ["mapping", "jinja.isMapping"],
  ["iterable", "jinja.isIterable"],
  ["sequence", "jinja.isSequence"],
  ["number", "jinja.isNumber"],
  ["integer", "jinja.isInteger"],
  ["float", "jinja.isFloat"],
  ["boolean", "jinja.isBoolean"],
  ["none", "jinja.isNone"],
  ["true", "jinja.isTrue"],
  ["false", "jinja.isFalse"],
  ["callable", "jinja.isCallable"],
  ["odd", "jinja.isOdd"],
  ["even", "jinja.isEven"],
]);

export function lowerTest(cx: Context, frame: Frame, node: ast.Test): Expr {
  const value = lowerValue(cx, frame, node.value);
  const place = cx.place(node);
  if (isBare(node) && node.args.length === 0) {
    if (node.name === "undefined") return build.not(build.intrinsic("jinja.isDefined", [value]));
    const name = SIMPLE_TESTS.get(node.name);
    if (name !== undefined) {
      return build.intrinsic(name, [value], intrinsics[name].throws ? place : null);
    }
  }
  const operator = COMPARISON_TESTS.get(node.name);
  const [operand] = node.args;
  if (operator !== undefined && isBare(node) && node.args.length === 1 && operand !== undefined) {
    return comparison(operator, value, lowerValue(cx, frame, operand), place);
  }
  const args = lowerArguments(cx, frame, node);
  return build.intrinsic("jinja.callTest", [build.literal(node.name), value, ...args], place);
}

function isBare(node: ast.Arguments): boolean {
  return node.kwargs.length === 0 && node.splat === null && node.kwSplat === null;
}
