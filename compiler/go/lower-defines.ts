/** Template calls: one function for each define and type of its argument, as errors name the template that runs. */
import type { Expr, Local, Param, Stmt } from "../ir/nodes.js";
import type { ListNode, TemplateNode } from "./ast.js";
import { pipeline, type Scope } from "./lower-pipeline.js";
import { localRef, failing, NIL, val, type Frame, type Lowering, type Val } from "./lower-state.js";
import { templateBody } from "./lower-statements.js";
import { itemName, type GoType } from "./model.js";
import { quote } from "./strings.js";

/** walkTemplate: the text that the call writes. */
export function templateCall(state: Lowering, scope: Scope, node: TemplateNode): Val {
  state.at = node;
  const list = state.frame.defines.get(node.name);
  if (list === undefined && node.name !== "") {
    return failing(state, `template ${quote(node.name)} not defined`);
  }
  const dot = node.pipe === null ? NIL : pipeline(state, scope, node.pipe);
  if (dot.type === "never") return dot;
  return val("string", callDefine(state, node.name, list ?? state.set.main, dot));
}

function callDefine(state: Lowering, name: string, list: ListNode, dot: Val): Expr {
  const key = [state.frame.root.name, name, dot.type].join("/");
  const known = state.functions.get(key);
  const callee = known?.name ?? defineFunction(state, key, name, list, dot.type);
  const inputs = [...(state.facts.inputs.get(key) ?? [])].map((input) => state.input(input));
  return { op: "call", callee, args: takesDot(dot.type) ? [dot.expr, ...inputs] : inputs };
}

/** The data map and no value at all are known without an argument. */
function takesDot(type: GoType): boolean {
  return type !== "root" && type !== "nil";
}

function defineFunction(state: Lowering, key: string, name: string, list: ListNode, type: GoType) {
  const callee = state.ids.function(name === "" ? "main" : name);
  const entry: ReturnType<typeof state.functions.get> = { name: callee, def: null };
  state.functions.set(key, entry);
  const dot = takesDot(type) ? state.newLocal(itemName(type), type) : null;
  const value: Val = {
    type,
    wrapped: false,
    expr: dot === null ? NIL.expr : localRef(dot),
  };
  const { body, params } = functionBody(state, { key, template: name, dollar: value }, (block) =>
    templateBody(state, list, block),
  );
  const all = dot === null ? params : [{ local: dot, default: null }, ...params];
  entry.def = {
    name: callee,
    params: all,
    body,
    origin: state.origin(list, `define ${quote(name)}`),
  };
  return callee;
}

/** What differs from the calling frame in a function's. */
type FunctionFrame = Pick<Frame, "key" | "template" | "dollar"> & Partial<Frame>;

/** Lowers a function's body; its parameters are the inputs that it reads. */
export function functionBody(
  state: Lowering,
  frame: FunctionFrame,
  lowerInto: (block: Stmt[]) => void,
): { readonly body: Stmt[]; readonly params: Param[] } {
  const { at, frame: outer } = state;
  const params = new Map<string, Local>();
  for (const name of state.facts.inputs.get(frame.key) ?? []) {
    params.set(name, state.newLocal(name, inputType(name)));
  }
  state.frame = { ...outer, ...frame, params, scopes: [[]] };
  const body: Stmt[] = [];
  lowerInto(body);
  state.frame = outer;
  state.at = at;
  return { body, params: [...params.values()].map((local) => ({ local, default: null })) };
}

function inputType(name: string): GoType {
  switch (name) {
    case "messages":
    case "tools":
      return name;
    case "think":
    case "isThinkSet":
      return "bool";
    case "":
      return "any";
    default:
      return "string";
  }
}
