/**
 * Lowering of for. A loop whose `loop` is only asked for its numbers and neighbours needs no loop object: they are
 * the index and the list. Where `loop` is called, passed on or changed, the runtime's Loop does what Jinja2's does.
 */
import * as build from "../ir/build.js";
import { Any, Index, List, Loop } from "../ir/kinds.js";
import type { Expr, FunctionName, Local, Stmt } from "../ir/nodes.js";
import type * as ast from "./ast.js";
import { leaveScope, startCells } from "./cells.js";
import { innerFrame, type Context, type Frame, type LoopLocals } from "./context.js";
import { isQuiet, readsStepwise } from "./laziness.js";
import { setting } from "./lower-autoescape.js";
import { lowerTruth, lowerValue } from "./lower-expressions.js";
import { assignTarget, buffered, enterScope, lowerBody } from "./lower-statements.js";
import { ScopeAnalysis, type Scope } from "./scope.js";
import { findBlocks } from "./undeclared.js";
import { expressionMentions, someBody, someChild, someExpression } from "./walk.js";

const PLAIN_ATTRIBUTES: ReadonlySet<string> = new Set([
  "index",
  "index0",
  "first",
  "last",
  "length",
  "revindex",
  "revindex0",
  "previtem",
  "nextitem",
  "depth",
  "depth0",
]);

interface LoopParts {
  readonly node: ast.For;
  readonly frame: Frame;
  readonly scope: Scope;
  readonly loop: Local | null;
  readonly origin: { line: number; column: number; text: string };
}

export function lowerFor(cx: Context, frame: Frame, node: ast.For): Stmt[] {
  cx.enter(node);
  const scope = node.recursive ? frame.scope.inFunction() : frame.scope.child();
  const isScoped = cx.hasScopedBlocks && findBlocks([node]).some((block) => block.scoped);
  const usesLoop = node.recursive || isScoped || cx.undeclared(node.body, ["loop"]).has("loop");
  const loop = usesLoop ? scope.declareParameter("loop") : null;
  const analysis = new ScopeAnalysis(scope);
  analysis.target(node.target, true);
  analysis.statements(node.body);
  const parts = { node, frame, scope, loop, origin: cx.origin(node, () => headline(cx, node)) };
  if (node.recursive) return lowerRecursive(cx, parts);
  if (isScoped || readsStepwise(node.iter, cx.lazyNames)) return lowerWithObject(cx, parts);
  if (loop === null) return lowerPlain(cx, parts);
  if (scope.hasCells) return lowerWithObject(cx, parts);
  const isExact =
    !loopEscapes(node.body) && (node.test === null || isQuiet(node.test, node.target));
  return isExact ? lowerIndexed(cx, parts, loop) : lowerWithObject(cx, parts);
}

function headline(cx: Context, node: ast.For): string {
  const test = node.test === null ? "" : ` if ${cx.text(node.test)}`;
  return `for ${cx.text(node.target)} in ${cx.text(node.iter)}${test}`;
}

/** A loop that never asks for `loop`. */
function lowerPlain(cx: Context, parts: LoopParts): Stmt[] {
  const { node, frame, scope } = parts;
  const source = listOf(cx, frame, node);
  const { item, unpacking } = lowerTarget(cx, innerFrame(frame, scope), node.target);
  const test = lowerLoopTest(cx, parts, item);
  const inner = [...unpacking, ...enterScope(cx, scope), ...loopBody(cx, parts)];
  return finish(
    cx,
    parts,
    test.before,
    (body, empty) => ({
      op: "each",
      source,
      item,
      index: null,
      body: test.test === null ? body : [...test.inside, build.when(test.test, body)],
      empty,
      backward: false,
      origin: parts.origin,
    }),
    inner,
    test.test !== null,
  );
}

/** A loop that asks for its numbers or neighbours: list and index are locals. */
function lowerIndexed(cx: Context, parts: LoopParts, loop: Local): Stmt[] {
  const { node, frame, scope } = parts;
  const filtered = filteredList(cx, parts, listOf(cx, frame, node));
  const { item, unpacking } = lowerTarget(cx, innerFrame(frame, scope), node.target);
  const list = cx.ids.local(listName(node), List);
  const index = cx.ids.local(frame.loopDepth === 0 ? "i" : "j", Index);
  cx.loops.set(loop, { list, item, index, depth: frame.loopDepth });
  const inner = [...unpacking, ...enterScope(cx, scope), ...loopBody(cx, parts)];
  const before = [...filtered.before, build.set(list, filtered.list)];
  return finish(
    cx,
    parts,
    before,
    (body, empty) => ({
      op: "each",
      source: build.ref(list),
      item,
      index,
      body,
      empty,
      backward: false,
      origin: parts.origin,
    }),
    inner,
    node.test !== null,
  );
}

/** A loop whose `loop` is called or passed on. */
function lowerWithObject(cx: Context, parts: LoopParts): Stmt[] {
  const { node, frame } = parts;
  const filtered = filteredIterable(cx, parts, lowerValue(cx, frame, node.iter));
  return [
    ...filtered.before,
    ...objectLoop(cx, parts, filtered.list, build.literal(0), build.NULL),
  ];
}

/** The loop over a Loop object; `iterable`, depth and the function that recurses are given. */
function objectLoop(
  cx: Context,
  parts: LoopParts,
  iterable: Expr,
  depth: Expr,
  recurse: Expr,
): Stmt[] {
  const { node, scope, frame } = parts;
  const loop = parts.loop ?? cx.ids.local("loop", Loop);
  const { item, unpacking } = lowerTarget(cx, innerFrame(frame, scope), node.target);
  const start = build.intrinsic("jinja.loop", [iterable, depth, recurse], cx.place(node.iter));
  const place = cx.place(node.iter);
  const inner = [
    build.set(item, build.intrinsic("jinja.loopItem", [build.ref(loop)])),
    ...unpacking,
    ...enterScope(cx, scope),
    ...loopBody(cx, parts),
  ];
  return finish(
    cx,
    parts,
    [build.set(loop, start)],
    (body) => ({
      op: "while",
      test: build.intrinsic("jinja.loopNext", [build.ref(loop)], place),
      body,
      origin: parts.origin,
    }),
    inner,
    true,
  );
}

/** A recursive loop is a function of its iterable and depth; `loop(children)` calls it again. */
function lowerRecursive(cx: Context, parts: LoopParts): Stmt[] {
  const { node, frame } = parts;
  const name = cx.ids.function("loop");
  const iterable = cx.ids.local("items", Any);
  const depth = cx.ids.local("depth", Index);
  const filtered = filteredIterable(cx, parts, build.ref(iterable));
  const recurse = recursion(cx, frame, name);
  const body = buffered(
    frame,
    (own) => [
      ...filtered.before,
      ...objectLoop(cx, { ...parts, frame: own }, filtered.list, build.ref(depth), recurse),
    ],
    () => cx.inheritedPlace(),
  );
  const cells = startCells(parts.scope.allCells());
  const params = [iterable, depth].map((local) => ({ local, default: null }));
  cx.functions.push({ name, params, body: [...cells, ...body], origin: parts.origin });
  cx.enter(node);
  const first = [lowerValue(cx, frame, node.iter), build.literal(0)];
  return [
    { op: "define", callee: name, origin: parts.origin },
    build.emit({ op: "call", callee: name, args: first }),
  ];
}

/** What `loop(…)` calls: its text is safe where output is escaped. */
function recursion(cx: Context, frame: Frame, callee: FunctionName): Expr {
  const call: Expr = { op: "function", callee };
  return frame.escape === "no" ? call : build.intrinsic("jinja.recurseIn", [setting(cx), call]);
}

function loopBody(cx: Context, parts: LoopParts): Stmt[] {
  const { loopDepth } = parts.frame;
  const frame = { ...innerFrame(parts.frame, parts.scope), loopDepth: loopDepth + 1 };
  return lowerBody(cx, frame, parts.node.body);
}

/** Puts the loop together with its else: which runs where no round reached its end. */
function finish(
  cx: Context,
  parts: LoopParts,
  before: readonly Stmt[],
  loop: (body: readonly Stmt[], empty: readonly Stmt[]) => Stmt,
  body: readonly Stmt[],
  mayDropRounds: boolean,
): Stmt[] {
  const { node, frame } = parts;
  if (node.otherwise.length === 0) {
    return [...before, loop(body, []), ...(node.recursive ? [] : leaveScope(parts.scope))];
  }
  const scope = parts.scope.beside();
  new ScopeAnalysis(scope).statements(node.otherwise);
  const otherwise = [
    ...enterScope(cx, scope),
    ...lowerBody(cx, innerFrame(frame, scope), node.otherwise),
    ...leaveScope(scope),
  ];
  if (!mayDropRounds && !jumps(node.body) && !scope.hasCells) {
    return [...before, loop(body, otherwise)];
  }
  const done = cx.ids.local("completed", Any);
  return [
    ...before,
    build.set(done, build.FALSE),
    loop([...body, build.set(done, build.TRUE)], []),
    ...leaveScope(parts.scope),
    build.when(build.not(build.ref(done)), otherwise),
  ];
}

/** Whether a break or continue of this loop is among the statements. */
function jumps(list: readonly ast.Stmt[]): boolean {
  return list.some(
    (node) =>
      node.type === "Break" ||
      node.type === "Continue" ||
      (node.type !== "For" && someBody(node, jumps, null)),
  );
}

function listOf(cx: Context, frame: Frame, node: ast.For): Expr {
  return build.intrinsic("jinja.list", [lowerValue(cx, frame, node.iter)], cx.place(node.iter));
}

/** The local that takes each item, and the statements that unpack it where the target is a tuple. */
function lowerTarget(
  cx: Context,
  frame: Frame,
  target: ast.Target,
): { item: Local; unpacking: Stmt[] } {
  const named = target.type === "Name" ? frame.scope.find(target.name) : null;
  if (named !== null && !frame.scope.hasCells) return { item: named, unpacking: [] };
  const item = cx.ids.local("item", Any);
  return { item, unpacking: assignTarget(cx, frame, target, build.ref(item)) };
}

/** The loop filter as a test inside the body; it is evaluated in a frame of its own. */
function lowerLoopTest(
  cx: Context,
  parts: LoopParts,
  item: Local,
): { before: Stmt[]; inside: Stmt[]; test: Expr | null } {
  const { node, frame } = parts;
  if (node.test === null) return { before: [], inside: [], test: null };
  const scope = testScope(frame, node, node.test);
  const inner = innerFrame(frame, scope);
  const before = enterScope(cx, scope);
  const inside = assignTarget(cx, inner, node.target, build.ref(item));
  return { before, inside, test: ownTest(cx, inner, node, node.test) };
}

/** The test has a line of its own in the generated code. */
function ownTest(cx: Context, frame: Frame, node: ast.For, test: ast.Expr): Expr {
  cx.enter(test);
  const lowered = lowerTruth(cx, frame, test);
  cx.enter(node);
  return lowered;
}

/** A loop filter hands on what it has unpacked, as a tuple: the neighbours of an item show it. */
function repacked({ node }: LoopParts, item: Expr): Expr {
  return isRepacked(node) ? build.intrinsic("jinja.tuple", [build.list([spread(item)])]) : item;
}

function spread(value: Expr): Expr {
  return { op: "spread", value: build.intrinsic("jinja.splat", [value], "") };
}

function isRepacked(node: ast.For): boolean {
  return node.target.type === "TupleTarget" && mentionsNeighbours(node.body);
}

function mentionsNeighbours(list: readonly ast.Stmt[]): boolean {
  return list.some(
    (node) => someExpression(node, isNeighbour, null) || someBody(node, mentionsNeighbours, null),
  );
}

function isNeighbour(expr: ast.Expr): boolean {
  if (expr.type === "Attribute" && (expr.name === "previtem" || expr.name === "nextitem"))
    return true;
  return someChild(expr, isNeighbour, null);
}

/** The items that pass the loop filter, as a list. */
function filteredList(cx: Context, parts: LoopParts, list: Expr): { before: Stmt[]; list: Expr } {
  if (parts.node.test === null) return { before: [], list };
  const item = cx.ids.local("item", Any);
  const kept = cx.ids.local("kept", List);
  const { before, inside, test } = lowerLoopTest(cx, parts, item);
  const keep = build.run({
    op: "method",
    object: build.ref(kept),
    name: "push",
    args: [repacked(parts, build.ref(item))],
  });
  return {
    before: [
      ...before,
      build.set(kept, build.list([])),
      {
        op: "each",
        source: list,
        item,
        index: null,
        body: [...inside, build.when(test ?? build.TRUE, [keep])],
        empty: [],
        backward: false,
        origin: null,
      },
    ],
    list: build.ref(kept),
  };
}

/**
 * The items that pass the loop filter, each looked for when the loop asks for it: Jinja2 makes the filter a generator.
 * The function that tells whether an item passes writes something where it does.
 */
function filteredIterable(
  cx: Context,
  parts: LoopParts,
  iterable: Expr,
): { before: Stmt[]; list: Expr } {
  const { node, frame } = parts;
  if (node.test === null) return { before: [], list: iterable };
  const scope = testScope(frame, node, node.test);
  const inner = innerFrame(frame, scope);
  const { item, unpacking } = lowerTarget(cx, inner, node.target);
  const name = cx.ids.function("passes");
  const write = build.emit(build.literal("1"));
  const test = ownTest(cx, inner, node, node.test);
  const body = [...unpacking, ...enterScope(cx, scope), build.when(test, [write])];
  cx.functions.push({ name, params: [{ local: item, default: null }], body, origin: null });
  const passes: Expr = { op: "function", callee: name };
  return {
    before: [{ op: "define", callee: name, origin: null }],
    list: build.intrinsic(
      "jinja.filtered",
      [iterable, passes, build.literal(isRepacked(node))],
      cx.place(node.iter),
    ),
  };
}

/** Jinja2's loop filter is a function. */
function testScope(frame: Frame, node: ast.For, test: ast.Expr): Scope {
  const scope = frame.scope.inFunction();
  const analysis = new ScopeAnalysis(scope);
  analysis.target(node.target, true);
  analysis.expression(test);
  return scope;
}

/** `messages` → "messageList": what the loop goes through, once it is known to be a list. */
function listName(node: ast.For): string {
  const { iter, target } = node;
  if (iter.type === "Name") return `${iter.name.replace(/s$/, "")}List`;
  return target.type === "Name" ? `${target.name}List` : "list";
}

/** `loop.index` and its like, of a loop without an object; null: something else. */
export function lowerLoopAttribute(cx: Context, frame: Frame, node: ast.Attribute): Expr | null {
  if (node.object.type !== "Name" || node.object.name !== "loop") return null;
  const local = frame.scope.find("loop");
  const loop = local === null ? undefined : cx.loops.get(local);
  return loop === undefined ? null : loopAttribute(loop, node.name);
}

function loopAttribute(loop: LoopLocals, name: string): Expr | null {
  const index = build.ref(loop.index);
  const list = build.ref(loop.list);
  const last = build.arithmetic(build.count(list), "-", build.literal(1));
  const neighbour = (isEdge: Expr, offset: "+" | "-", which: string): Expr =>
    build.choose(
      isEdge,
      build.intrinsic("jinja.noItem", [build.literal(which)]),
      build.at(list, build.arithmetic(index, offset, build.literal(1))),
    );
  switch (name) {
    case "index0":
      return index;
    case "index":
      return build.arithmetic(index, "+", build.literal(1));
    case "first":
      return build.compare(index, "===", build.literal(0));
    case "last":
      return build.compare(index, "===", last);
    case "length":
      return build.count(list);
    case "revindex":
      return build.arithmetic(build.count(list), "-", index);
    case "revindex0":
      return build.arithmetic(last, "-", index);
    case "previtem":
      return neighbour(build.compare(index, "===", build.literal(0)), "-", "previous");
    case "nextitem":
      return neighbour(build.compare(index, "===", last), "+", "next");
    case "depth":
      return build.literal(1);
    case "depth0":
      return build.literal(0);
    default:
      return null;
  }
}

/** Whether the `loop` of this body is used otherwise than for one of its plain attributes. */
function loopEscapes(list: readonly ast.Stmt[]): boolean {
  return list.some(
    (node) =>
      someExpression(node, escapesIn, null) ||
      (node.type === "For" && node.test !== null && escapesIn(node.test)) ||
      (node.type === "For" ? loopEscapes(node.otherwise) : someBody(node, loopEscapes, null)) ||
      ((node.type === "Macro" || node.type === "CallBlock") && capturesLoop(node.body)),
  );
}

/** Whether a function's statements use the `loop` around it; loops inside have their own. */
function capturesLoop(list: readonly ast.Stmt[]): boolean {
  return list.some((node) => {
    if (someExpression(node, expressionMentions, "loop")) return true;
    if (node.type !== "For") return someBody(node, capturesLoop, null);
    const isInTest = node.test !== null && expressionMentions(node.test, "loop");
    return isInTest || capturesLoop(node.otherwise);
  });
}

function escapesIn(node: ast.Expr): boolean {
  if (node.type === "Name") return node.name === "loop";
  if (
    node.type === "Attribute" &&
    node.object.type === "Name" &&
    node.object.name === "loop" &&
    PLAIN_ATTRIBUTES.has(node.name)
  ) {
    return false;
  }
  return someChild(node, escapesIn, null);
}
