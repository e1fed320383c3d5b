/** Lowering of `{% autoescape %}`: templates that have it keep Jinja2's setting as a value of the render. */
import * as build from "../ir/build.js";
import { Bool } from "../ir/kinds.js";
import type { Expr, Stmt } from "../ir/nodes.js";
import type * as ast from "./ast.js";
import { leaveScope } from "./cells.js";
import { constantTruth } from "./constant-truth.js";
import { escapesConstants, innerFrame, type Context, type Frame } from "./context.js";
import { lowerTruth } from "./lower-expressions.js";
import { enterScope, lowerBody } from "./lower-statements.js";
import { ScopeAnalysis } from "./scope.js";

/** Filters that ask for the setting; `map` may call one of them. */
export const ASKING_FILTERS: ReadonlySet<string> = new Set([
  "join",
  "map",
  "replace",
  "urlize",
  "xmlattr",
]);

/** The setting, as a value of the render. */
export function setting(cx: Context): Expr {
  return cx.escaping === null ? build.NULL : build.ref(cx.escaping);
}

export function lowerAutoescape(cx: Context, frame: Frame, node: ast.Autoescape): Stmt[] {
  const scope = frame.scope.child();
  const analysis = new ScopeAnalysis(scope);
  analysis.expression(node.value);
  analysis.statements(node.body);
  cx.inherit();
  const before = cx.ids.local("before", Bool);
  const inner = escapingFrame(innerFrame(frame, scope), node.value);
  const change = (on: Expr): Stmt =>
    build.run(build.intrinsic("jinja.setAutoescape", [setting(cx), on]));
  const on = lowerTruth(cx, innerFrame(frame, scope), node.value);
  return [
    ...enterScope(cx, scope),
    build.set(before, build.intrinsic("jinja.isAutoescape", [setting(cx)])),
    change(on),
    ...lowerBody(cx, inner, node.body),
    change(build.ref(before)),
    ...leaveScope(scope),
  ];
}

/** What is not constant is only known to the render, and so is everything inside of it. */
function escapingFrame(frame: Frame, value: ast.Expr): Frame {
  const constant = constantTruth(value);
  const constantsEscaped = constant ?? escapesConstants(frame);
  const known = constant === true ? "yes" : "no";
  const escape = frame.escape === "ask" || constant === null ? "ask" : known;
  return { ...frame, escape, constantsEscaped };
}

/** The text of a filter block: safe where output is escaped. */
export function markCaptured(cx: Context, frame: Frame, text: Expr): Expr {
  switch (frame.escape) {
    case "no":
      return text;
    case "yes":
      return build.intrinsic("jinja.safeFilter", [text]);
    case "ask":
      return build.intrinsic("jinja.markIn", [setting(cx), text]);
  }
}

/** What a set block assigns: safe while autoescape is on, wherever the block stands. */
export function markSet(cx: Context, value: Expr): Expr {
  return cx.escaping === null ? value : build.intrinsic("jinja.markIn", [setting(cx), value]);
}
