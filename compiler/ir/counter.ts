/** What closures ask, statement by statement as they are made, so that a render counts its work. */
import type { Expr, FunctionDef, Stmt } from "./nodes.js";

/** Where a statement stands: the place for what has none, and how many loops and functions are around. */
export interface Surroundings {
  readonly place: string;
  readonly depth: number;
}

/** What makes statements count their work. */
export interface Counter {
  readonly start: Surroundings;
  /** The statement with what its own expressions count, and the surroundings of the lists in it, which stay. */
  statement(
    stmt: Stmt,
    around: Surroundings,
  ): { readonly counted: Stmt; readonly inside: Surroundings };
  /** What a loop's body begins with. */
  round(body: readonly Stmt[], around: Surroundings): Stmt;
  /** What runs before and after a function's body, and the surroundings of the body. */
  function(fn: FunctionDef): {
    readonly before: Stmt;
    readonly after: Stmt | null;
    readonly inside: Surroundings;
  };
  /** The default of a function's parameter. */
  parameter(fn: FunctionDef, value: Expr): Expr;
}
