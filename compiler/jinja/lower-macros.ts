/** Lowering of macros and call blocks: a function of the module, and the value that stands for it. */
import * as build from "../ir/build.js";
import type { Expr, FunctionName, Local, Stmt } from "../ir/nodes.js";
import type * as ast from "./ast.js";
import type { Context, Frame } from "./context.js";
import { lowerArguments } from "./lower-calls.js";
import { lowerValue } from "./lower-expressions.js";
import { enterScope, lowerBody } from "./lower-statements.js";
import { ScopeAnalysis, type Scope } from "./scope.js";
import { mentionsName } from "./walk.js";

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
  const origin = cx.origin(node, macroHeadline(cx, node));
  if (local === null) return [];
  return [{ op: "define", callee: name, origin }, build.set(local, value)];
}

/** `{% call(x) m() %}…{% endcall %}`: the body is a macro that m gets as `caller`. */
export function lowerCallBlock(cx: Context, frame: Frame, node: ast.CallBlock): Stmt[] {
  const { name, value } = macroFunction(cx, frame, node, "caller");
  cx.enter(node);
  const [args, named] = lowerArguments(cx, frame, node.call);
  const field = { name: "caller", value };
  const kwargs: Expr =
    named.op === "record"
      ? { op: "record", fields: [...named.fields, field] }
      : { op: "record", fields: [field] };
  const callee = lowerValue(cx, frame, node.call.callee);
  const call = build.intrinsic("jinja.call", [callee, args, kwargs], cx.place(node.call));
  return [
    { op: "define", callee: name, origin: cx.origin(node, `call ${cx.text(node.call)}`) },
    build.emit(build.intrinsic("jinja.str", [call])),
  ];
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
  const scope = frame.scope.child();
  const analysis = new ScopeAnalysis(scope);
  const locals = node.parameters.map((parameter) => scope.declareParameter(parameter.name));
  for (const parameter of node.parameters) analysis.expression(parameter.default);
  analysis.statements(node.body);
  const special = SPECIAL.filter(
    (name) =>
      mentionsName(node.body, name) &&
      !node.parameters.some((parameter) => parameter.name === name),
  );
  const all = [...locals, ...special.map((name) => scope.declareParameter(name))];
  const name = cx.ids.function(called);
  const inner = { ...frame, scope, loopDepth: 0 };
  const body = [
    ...enterScope(cx, scope),
    ...parameterDefaults(cx, inner, scope, node, locals),
    ...lowerBody(cx, inner, node.body),
  ];
  cx.functions.push({
    name,
    params: all.map((local) => ({ local, default: null })),
    body,
    origin: node.type === "Macro" ? cx.origin(node, macroHeadline(cx, node)) : null,
  });
  return { name, value: macroValue(node, called, name, special) };
}

function macroValue(
  node: ast.Macro | ast.CallBlock,
  called: string,
  name: FunctionName,
  special: readonly string[],
): Expr {
  const defaults = node.parameters.filter((parameter) => parameter.default !== null).length;
  return build.intrinsic("jinja.macro", [
    build.literal(called),
    build.list(node.parameters.map((parameter) => build.literal(parameter.name))),
    build.literal(defaults),
    { op: "function", callee: name },
    build.list(special.map((one) => build.literal(one))),
  ]);
}

/** Jinja2 evaluates defaults inside the macro, left to right, where the argument is missing. */
function parameterDefaults(
  cx: Context,
  frame: Frame,
  scope: Scope,
  node: ast.Macro | ast.CallBlock,
  locals: readonly Local[],
): Stmt[] {
  return node.parameters.flatMap((parameter, position) => {
    const local = locals[position];
    if (local === undefined) return [];
    cx.enter(node);
    const isMissing = build.compare(build.ref(local), "===", build.UNDEFINED);
    const value =
      parameter.default === null
        ? build.intrinsic("jinja.unprovided", [build.literal(parameter.name)])
        : lowerValue(cx, { ...frame, scope }, parameter.default);
    return [build.when(isMissing, [build.set(local, value)])];
  });
}
