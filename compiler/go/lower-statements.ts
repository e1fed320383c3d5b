/** The statements of a template, as the walk functions of text/template's exec.go execute them. */
import type { Expr, Stmt } from "../ir/nodes.js";
import type {
  ActionNode,
  IfNode,
  ListNode,
  PipeNode,
  RangeNode,
  Stmt as Node,
  TemplateNode,
  WithNode,
} from "./ast.js";
import { templateCall } from "./lower-defines.js";
import { afterwards, mayThrow } from "./lower-failing.js";
import { following } from "./lower-logic.js";
import { pipeline, type Scope } from "./lower-pipeline.js";
import { range } from "./lower-range.js";
import {
  localRef,
  failing,
  intrinsic,
  literal,
  type Lowering,
  type Val,
  type Variable,
} from "./lower-state.js";
import { convert, textOf, truth } from "./lower-values.js";
import { isModel } from "./model.js";
import { printNode, type Node as AnyNode } from "./print.js";

/** Lowers what a template or define runs first: there `$` is the data, and a variable of its own where `=` assigns it. */
export function templateBody(state: Lowering, list: ListNode, block: Stmt[]): boolean {
  const { dollar, key, scopes } = state.frame;
  if (state.assigned.has("$")) {
    const variable = newVariable(state, "$", `${key}:$`, dollar);
    const value = stored(state, variable, dollar);
    block.push({ op: "set", local: variable.local, value, origin: null });
    scopes.at(-1)?.push(variable);
  }
  return statements(state, dollar, list, block);
}

/** Lowers a list into a block; false where its end is never reached. */
export function statements(state: Lowering, dot: Val, list: ListNode, block: Stmt[]): boolean {
  state.at = list;
  for (const node of list.nodes) {
    if (!statement(state, dot, node, block)) return false;
  }
  return true;
}

function statement(state: Lowering, dot: Val, node: Node, block: Stmt[]): boolean {
  state.at = node;
  switch (node.type) {
    case "Text":
      emit(block, literal(node.text), state, node);
      return true;
    case "Action":
      return action(state, dot, node, block);
    case "If":
      return condition(state, dot, node, block);
    case "With":
      return withValue(state, dot, node, block);
    case "Range":
      return range(state, dot, node, block);
    case "Template":
      return template(state, dot, node, block);
    case "Break":
      block.push({ op: "break", origin: state.origin(node) });
      return false;
    case "Continue":
      block.push({ op: "continue", origin: state.origin(node) });
      return false;
  }
}

function emit(block: Stmt[], value: Expr, state: Lowering, node: AnyNode): void {
  if (value.op === "literal" && value.value === "") return;
  block.push({ op: "emit", value, origin: state.origin(node) });
}

/** Evaluates what always fails. */
export function fails(state: Lowering, value: Val, node: AnyNode, block: Stmt[]): boolean {
  block.push({ op: "run", value: value.expr, origin: state.origin(node) });
  return false;
}

function action(state: Lowering, dot: Val, node: ActionNode, block: Stmt[]): boolean {
  const value = pipeline(state, scopeOf(state, dot, block), node.pipe);
  if (value.type === "never") return fails(state, value, node, block);
  if (node.pipe.declare.length > 0) return true;
  state.at = node;
  if (value.stray === true) state.joins = true;
  emit(block, textOf(state, value), state, node);
  return true;
}

/** What a pipeline in a block is evaluated in. */
export function scopeOf(state: Lowering, dot: Val, block: Stmt[]): Scope {
  return { dot, declare: (pipe, value) => declare(state, block, pipe, value) };
}

/** The same for a condition, which reads the variable that it declares. */
function conditionScope(state: Lowering, dot: Val, block: Stmt[]): Scope {
  return {
    dot,
    declare(pipe, value) {
      const result = declare(state, block, pipe, value);
      const variable = state.lookup(pipe.declare[0]?.names[0] ?? "");
      if (variable !== null) variable.read = true;
      return result;
    },
  };
}

/** `$x := …` and `$x = …`, which print nothing. */
function declare(state: Lowering, block: Stmt[], pipe: PipeNode, value: Val): Val {
  const name = pipe.declare[0]?.names[0] ?? "";
  if (pipe.assigns) return assign(state, block, pipe, name, value);
  const key = variableKey(state, pipe, 0);
  const variable = newVariable(state, name, key, value);
  const shadowed = state.lookup(name);
  const stmt: Stmt = {
    op: "set",
    local: variable.local,
    value: stored(state, variable, value),
    origin: state.origin(pipe, printNode(pipe)),
  };
  block.push(stmt);
  if (shadowed !== null) {
    const message = `\`${printNode(pipe)}\` declares a new variable that nothing reads; the outer ${name} keeps its value`;
    const report = { code: "go/shadowed-variable", message, span: pipe.span };
    variable.declared = { block, stmt, report };
  }
  state.frame.scopes.at(-1)?.push(variable);
  return valueOf(variable);
}

function assign(state: Lowering, block: Stmt[], pipe: PipeNode, name: string, value: Val): Val {
  const variable = state.lookup(name);
  if (variable === null) return undeclaredVariable(state, name, value);
  setVariable(state, block, variable, value, pipe);
  return value;
}

/** exec.go's setVar of a name that is not declared, found only when the value is there. */
export function undeclaredVariable(state: Lowering, name: string, value: Val): Val {
  return following(state, value, () =>
    afterwards([value], failing(state, `undefined variable: ${name}`)),
  );
}

/** Gives a declared variable a value, of whatever type. */
export function setVariable(
  state: Lowering,
  block: Stmt[],
  variable: Variable,
  value: Val,
  pipe: PipeNode,
): void {
  state.variableType(variable.key, typeOf(value));
  block.push({
    op: "set",
    local: variable.local,
    value: stored(state, variable, value),
    origin: state.origin(pipe, pipe.declare.length > 1 ? "" : printNode(pipe)),
  });
}

/** A value in the form of all that the variable holds. */
function stored(state: Lowering, variable: Variable, value: Val): Expr {
  const converted = convert(state, value, variable.type);
  // Messages about fields name the type of what no interface holds; boxes of the data model tell it already.
  const isUnwrapped = variable.wrapped && !value.wrapped && !isModel(value.type);
  return isUnwrapped ? intrinsic("go.unwrap", [converted]) : converted;
}

export function variableKey(state: Lowering, pipe: PipeNode, at: number): string {
  return `${state.frame.key}:${String(pipe.span.start)}:${String(at)}`;
}

export function typeOf({
  type,
  wrapped,
  stray,
}: Val): Pick<Variable, "type" | "wrapped" | "stray"> {
  return { type, wrapped, stray: stray ?? false };
}

/** A variable with the type that all its values have in common; `$` is no part of its name in the output. */
export function newVariable(state: Lowering, name: string, key: string, value: Val): Variable {
  const { type, wrapped, stray } = state.variableType(key, typeOf(value));
  const local = state.newLocal(name.slice(1) || "root", type);
  if (state.assigned.has(name)) state.mutable.add(local);
  return { name, key, local, type, wrapped, stray, declared: null, read: false };
}

function valueOf({ local, type, wrapped, stray }: Variable): Val {
  return { expr: localRef(local), type, wrapped, stray };
}

/** Runs in a scope of its own, as Go pops its variables at the end of a block. */
export function scoped<T>(state: Lowering, run: () => T): T {
  state.frame.scopes.push([]);
  const result = run();
  for (const variable of state.frame.scopes.pop() ?? []) closeVariable(state, variable);
  return result;
}

/** A declaration that shadows a variable and that nothing reads has no effect: a reader should know. */
function closeVariable(state: Lowering, { declared, read }: Variable): void {
  if (declared === null) return;
  const { block, stmt, report } = declared;
  if (read) {
    state.effective.add(report.span.start);
    return;
  }
  const at = block.indexOf(stmt);
  if (at < 0 || stmt.op !== "set" || stmt.origin === null) return;
  state.reports.push(report);
  const text = `${stmt.origin.text} has no effect (declares a new variable)`;
  const note: Stmt = { op: "note", origin: { ...stmt.origin, text } };
  const run: Stmt = { op: "run", value: stmt.value, origin: stmt.origin };
  block.splice(at, 1, ...(mayThrow(stmt.value) ? [note, run] : [note]));
}

function condition(state: Lowering, dot: Val, node: IfNode, block: Stmt[]): boolean {
  return scoped(state, () => {
    const value = pipeline(state, conditionScope(state, dot, block), node.pipe);
    if (value.type === "never") return fails(state, value, node, block);
    return branches(state, block, node, { value, then: dot, otherwise: dot });
  });
}

interface Dots {
  readonly value: Val;
  readonly then: Val;
  readonly otherwise: Val;
}

function branches(state: Lowering, block: Stmt[], node: IfNode | WithNode, dots: Dots): boolean {
  const then: Stmt[] = [];
  const otherwise: Stmt[] = [];
  const { at } = state;
  const thenEnds = scoped(state, () => statements(state, dots.then, node.list, then));
  state.at = at;
  const list = node.otherwise;
  const otherwiseEnds =
    list === null || scoped(state, () => statements(state, dots.otherwise, list, otherwise));
  const keyword = node.type === "If" ? "if" : "with";
  const origin = state.origin(node, `${keyword} ${printNode(node.pipe)}`);
  block.push({ op: "if", test: truth(dots.value), then, otherwise, origin });
  return thenEnds || otherwiseEnds;
}

function withValue(state: Lowering, dot: Val, node: WithNode, block: Stmt[]): boolean {
  return scoped(state, () => {
    const value = pipeline(state, conditionScope(state, dot, block), node.pipe);
    if (value.type === "never") return fails(state, value, node, block);
    const bound = bind(state, value, node, block);
    return branches(state, block, node, { value: bound, then: bound, otherwise: dot });
  });
}

/** The value itself where reading it again costs nothing and gives the same, else a local that holds it. */
export function bind(
  state: Lowering,
  value: Val,
  node: WithNode | TemplateNode | RangeNode,
  block: Stmt[],
): Val {
  if (value.type === "root" || isPath(state, value.expr)) {
    const { ends: _ends, ...bound } = value;
    return bound;
  }
  const local = state.newLocal(boundName(node), value.type);
  const stmt: Stmt = { op: "set", local, value: value.expr, origin: state.origin(node) };
  block.push(stmt);
  return {
    type: value.type,
    wrapped: value.wrapped,
    stray: value.stray ?? false,
    expr: localRef(local),
  };
}

function isPath(state: Lowering, expr: Expr): boolean {
  switch (expr.op) {
    case "literal":
    case "input":
      return true;
    case "local":
      return !state.mutable.has(expr.local);
    case "read":
      return isPath(state, expr.object);
    case "coalesce":
      return isPath(state, expr.value);
    default:
      return false;
  }
}

/** The name of the last field that the pipeline reads, in JavaScript's spelling. */
function boundName(node: WithNode | TemplateNode | RangeNode): string {
  const operand = node.pipe?.commands[0]?.args[0];
  const name = operand !== undefined && "names" in operand ? operand.names.at(-1) : undefined;
  if (name === undefined || !/^[A-Za-z]/.test(name)) return "value";
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function template(state: Lowering, dot: Val, node: TemplateNode, block: Stmt[]): boolean {
  const value = templateCall(state, scopeOf(state, dot, block), node);
  if (value.type === "never") return fails(state, value, node, block);
  emit(block, value.expr, state, node);
  return true;
}
