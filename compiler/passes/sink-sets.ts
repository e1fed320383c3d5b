/** Moves what a variable starts with into the one branch that uses the variable. */
import type { If, Local, Module, Stmt } from "../ir/nodes.js";
import { assignedLocals, mapBodies, rewriteLists, walkExprs, walkStmts } from "../ir/visit.js";
import type { Pass } from "./pass.js";

export const sinkSets: Pass = {
  name: "sink-sets",
  run(module) {
    const sinking = new Sinking(module);
    return mapBodies(module, (body) => rewriteLists(body, (list) => sinking.list(list)));
  },
};

/** Statements and expressions that the pass may look at: what is not sunk in a giant is right all the same. */
const MOST_WORK = 2_000_000;

class Sinking {
  /** How often each local is mentioned in the whole module; sinking moves mentions and changes no number. */
  readonly #mentions: ReadonlyMap<Local, number>;
  #work = 0;

  constructor(module: Module) {
    this.#mentions = this.#mentionsIn(
      [module.body, ...module.functions.map(({ body }) => body)].flat(),
    );
  }

  list(list: readonly Stmt[]): readonly Stmt[] {
    let result = list;
    for (let i = list.length - 1; i >= 0; i--) result = this.#at(result, i);
    return result;
  }

  /** Sinks the set at the index, if beside it one later if alone mentions its local, in one of its branches alone. */
  #at(list: readonly Stmt[], index: number): readonly Stmt[] {
    const stmt = list[index];
    if (stmt?.op !== "set" || !isFixed(stmt) || this.#work > MOST_WORK) return list;
    const user = list.slice(index + 1).find((other) => this.#count([other], stmt.local) > 0);
    if (user?.op !== "if") return list;
    // Where others mention it too, what they read depends on the set.
    if (this.#count([stmt, user], stmt.local) !== this.#mentions.get(stmt.local)) return list;
    const sunk = this.#into(user, stmt);
    return sunk === null
      ? list
      : list.filter((other) => other !== stmt).map((other) => (other === user ? sunk : other));
  }

  #into(user: If, stmt: Set): If | null {
    const inThen = this.#count(user.then, stmt.local);
    const inElse = this.#count(user.otherwise, stmt.local);
    const isInTest = this.#count([user], stmt.local) > inThen + inElse;
    if (isInTest || (inThen > 0 && inElse > 0)) return null;
    return inThen > 0
      ? { ...user, then: this.#place(user.then, stmt) }
      : { ...user, otherwise: this.#place(user.otherwise, stmt) };
  }

  /** Before its first use, or further down. */
  #place(list: readonly Stmt[], stmt: Set): readonly Stmt[] {
    const at = list.findIndex((inner) => this.#count([inner], stmt.local) > 0);
    return this.#at([...list.slice(0, at), stmt, ...list.slice(at)], at);
  }

  #count(list: readonly Stmt[], local: Local): number {
    return this.#mentionsIn(list).get(local) ?? 0;
  }

  #mentionsIn(list: readonly Stmt[]): Map<Local, number> {
    const counts = new Map<Local, number>();
    const count = (local: Local): void => {
      counts.set(local, (counts.get(local) ?? 0) + 1);
    };
    walkStmts(list, (stmt) => {
      this.#work++;
      assignedLocals(stmt).forEach(count);
    });
    walkExprs(list, (expr) => {
      this.#work++;
      if (expr.op === "local" || expr.op === "assign") count(expr.local);
    });
    return counts;
  }
}

type Set = Extract<Stmt, { op: "set" }>;

/** A value that is the same whenever it is read. */
function isFixed({ value }: Set): boolean {
  return value.op === "literal" || value.op === "input";
}
