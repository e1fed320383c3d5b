/** What a pass is: a module in, a new module out. */
import type { Ids, Module } from "../ir/nodes.js";

export interface PassContext {
  readonly ids: Ids;
  /** Whether a value must stay where it comes from, even where a test has shown which one it is. */
  readonly keepsOrigin?: boolean;
}

export interface Pass {
  readonly name: string;
  readonly run: (module: Module, context: PassContext) => Module;
}
