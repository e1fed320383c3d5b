/** From Jinja's syntax tree to the IR: scopes are resolved, every rule of Python's is named. */
import type { Diagnostics } from "../diagnostics.js";
import * as build from "../ir/build.js";
import { Any } from "../ir/kinds.js";
import { Ids, type Local, type Module } from "../ir/nodes.js";
import type { Source } from "../source.js";
import type * as ast from "./ast.js";
import { startCells } from "./cells.js";
import { Context, rootFrame, type Frame } from "./context.js";
import { lazyNames } from "./laziness.js";
import { lowerBlocks, prepareBlocks, setSelf } from "./lower-blocks.js";
import { enterScope, lowerTemplate } from "./lower-statements.js";
import { hasOutliving } from "./outliving.js";
import { Scope, ScopeAnalysis } from "./scope.js";
import { survey } from "./survey.js";

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
  const known = survey(template.body);
  const cx = new Context(source, diagnostics, ids, known, options.define ?? {});
  const cells = hasOutliving(template.body) ? new Map<string, Local>() : null;
  const scope = new Scope(ids, null, cells);
  const self = cx.undeclared(template.body, ["self"]).has("self")
    ? scope.declareParameter("self")
    : null;
  new ScopeAnalysis(scope).statements(template.body);
  cx.root = scope;
  cx.lazyNames = lazyNames(template.body);
  if (known.hasPieces && known.blocks.length > 0) cx.pieces = ids.local("pieces", Any);
  if (known.hasAutoescape) cx.escaping = ids.local("context", Any);
  const exports = prepareBlocks(cx, scope);
  const start = enterScope(cx, scope);
  const frame: Frame = { ...rootFrame(cx, scope), toplevel: true };
  const setReference = self === null ? [] : setSelf(cx, scope, scope, self);
  const main = lowerTemplate(cx, frame, template.body);
  const blocks = lowerBlocks(cx, scope);
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
