/** Field access, as evalField of text/template's exec.go resolves it by the receiver's type. */
import { Undefined, union } from "../ir/kinds.js";
import type { Expr } from "../ir/nodes.js";
import { afterwards } from "./lower-failing.js";
import { box, textOf } from "./lower-values.js";
import {
  failing,
  intrinsic,
  kindsOf,
  literal,
  NIL,
  val,
  type Lowering,
  type Val,
} from "./lower-state.js";
import { goName, isModel, models, type GoType, type ModelField, type ModelType } from "./model.js";

/** What evalField needs beside the receiver. */
export interface Access {
  readonly name: string;
  /** How many arguments follow the field, a piped value included. */
  readonly argc: number;
}

/** The names that every object of JavaScript has; only of them a plain read could give what is no field. */
const INHERITED = new Set([...Object.getOwnPropertyNames(Object.prototype)]);

/** evalField. */
export function field(state: Lowering, receiver: Val, access: Access): Val {
  return afterwards([receiver], fieldOf(state, receiver, access));
}

function fieldOf(state: Lowering, receiver: Val, access: Access): Val {
  const { type } = receiver;
  switch (type) {
    case "never":
      return receiver;
    case "nil":
      return receiver.wrapped
        ? failing(state, `nil pointer evaluating interface {}.${access.name}`)
        : NIL;
    case "any":
    case "json":
      return ownField(state, receiver, access);
    case "root":
      return rootField(state, access);
    case "bool":
    case "string":
    case "int":
    case "float64":
      return noField(state, receiver, access.name);
    default:
      return modelField(state, receiver, type, access);
  }
}

function ownField(state: Lowering, receiver: Val, { name, argc }: Access): Val {
  const given = definedField(state, receiver, name);
  if (given !== null && argc === 0) return given;
  const place = state.place();
  const value = box(state, receiver);
  const rule = receiver.wrapped ? "go.field" : "go.fieldUnwrapped";
  const expr =
    argc > 0
      ? intrinsic("go.fieldWithArguments", [value, literal(name), literal(receiver.wrapped)], place)
      : intrinsic(rule, [value, literal(name)], place);
  return { ...val("any", expr), wrapped: true };
}

/** A field of the whole input that the caller of the compiler has fixed. */
function definedField(state: Lowering, { expr }: Val, name: string): Val | null {
  if (expr.op !== "input" || expr.name !== "") return null;
  const value = state.options.define?.[name];
  if (typeof value === "string") return { ...val("string", literal(value)), wrapped: true };
  return typeof value === "boolean" ? { ...val("bool", literal(value)), wrapped: true } : null;
}

function rootField(state: Lowering, { name, argc }: Access): Val {
  if (argc > 0) return failing(state, `${name} is not a method but has arguments`);
  const { inputs, values, missing } = state.frame.root;
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value !== undefined) return value;
  const known = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  if (known === undefined) return missing;
  return { type: known.type, expr: state.input(known.input), wrapped: true };
}

/** The type as a message about a missing field names it: what reflection saw before it looked into the interface. */
function seenType(receiver: Val): string {
  return receiver.wrapped ? "interface {}" : (goName(receiver.type) ?? "interface {}");
}

function noField(state: Lowering, receiver: Val, name: string): Val {
  const message = `can't evaluate field ${name} in type ${seenType(receiver)}`;
  if (isModel(receiver.type)) {
    state.reports.push({ code: "go/unknown-field", message, span: state.at.span });
  }
  return failing(state, message);
}

function modelField(state: Lowering, receiver: Val, type: ModelType, access: Access): Val {
  const { name, argc } = access;
  const { methods = {}, refused = {}, fields = {}, shape, element } = models[type];
  const result = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (result !== undefined) return method(state, receiver, access, result);
  const refusal = Object.hasOwn(refused, name) ? refused[name] : undefined;
  if (refusal !== undefined) return failing(state, wrongCall(access, refusal));
  if (shape === "map" && element !== undefined) {
    if (argc > 0) return failing(state, `${name} is not a method but has arguments`);
    return entry(receiver, name, element);
  }
  const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (known === undefined) return noField(state, receiver, name);
  if (argc > 0) return failing(state, `${name} has arguments but cannot be invoked as function`);
  return structField(receiver, known);
}

/** exec.go counts the arguments before it looks at the results. */
function wrongCall({ name, argc }: Access, [count, why]: readonly [number, string]): string {
  if (argc === count) return why;
  return `wrong number of args for ${name}: want ${String(count)} got ${String(argc)}`;
}

/** A method without arguments, found by its name before any field or key. */
function method(state: Lowering, receiver: Val, { name, argc }: Access, result: GoType): Val {
  if (argc > 0) {
    return failing(state, wrongCall({ name, argc }, [0, ""]));
  }
  switch (name) {
    case "String":
      return val(result, textOf(state, receiver));
    case "ToTypeScriptType":
      return val(result, intrinsic("go.typeScriptType", [receiver.expr]));
    case "Len":
      return val(result, intrinsic("go.size", [receiver.expr]));
    default:
      if (name === "All") state.facts.noteIterators();
      return {
        ...ownField(state, { ...receiver, wrapped: false }, { name, argc }),
        wrapped: false,
      };
  }
}

/** A key of a map: Args gives nothing where it is missing, Properties the zero property. */
function entry(receiver: Val, name: string, element: GoType): Val {
  if (element === "property")
    return val("property", intrinsic("go.propertyOf", [receiver.expr, literal(name)]));
  const expr: Expr = INHERITED.has(name)
    ? intrinsic("go.argument", [receiver.expr, literal(name)])
    : { op: "read", object: receiver.expr, name, optional: false };
  return { type: element, expr, wrapped: true };
}

/** A field in the request's own form; an absent text is Go's "", an absent number 0. */
function structField(receiver: Val, { wire, type, optional }: ModelField): Val {
  const kinds = optional ? union(kindsOf(type), Undefined) : kindsOf(type);
  const expr: Expr = { op: "read", object: receiver.expr, name: wire, optional: false, kinds };
  const zero = type === "string" ? literal("") : type === "int" ? literal(0) : null;
  if (!optional || zero === null) return { type, expr, wrapped: type === "json" };
  return val(type, { op: "coalesce", value: expr, otherwise: zero });
}
