/** `range`, as walkRange of text/template's exec.go iterates by the operand's type. */
import type { Expr, Local, Stmt } from "../ir/nodes.js";
import { walkExprs } from "../ir/visit.js";
import type { ListNode, PipeNode, RangeNode } from "./ast.js";
import { following } from "./lower-logic.js";
import { pipeline } from "./lower-pipeline.js";
import {
  listOf,
  literal,
  localRef,
  intrinsic,
  val,
  type Lowering,
  type Val,
  type Variable,
} from "./lower-state.js";
import {
  bind,
  fails,
  newVariable,
  scoped,
  scopeOf,
  setVariable,
  statements,
  typeOf,
  undeclaredVariable,
  variableKey,
} from "./lower-statements.js";
import { box, itemsOf } from "./lower-values.js";
import { isModel, itemName, models, type GoType } from "./model.js";
import { printNode } from "./print.js";

/** What a range runs over: pairs, or a list with its index. */
interface Iteration {
  readonly pairs: boolean;
  readonly source: Expr;
  readonly key: Typing;
  readonly item: Typing;
}

interface Typing {
  readonly name: string;
  readonly type: GoType;
  readonly wrapped: boolean;
}

export function range(state: Lowering, dot: Val, node: RangeNode, block: Stmt[]): boolean {
  return scoped(state, () => {
    const { pipe } = node;
    const whole: Val[] = [];
    const scope = {
      ...scopeOf(state, dot, block),
      declare: (_: PipeNode, value: Val) => {
        whole.push(value);
        return value;
      },
    };
    let value = pipeline(state, scope, pipe);
    if (value.type === "never") return fails(state, value, node, block);
    if (pipe.assigns) {
      const undeclared = namesOf(pipe).find((name) => state.lookup(name) === null);
      if (undeclared !== undefined)
        return fails(state, undeclaredVariable(state, undeclared, value), node, block);
      // What the assignment changes may be what the value is read from.
      value = bind(state, value, node, block);
      for (const name of namesOf(pipe)) assignVariable(state, block, pipe, name, value);
    }
    if (value.type === "nil") return withoutItems(state, dot, node, value, block);
    return loop(state, dot, node, value, block);
  });
}

function namesOf(pipe: PipeNode): string[] {
  return pipe.declare.map((each) => each.names[0] ?? "");
}

function assignVariable(
  state: Lowering,
  block: Stmt[],
  pipe: PipeNode,
  name: string,
  value: Val,
): void {
  const variable = state.lookup(name);
  if (variable !== null) setVariable(state, block, variable, value, pipe);
}

/** Nothing to iterate over: the else list, where the variables hold the value itself. */
function withoutItems(
  state: Lowering,
  dot: Val,
  node: RangeNode,
  value: Val,
  block: Stmt[],
): boolean {
  const { otherwise, pipe } = node;
  if (otherwise === null) return true;
  return scoped(state, () => {
    const variables = pipe.assigns
      ? []
      : namesOf(pipe).map((name, i) => {
          const key = `${variableKey(state, pipe, i)}:else`;
          const variable = newVariable(state, name, key, value);
          state.frame.scopes.at(-1)?.push(variable);
          return variable;
        });
    const body: Stmt[] = [];
    const ends = statements(state, dot, otherwise, body);
    for (const variable of variables) {
      if (variable.read) setVariable(state, block, variable, value, pipe);
    }
    if (!breaks(otherwise)) {
      block.push(...body);
      return ends;
    }
    block.push(once(body));
    return true;
  });
}

/** walkRange catches its own else's `break`, which so ends no more than the else. */
function breaks(list: ListNode): boolean {
  return list.nodes.some((node) => {
    if (node.type === "Break") return true;
    if (node.type !== "If" && node.type !== "With") return false;
    return breaks(node.list) || (node.otherwise !== null && breaks(node.otherwise));
  });
}

/** A loop of one round, which `break` can end. */
function once(body: readonly Stmt[]): Stmt {
  const source = listOf([literal(0)]);
  const rest = { item: null, index: null, empty: [], backward: false, origin: null };
  return { op: "each", source, body, ...rest };
}

function loop(state: Lowering, dot: Val, node: RangeNode, value: Val, block: Stmt[]): boolean {
  const iteration = iterationOf(state, node, value);
  const key = newLocal(state, node, iteration.key, "key");
  const item = newLocal(state, node, iteration.item, "item");
  if (!iteration.pairs && isFixed(state, iteration.source))
    state.indexes.set(key, iteration.source);
  const body: Stmt[] = [];
  scoped(state, () => {
    const element: Val = { ...iteration.item, expr: localRef(item) };
    const index: Val = { ...iteration.key, expr: localRef(key) };
    iterationVariables(state, node.pipe, { key, item, index, element }, body);
    statements(state, element, node.list, body);
  });
  const empty: Stmt[] = [];
  withoutItems(state, dot, node, value, empty);
  const origin = state.origin(node, `range ${printNode(node.pipe)}`);
  const [usedKey = null, usedItem = null] = usedIn(body, [key, item]);
  const rest = { source: iteration.source, body, empty, origin };
  block.push(
    iteration.pairs
      ? { op: "entries", of: "pairs", key: usedKey, value: usedItem, ...rest }
      : { op: "each", index: usedKey, item: usedItem, backward: false, ...rest },
  );
  return true;
}

/** Those of the locals that statements read, null for the others. */
function usedIn(body: readonly Stmt[], locals: readonly Local[]): (Local | null)[] {
  const used = new Set<Local>();
  walkExprs(body, (expr) => {
    if (expr.op === "local") used.add(expr.local);
  });
  return locals.map((local) => (used.has(local) ? local : null));
}

/** Whether a path reads the same all the time. */
function isFixed(state: Lowering, expr: Expr): boolean {
  if (expr.op === "input") return true;
  if (expr.op === "local") return !state.mutable.has(expr.local);
  if (expr.op === "coalesce") return isFixed(state, expr.value);
  return expr.op === "read" && isFixed(state, expr.object);
}

interface Iterated {
  readonly key: Local;
  readonly item: Local;
  readonly index: Val;
  readonly element: Val;
}

/** oneIteration: with one variable it gets the element, with two the first gets the index. */
function iterationVariables(
  state: Lowering,
  pipe: PipeNode,
  iterated: Iterated,
  body: Stmt[],
): void {
  const names = namesOf(pipe);
  names.forEach((name, i) => {
    const isKey = names.length > 1 && i === 0;
    const value = isKey ? iterated.index : iterated.element;
    const local = isKey ? iterated.key : iterated.item;
    if (pipe.assigns) {
      assignVariable(state, body, pipe, name, value);
    } else {
      const variable = iterationVariable(state, pipe, { name, at: i, local, value }, body);
      state.frame.scopes.at(-1)?.push(variable);
    }
  });
}

interface Iterating {
  readonly name: string;
  readonly at: number;
  readonly local: Local;
  readonly value: Val;
}

/** The loop's own local, or where the template assigns the variable one that starts with its value. */
function iterationVariable(
  state: Lowering,
  pipe: PipeNode,
  each: Iterating,
  body: Stmt[],
): Variable {
  const { name, at, local, value } = each;
  const key = variableKey(state, pipe, at);
  if (!state.assigned.has(name)) {
    return { name, key, local, ...typeOf(value), declared: null, read: false };
  }
  const variable = newVariable(state, name, key, value);
  setVariable(state, body, variable, value, pipe);
  return variable;
}

/** A local with the template's name for it; `$_` and no name give way to what the item is. */
function newLocal(state: Lowering, node: RangeNode, typing: Typing, role: "key" | "item"): Local {
  const names = namesOf(node.pipe);
  const own = role === "item" ? names.at(-1) : names.length > 1 ? names[0] : undefined;
  const free = own === undefined || own === "$_" || node.pipe.assigns;
  return state.newLocal(free ? typing.name : own.slice(1), typing.type);
}

function iterationOf(state: Lowering, node: RangeNode, value: Val): Iteration {
  const { type } = value;
  const model = isModel(type) && type !== "image" ? models[type] : null;
  if (model?.element !== undefined && model.shape === "list") {
    const item = {
      name: itemName(model.element),
      type: model.element,
      wrapped: model.element === "json",
    };
    return { pairs: false, source: itemsOf(value), key: INDEX, item };
  }
  if (model?.element !== undefined && model.shape === "map") {
    const name = model.element === "property" ? "property" : "value";
    const item = { name, type: model.element, wrapped: model.element === "json" };
    const key = { name: "key", type: "string", wrapped: false } as const;
    return { pairs: true, source: intrinsic("go.sorted", [value.expr]), key, item };
  }
  if (type === "int" && node.pipe.declare.length < 2) {
    const item = { name: "number", type: "int", wrapped: false } as const;
    return { pairs: false, source: intrinsic("go.upTo", [value.expr]), key: INDEX, item };
  }
  const rule = node.pipe.declare.length > 1 ? "go.iteratePairs" : "go.iterate";
  const { expr } = following(state, value, () =>
    val("any", intrinsic(rule, [box(state, value)], state.place())),
  );
  return { pairs: true, source: expr, ...UNKNOWN };
}

const INDEX: Typing = { name: "index", type: "int", wrapped: false };

const UNKNOWN = {
  key: { name: "key", type: "any", wrapped: false },
  item: { name: "item", type: "any", wrapped: true },
} as const;
