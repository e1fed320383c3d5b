/** Which locals functions share. */
import type { Local, Module } from "./nodes.js";
import { assignedLocals, walkExprs, walkStmts } from "./visit.js";

/** Locals that are used in another function than the one that assigns them. */
export function capturedLocals(module: Module): ReadonlySet<Local> {
  const owners = new Map<Local, number>();
  const bodies = [
    { id: -1, params: [], body: module.body },
    ...module.functions.map((fn) => ({ id: fn.name.id, params: fn.params, body: fn.body })),
  ];
  for (const { id, params, body } of bodies) {
    for (const { local } of params) owners.set(local, id);
    walkStmts(body, (stmt) => {
      for (const local of assignedLocals(stmt)) owners.set(local, id);
    });
    walkExprs(body, (expr) => {
      if (expr.op === "assign") owners.set(expr.local, id);
      if (expr.op === "chain") owners.set(expr.item, id);
    });
  }
  const captured = new Set<Local>();
  for (const { id, body } of bodies) {
    walkExprs(body, (expr) => {
      if (expr.op === "local" && owners.get(expr.local) !== id) captured.add(expr.local);
    });
  }
  return captured;
}
