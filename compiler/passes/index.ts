/** The passes, in order. Each takes a module and gives a new one; each can be switched off by its name. */
import type { Ids, Module } from "../ir/nodes.js";
import { bindSources } from "./bind-sources.js";

export interface PassContext {
  readonly ids: Ids;
}

export interface Pass {
  readonly name: string;
  readonly run: (module: Module, context: PassContext) => Module;
}

export const passes: readonly Pass[] = [];

export type PassSelection = boolean | { readonly without: readonly string[] };

/** Runs the passes that are selected, and what the emitter needs in any case. */
export function optimize(module: Module, context: PassContext, selection: PassSelection): Module {
  const chosen =
    selection === false
      ? []
      : selection === true
        ? passes
        : passes.filter(({ name }) => !selection.without.includes(name));
  const optimized = chosen.reduce((current, pass) => pass.run(current, context), module);
  return bindSources(optimized, context.ids);
}
