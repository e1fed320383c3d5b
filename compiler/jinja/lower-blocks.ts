/** Lowering of blocks: each is a function of the module, which the template calls where it stands and through `self`. */
import * as build from "../ir/build.js";
import { Any, None, Text } from "../ir/kinds.js";
import type { Expr, FunctionName, Local, Stmt } from "../ir/nodes.js";
import type * as ast from "./ast.js";
import { found, startCells } from "./cells.js";
import { rootFrame, type Context, type Frame } from "./context.js";
import { inputOf } from "./inputs.js";
import { buffered, enterScope, failure, lowerBody, unjoinedOf } from "./lower-statements.js";
import { Scope, ScopeAnalysis } from "./scope.js";
import { loadedNames } from "./undeclared.js";

/** Settles, before anything is lowered, what blocks can look up; gives the statements that the template starts with. */
export function prepareBlocks(cx: Context, root: Scope): Stmt[] {
  const blocks = cx.allBlocks;
  const names = new Set(blocks.flatMap((block) => [...loadedNames(block.body)]));
  if (cx.hasScopedBlocks) cx.blockNames = [...names];
  for (const block of blocks) cx.blocks.set(block.name, cx.ids.function(`block_${block.name}`));
  for (const name of names) {
    const local = root.find(name);
    if (local === null || root.findLoad(local)?.kind !== "missing") continue;
    cx.exports.set(name, cx.ids.local(name, Any));
  }
  return [...cx.exports].map(([name, local]) => build.set(local, inputOf(cx, name)));
}

/** The functions of the blocks; a block's frame has no frame around it. */
export function lowerBlocks(cx: Context, root: Scope): Stmt[] {
  return cx.allBlocks.flatMap((node): Stmt[] => {
    const name = cx.blocks.get(node.name);
    return name === undefined ? [] : [blockFunction(cx, root, node, name)];
  });
}

function blockFunction(cx: Context, root: Scope, node: ast.Block, name: FunctionName): Stmt {
  const scope = new Scope(cx.ids, null, root.hasCells ? new Map<string, Local>() : null);
  const params = new Map(cx.blockNames.map((each) => [each, cx.ids.local(each, Any)] as const));
  cx.blockScopes.set(scope, params);
  cx.enter(node);
  const special = cx.undeclared(node.body, ["self", "super"]);
  const self = special.has("self") ? scope.declareParameter("self") : null;
  const parent = special.has("super") ? scope.declareParameter("super") : null;
  new ScopeAnalysis(scope).statements(node.body);
  const frame = { ...rootFrame(cx, scope), isBlock: true };
  const content = [
    ...(self === null ? [] : setSelf(cx, root, scope, self)),
    ...(parent === null ? [] : [build.set(parent, noSuper(node.name))]),
    ...enterScope(cx, scope),
    ...lowerBody(cx, frame, node.body),
  ];
  const body = [...startCells(scope.innerCells()), ...content];
  const origin = cx.origin(node, () => `block ${node.name}`);
  const list = [...params.values()].map((local) => ({ local, default: null }));
  cx.functions.push({ name, params: list, body, origin });
  return { op: "define", callee: name, origin };
}

function noSuper(block: string): Expr {
  return build.intrinsic("jinja.noSuper", [build.literal(block)]);
}

/** `self`: what calls each block with what this frame's context holds. */
export function setSelf(cx: Context, root: Scope, scope: Scope, self: Local): Stmt[] {
  const defines: Stmt[] = [];
  const renders = [...cx.blocks.values()].map((block): Expr => {
    if (cx.blockNames.length === 0 && cx.pieces === null) return { op: "function", callee: block };
    const callee = cx.ids.function("self_block");
    const call = callBlock(cx, block, (name) => lookup(cx, root, scope, name));
    const frame = { ...rootFrame(cx, scope), isBlock: true };
    // The error's line is that of the call.
    const body = buffered(
      frame,
      (own) => emitBlock(cx, own, build.emit(call)),
      () => "",
    );
    cx.functions.push({ name: callee, params: [], body, origin: null });
    defines.push({ op: "define", callee, origin: null });
    return { op: "function", callee };
  });
  const setting = cx.escaping === null ? build.NULL : build.ref(cx.escaping);
  const names = build.list([...cx.blocks.keys()].map((name) => build.literal(name)));
  const reference = build.intrinsic("jinja.selfReference", [setting, names, ...renders]);
  return [...defines, build.set(self, reference)];
}

/** What a block writes goes to what collects the output around it. */
function emitBlock(cx: Context, { buffer }: Frame, emit: Stmt): Stmt[] {
  if (buffer.isRoot || cx.pieces === null) return [emit];
  const pieces = build.ref(cx.pieces);
  const type = cx.ids.local("type", Text | None);
  const unjoined = unjoinedOf(cx, buffer);
  const either = {
    op: "coalesce",
    value: build.ref(unjoined),
    otherwise: build.ref(type),
  } as const;
  return [
    build.run(build.intrinsic("jinja.startPieces", [pieces])),
    emit,
    build.set(type, build.intrinsic("jinja.takePieces", [pieces])),
    build.set(unjoined, either),
  ];
}

function callBlock(cx: Context, callee: FunctionName, argument: (name: string) => Expr): Expr {
  return { op: "call", callee, args: cx.blockNames.map(argument) };
}

/** A name as the context of a scope has it: for a scoped block and what it calls, the variables around the block too. */
function lookup(cx: Context, root: Scope, scope: Scope, name: string): Expr {
  const parameter = cx.blockScopes.get(scope)?.get(name);
  if (parameter !== undefined) return build.ref(parameter);
  const exported = cx.exports.get(name);
  if (exported !== undefined) return build.ref(exported);
  const local = root.find(name);
  const isInput = local === null || root.findLoad(local)?.kind === "parameter";
  return isInput ? inputOf(cx, name) : build.ref(local);
}

/** What a frame finds under a name that none of the frames around it stores. */
export function resolve(cx: Context, scope: Scope, name: string): Expr {
  const root = scope.root();
  return cx.blockScopes.has(root) && cx.root !== null
    ? lookup(cx, cx.root, root, name)
    : inputOf(cx, name);
}

/** A block sees the template's own variables, not those of loops around it, unless it is scoped. */
export function lowerBlock(cx: Context, frame: Frame, node: ast.Block): Stmt[] {
  cx.enter(node);
  if (node.required) {
    const message = `Required block '${node.name}' not found`;
    return [failure(cx, node, "TemplateRuntimeError", message)];
  }
  const callee = cx.blocks.get(node.name);
  if (callee === undefined || cx.root === null) return [];
  const { root } = cx;
  const around = node.scoped ? frame.scope.allStores() : new Map<string, Local>();
  const argument = (name: string): Expr => {
    const outer = lookup(cx, root, frame.scope.root(), name);
    const local = around.get(name);
    if (local === undefined) return outer;
    const isMissing = build.compare(found(frame.scope, local), "===", build.UNDEFINED);
    return build.choose(isMissing, outer, build.ref(local));
  };
  return emitBlock(
    cx,
    frame,
    build.emit(
      callBlock(cx, callee, argument),
      cx.origin(node, () => ""),
    ),
  );
}
