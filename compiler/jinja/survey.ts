/** What lowering must know of a template before it begins, found in one walk over its statements. */
import type * as ast from "./ast.js";
import { eachStatement } from "./walk.js";

export interface Survey {
  /** The names that some statement binds, in any frame. */
  readonly assigned: ReadonlySet<string>;
  /** The names that macros are bound to and nothing else is. */
  readonly macros: ReadonlySet<string>;
  /** The blocks, outer before inner. */
  readonly blocks: readonly ast.Block[];
  /** Whether a piece of output may be no text: only filter blocks and call blocks write what they get as it is. */
  readonly hasPieces: boolean;
  readonly hasAutoescape: boolean;
}

export function survey(list: readonly ast.Stmt[]): Survey {
  const bound = new Set<string>();
  const macros = new Set<string>();
  const blocks: ast.Block[] = [];
  let hasPieces = false;
  let hasAutoescape = false;
  eachStatement(list, (node) => {
    bind(node, bound);
    if (node.type === "Macro") macros.add(node.name);
    else if (node.type === "Block") blocks.push(node);
    else if (node.type === "FilterBlock" || node.type === "CallBlock") hasPieces = true;
    else if (node.type === "Autoescape") hasAutoescape = true;
  });
  return {
    assigned: new Set([...bound, ...macros]),
    macros: new Set([...macros].filter((name) => !bound.has(name))),
    blocks,
    hasPieces,
    hasAutoescape,
  };
}

/** Adds the names that the statement binds, but for a macro's own. */
function bind(node: ast.Stmt, bound: Set<string>): void {
  switch (node.type) {
    case "For":
    case "Set":
    case "SetBlock":
      bindTarget(node.target, bound);
      return;
    case "With":
      for (const { target } of node.bindings) bindTarget(target, bound);
      return;
    case "Macro":
    case "CallBlock":
      for (const { name } of node.parameters) bound.add(name);
      return;
    case "Import":
      bound.add(node.target);
      return;
    case "FromImport":
      for (const { name, alias } of node.names) bound.add(alias ?? name);
      return;
    default:
      return;
  }
}

function bindTarget(target: ast.Target, bound: Set<string>): void {
  if (target.type === "Name") bound.add(target.name);
  else if (target.type === "TupleTarget") for (const item of target.items) bindTarget(item, bound);
}
