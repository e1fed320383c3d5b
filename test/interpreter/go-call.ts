/** Fields, methods and function calls with their arguments (exec.go's evalField, evalCall, evalArg). */
import type { CommandNode, Operand } from "../../compiler/go/ast.js";
import { printNode } from "../../compiler/go/print.js";
import type { Final, State } from "./go-exec.js";
import { BUILTINS } from "./go-functions.js";
import { CallError, methodOf, type GoFunction, type Param } from "./go-methods.js";
import { dynamic, indirect, isTrue, string, zero, type Value } from "./go-values.js";
import { toBinary, toBytes } from "./go-utf8.js";

/** Where a call stands: the dot for its arguments, the node for errors, what is written and what is piped. */
export interface CallSite {
  readonly dot: Value | null;
  readonly node: Operand | CommandNode;
  /** The first is the function or field itself. */
  readonly args: readonly Operand[];
  readonly final: Final;
}

/** evalField: a method, a struct's field or a map's key. */
export function evalField(
  state: State,
  name: string,
  given: Value | null,
  site: CallSite,
): Value | null {
  if (given === null) return null;
  const typeName = given.type.name;
  const { value: receiver, isNil } = indirect(given);
  if (receiver === null || receiver.kind === "interface") {
    return state.fail(`nil pointer evaluating ${typeName}.${name}`);
  }
  const method = methodOf(receiver, name);
  if (method !== null) return evalCall(state, method, name, false, site);
  const hasArgs = site.args.length > 1 || site.final !== undefined;
  if (receiver.kind === "struct") {
    const at = receiver.type.fields().findIndex((f) => f.name === name);
    const field = receiver.type.fields()[at];
    if (field !== undefined) {
      if (!field.exported) {
        state.fail(`${name} is an unexported field of struct type ${typeName}`);
      }
      if (hasArgs) state.fail(`${name} has arguments but cannot be invoked as function`);
      return receiver.fields[at] ?? null;
    }
  }
  if (receiver.kind === "map") {
    if (hasArgs) state.fail(`${name} is not a method but has arguments`);
    const found = receiver.entries?.get(toBinary(toBytes(name)));
    if (found !== undefined) return found;
    return state.program.missingKeyZero ? zero(receiver.type.elem) : null;
  }
  if (receiver.kind === "pointer" && isNil) {
    const { elem } = receiver.type;
    const known = elem.kind !== "struct" || elem.fields().some((f) => f.name === name);
    if (known) state.fail(`nil pointer evaluating ${typeName}.${name}`);
  }
  return state.fail(`can't evaluate field ${name} in type ${typeName}`);
}

/** evalFunction: the template's own function map first, then the builtins. */
export function evalFunctionCall(state: State, name: string, site: CallSite): Value | null {
  const own = state.program.functions.get(name);
  const found = own ?? BUILTINS.get(name);
  if (found === undefined) return state.fail(`"${name}" is not a defined function`);
  return evalCall(state, found, name, own === undefined, site);
}

function evalCall(
  state: State,
  callee: GoFunction,
  name: string,
  isBuiltin: boolean,
  site: CallSite,
): Value | null {
  const written = site.args.slice(1);
  checkCount(state, callee, name, written.length, site.final);
  if (callee.refusal !== undefined) state.fail(callee.refusal);
  if (isBuiltin && (name === "and" || name === "or")) {
    return shortCircuit(state, name === "or", written, site);
  }
  const args = written.map((arg, i) => argument(state, site.dot, paramAt(callee, i), arg));
  if (site.final !== undefined) {
    args.push(validate(state, site.final, paramAt(callee, args.length)));
  }
  if (isBuiltin && name === "call") {
    const [first] = written;
    args.unshift(string(first === undefined ? finalText(site.final) : printNode(first)));
  }
  try {
    return callee.call(args);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    state.at(site.node);
    return state.fail(`error calling ${name}: ${error.message}`);
  }
}

/** reflect.Value.String: text itself, else the type. */
function finalText(final: Final): string | Uint8Array {
  if (final === undefined || final === null) return "<invalid Value>";
  return final.kind === "string" ? final.bytes : `<${final.type.name} Value>`;
}

function paramAt({ params, variadic }: GoFunction, i: number): Param {
  const last = params.length - 1;
  return params[variadic && i > last ? last : i] ?? "any";
}

function checkCount(
  state: State,
  { params, variadic }: GoFunction,
  name: string,
  written: number,
  final: Final,
): void {
  const given = written + (final === undefined ? 0 : 1);
  const least = params.length - 1;
  const wrong = `wrong number of args for ${name}: want`;
  if (variadic && given < least) {
    state.fail(`${wrong} at least ${String(least)} got ${String(written)}`);
  }
  if (!variadic && given !== params.length) {
    state.fail(`${wrong} ${String(params.length)} got ${String(given)}`);
  }
}

/** `and` and `or` give the operand that decides, and evaluate none after it. */
function shortCircuit(
  state: State,
  isOr: boolean,
  written: readonly Operand[],
  site: CallSite,
): Value | null {
  let value: Value | null = null;
  for (const arg of written) {
    value = argument(state, site.dot, "value", arg);
    if (isTrue(dynamic(value)) === isOr) return value;
  }
  return site.final === undefined ? value : site.final;
}

const PARAM_NAMES = {
  any: "interface {}",
  value: "reflect.Value",
  string: "string",
  bytes: "[]uint8",
  property: "api.ToolProperty",
} as const;

/** validateType: a value for a parameter; an `any` parameter forgets the interface it came in. */
function validate(state: State, value: Value | null, param: Param): Value | null {
  if (param === "value") return value;
  if (param === "any") return dynamic(value);
  const name = PARAM_NAMES[param];
  if (value === null) {
    return param === "bytes" ? null : state.fail(`invalid value; expected ${name}`);
  }
  const inner = value.kind === "interface" && value.inner !== null ? value.inner : value;
  if (inner.type.name === name) return inner;
  if (inner.kind === "pointer" && inner.type.elem.name === name && inner.target !== null) {
    return inner.target;
  }
  return state.fail(`wrong type for value; expected ${name}; got ${inner.type.name}`);
}

/** evalArg */
function argument(state: State, dot: Value | null, param: Param, node: Operand): Value | null {
  state.at(node);
  switch (node.type) {
    case "Dot":
      return validate(state, dot, param);
    case "Nil":
      if (param === "string" || param === "property") {
        state.fail(`cannot assign nil to ${PARAM_NAMES[param]}`);
      }
      return null;
    case "Field":
      return validate(state, state.field(dot, node, [node], undefined), param);
    case "Variable":
      return validate(state, state.variable(dot, node, [], undefined), param);
    case "Pipe":
      return validate(state, state.pipeline(dot, node), param);
    case "Identifier":
      return validate(state, state.function(dot, node, node, [], undefined), param);
    case "Chain":
      return validate(state, state.chain(dot, node, [], undefined), param);
    case "Bool":
    case "Number":
    case "String":
      return constant(state, dot, param, node);
  }
}

/** A constant takes the parameter's type, where it can. */
function constant(
  state: State,
  dot: Value | null,
  param: Param,
  node: Extract<Operand, { type: "Bool" | "Number" | "String" }>,
): Value | null {
  if (param === "any" || param === "value") return state.literal(dot, node);
  if (param === "string" && node.type === "String") return string(node.text);
  if (param === "string") return state.fail(`expected string; found ${printNode(node)}`);
  return state.fail(`can't handle ${printNode(node)} for arg of type ${PARAM_NAMES[param]}`);
}
