/** What a pass is: a module in, a new module out. */
import type { Ids, Module } from "../ir/nodes.js";

export interface PassContext {
  readonly ids: Ids;
}

export interface Pass {
  readonly name: string;
  readonly run: (module: Module, context: PassContext) => Module;
}
