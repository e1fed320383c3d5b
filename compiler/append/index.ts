/**
 * A template whose prompts can go on: one module renders a conversation and keeps what its locals hold before the last
 * message, another one starts there. Possible where all before depends neither on the number of messages nor on later
 * ones, and nothing but locals changes on the way. Of Ollama's dialect the modules take what its preparation gives: the
 * messages that are merged.
 */
import * as build from "../ir/build.js";
import { Index, List } from "../ir/kinds.js";
import { Ids, type Each, type Expr, type Local, type Module, type Stmt } from "../ir/nodes.js";
import {
  assignedLocals,
  firstFreeId,
  mapBodies,
  rewriteLists,
  statementLists,
  walkExprs,
  walkStmts,
} from "../ir/visit.js";
import { keepsState } from "./effects.js";
import { GrowthFinder } from "./growth.js";
import { resultForAny } from "./linear.js";

/** Fields of the input that no template can read: what is kept is pushed to the one, and taken from the other. */
export const KEPT = "kept state";
export const TAKEN = "taken state";

export interface Resumable {
  /** Renders from the start. */
  readonly first: Module;
  /** Renders from what was kept. */
  readonly later: Module;
  /** How many messages there must have been for what was kept to hold. */
  readonly fewest: number;
}

/** The two modules of an optimised one; null where it is not certain that they render what it does. */
export function resumable(given: Module): Resumable | null {
  if (given.dialect === "go") return null;
  const module: Module = { ...withMessages(withoutSpans(given)), prepare: null };
  const ids = new Ids(firstFreeId(module));
  const parts = partsOf(module, ids);
  if (parts === null || keepsState(module) || changesOuter(module)) return null;
  const growth = new GrowthFinder(module, parts.before, parts.asked);
  if (!growth.isFixed()) return null;
  const locals = keptLocals(module, parts);
  const kept = new KeptState(locals, growth.lists, parts, ids);
  return {
    first: { ...module, body: kept.first() },
    later: { ...module, body: kept.later() },
    fewest: growth.fewest,
  };
}

function withoutSpans(module: Module): Module {
  return mapBodies(module, (body) =>
    rewriteLists(body, (list) => list.filter((stmt) => !isSpanNote(stmt))),
  );
}

function isSpanNote(stmt: Stmt): boolean {
  return stmt.op === "run" && stmt.value.op === "intrinsic" && stmt.value.name === "jinja.noteSpan";
}

/** What a module does where there are messages: branches of the prompt itself that ask for them are its statements. */
function withMessages(module: Module): Module {
  const taken = (list: readonly Stmt[]): readonly Stmt[] =>
    list.flatMap((stmt) => {
      const result = stmt.op === "if" ? resultWithMessages(stmt.test) : null;
      if (stmt.op !== "if" || result === null) return [stmt];
      return taken(result ? stmt.then : stmt.otherwise);
    });
  return { ...module, body: taken(module.body) };
}

function resultWithMessages(test: Expr): boolean | null {
  if (test.op !== "compare" || test.left.op !== "count") return null;
  const { list } = test.left;
  return list.op === "input" && list.name === "messages" ? resultForAny(test) : null;
}

/** A module's body, at its loop over the messages. */
interface Parts {
  readonly before: readonly Stmt[];
  readonly loop: Each;
  /** The loop over its own source, which its body may name. */
  readonly asked: Each;
  readonly list: Local;
  readonly index: Local;
  readonly after: readonly Stmt[];
}

/** The last loop of the prompt itself, with its list in a local; null where there is none. */
function partsOf({ body }: Module, ids: Ids): Parts | null {
  const at = body.findLastIndex((stmt) => stmt.op === "each");
  const loop = body[at];
  if (loop?.op !== "each" || loop.backward) return null;
  const before = body.slice(0, at);
  const index = loop.index ?? ids.local("i", Index);
  const after = body.slice(at + 1);
  const asked = { ...loop, index };
  if (loop.source.op === "local") {
    return { before, loop: asked, asked, list: loop.source.local, index, after };
  }
  const list = ids.local("messageList", List);
  const bound = build.set(list, loop.source, loop.origin);
  const source = build.ref(list);
  return { before: [...before, bound], loop: { ...asked, source }, asked, list, index, after };
}

/** Whether a function assigns what the prompt itself holds. */
function changesOuter({ body, functions }: Module): boolean {
  const outer = new Set<Local>();
  walkStmts(body, (stmt) => {
    for (const local of assignedLocals(stmt)) outer.add(local);
  });
  return functions.some((fn) => {
    let changes = false;
    walkStmts(fn.body, (stmt) => {
      changes ||= assignedLocals(stmt).some((local) => outer.has(local));
    });
    return changes;
  });
}

/** What is assigned before the loop's last round, and read from there on. */
function keptLocals(module: Module, { before, loop, list, after }: Parts): readonly Local[] {
  const read = new Set<Local>([list]);
  for (const body of [loop.body, after, ...module.functions.map((fn) => fn.body)]) {
    walkExprs(body, (expr) => {
      if (expr.op === "local") read.add(expr.local);
    });
  }
  const kept = new Set<Local>();
  const bound = new Set<Local>();
  for (const body of [before, loop.body]) {
    walkStmts(body, (stmt) => {
      const isLoop = stmt.op === "each" || stmt.op === "entries";
      for (const local of assignedLocals(stmt)) (isLoop ? bound : kept).add(local);
    });
  }
  return [...kept].filter((local) => read.has(local) && !bound.has(local));
}

class KeptState {
  readonly #locals: readonly Local[];
  readonly #lists: ReadonlySet<Local>;
  readonly #parts: Parts;
  readonly #ids: Ids;

  constructor(locals: readonly Local[], lists: ReadonlySet<Local>, parts: Parts, ids: Ids) {
    this.#locals = locals;
    this.#lists = lists;
    this.#parts = parts;
    this.#ids = ids;
  }

  first(): readonly Stmt[] {
    const { before, loop, index, after } = this.#parts;
    return [...before, { ...loop, body: [this.#keep(index), ...loop.body] }, ...after];
  }

  later(): readonly Stmt[] {
    const { before, loop, list, index, after } = this.#parts;
    const start = this.#ids.local("start", Index);
    const round = this.#ids.local("round", Index);
    const at = build.arithmetic(build.ref(round), "+", build.ref(start));
    const body = [build.set(index, at), this.#keep(index), ...loop.body];
    const source: Expr = slice(build.ref(list), build.ref(start));
    const resumed: Each = { ...loop, source, index: round, body };
    return [...definesIn(before), build.set(start, taken(0)), ...this.#take(), resumed, ...after];
  }

  /** In the last round: what the locals hold, of lists how many messages they leave out. */
  #keep(index: Local): Stmt {
    const last = build.arithmetic(build.count(build.ref(this.#parts.list)), "-", build.literal(1));
    const values = this.#locals.map((local) =>
      this.#lists.has(local)
        ? build.arithmetic(build.count(build.input("messages")), "-", build.count(build.ref(local)))
        : build.ref(local),
    );
    const state = build.list([build.ref(index), ...values]);
    const push: Expr = { op: "method", object: build.input(KEPT), name: "push", args: [state] };
    return build.when(build.compare(build.ref(index), "===", last), [build.run(push)]);
  }

  #take(): readonly Stmt[] {
    return this.#locals.map((local, i) => {
      const value = taken(i + 1);
      return build.set(
        local,
        this.#lists.has(local) ? slice(build.input("messages"), value) : value,
      );
    });
  }
}

function taken(position: number): Expr {
  return build.at(build.input(TAKEN), build.literal(position), true);
}

function slice(list: Expr, from: Expr): Expr {
  return { op: "method", object: list, name: "slice", args: [from] };
}

/** The functions that come into being in statements that are not run. */
function definesIn(list: readonly Stmt[]): readonly Stmt[] {
  return list.flatMap((stmt) =>
    stmt.op === "define" ? [stmt] : statementLists(stmt).flatMap((inner) => definesIn(inner)),
  );
}
