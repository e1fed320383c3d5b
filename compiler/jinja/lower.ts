/** From Jinja's syntax tree to the IR: scopes are resolved, every rule of Python's is named. */
import type { Diagnostics } from "../diagnostics.js";
import * as build from "../ir/build.js";
import { Any } from "../ir/kinds.js";
import { Ids, type Local, type Module } from "../ir/nodes.js";
import type { Source } from "../source.js";
import type * as ast from "./ast.js";
import { startCells } from "./cells.js";
import { Context, rootFrame, targetNames, type Frame } from "./context.js";
import { lazyNames } from "./laziness.js";
import { lowerBlocks, prepareBlocks, setSelf } from "./lower-blocks.js";
import { enterScope, lowerTemplate } from "./lower-statements.js";
import { hasOutliving } from "./outliving.js";
import { Scope, ScopeAnalysis } from "./scope.js";
import { findBlocks, findUndeclared } from "./undeclared.js";
import { statementBodies } from "./walk.js";

export interface LowerOptions {
  /** Inputs that are known when compiling. */
  readonly define?: Readonly<Record<string, unknown>>;
}

export function lower(
  template: ast.Template,
  source: Source,
  diagnostics: Diagnostics,
  options: LowerOptions = {},
): Module {
  const ids = new Ids();
  const assigned = new Set(assignedNames(template.body));
  const macros = onlyMacros(template.body);
  const pieces = hasPieces(template.body);
  const cx = new Context(source, diagnostics, ids, assigned, macros, options.define ?? {}, pieces);
  const cells = hasOutliving(template.body) ? new Map<string, Local>() : null;
  const scope = new Scope(ids, null, cells);
  const self = findUndeclared(template.body, ["self"]).has("self")
    ? scope.declareParameter("self")
    : null;
  new ScopeAnalysis(scope).statements(template.body);
  cx.root = scope;
  cx.lazyNames = lazyNames(template.body);
  if (pieces && findBlocks(template.body).length > 0) cx.pieces = ids.local("pieces", Any);
  if (hasAutoescape(template.body)) cx.escaping = ids.local("context", Any);
  const exports = prepareBlocks(cx, scope, template);
  const start = enterScope(cx, scope);
  const frame: Frame = { ...rootFrame(cx, scope), toplevel: true };
  const setReference = self === null ? [] : setSelf(cx, scope, scope, self);
  const main = lowerTemplate(cx, frame, template.body);
  const blocks = lowerBlocks(cx, scope, template);
  const body = [
    ...(cx.escaping === null
      ? []
      : [build.set(cx.escaping, build.intrinsic("jinja.evalContext", []))]),
    ...(cx.pieces === null ? [] : [build.set(cx.pieces, build.intrinsic("jinja.pieces", []))]),
    ...exports,
    ...startCells(scope.innerCells()),
    ...start,
    ...blocks,
    ...setReference,
    ...main,
  ];
  return {
    dialect: "jinja",
    body,
    functions: cx.functions,
    prepare: null,
    facts: new Map(),
  };
}

function hasAutoescape(list: readonly ast.Stmt[]): boolean {
  return list.some(
    (node) => node.type === "Autoescape" || statementBodies(node).some(hasAutoescape),
  );
}

/** Only filter blocks and call blocks write what they get as it is. */
function hasPieces(list: readonly ast.Stmt[]): boolean {
  return list.some(
    (node) =>
      node.type === "FilterBlock" ||
      node.type === "CallBlock" ||
      statementBodies(node).some(hasPieces),
  );
}

/** The names that macros are bound to and nothing else is. */
function onlyMacros(list: readonly ast.Stmt[]): ReadonlySet<string> {
  const all = statementsIn(list);
  const macros = new Set(all.flatMap((node) => (node.type === "Macro" ? [node.name] : [])));
  for (const node of all) {
    const names = boundNames(node);
    for (const name of node.type === "Macro" ? names.slice(1) : names) macros.delete(name);
  }
  return macros;
}

function statementsIn(list: readonly ast.Stmt[]): readonly ast.Stmt[] {
  return list.flatMap((node) => [node, ...statementBodies(node).flatMap(statementsIn)]);
}

/** The names that some statement binds, in any frame. */
function assignedNames(list: readonly ast.Stmt[]): string[] {
  return list.flatMap((node) => [
    ...boundNames(node),
    ...statementBodies(node).flatMap(assignedNames),
  ]);
}

function boundNames(node: ast.Stmt): readonly string[] {
  switch (node.type) {
    case "For":
    case "Set":
    case "SetBlock":
      return targetNames(node.target);
    case "With":
      return node.bindings.flatMap(({ target }) => targetNames(target));
    case "Macro":
      return [node.name, ...node.parameters.map(({ name }) => name)];
    case "CallBlock":
      return node.parameters.map(({ name }) => name);
    case "Import":
      return [node.target];
    case "FromImport":
      return node.names.map(({ name, alias }) => alias ?? name);
    default:
      return [];
  }
}
