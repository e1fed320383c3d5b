/** Which special names (`loop`, `caller`, `self` …) statements load before they store them: Jinja2's find_undeclared. */
import type * as ast from "./ast.js";
import { expressionChildren, statementBodies, statementExpressions } from "./walk.js";

interface NameUse {
  readonly name: string;
  readonly isLoad: boolean;
}

/** The names among those given that are loaded before anything stores them; blocks are left out. */
export function findUndeclared(
  list: readonly ast.Stmt[],
  names: readonly string[],
): ReadonlySet<string> {
  const wanted = new Set(names);
  const found = new Set<string>();
  for (const { name, isLoad } of usesIn(list)) {
    if (!wanted.has(name)) continue;
    if (isLoad) found.add(name);
    else wanted.delete(name);
  }
  return found;
}

/** Every name that the statements load, blocks and inner frames included. */
export function loadedNames(list: readonly ast.Stmt[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of list) {
    const uses = node.type === "Block" ? [] : [...usesOf(node)];
    for (const { name, isLoad } of uses) if (isLoad) names.add(name);
    for (const body of statementBodies(node)) for (const name of loadedNames(body)) names.add(name);
  }
  return names;
}

/** The blocks in the statements, outer before inner. */
export function findBlocks(list: readonly ast.Stmt[]): readonly ast.Block[] {
  return list.flatMap((node) => {
    const inner = statementBodies(node).flatMap(findBlocks);
    return node.type === "Block" ? [node, ...inner] : inner;
  });
}

function* usesIn(list: readonly ast.Stmt[]): Generator<NameUse> {
  for (const node of list) yield* usesOf(node);
}

/** In the order of the fields of Jinja2's nodes, which decides whether a load or a store comes first. */
function* usesOf(node: ast.Stmt): Generator<NameUse> {
  switch (node.type) {
    case "Block":
      return;
    case "For":
      yield* storesOf(node.target);
      yield* loadsOf(node.iter);
      yield* usesIn(node.body);
      yield* usesIn(node.otherwise);
      if (node.test !== null) yield* loadsOf(node.test);
      return;
    case "If":
      for (const branch of node.branches) {
        yield* loadsOf(branch.test);
        yield* usesIn(branch.body);
      }
      yield* usesIn(node.otherwise);
      return;
    case "CallBlock":
      yield* loadsOf(node.call);
      yield* parameterUses(node.parameters);
      yield* usesIn(node.body);
      return;
    case "Macro":
      yield* parameterUses(node.parameters);
      yield* usesIn(node.body);
      return;
    case "FilterBlock":
      yield* usesIn(node.body);
      yield* loadsOf(node.filter);
      return;
    case "With":
      for (const { target } of node.bindings) yield* storesOf(target);
      break;
    case "Set":
    case "SetBlock":
      yield* storesOf(node.target);
      break;
    default:
      break;
  }
  for (const child of statementExpressions(node)) yield* loadsOf(child);
  for (const body of statementBodies(node)) yield* usesIn(body);
}

function* parameterUses(parameters: readonly ast.Parameter[]): Generator<NameUse> {
  for (const { name } of parameters) yield { name, isLoad: false };
  for (const parameter of parameters) {
    if (parameter.default !== null) yield* loadsOf(parameter.default);
  }
}

function* loadsOf(node: ast.Expr): Generator<NameUse> {
  if (node.type === "Name") yield { name: node.name, isLoad: true };
  else for (const child of expressionChildren(node)) yield* loadsOf(child);
}

function* storesOf(target: ast.Target): Generator<NameUse> {
  if (target.type === "Name") yield { name: target.name, isLoad: false };
  else if (target.type === "TupleTarget") for (const item of target.items) yield* storesOf(item);
}
