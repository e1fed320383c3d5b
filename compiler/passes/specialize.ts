/**
 * Specialises intrinsics by what is known of their arguments: a forward walk with kinds and facts on paths, repeated
 * until what the locals can hold, which of them need the message of an Undefined, and which functions escape is stable.
 */
import { union } from "../ir/kinds.js";
import type { FunctionDef, Module } from "../ir/nodes.js";
import type { Pass } from "./pass.js";
import { Facts } from "./specialize/facts.js";
import { noFindings, Round, sameFindings, Survey, type Findings } from "./specialize/state.js";
import { StatementSpecializer } from "./specialize/statements.js";

/** Kinds only grow from round to round, so this ends; the bound is for faults of ours. */
const MAX_ROUNDS = 20;

export const specialize: Pass = {
  name: "specialize",
  run(module, { ids, keepsOrigin = false }) {
    const survey = new Survey(module, ids, keepsOrigin);
    let before = noFindings();
    for (let n = 0; n < MAX_ROUNDS; n++) {
      const round = new Round(survey, before);
      const result = specializeModule(module, round);
      const found = grown(before, round.found);
      if (sameFindings(before, found)) return { ...result, facts: found.kinds };
      before = found;
    }
    return module;
  },
};

function specializeModule(module: Module, round: Round): Module {
  const body = new StatementSpecializer(round, Facts.of()).list(module.body);
  const functions = module.functions.map((fn) => specializeFunction(fn, round));
  return { ...module, body, functions };
}

function specializeFunction(fn: FunctionDef, round: Round): FunctionDef {
  if (round.before.escaping.has(fn.name.id)) round.escape(fn.name);
  const entry = round.before.escaping.has(fn.name.id)
    ? new Map()
    : (round.before.entry.get(fn.name.id) ?? new Map());
  return { ...fn, body: new StatementSpecializer(round, Facts.of(entry)).list(fn.body) };
}

/** Kinds and demands of earlier rounds stay: the rounds climb to the first point where all of them hold. */
function grown(before: Findings, now: Findings): Findings {
  const kinds = new Map(now.kinds);
  for (const [id, known] of before.kinds) kinds.set(id, union(known, kinds.get(id) ?? known));
  return {
    kinds,
    untyped: new Set([...before.untyped, ...now.untyped]),
    hinted: new Set([...before.hinted, ...now.hinted]),
    escaping: new Set([...before.escaping, ...now.escaping]),
    entry: now.entry,
  };
}
