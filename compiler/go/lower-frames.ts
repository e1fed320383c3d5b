/** What the bodies of a module are lowered in: the data map of each way in which Ollama executes a template. */
import type { FunctionDef, Stmt } from "../ir/nodes.js";
import type { TemplateSet } from "./ast.js";
import { functionBody } from "./lower-defines.js";
import {
  literal,
  val,
  WRAPPED_NIL,
  type Frame,
  type Lowering,
  type Root,
  type Val,
} from "./lower-state.js";
import { roots } from "./model.js";

export function frameOf(set: TemplateSet, root: Root, dollar: Val): Frame {
  return {
    key: root.name,
    template: "",
    root,
    params: null,
    dollar,
    scopes: [[]],
    functions: "all",
    defines: set.defines,
  };
}

export const ROOT: Val = val("root", literal(undefined));

export function ollamaFrame(set: TemplateSet, name: keyof typeof roots): Frame {
  return frameOf(set, rootOf(name), ROOT);
}

export function rootOf(name: keyof typeof roots): Root {
  const response: Val = { ...val("string", literal("")), wrapped: true };
  const values: Readonly<Record<string, Val>> = name === "turn" ? {} : { Response: response };
  return { name, inputs: roots[name], values, missing: WRAPPED_NIL };
}

/** A body of its own, as a function that returns what it writes. */
export function bodyFunction(
  state: Lowering,
  name: string,
  frame: Frame,
  lowerInto: (block: Stmt[]) => void,
): FunctionDef {
  const callee = state.ids.function(name);
  const { frame: outer } = state;
  state.frame = frame;
  const { body, params } = functionBody(state, frame, lowerInto);
  state.frame = outer;
  return { name: callee, params, body, origin: null };
}
