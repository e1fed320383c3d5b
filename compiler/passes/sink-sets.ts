/** Moves what a variable starts with into the one branch that uses the variable. */
import type { Expr, If, Local, Stmt } from "../ir/nodes.js";
import {
  assignedLocals,
  mapBodies,
  rewriteLists,
  statementExprs,
  statementLists,
  walkExpr,
} from "../ir/visit.js";
import type { Pass } from "./index.js";

export const sinkSets: Pass = {
  name: "sink-sets",
  run: (module) => mapBodies(module, (body) => rewriteLists(body, sinkList)),
};

function sinkList(list: readonly Stmt[]): readonly Stmt[] {
  let result = list;
  for (let i = list.length - 1; i >= 0; i--) result = sinkAt(result, i);
  return result;
}

/** Sinks the set at the index, if one later if alone mentions its local, in one of its branches alone. */
function sinkAt(list: readonly Stmt[], index: number): readonly Stmt[] {
  const stmt = list[index];
  if (stmt?.op !== "set" || !isFixed(stmt.value)) return list;
  const users = list.filter((other) => other !== stmt && mentions(other, stmt.local));
  const [user] = users;
  if (user?.op !== "if" || users.length !== 1 || list.indexOf(user) < index) return list;
  const sunk = sinkInto(user, stmt);
  return sunk === null
    ? list
    : list.filter((other) => other !== stmt).map((other) => (other === user ? sunk : other));
}

function sinkInto(user: If, stmt: Extract<Stmt, { op: "set" }>): If | null {
  if (statementExprs(user).some((expr) => reads(expr, stmt.local))) return null;
  const inThen = user.then.some((inner) => mentions(inner, stmt.local));
  const inElse = user.otherwise.some((inner) => mentions(inner, stmt.local));
  if (inThen === inElse) return null;
  return inThen
    ? { ...user, then: place(user.then, stmt) }
    : { ...user, otherwise: place(user.otherwise, stmt) };
}

/** Before its first use, or further down. */
function place(list: readonly Stmt[], stmt: Extract<Stmt, { op: "set" }>): readonly Stmt[] {
  const at = list.findIndex((inner) => mentions(inner, stmt.local));
  const placed = [...list.slice(0, at), stmt, ...list.slice(at)];
  return sinkAt(placed, at);
}

/** A value that is the same whenever it is read. */
function isFixed(value: Expr): boolean {
  return value.op === "literal" || value.op === "input";
}

function mentions(stmt: Stmt, local: Local): boolean {
  return (
    stmt.op === "define" ||
    assignedLocals(stmt).includes(local) ||
    statementExprs(stmt).some((expr) => reads(expr, local)) ||
    statementLists(stmt).some((list) => list.some((inner) => mentions(inner, local)))
  );
}

function reads(expr: Expr, local: Local): boolean {
  let found = false;
  walkExpr(expr, (inner) => {
    if ((inner.op === "local" || inner.op === "assign") && inner.local === local) found = true;
  });
  return found;
}
