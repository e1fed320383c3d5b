/** Puts inputs, constants and other locals in place of the locals that only repeat them. */
import type { Expr, Local, Module, Stmt } from "../ir/nodes.js";
import {
  assignedLocals,
  mapBodies,
  rewriteExprs,
  rewriteLists,
  walkExprs,
  walkStmts,
} from "../ir/visit.js";
import type { Pass } from "./pass.js";

export const propagate: Pass = {
  name: "propagate",
  run(module) {
    const copies = findCopies(module);
    if (copies.size === 0) return module;
    const resolve = (local: Local): Expr | null => {
      const value = copies.get(local);
      if (value === undefined) return null;
      return value.op === "local" ? (resolve(value.local) ?? value) : value;
    };
    return mapBodies(module, (body) =>
      rewriteLists(
        rewriteExprs(body, (expr) => (expr.op === "local" ? (resolve(expr.local) ?? expr) : expr)),
        (list) => list.filter((stmt) => !(stmt.op === "set" && copies.has(stmt.local))),
      ),
    );
  },
};

/** Locals that are set once, to an input, a literal, or a local that is set once too. */
function findCopies(module: Module): Map<Local, Expr> {
  const counts = new Map<Local, number>();
  const values = new Map<Local, Expr>();
  const count = (local: Local): void => {
    counts.set(local, (counts.get(local) ?? 0) + 1);
  };
  const see = (body: readonly Stmt[]): void => {
    walkStmts(body, (stmt) => {
      for (const local of assignedLocals(stmt)) count(local);
      if (stmt.op === "set") values.set(stmt.local, stmt.value);
    });
    walkExprs(body, (expr) => {
      if (expr.op === "assign") {
        count(expr.local);
        count(expr.local);
      }
    });
  };
  see(module.body);
  for (const fn of module.functions) {
    see(fn.body);
    for (const { local } of fn.params) count(local);
  }
  const copies = new Map<Local, Expr>();
  for (const [local, value] of values) {
    if (counts.get(local) === 1 && isCopy(value, counts)) copies.set(local, value);
  }
  return copies;
}

function isCopy(value: Expr, counts: ReadonlyMap<Local, number>): boolean {
  if (value.op === "literal") return typeof value.value !== "string" || value.value.length < 40;
  return value.op === "input" || (value.op === "local" && counts.get(value.local) === 1);
}
