/** Lowering of Jinja's statements. */
import * as build from "../ir/build.js";
import { Any, Text } from "../ir/kinds.js";
import type { Expr, Stmt } from "../ir/nodes.js";
import type * as ast from "./ast.js";
import type { Context, Frame } from "./context.js";
import { isGlobal, lowerTruth, lowerValue } from "./lower-expressions.js";
import { lowerFilter } from "./lower-filters.js";
import { lowerFor } from "./lower-loops.js";
import { lowerCallBlock, lowerMacro } from "./lower-macros.js";
import { ScopeAnalysis, type Scope } from "./scope.js";

export function lowerBody(cx: Context, frame: Frame, list: readonly ast.Stmt[]): Stmt[] {
  return list.flatMap((node) => lowerStatement(cx, frame, node));
}

/** What the locals of a frame hold when it is entered. */
export function enterScope(cx: Context, scope: Scope): Stmt[] {
  return [...scope.loads].flatMap(([local, load]): Stmt[] => {
    switch (load.kind) {
      case "parameter":
        return [];
      case "input":
        return isGlobal(cx, load.name) ? [] : [build.set(local, inputOf(cx, load.name))];
      case "alias":
        return [build.set(local, build.ref(load.of))];
      case "missing":
        return [build.set(local, build.UNDEFINED)];
    }
  });
}

/** An input, or the constant that stands for it. */
function inputOf(cx: Context, name: string): Expr {
  if (!Object.hasOwn(cx.define, name)) return build.input(name);
  return constant(cx.define[name]);
}

function constant(value: unknown): Expr {
  if (Array.isArray(value)) return build.list(value.map(constant));
  if (typeof value === "object" && value !== null) {
    const pairs = Object.entries(value).map(([key, item]) =>
      build.list([build.literal(key), constant(item)]),
    );
    return build.intrinsic("jinja.dict", [build.list(pairs)], "1:1");
  }
  return typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "bigint" ||
    typeof value === "boolean" ||
    value === null
    ? build.literal(value)
    : build.UNDEFINED;
}

function lowerStatement(cx: Context, frame: Frame, node: ast.Stmt): Stmt[] {
  switch (node.type) {
    case "Output":
      return lowerOutput(cx, frame, node);
    case "For":
      return lowerFor(cx, frame, node);
    case "If":
      return lowerIf(cx, frame, node.branches, node.otherwise);
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
      return lowerScoped(cx, { ...frame, autoescape: isTrueLiteral(node.value) }, node.body);
    case "Generation":
      return lowerScoped(cx, { ...frame, loopDepth: 0 }, node.body);
    case "Include":
    case "Import":
    case "FromImport":
    case "Extends":
      return lowerLoading(cx, frame, node);
    case "Break":
    case "Continue":
      return [{ op: node.type === "Break" ? "break" : "continue", origin: null }];
  }
}

/** Each expression that is written out has its own line in errors. */
function lowerOutput(cx: Context, frame: Frame, node: ast.Output): Stmt[] {
  return node.items.map((item) => {
    cx.enter(item);
    const origin = cx.origin(item, "");
    if (item.type === "TextData") return build.emit(build.literal(item.text), origin);
    const value = lowerValue(cx, frame, item);
    return build.emit(asText(cx, frame, item, value), origin);
  });
}

function asText(cx: Context, frame: Frame, node: ast.Expr, value: Expr): Expr {
  const shown = frame.autoescape
    ? build.intrinsic("jinja.escapeFilter", [value], cx.place(node))
    : value;
  return build.intrinsic("jinja.str", [shown]);
}

function lowerIf(
  cx: Context,
  frame: Frame,
  branches: readonly ast.IfBranch[],
  otherwise: readonly ast.Stmt[],
  word = "if",
): Stmt[] {
  const [first, ...rest] = branches;
  if (first === undefined) return lowerBody(cx, frame, otherwise);
  cx.enter(first);
  const origin = cx.origin(first, `${word} ${cx.text(first.test)}`);
  const test = lowerTruth(cx, frame, first.test);
  const then = lowerBody(cx, frame, first.body);
  return [build.when(test, then, lowerIf(cx, frame, rest, otherwise, "elif"), origin)];
}

function lowerSet(cx: Context, frame: Frame, node: ast.Set): Stmt[] {
  cx.enter(node);
  const origin = cx.origin(node, `set ${cx.text(node.target)} = ${cx.text(node.value)}`);
  if (node.target.type === "NamespaceTarget") {
    const namespace = namespaceOf(cx, frame.scope, node.target);
    const value = lowerValue(cx, frame, node.value);
    return [setAttribute(cx, node.target, namespace, value, origin)];
  }
  const value = lowerValue(cx, frame, node.value);
  return assignTarget(cx, frame.scope, node.target, value, origin);
}

/** Binds a value to a name, a tuple of targets, or a namespace's attribute. */
export function assignTarget(
  cx: Context,
  scope: Scope,
  target: ast.Target,
  value: Expr,
  origin: Stmt["origin"] = null,
): Stmt[] {
  switch (target.type) {
    case "Name": {
      const local = scope.find(target.name);
      return local === null ? [] : [build.set(local, value, origin)];
    }
    case "NamespaceTarget":
      return [setAttribute(cx, target, namespaceOf(cx, scope, target), value, origin)];
    case "TupleTarget":
      return unpackTarget(cx, scope, target, value, origin);
  }
}

function unpackTarget(
  cx: Context,
  scope: Scope,
  target: ast.TupleTarget,
  value: Expr,
  origin: Stmt["origin"],
): Stmt[] {
  const parts = target.items.map((item) => {
    const named = item.type === "Name" ? scope.find(item.name) : null;
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
      named === null ? assignTarget(cx, scope, item, build.ref(local)) : [],
    ),
  ];
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
  const text = cx.ids.local(node.target.type === "Name" ? node.target.name : "text", Text);
  const scope = frame.scope.child();
  new ScopeAnalysis(scope).statements(node.body);
  const inner = { ...frame, scope };
  const body = [...enterScope(cx, scope), ...lowerBody(cx, inner, node.body)];
  cx.enter(node);
  const captured = build.ref(text);
  const value = node.filter === null ? captured : lowerFilter(cx, inner, node.filter, captured);
  return [
    { op: "capture", local: text, body, origin: cx.origin(node, `set ${cx.text(node.target)}`) },
    ...assignTarget(cx, frame.scope, node.target, value),
  ];
}

function lowerFilterBlock(cx: Context, frame: Frame, node: ast.FilterBlock): Stmt[] {
  const text = cx.ids.local("text", Text);
  const scope = frame.scope.child();
  const analysis = new ScopeAnalysis(scope);
  analysis.statements(node.body);
  analysis.expression(node.filter);
  const inner = { ...frame, scope };
  const body = lowerBody(cx, inner, node.body);
  cx.enter(node);
  const value = lowerFilter(cx, inner, node.filter, build.ref(text));
  return [
    ...enterScope(cx, scope),
    { op: "capture", local: text, body, origin: cx.origin(node, `filter ${node.filter.name}`) },
    build.emit(build.intrinsic("jinja.str", [value])),
  ];
}

/** The values of a with are evaluated outside of it. */
function lowerWith(cx: Context, frame: Frame, node: ast.With): Stmt[] {
  cx.enter(node);
  const scope = frame.scope.child();
  const analysis = new ScopeAnalysis(scope);
  for (const { target } of node.bindings) analysis.target(target, true);
  analysis.statements(node.body);
  const bindings = node.bindings.flatMap(({ target, value }) =>
    assignTarget(cx, scope, target, lowerValue(cx, frame, value), cx.origin(node, "with")),
  );
  return [...enterScope(cx, scope), ...bindings, ...lowerBody(cx, { ...frame, scope }, node.body)];
}

function lowerScoped(cx: Context, frame: Frame, list: readonly ast.Stmt[]): Stmt[] {
  const scope = frame.scope.child();
  new ScopeAnalysis(scope).statements(list);
  return [...enterScope(cx, scope), ...lowerBody(cx, { ...frame, scope }, list)];
}

/** A block sees the template's own variables, not those of loops around it, unless it is scoped. */
function lowerBlock(cx: Context, frame: Frame, node: ast.Block): Stmt[] {
  if (node.required) {
    const message = `Required block ${JSON.stringify(node.name)} not found`;
    cx.enter(node);
    return [failure(cx, node, "TemplateRuntimeError", message)];
  }
  const scope = node.scoped ? frame.scope : rootOf(frame.scope);
  return lowerScoped(cx, { ...frame, scope, loopDepth: 0 }, node.body);
}

function rootOf(scope: Scope): Scope {
  return scope.parent === null ? scope : rootOf(scope.parent);
}

/** transformers' environment has no loader, so these fail when they are executed. */
function lowerLoading(
  cx: Context,
  frame: Frame,
  node: ast.Include | ast.Import | ast.FromImport | ast.Extends,
): Stmt[] {
  cx.enter(node);
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

const WORDS = { Include: "include", Import: "import", FromImport: "import", Extends: "extends" };

export function failure(cx: Context, node: ast.Stmt, type: string, message: string): Stmt {
  const args = [build.literal(type), build.literal(message)];
  return build.run(build.intrinsic("jinja.fail", args, cx.place(node)));
}

function isTrueLiteral(node: ast.Expr): boolean {
  return node.type === "Literal" && node.value === true;
}
