/** Variables that frames of one function share, where macros may outlive their frame: nothing where none do. */
import * as build from "../ir/build.js";
import type { Expr, Local, Stmt } from "../ir/nodes.js";
import type { Scope } from "./scope.js";

/** What Python's variables hold where frames share them and none has set one. */
export const MISSING = build.intrinsic("jinja.missingObject", []);

/** A variable that may hold nothing: undefined then. */
export function found(scope: Scope, local: Local): Expr {
  const value = build.ref(local);
  return scope.hasCells ? build.intrinsic("jinja.found", [value]) : value;
}

/** The end of a frame: its variables hold nothing any more, which macros that outlive it see. */
export function leaveScope(scope: Scope): Stmt[] {
  if (!scope.hasCells) return [];
  return [...scope.loads.keys()].map((local) => build.set(local, MISSING));
}

/** What is set before the frames of a function that macros may outlive. */
export function startCells(cells: readonly Local[]): Stmt[] {
  return cells.map((local) => build.set(local, MISSING));
}
