/** What Go does with any value: truth, text, JSON, and boxing it for rules that ask a value for its type. */
import type { IntrinsicName } from "../ir/intrinsics.js";
import type { Expr } from "../ir/nodes.js";
import { mayThrow } from "./lower-failing.js";
import { compare, intrinsic, listOf, literal, type Lowering, type Val } from "./lower-state.js";
import { isModel, models, type GoType, type ModelType } from "./model.js";

const EMPTY_LIST = listOf([]);

/** The items of a list of the data model: an absent one has none. */
export function itemsOf(value: Val): Expr {
  if (value.type === "propertyType") return intrinsic("go.types", [value.expr]);
  return mayBeAbsent(value)
    ? { op: "coalesce", value: value.expr, otherwise: EMPTY_LIST }
    : value.expr;
}

/** Whether a list may be absent: those of the request's objects, not the messages and the tools. */
function mayBeAbsent({ type, expr }: Val): boolean {
  if (type === "messages" || type === "tools") return false;
  if (expr.op === "assign") return mayBeAbsent({ type, expr: expr.value, wrapped: false });
  if (expr.op === "intrinsic") return expr.name === "go.after" || expr.name === "go.item";
  return expr.op === "read" || expr.op === "local" || expr.op === "choose";
}

/** How many items a list of the data model has. */
export function countOf(value: Val): Expr {
  if (value.type === "propertyType") return intrinsic("go.typeCount", [value.expr]);
  return partCount(value.expr) ?? { op: "count", list: itemsOf(value) };
}

/** The items that `slice` leaves need not be copied to be counted. */
function partCount(expr: Expr): Expr | null {
  if (expr.op === "intrinsic" && expr.name === "go.sliceList" && expr.place !== null) {
    const [list = EMPTY_LIST, ...indexes] = expr.args;
    const given = indexes.filter((index) => index.op !== "literal" || index.value !== undefined);
    return intrinsic("go.lengthOfSlice", [list, listOf(given)], expr.place);
  }
  if (expr.op !== "method" || expr.name !== "slice") return null;
  const [from] = expr.args;
  if (from === undefined) return null;
  return { op: "arithmetic", operator: "-", left: { op: "count", list: expr.object }, right: from };
}

/** exec.go's isTrue. */
export function truth(value: Val): Expr {
  if (value.test !== undefined) return value.test;
  const { type, expr } = value;
  switch (type) {
    case "never":
    case "bool":
      return expr;
    case "nil":
      return literal(false);
    case "string":
      return compare("!==", expr, literal(""));
    case "int":
    case "float64":
      return compare("!==", expr, literal(0));
    case "root":
      return literal(true);
    case "any":
    case "json":
    case "image":
      return intrinsic("go.truth", [expr]);
    case "nestedProperties":
      return compare("!==", expr, literal(undefined));
    default:
      return modelTruth(type, value);
  }
}

function modelTruth(type: ModelType, value: Val): Expr {
  switch (models[type].shape) {
    case "struct":
      return mayThrow(value.expr) ? compare("!==", value.expr, literal(undefined)) : literal(true);
    case "map":
      return compare(">", intrinsic("go.size", [value.expr]), literal(0));
    case "list":
      return compare(">", truthCount(value), literal(0));
  }
}

/** A bare type is never empty, so its length serves as well as its count. */
function truthCount(value: Val): Expr {
  if (value.type !== "propertyType") return countOf(value);
  const text: Expr = { op: "coalesce", value: value.expr, otherwise: literal("") };
  return { op: "count", list: text };
}

const PRINTERS: Readonly<Record<ModelType, IntrinsicName>> = {
  messages: "go.printMessages",
  message: "go.printMessage",
  images: "go.printImages",
  image: "go.printImage",
  toolCalls: "go.printToolCalls",
  toolCall: "go.printToolCall",
  toolCallFunction: "go.printToolCallFunction",
  args: "go.printArgs",
  tools: "go.printTools",
  tool: "go.printTool",
  toolFunction: "go.printToolFunction",
  toolParameters: "go.printToolParameters",
  properties: "go.printProperties",
  property: "go.printProperty",
  anyOf: "go.printAnyOf",
  propertyType: "go.printTypes",
  strings: "go.printStrings",
  enum: "go.printEnum",
  nestedProperties: "go.printNestedProperties",
};

const WRITERS: Readonly<Record<ModelType, IntrinsicName>> = {
  messages: "go.jsonMessages",
  message: "go.jsonMessage",
  images: "go.jsonImages",
  image: "go.jsonImage",
  toolCalls: "go.jsonToolCalls",
  toolCall: "go.jsonToolCall",
  toolCallFunction: "go.jsonToolCallFunction",
  args: "go.jsonArgs",
  tools: "go.jsonTools",
  tool: "go.jsonTool",
  toolFunction: "go.jsonToolFunction",
  toolParameters: "go.jsonToolParameters",
  properties: "go.jsonProperties",
  property: "go.jsonProperty",
  anyOf: "go.jsonAnyOf",
  propertyType: "go.jsonTypes",
  strings: "go.jsonStrings",
  enum: "go.jsonEnum",
  nestedProperties: "go.jsonNestedProperties",
};

const BOXES: Readonly<Record<ModelType, IntrinsicName>> = {
  messages: "go.boxMessages",
  message: "go.boxMessage",
  images: "go.boxImages",
  image: "go.boxImage",
  toolCalls: "go.boxToolCalls",
  toolCall: "go.boxToolCall",
  toolCallFunction: "go.boxToolCallFunction",
  args: "go.boxArgs",
  tools: "go.boxTools",
  tool: "go.boxTool",
  toolFunction: "go.boxToolFunction",
  toolParameters: "go.boxToolParameters",
  properties: "go.boxProperties",
  property: "go.boxProperty",
  anyOf: "go.boxAnyOf",
  propertyType: "go.boxTypes",
  strings: "go.boxStrings",
  enum: "go.boxEnum",
  nestedProperties: "go.boxNestedProperties",
};

/** What `{{ value }}` prints (exec.go, printValue). */
export function textOf(state: Lowering, value: Val): Expr {
  const { type, expr } = value;
  switch (type) {
    case "never":
    case "string":
      return expr;
    case "nil":
      return literal("<no value>");
    case "bool":
      return { op: "choose", test: expr, then: literal("true"), otherwise: literal("false") };
    case "json":
    case "float64":
      return intrinsic("go.textJson", [expr]);
    case "int":
      return expr.op === "literal" ? literal(String(expr.value)) : intrinsic("go.text", [expr]);
    case "any":
      return state.facts.iterators
        ? intrinsic("go.textOrFail", [expr], state.place())
        : intrinsic("go.text", [expr]);
    case "root":
      return intrinsic("go.text", [box(state, value)]);
    default:
      return intrinsic(PRINTERS[type], [expr]);
  }
}

/** Ollama's `json`: encoding/json's Marshal. */
export function jsonOf(state: Lowering, value: Val): Expr {
  const { type, expr } = value;
  if (isModel(type)) return intrinsic(WRITERS[type], [expr]);
  if (type === "never") return expr;
  if (type === "any" || type === "root") return intrinsic("go.jsonAny", [box(state, value)]);
  return intrinsic("go.json", [expr]);
}

/** The value as one that tells its own Go type. */
export function box(state: Lowering, value: Val): Expr {
  const { type, expr } = value;
  switch (type) {
    case "json":
      return intrinsic("go.boxJson", [expr]);
    case "float64":
      return intrinsic("go.float", [expr]);
    case "nil":
      return literal(null);
    case "root":
      return rootRecord(state);
    default:
      return isModel(type) ? intrinsic(BOXES[type], [expr]) : expr;
  }
}

/** The data map as a value; only printing and the like need it. */
function rootRecord(state: Lowering): Expr {
  const { inputs, values, missing } = state.frame.root;
  const fields = Object.entries(inputs).map(([name, { input, type }]) => ({
    name,
    value: box(state, { expr: state.input(input), type, wrapped: true }),
  }));
  const others = Object.entries(values).map(([name, value]) => ({
    name,
    value: box(state, value),
  }));
  const record: Expr = { op: "record", fields: [...fields, ...others] };
  return missing.wrapped ? record : intrinsic("go.boxTurn", [record]);
}

/** The value as one of a wider type. */
export function convert(state: Lowering, value: Val, type: GoType): Expr {
  if (value.type === type || value.type === "never" || type === "json") return value.expr;
  return box(state, value);
}
