/** Lowering of macros and call blocks: a function of the module, and the value that stands for it. */
import * as build from "../ir/build.js";
import type { Expr, FunctionName, Local, Stmt } from "../ir/nodes.js";
import type * as ast from "./ast.js";
import { found, startCells } from "./cells.js";
import { innerFrame, type Context, type Frame } from "./context.js";
import { setting } from "./lower-autoescape.js";
import { lowerArguments } from "./lower-calls.js";
import { lowerValue } from "./lower-expressions.js";
import { buffered, emitPiece, enterScope, exportName, lowerBody } from "./lower-statements.js";
import { ScopeAnalysis } from "./scope.js";

/** What a macro takes beside its parameters, where its body asks for it, in this order. */
const SPECIAL = ["caller", "kwargs", "varargs"] as const;

interface MacroValue {
  readonly name: FunctionName;
  /** The value that the macro's name is bound to. */
  readonly value: Expr;
}

export function lowerMacro(cx: Context, frame: Frame, node: ast.Macro): Stmt[] {
  cx.enter(node);
  const local = frame.scope.find(node.name);
  const { name, value } = macroFunction(cx, frame, node, node.name);
  const origin = cx.origin(node, () => macroHeadline(cx, node));
  if (local === null) return [];
  return [
    { op: "define", callee: name, origin },
    build.set(local, value),
    ...exportName(cx, frame, node.name, local),
  ];
}

/** `{% call(x) m() %}…{% endcall %}`: the body is a macro that m gets as `caller`. */
export function lowerCallBlock(cx: Context, frame: Frame, node: ast.CallBlock): Stmt[] {
  cx.enter(node);
  const { name, value } = macroFunction(cx, frame, node, "caller");
  cx.enter(node);
  const [args, kwargs] = lowerArguments(cx, frame, node.call, value);
  const callee = lowerValue(cx, frame, node.call.callee);
  const call = build.intrinsic("jinja.call", [callee, args, kwargs], cx.place(node.call));
  return [
    { op: "define", callee: name, origin: cx.origin(node, () => `call ${cx.text(node.call)}`) },
    ...emitPiece(cx, frame, call, callsMacro(cx, node.call)),
  ];
}

/** Whether what is called can only be a macro of the template, which gives text. */
function callsMacro(cx: Context, { callee }: ast.Call): boolean {
  return callee.type === "Name" && cx.macros.has(callee.name);
}

function macroHeadline(cx: Context, node: ast.Macro): string {
  const parameters = node.parameters.map((parameter) =>
    parameter.default === null ? parameter.name : `${parameter.name}=${cx.text(parameter.default)}`,
  );
  return `macro ${node.name}(${parameters.join(", ")})`;
}

function macroFunction(
  cx: Context,
  frame: Frame,
  node: ast.Macro | ast.CallBlock,
  called: string,
): MacroValue {
  const scope = frame.scope.inFunction();
  const analysis = new ScopeAnalysis(scope);
  const locals = node.parameters.map((parameter) => scope.declareParameter(parameter.name));
  for (const parameter of node.parameters) analysis.expression(parameter.default);
  analysis.statements(node.body);
  const undeclared = cx.undeclared(node.body, SPECIAL);
  const special = SPECIAL.filter(
    (name) => undeclared.has(name) && !node.parameters.some((parameter) => parameter.name === name),
  );
  const all = [...locals, ...special.map((name) => scope.declareParameter(name))];
  const name = cx.ids.function(called);
  const inner = { ...innerFrame(frame, scope), loopDepth: 0, isBlock: false };
  const content = [
    ...enterScope(cx, scope),
    ...parameterDefaults(cx, inner, node, locals, all),
    ...buffered(
      inner,
      (own) => lowerBody(cx, own, node.body),
      () => cx.inheritedPlace(),
    ),
  ];
  const body = [...startCells(scope.innerCells()), ...content];
  cx.functions.push({
    name,
    params: all.map((local) => ({ local, default: null })),
    body,
    origin: node.type === "Macro" ? cx.origin(node, () => macroHeadline(cx, node)) : null,
  });
  return { name, value: macroValue(cx, node, name, special) };
}

function macroValue(
  cx: Context,
  node: ast.Macro | ast.CallBlock,
  name: FunctionName,
  special: readonly string[],
): Expr {
  const defaults = node.parameters.filter((parameter) => parameter.default !== null).length;
  const called = build.literal(node.type === "Macro" ? node.name : null);
  const parameters = build.list(node.parameters.map((parameter) => build.literal(parameter.name)));
  const body: Expr = { op: "function", callee: name };
  const others = build.list(special.map((one) => build.literal(one)));
  return cx.escaping === null
    ? build.intrinsic("jinja.macro", [called, parameters, build.literal(defaults), body, others])
    : build.intrinsic("jinja.macroIn", [setting(cx), called, parameters, body, others]);
}

/** Jinja2 evaluates defaults inside the macro, left to right, where the argument is missing. */
function parameterDefaults(
  cx: Context,
  frame: Frame,
  node: ast.Macro | ast.CallBlock,
  locals: readonly Local[],
  all: readonly Local[],
): Stmt[] {
  for (const local of all) cx.pending.add(local);
  const statements = node.parameters.flatMap((parameter, position) => {
    const local = locals[position];
    if (local === undefined) return [];
    cx.enter(node);
    const isMissing = build.compare(found(frame.scope, local), "===", build.UNDEFINED);
    const value =
      parameter.default === null
        ? build.intrinsic("jinja.unprovided", [build.literal(parameter.name)])
        : lowerValue(cx, frame, parameter.default);
    cx.pending.delete(local);
    return [build.when(isMissing, [build.set(local, value)])];
  });
  for (const local of all) cx.pending.delete(local);
  return statements;
}
