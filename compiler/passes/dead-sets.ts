/**
 * Drops assignments that nothing reads: a backward walk with the locals that are read later. Locals that functions
 * capture are always read.
 */
import { capturedLocals } from "../ir/captures.js";
import { alwaysRaises, isDroppable } from "../ir/effects.js";
import type { Each, Entries, Expr, Local, Module, Stmt } from "../ir/nodes.js";
import {
  mapBodies,
  rewriteLists,
  assignedLocals,
  statementExprs,
  walkExpr,
  walkExprs,
  walkStmts,
} from "../ir/visit.js";
import { LocalSet } from "./local-set.js";
import type { Pass } from "./pass.js";

export const deadSets: Pass = {
  name: "dead-sets",
  run(module) {
    const captured = capturedLocals(module);
    const dropped: Expr[] = [];
    const clean = (body: readonly Stmt[]): Stmt[] => new Liveness(captured, dropped).body(body);
    const cleaned: Module = {
      ...module,
      body: clean(module.body),
      functions: module.functions.map((fn) => ({ ...fn, body: clean(fn.body) })),
    };
    return { ...withoutDeadFunctions(cleaned), ...askedBy(dropped, module) };
  },
};

/** The inputs that tests have asked for, also those that a local starts with: a caller may well give them. */
function askedBy(tests: readonly Expr[], module: Module): Pick<Module, "asked"> {
  if (tests.length === 0) return {};
  const starts = new Map<Local, string>();
  for (const { body } of [module, ...module.functions]) {
    walkStmts(body, (stmt) => {
      if (stmt.op === "set" && stmt.value.op === "input") starts.set(stmt.local, stmt.value.name);
    });
  }
  const asked = new Set(module.asked);
  for (const test of tests) {
    walkExpr(test, (expr) => {
      const name = expr.op === "local" ? starts.get(expr.local) : expr.op === "input" && expr.name;
      if (typeof name === "string") asked.add(name);
    });
  }
  return { asked };
}

type Live = LocalSet;

/** What is live where a jump leads to. */
interface Jumps {
  readonly afterLoop: Live;
  readonly nextRound: Live;
}

class Liveness {
  readonly #captured: ReadonlySet<Local>;
  /** Tests that decided nothing. */
  readonly #dropped: Expr[];

  constructor(captured: ReadonlySet<Local>, dropped: Expr[]) {
    this.#captured = captured;
    this.#dropped = dropped;
  }

  body(list: readonly Stmt[]): Stmt[] {
    return this.#list(list, LocalSet.none, NO_JUMPS).list;
  }

  #list(list: readonly Stmt[], after: Live, jumps: Jumps): { list: Stmt[]; live: Live } {
    let live = after;
    const kept: Stmt[] = [];
    for (let i = list.length - 1; i >= 0; i--) {
      const stmt = list[i];
      if (stmt === undefined) continue;
      const result = this.#statement(stmt, live, jumps);
      if (result.stmt !== null) kept.push(result.stmt);
      live = result.live;
    }
    return { list: kept.reverse(), live };
  }

  #statement(stmt: Stmt, live: Live, jumps: Jumps): { stmt: Stmt | null; live: Live } {
    switch (stmt.op) {
      case "set": {
        const isRead = live.has(stmt.local) || this.#captured.has(stmt.local);
        if (!isRead && isDroppable(stmt.value)) return { stmt: null, live };
        if (!isRead) return this.#run(stmt, live);
        return { stmt, live: withReads(live.without([stmt.local]), [stmt.value]) };
      }
      case "unpack":
        return { stmt, live: withReads(live.without(stmt.locals), [stmt.value]) };
      case "capture": {
        const body = this.#list(stmt.body, live, jumps);
        return { stmt: { ...stmt, body: body.list }, live: body.live.without([stmt.local]) };
      }
      case "if":
        return this.#if(stmt, live, jumps);
      case "each":
      case "entries":
      case "while":
        return this.#loop(stmt, live);
      case "break":
        return { stmt, live: jumps.afterLoop };
      case "continue":
        return { stmt, live: jumps.nextRound };
      case "return":
        return { stmt, live: LocalSet.none };
      default: {
        const after: Live = alwaysRaises(stmt) ? LocalSet.none : live;
        return { stmt, live: withReads(after, statementExprs(stmt)) };
      }
    }
  }

  /** The value is not read, but evaluating it may fail. */
  #run(stmt: Extract<Stmt, { op: "set" }>, live: Live): { stmt: Stmt; live: Live } {
    return {
      stmt: { op: "run", value: stmt.value, origin: stmt.origin },
      live: withReads(live, [stmt.value]),
    };
  }

  #if(
    stmt: Extract<Stmt, { op: "if" }>,
    live: Live,
    jumps: Jumps,
  ): { stmt: Stmt | null; live: Live } {
    const then = this.#list(stmt.then, live, jumps);
    const otherwise = this.#list(stmt.otherwise, live, jumps);
    const isEmpty = then.list.length === 0 && otherwise.list.length === 0;
    if (isEmpty && isDroppable(stmt.test)) {
      this.#dropped.push(stmt.test);
      return { stmt: null, live };
    }
    return {
      stmt: { ...stmt, then: then.list, otherwise: otherwise.list },
      live: withReads(then.live.union(otherwise.live), [stmt.test]),
    };
  }

  /** The end of a round is followed by the head of the next: walked until nothing new is live. */
  #loop(
    stmt: Extract<Stmt, { op: "each" | "entries" | "while" }>,
    live: Live,
  ): { stmt: Stmt; live: Live } {
    const bound = stmt.op === "while" ? [] : headLocals(stmt);
    const heads = stmt.op === "while" ? [stmt.test] : [];
    const empty = stmt.op === "while" ? null : this.#list(stmt.empty, live, NO_JUMPS);
    let end: Live = withReads(live, heads);
    let body = this.#list(stmt.body, end, { afterLoop: live, nextRound: end });
    for (;;) {
      const grown = end.union(body.live.without(bound));
      if (grown === end) break;
      end = grown;
      body = this.#list(stmt.body, end, { afterLoop: live, nextRound: end });
    }
    const around = withReads(end.union(empty?.live ?? end), statementExprs(stmt));
    const result: Stmt =
      stmt.op === "while"
        ? { ...stmt, body: body.list }
        : withoutUnusedHeads({ ...stmt, body: body.list, empty: empty?.list ?? [] });
    return { stmt: result, live: around };
  }
}

/** An item, key or value that the body does not mention has no name. */
function withoutUnusedHeads(stmt: Each | Entries): Stmt {
  const used = new Set<Local>();
  walkExprs(stmt.body, (expr) => {
    if (expr.op === "local") used.add(expr.local);
  });
  walkStmts(stmt.body, (inner) => {
    if (inner.op === "define") for (const local of headLocals(stmt)) used.add(local);
    for (const local of assignedLocals(inner)) used.add(local);
  });
  const kept = (local: Local | null): Local | null =>
    local !== null && used.has(local) ? local : null;
  return stmt.op === "each"
    ? { ...stmt, item: kept(stmt.item) }
    : { ...stmt, key: kept(stmt.key), value: kept(stmt.value) };
}

const NO_JUMPS: Jumps = { afterLoop: LocalSet.none, nextRound: LocalSet.none };

function headLocals(stmt: Extract<Stmt, { op: "each" | "entries" }>): Local[] {
  const locals = stmt.op === "each" ? [stmt.item, stmt.index] : [stmt.key, stmt.value];
  return locals.filter((local) => local !== null);
}

function withReads(live: Live, exprs: readonly Expr[]): Live {
  const found: Local[] = [];
  for (const expr of exprs) {
    walkExpr(expr, (inner) => {
      if (inner.op === "local") found.push(inner.local);
    });
  }
  return live.with(found);
}

/** Functions that nothing calls and nothing takes as a value are gone, with their definitions. */
function withoutDeadFunctions(module: Module): Module {
  const used = new Set<number>();
  const bodies = new Map(module.functions.map((fn) => [fn.name.id, fn.body]));
  const see = (body: readonly Stmt[]): void => {
    walkExprs(body, (expr) => {
      if ((expr.op !== "call" && expr.op !== "function") || used.has(expr.callee.id)) return;
      used.add(expr.callee.id);
      see(bodies.get(expr.callee.id) ?? []);
    });
  };
  see(module.body);
  if (used.size === module.functions.length) return module;
  const isUsed = (stmt: Stmt): boolean => stmt.op !== "define" || used.has(stmt.callee.id);
  return mapBodies(
    { ...module, functions: module.functions.filter((fn) => used.has(fn.name.id)) },
    (body) => rewriteLists(body, (list) => list.filter(isUsed)),
  );
}
