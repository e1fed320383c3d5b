/** What specialisation says of an expression, and what its surroundings do with an Undefined. */
import type { Kinds } from "../../ir/kinds.js";
import type { Expr } from "../../ir/nodes.js";

/** An expression and what it can be. */
export interface Typed {
  readonly expr: Expr;
  readonly kinds: Kinds;
}

/**
 * What the surroundings do with an Undefined: nothing that shows which one it is; raise its error at the place; keep
 * it, so that it must carry its message.
 */
export type Use =
  | { readonly mode: "silent" }
  | { readonly mode: "strict"; readonly place: string }
  | { readonly mode: "keeps" };

export const SILENT: Use = { mode: "silent" };
export const KEEPS: Use = { mode: "keeps" };

export function strictAt(place: string): Use {
  return { mode: "strict", place };
}
