/** Which special names (`loop`, `caller`, `self` …) statements load before they store them: Jinja2's find_undeclared. */
import type * as ast from "./ast.js";
import { eachStatement, someBody, someChild, someExpression, statementBodies } from "./walk.js";

/** The names among those given that are loaded before anything stores them; blocks are left out. */
export function findUndeclared(
  list: readonly ast.Stmt[],
  names: readonly string[],
): ReadonlySet<string> {
  const wanted = new Set(names);
  const found = new Set<string>();
  usesIn(list, (name, isLoad) => {
    if (!wanted.has(name)) return;
    if (isLoad) found.add(name);
    else wanted.delete(name);
  });
  return found;
}

/** Every name that the statements load, blocks and inner frames included. */
export function loadedNames(list: readonly ast.Stmt[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of list) {
    usesOf(node, (name, isLoad) => {
      if (isLoad) names.add(name);
    });
    for (const body of statementBodies(node)) for (const name of loadedNames(body)) names.add(name);
  }
  return names;
}

/** The blocks in the statements, outer before inner. */
export function findBlocks(list: readonly ast.Stmt[]): readonly ast.Block[] {
  const blocks: ast.Block[] = [];
  eachStatement(list, (node) => {
    if (node.type === "Block") blocks.push(node);
  });
  return blocks;
}

type Visit = (name: string, isLoad: boolean) => void;

function usesIn(list: readonly ast.Stmt[], visit: Visit): boolean {
  for (const node of list) usesOf(node, visit);
  return false;
}

/** In the order of the fields of Jinja2's nodes, which decides whether a load or a store comes first. */
function usesOf(node: ast.Stmt, visit: Visit): void {
  switch (node.type) {
    case "Block":
      return;
    case "For":
      storesOf(node.target, visit);
      loadsOf(node.iter, visit);
      usesIn(node.body, visit);
      usesIn(node.otherwise, visit);
      if (node.test !== null) loadsOf(node.test, visit);
      return;
    case "If":
      for (const branch of node.branches) {
        loadsOf(branch.test, visit);
        usesIn(branch.body, visit);
      }
      usesIn(node.otherwise, visit);
      return;
    case "CallBlock":
      loadsOf(node.call, visit);
      parameterUses(node.parameters, visit);
      usesIn(node.body, visit);
      return;
    case "Macro":
      parameterUses(node.parameters, visit);
      usesIn(node.body, visit);
      return;
    case "FilterBlock":
      usesIn(node.body, visit);
      loadsOf(node.filter, visit);
      return;
    case "Output":
      for (const item of node.items) if (item.type !== "TextData") loadsOf(item, visit);
      return;
    case "With":
      for (const { target } of node.bindings) storesOf(target, visit);
      break;
    case "Set":
    case "SetBlock":
      storesOf(node.target, visit);
      break;
    default:
      break;
  }
  someExpression(node, loadsOf, visit);
  someBody(node, usesIn, visit);
}

function parameterUses(parameters: readonly ast.Parameter[], visit: Visit): void {
  for (const { name } of parameters) visit(name, false);
  for (const parameter of parameters) {
    if (parameter.default !== null) loadsOf(parameter.default, visit);
  }
}

function loadsOf(node: ast.Expr, visit: Visit): boolean {
  if (node.type === "Name") visit(node.name, true);
  else someChild(node, loadsOf, visit);
  return false;
}

function storesOf(target: ast.Target, visit: Visit): void {
  if (target.type === "Name") visit(target.name, false);
  else if (target.type === "TupleTarget") for (const item of target.items) storesOf(item, visit);
}
