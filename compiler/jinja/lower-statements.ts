/** Lowering of Jinja's statements. */
import * as build from "../ir/build.js";
import { intrinsics } from "../ir/intrinsics.js";
import { Any, Markup, None, Text } from "../ir/kinds.js";
import type { Expr, Local, Stmt } from "../ir/nodes.js";
import type * as ast from "./ast.js";
import { leaveScope, MISSING, startCells } from "./cells.js";
import { isConstant } from "./constants.js";
import { escapesConstants, innerFrame, type Buffer, type Context, type Frame } from "./context.js";
import { lowerAutoescape, markCaptured, markSet, setting } from "./lower-autoescape.js";
import { lowerBlock, resolve } from "./lower-blocks.js";
import { isGlobal, lowerTruth, lowerValue } from "./lower-expressions.js";
import { lowerFilter } from "./lower-filters.js";
import { lowerFor } from "./lower-loops.js";
import { lowerCallBlock, lowerMacro } from "./lower-macros.js";
import { ScopeAnalysis, type Load, type Scope } from "./scope.js";

export function lowerBody(cx: Context, frame: Frame, list: readonly ast.Stmt[]): Stmt[] {
  const body: Stmt[] = [];
  for (const node of list) {
    const lowered = lowerStatement(cx, frame, node);
    for (const stmt of lowered) body.push(stmt);
  }
  return body;
}

/** What the locals of a frame hold when it is entered. */
export function enterScope(cx: Context, scope: Scope): Stmt[] {
  const start: Stmt[] = [];
  for (const [local, load] of scope.loads) {
    const value = startingValue(cx, scope, load);
    if (value !== null) start.push(build.set(local, value));
  }
  return start;
}

function startingValue(cx: Context, scope: Scope, load: Load): Expr | null {
  switch (load.kind) {
    case "parameter":
      return null;
    case "input":
      return isGlobal(cx, load.name) ? null : resolve(cx, scope, load.name);
    case "alias":
      return build.ref(load.of);
    case "missing":
      return scope.hasCells && scope.parent !== null ? MISSING : build.UNDEFINED;
  }
}

function lowerStatement(cx: Context, frame: Frame, node: ast.Stmt): Stmt[] {
  switch (node.type) {
    case "Output":
      return lowerOutput(cx, frame, node);
    case "For":
      return lowerFor(cx, frame, node);
    case "If":
      return lowerIf(cx, frame, node);
    case "Macro":
      return lowerMacro(cx, frame, node);
    case "CallBlock":
      return lowerCallBlock(cx, frame, node);
    case "FilterBlock":
      return lowerFilterBlock(cx, frame, node);
    case "Set":
      return lowerSet(cx, frame, node);
    case "SetBlock":
      return lowerSetBlock(cx, frame, node);
    case "With":
      return lowerWith(cx, frame, node);
    case "Block":
      return lowerBlock(cx, frame, node);
    case "Autoescape":
      return lowerAutoescape(cx, frame, node);
    case "Generation":
      return lowerGeneration(cx, frame, node);
    case "Include":
    case "Import":
    case "FromImport":
    case "Extends":
      return lowerLoading(cx, frame, node);
    case "Break":
    case "Continue":
      cx.enter(node);
      return [{ op: node.type === "Break" ? "break" : "continue", origin: null }];
  }
}

/** Each expression that is written out has its own line in errors. */
function lowerOutput(cx: Context, frame: Frame, node: ast.Output): Stmt[] {
  return node.items.map((item) => {
    const origin = cx.origin(item, () => "");
    if (item.type === "TextData") {
      cx.show(item);
      return build.emit(build.literal(item.text), origin);
    }
    if (isConstant(item, frame)) return build.emit(constantText(cx, frame, item), origin);
    cx.enter(item);
    const value = lowerValue(cx, frame, item);
    return build.emit(asText(cx, frame, item, value), origin);
  });
}

/** A constant is written as Jinja2 folds it when it compiles. */
function constantText(cx: Context, frame: Frame, item: ast.Expr): Expr {
  cx.show(item);
  cx.folding = true;
  const value = lowerValue(cx, frame, item);
  cx.folding = false;
  const shown = escapesConstants(frame)
    ? build.intrinsic("jinja.escapeFilter", [value], cx.place(item))
    : value;
  return build.intrinsic("jinja.str", [shown]);
}

/** What an output writes of a value. */
function asText(cx: Context, frame: Frame, node: ast.Expr, value: Expr): Expr {
  switch (frame.escape) {
    case "no":
      return build.intrinsic("jinja.str", [value]);
    case "yes":
      return build.intrinsic("jinja.str", [
        build.intrinsic("jinja.escapeFilter", [value], cx.place(node)),
      ]);
    case "ask":
      return build.intrinsic("jinja.escapeIn", [setting(cx), value]);
  }
}

function lowerIf(cx: Context, frame: Frame, node: ast.If, index = 0): Stmt[] {
  const branch = node.branches[index];
  if (branch === undefined) return lowerBody(cx, frame, node.otherwise);
  cx.enter(branch);
  const word = index === 0 ? "if" : "elif";
  const origin = cx.origin(branch, () => `${word} ${cx.text(branch.test)}`);
  const test = lowerTruth(cx, frame, branch.test);
  const then = lowerBody(cx, frame, branch.body);
  return [build.when(test, then, lowerIf(cx, frame, node, index + 1), origin)];
}

function lowerSet(cx: Context, frame: Frame, node: ast.Set): Stmt[] {
  const origin = cx.origin(node, () => `set ${cx.text(node.target)} = ${cx.text(node.value)}`);
  cx.inherit();
  if (node.target.type === "NamespaceTarget") {
    const namespace = namespaceOf(cx, frame.scope, node.target);
    cx.enter(node);
    const value = lowerValue(cx, frame, node.value);
    return [setAttribute(cx, node.target, namespace, value, origin)];
  }
  const checks = namespaceChecks(cx, frame.scope, node.target);
  cx.enter(node);
  const value = lowerValue(cx, frame, node.value);
  return [...checks, ...assignTarget(cx, frame, node.target, value, origin)];
}

/** Jinja2 asks for namespaces before it evaluates what they get. */
function namespaceChecks(cx: Context, scope: Scope, target: ast.Target): Stmt[] {
  if (target.type === "NamespaceTarget") return [build.run(namespaceOf(cx, scope, target))];
  return target.type === "TupleTarget"
    ? target.items.flatMap((item) => namespaceChecks(cx, scope, item))
    : [];
}

/** Binds a value to a name, a tuple of targets, or a namespace's attribute. */
export function assignTarget(
  cx: Context,
  frame: Frame,
  target: ast.Target,
  value: Expr,
  origin: Stmt["origin"] = null,
): Stmt[] {
  switch (target.type) {
    case "Name": {
      const local = frame.scope.find(target.name);
      if (local === null) return [];
      return [build.set(local, value, origin), ...exportName(cx, frame, target.name, local)];
    }
    case "NamespaceTarget":
      return [setAttribute(cx, target, namespaceOf(cx, frame.scope, target), value, origin)];
    case "TupleTarget":
      return unpackTarget(cx, frame, target, value, origin);
  }
}

/** What the template itself sets, its blocks find. */
export function exportName(cx: Context, frame: Frame, name: string, local: Local): Stmt[] {
  const exported = frame.toplevel ? cx.exports.get(name) : undefined;
  return exported === undefined ? [] : [build.set(exported, build.ref(local))];
}

function unpackTarget(
  cx: Context,
  frame: Frame,
  target: ast.TupleTarget,
  value: Expr,
  origin: Stmt["origin"],
): Stmt[] {
  const names = targetNames(target);
  const parts = target.items.map((item) => {
    // A name that stands there twice keeps the last value: each is set in its turn.
    const isOnce = item.type === "Name" && names.filter((name) => name === item.name).length === 1;
    const named = isOnce ? frame.scope.find(item.name) : null;
    return { item, named, local: named ?? cx.ids.local("part", Any) };
  });
  const values = build.intrinsic(
    "jinja.unpack",
    [value, build.literal(parts.length)],
    cx.place(target),
  );
  return [
    { op: "unpack", locals: parts.map(({ local }) => local), value: values, origin },
    ...parts.flatMap(({ item, named, local }) =>
      named === null || item.type !== "Name"
        ? assignTarget(cx, frame, item, build.ref(local))
        : exportName(cx, frame, item.name, named),
    ),
  ];
}

function targetNames(target: ast.Target): readonly string[] {
  if (target.type === "TupleTarget") return target.items.flatMap(targetNames);
  return target.type === "Name" ? [target.name] : [];
}

function namespaceOf(cx: Context, scope: Scope, target: ast.NamespaceTarget): Expr {
  const local = scope.find(target.name);
  const value = local === null ? build.UNDEFINED : build.ref(local);
  return build.intrinsic("jinja.asNamespace", [value], cx.place(target));
}

function setAttribute(
  cx: Context,
  target: ast.NamespaceTarget,
  namespace: Expr,
  value: Expr,
  origin: Stmt["origin"],
): Stmt {
  const name = build.literal(target.attribute);
  const call = build.intrinsic("jinja.setAttr", [namespace, name, value], cx.place(target));
  return build.run(call, origin);
}

function lowerSetBlock(cx: Context, frame: Frame, node: ast.SetBlock): Stmt[] {
  const { target } = node;
  const text = cx.ids.local(target.type === "Name" ? target.name : "text", Text);
  const scope = frame.scope.child();
  new ScopeAnalysis(scope).statements(node.body);
  const inner = innerFrame(frame, scope);
  const collect = (own: Frame): Stmt[] => lowerBody(cx, own, node.body);
  const body = [...enterScope(cx, scope), ...buffered(inner, collect, () => placeOf(cx, node))];
  cx.enter(node);
  const captured = build.ref(text);
  const value =
    node.filter === null
      ? captured
      : lowerFilter(cx, inner, node.filter, markCaptured(cx, inner, captured));
  const marked = markSet(cx, value);
  return [
    { op: "capture", local: text, body, origin: cx.origin(node, () => `set ${cx.text(target)}`) },
    ...(target.type === "NamespaceTarget"
      ? [setItem(cx, frame, target, marked)]
      : assignTarget(cx, frame, target, marked)),
    ...leaveScope(scope),
  ];
}

/** A set block assigns to `a.b` as Python's `a["b"] = …` does, whatever a is. */
function setItem(cx: Context, frame: Frame, target: ast.NamespaceTarget, value: Expr): Stmt {
  const local = frame.scope.find(target.name);
  const object = local === null ? build.UNDEFINED : build.ref(local);
  const name = build.literal(target.attribute);
  return build.run(build.intrinsic("jinja.setItem", [object, name, value], cx.place(target)));
}

function lowerFilterBlock(cx: Context, frame: Frame, node: ast.FilterBlock): Stmt[] {
  const text = cx.ids.local("text", Text);
  const scope = frame.scope.child();
  const analysis = new ScopeAnalysis(scope);
  analysis.statements(node.body);
  analysis.expression(node.filter);
  const inner = innerFrame(frame, scope);
  const collect = (own: Frame): Stmt[] => lowerBody(cx, own, node.body);
  const body = buffered(inner, collect, () => placeOf(cx, node));
  cx.enter(node);
  const value = lowerFilter(cx, inner, node.filter, markCaptured(cx, inner, build.ref(text)));
  return [
    ...enterScope(cx, scope),
    {
      op: "capture",
      local: text,
      body,
      origin: cx.origin(node, () => `filter ${node.filter.name}`),
    },
    ...emitPiece(cx, frame, value, givesText(value)),
    ...leaveScope(scope),
  ];
}

/** Filter blocks and call blocks write what they get without converting it. */
export function emitPiece(cx: Context, frame: Frame, value: Expr, isText: boolean): Stmt[] {
  if (isText) return [build.emit(build.intrinsic("jinja.str", [value]))];
  const piece = cx.ids.local("piece", Any);
  return [
    build.set(piece, value),
    notePiece(cx, frame.buffer, build.ref(piece)),
    build.emit(build.intrinsic("jinja.pieceText", [build.ref(piece)])),
  ];
}

function notePiece(cx: Context, buffer: Buffer, piece: Expr): Stmt {
  if (buffer.isRoot && cx.pieces !== null) {
    return build.run(build.intrinsic("jinja.notePiece", [build.ref(cx.pieces), piece]));
  }
  const unjoined = unjoinedOf(cx, buffer);
  const found = build.intrinsic("jinja.unjoined", [build.ref(unjoined), piece]);
  return build.set(unjoined, found);
}

/** The local that tells of a buffer whether it can be joined. */
export function unjoinedOf(cx: Context, buffer: Buffer): Local {
  buffer.unjoined ??= cx.ids.local("unjoined", Text | None);
  return buffer.unjoined;
}

/** Statements whose output a buffer of its own collects; `place` tells where it is joined. */
export function buffered(
  frame: Frame,
  lower: (frame: Frame) => Stmt[],
  place: () => string,
): Stmt[] {
  const buffer: Buffer = { unjoined: null, isRoot: false };
  return joined(buffer, lower({ ...frame, buffer }), place);
}

/** What fills a buffer, with the check where it is joined, if a piece of it may be no text. */
function joined({ unjoined }: Buffer, body: Stmt[], place: () => string): Stmt[] {
  if (unjoined === null) return body;
  const check = build.intrinsic("jinja.checkJoined", [build.ref(unjoined)], place());
  return [build.set(unjoined, build.NULL), ...body, build.run(check)];
}

/** The template's own statements: what they and its blocks write is joined at the end. */
export function lowerTemplate(cx: Context, frame: Frame, list: readonly ast.Stmt[]): Stmt[] {
  const body = lowerBody(cx, frame, list);
  const place = cx.inheritedPlace();
  if (cx.pieces === null) return joined(cx.rootBuffer, body, () => place);
  const type = build.intrinsic("jinja.unjoinedPiece", [build.ref(cx.pieces)]);
  return [...body, build.run(build.intrinsic("jinja.checkJoined", [type], place))];
}

function placeOf(cx: Context, node: ast.Stmt): string {
  cx.enter(node);
  return cx.place(node);
}

function givesText(value: Expr): boolean {
  return value.op === "intrinsic" && (intrinsics[value.name].gives & ~(Text | Markup)) === 0;
}

/** The values of a with are evaluated outside of it. */
function lowerWith(cx: Context, frame: Frame, node: ast.With): Stmt[] {
  cx.inherit();
  const scope = frame.scope.child();
  const analysis = new ScopeAnalysis(scope);
  for (const { target } of node.bindings) analysis.target(target, true);
  analysis.statements(node.body);
  const inner = innerFrame(frame, scope);
  const bindings = node.bindings.flatMap(({ target, value }) =>
    assignTarget(
      cx,
      inner,
      target,
      lowerValue(cx, frame, value),
      cx.origin(node, () => "with"),
    ),
  );
  const body = lowerBody(cx, inner, node.body);
  return [...enterScope(cx, scope), ...bindings, ...body, ...leaveScope(scope)];
}

/** A generation block is a call block in Jinja2's tree, so its body can ask for what macros get. */
function lowerGeneration(cx: Context, frame: Frame, node: ast.Generation): Stmt[] {
  cx.enter(node);
  const scope = frame.scope.inFunction();
  const undeclared = cx.undeclared(node.body, ["caller", "kwargs", "varargs"]);
  const special = [...undeclared].map((name) =>
    build.set(scope.declareParameter(name), withoutArguments(name)),
  );
  new ScopeAnalysis(scope).statements(node.body);
  const inner = { ...innerFrame(frame, scope), loopDepth: 0 };
  const collect = (own: Frame): Stmt[] => lowerBody(cx, own, node.body);
  const collected = buffered(inner, collect, () => cx.inheritedPlace());
  const start = [...startCells(scope.innerCells()), ...special, ...enterScope(cx, scope)];
  const body = [...start, ...collected];
  cx.enter(node);
  // transformers notes where the text that the block gives will stand (AssistantTracker).
  const text = cx.ids.local("generated", Text);
  const tracked = [
    { op: "spans" },
    { op: "written", inBlock: frame.isBlock },
    build.ref(text),
  ] as const;
  return [
    { op: "capture", local: text, body, origin: cx.origin(node, () => "generation") },
    ...joinedBefore(cx, node),
    build.run(build.intrinsic("jinja.noteSpan", tracked)),
    build.emit(build.ref(text)),
  ];
}

/** transformers joins what the template has written to tell where the block begins. */
function joinedBefore(cx: Context, node: ast.Generation): Stmt[] {
  if (!cx.hasPieces) return [];
  const type =
    cx.pieces === null
      ? build.ref(unjoinedOf(cx, cx.rootBuffer))
      : build.intrinsic("jinja.unjoinedPiece", [build.ref(cx.pieces)]);
  return [build.run(build.intrinsic("jinja.checkJoined", [type], cx.place(node)))];
}

function withoutArguments(name: string): Expr {
  switch (name) {
    case "caller":
      return build.intrinsic("jinja.noCaller", []);
    case "kwargs":
      return build.intrinsic("jinja.dict", [build.list([])], "");
    default:
      return build.intrinsic("jinja.tuple", [build.list([])]);
  }
}

/** transformers' environment has no loader, so these fail when they are executed. */
function lowerLoading(
  cx: Context,
  frame: Frame,
  node: ast.Include | ast.Import | ast.FromImport | ast.Extends,
): Stmt[] {
  cx.enter(node);
  if (node.type === "Include") return [lowerInclude(cx, frame, node)];
  return [
    build.run(lowerValue(cx, frame, node.template)),
    failure(
      cx,
      node,
      "TypeError",
      `no loader for this environment specified (${WORDS[node.type]})`,
    ),
  ];
}

/** An include of an empty list is missing rather than without a loader, and may be ignored. */
function lowerInclude(cx: Context, frame: Frame, node: ast.Include): Stmt {
  const { template, ignoreMissing } = node;
  const isList = template.type === "Tuple" || template.type === "List";
  const name = lowerValue(cx, frame, template);
  const args = [name, build.literal(isList), build.literal(ignoreMissing)];
  return build.run(build.intrinsic("jinja.includeTemplate", args, cx.place(node)));
}

const WORDS = { Import: "import", FromImport: "import", Extends: "extends" };

export function failure(cx: Context, node: ast.Stmt, type: string, message: string): Stmt {
  const args = [build.literal(type), build.literal(message)];
  return build.run(build.intrinsic("jinja.fail", args, cx.place(node)));
}
