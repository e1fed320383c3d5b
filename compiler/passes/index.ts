/** The passes, in order. Each takes a module and gives a new one; each can be switched off by its name. */
import { Ids, type Module } from "../ir/nodes.js";
import { firstFreeId } from "../ir/visit.js";
import { bindSources } from "./bind-sources.js";
import { deadSets } from "./dead-sets.js";
import { elseIf } from "./else-if.js";
import { fieldLoops } from "./field-loops.js";
import { foldConstants } from "./fold-constants.js";
import { integerSet } from "./integer-set.js";
import { mergeText } from "./merge-text.js";
import type { Pass, PassContext } from "./pass.js";
import { presence } from "./presence.js";
import { promoteNamespaces } from "./promote-namespaces.js";
import { propagate } from "./propagate.js";
import { raiseEarly } from "./raise-early.js";
import { specialize } from "./specialize.js";
import { sinkSets } from "./sink-sets.js";
import { tidy } from "./tidy.js";

export const passes: readonly Pass[] = [
  promoteNamespaces,
  { ...deadSets, name: "dead-sets-early" },
  specialize,
  raiseEarly,
  propagate,
  foldConstants,
  deadSets,
  { ...specialize, name: "specialize-again" },
  { ...deadSets, name: "dead-sets-late" },
  integerSet,
  sinkSets,
  elseIf,
  presence,
  tidy,
  mergeText,
  fieldLoops,
];

export type PassSelection = boolean | { readonly without: readonly string[] };

/**
 * Runs the passes that are selected, and what the emitter needs in any case. With `keepsOrigin` no value is replaced by
 * the literal that a test has shown it to be.
 */
export function optimize(module: Module, selection: PassSelection, keepsOrigin = false): Module {
  const context: PassContext = { ids: new Ids(firstFreeId(module)), keepsOrigin };
  const optimized = chosen(selection).reduce((current, pass) => pass.run(current, context), module);
  return bindSources(optimized, context.ids);
}

/** The same for a module with segments, made of an optimised one: pairs whose place the code tells are asked for no more. */
export function optimizeTraced(module: Module, selection: PassSelection): Module {
  const context: PassContext = { ids: new Ids(firstFreeId(module)) };
  const late = chosen(selection).filter((pass) => pass === fieldLoops);
  const optimized = late.reduce((current, pass) => pass.run(current, context), module);
  return bindSources(optimized, context.ids);
}

function chosen(selection: PassSelection): readonly Pass[] {
  if (typeof selection === "boolean") return selection ? passes : [];
  return passes.filter(({ name }) => !selection.without.includes(name));
}
