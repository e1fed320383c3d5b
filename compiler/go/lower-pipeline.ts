/** Pipelines, commands and arguments, as text/template's exec.go evaluates them. */
import type {
  CommandNode,
  FieldNode,
  ChainNode,
  NumberNode,
  Operand,
  PipeNode,
  VariableNode,
} from "./ast.js";
import { callFunction } from "./lower-calls.js";
import { preceded } from "./lower-failing.js";
import { field } from "./lower-fields.js";
import { following } from "./lower-logic.js";
import {
  localRef,
  failing,
  intrinsic,
  literal,
  NIL,
  val,
  type Lowering,
  type Val,
} from "./lower-state.js";
import { printNode } from "./print.js";

/** What a pipeline is evaluated in: the dot, and where its declarations go. */
export interface Scope {
  readonly dot: Val;
  /** Takes a declaration or an assignment of the pipeline. */
  readonly declare: (pipe: PipeNode, value: Val) => Val;
}

/** evalPipeline: each command's value is the next one's last argument; interfaces are left behind. */
export function pipeline(state: Lowering, scope: Scope, pipe: PipeNode): Val {
  state.at = pipe;
  let value: Val | null = null;
  for (const each of pipe.commands) {
    const next: Val = unwrapped(command(state, scope, each, value));
    // Only a call takes the value that is piped into it; all else fails or drops it, once it is there.
    const isTaken = isCall(each) && next.type !== "never";
    value = value === null || isTaken ? next : preceded(state, value, next);
    if (value.type === "never") return value;
  }
  const result = value ?? NIL;
  return pipe.declare.length === 0 ? result : scope.declare(pipe, result);
}

function isCall({ args }: CommandNode): boolean {
  return args[0]?.type === "Identifier";
}

function unwrapped(value: Val): Val {
  return value.wrapped ? { ...value, wrapped: false } : value;
}

function command(state: Lowering, scope: Scope, node: CommandNode, final: Val | null): Val {
  const [first] = node.args;
  if (first === undefined) return NIL;
  switch (first.type) {
    case "Field":
      return fieldNode(state, scope, first, argumentCount(node, final));
    case "Chain":
      return chainNode(state, scope, first, argumentCount(node, final));
    case "Identifier":
      return callFunction(state, scope, {
        node: first,
        blame: node,
        args: node.args.slice(1),
        final,
      });
    case "Pipe":
      return noArguments(state, node, final) ?? pipeline(state, scope, first);
    case "Variable":
      return variableNode(state, first, node, final);
    default:
      state.at = first;
      return noArguments(state, node, final) ?? constant(state, scope, first);
  }
}

function argumentCount(node: CommandNode, final: Val | null): number {
  return node.args.length - 1 + (final === null ? 0 : 1);
}

/** exec.go's notAFunction. */
function noArguments(state: Lowering, node: CommandNode, final: Val | null): Val | null {
  const [first] = node.args;
  if (first === undefined || argumentCount(node, final) === 0) return null;
  return failing(state, `can't give argument to non-function ${printNode(first)}`);
}

function constant(state: Lowering, scope: Scope, node: Operand): Val {
  switch (node.type) {
    case "Bool":
      return val("bool", literal(node.value));
    case "Dot":
      return scope.dot;
    case "Number":
      return number(state, node);
    case "String":
      return text(state, node.text);
    default:
      return failing(state, "nil is not a command");
  }
}

function text(state: Lowering, value: string): Val {
  const stray = /[\udc80-\udcff]/u.test(value);
  if (stray) state.strict = true;
  return { ...val("string", literal(value)), stray };
}

/** exec.go's idealConstant: the syntax of a number tells its type. */
function number(state: Lowering, node: NumberNode): Val {
  state.at = node;
  if (node.complex !== null) {
    const { real, imaginary } = node.complex;
    return val("any", intrinsic("go.complex", [literal(real), literal(imaginary)]));
  }
  const hexadecimal = /^0[xX]/.test(node.text) && !/[pP]/.test(node.text);
  if (node.float !== null && !hexadecimal && !node.rune && /[.eEpP]/.test(node.text)) {
    return val("float64", literal(node.float));
  }
  if (node.int !== null) {
    const small = node.int >= Number.MIN_SAFE_INTEGER && node.int <= Number.MAX_SAFE_INTEGER;
    return small ? val("int", literal(Number(node.int))) : val("any", literal(node.int));
  }
  return node.uint === null ? NIL : failing(state, `${node.text} overflows int`);
}

function fieldNode(state: Lowering, scope: Scope, node: FieldNode, argc: number): Val {
  state.at = node;
  return chain(state, scope.dot, node.names, argc);
}

function chainNode(state: Lowering, scope: Scope, node: ChainNode, argc: number): Val {
  state.at = node;
  if (node.node.type === "Nil") {
    return failing(state, `indirection through explicit nil in ${printNode(node)}`);
  }
  const head = chainHead(state, scope, node.node);
  return following(state, head, () => chain(state, head, node.names, argc));
}

/** The operand of a chain; Go evaluates it as an argument without a type, which some constants cannot be. */
function chainHead(state: Lowering, scope: Scope, node: Operand): Val {
  state.at = node;
  return argument(state, scope, node);
}

function variableNode(
  state: Lowering,
  node: VariableNode,
  parent: CommandNode | null,
  final: Val | null,
): Val {
  state.at = node;
  const [name = "$", ...names] = node.names;
  const value = variable(state, name);
  const argc = parent === null ? 0 : argumentCount(parent, final);
  if (names.length > 0) return chain(state, value, names, argc);
  return (parent === null ? null : noArguments(state, parent, final)) ?? value;
}

/** The value of a variable, `$` included. */
function variable(state: Lowering, name: string): Val {
  if (name === "$" && state.lookup(name) === null) return state.frame.dollar;
  const found = state.lookup(name);
  if (found === null) return failing(state, `undefined variable: ${name}`);
  found.read = true;
  return {
    expr: localRef(found.local),
    type: found.type,
    wrapped: found.wrapped,
    stray: found.stray,
  };
}

/** evalFieldChain: only the last field takes the arguments. */
function chain(state: Lowering, receiver: Val, names: readonly string[], argc: number): Val {
  let value = receiver;
  names.forEach((name, i) => {
    value = field(state, value, { name, argc: i === names.length - 1 ? argc : 0 });
  });
  return value;
}

/** evalArg for a parameter that takes any value. */
export function argument(state: Lowering, scope: Scope, node: Operand): Val {
  state.at = node;
  switch (node.type) {
    case "Field":
      return fieldNode(state, scope, node, 0);
    case "Chain":
      return chainNode(state, scope, node, 0);
    case "Variable":
      return variableNode(state, node, null, null);
    case "Pipe":
      return pipeline(state, scope, node);
    case "Identifier":
      return callFunction(state, scope, { node, blame: node, args: [], final: null });
    case "Nil":
      return NIL;
    default:
      return constant(state, scope, node);
  }
}
