/** From Jinja's syntax tree to the IR: scopes are resolved, every rule of Python's is named. */
import type { Diagnostics } from "../diagnostics.js";
import { Ids, type Module } from "../ir/nodes.js";
import type { Source } from "../source.js";
import type * as ast from "./ast.js";
import { Context, targetNames, type Frame } from "./context.js";
import { enterScope, lowerBody } from "./lower-statements.js";
import { Scope, ScopeAnalysis } from "./scope.js";
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
  const cx = new Context(source, diagnostics, ids, assigned, options.define ?? {});
  const scope = new Scope(ids, null);
  new ScopeAnalysis(scope).statements(template.body);
  const frame: Frame = { scope, loopDepth: 0, autoescape: false };
  const body = lowerBody(cx, frame, template.body);
  return {
    dialect: "jinja",
    body: [...enterScope(cx, scope), ...body],
    functions: cx.functions,
    prepare: null,
    facts: new Map(),
  };
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
