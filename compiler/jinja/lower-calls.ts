/** Lowering of calls: methods, the environment's functions, macros. */
import * as build from "../ir/build.js";
import type { Expr } from "../ir/nodes.js";
import type * as ast from "./ast.js";
import type { Context, Frame } from "./context.js";
import { isGlobal, lowerValue } from "./lower-expressions.js";

export function lowerCall(cx: Context, frame: Frame, node: ast.Call): Expr {
  const { callee } = node;
  if (
    callee.type === "Name" &&
    isGlobal(cx, callee.name) &&
    frame.scope.find(callee.name) !== null
  ) {
    const known = lowerGlobalCall(cx, frame, node, callee.name);
    if (known !== null) return known;
  }
  if (callee.type === "Attribute" && argumentsAreSimple(node)) {
    return build.intrinsic(
      "jinja.callMethod",
      [
        lowerValue(cx, frame, callee.object),
        build.literal(callee.name),
        ...lowerArguments(cx, frame, node),
      ],
      cx.place(node),
    );
  }
  return build.intrinsic(
    "jinja.call",
    [lowerValue(cx, frame, callee), ...lowerArguments(cx, frame, node)],
    cx.place(node),
  );
}

/** The positional arguments as a list, the named ones as a record or null; a call block's caller is the last of these. */
export function lowerArguments(
  cx: Context,
  frame: Frame,
  node: ast.Arguments,
  caller: Expr | null = null,
): [Expr, Expr] {
  const args = node.args.map((arg) => lowerValue(cx, frame, arg));
  if (node.splat !== null) {
    const values = build.intrinsic(
      "jinja.splat",
      [lowerValue(cx, frame, node.splat)],
      cx.place(node.splat),
    );
    args.push({ op: "spread", value: values });
  }
  return [build.list(args), lowerNamedArguments(cx, frame, node, caller)];
}

function lowerNamedArguments(
  cx: Context,
  frame: Frame,
  node: ast.Arguments,
  caller: Expr | null,
): Expr {
  const given = node.kwargs.map(({ name, value }) => ({
    name,
    value: lowerValue(cx, frame, value),
  }));
  const fields = caller === null ? given : [...given, { name: "caller", value: caller }];
  if (node.kwSplat !== null) {
    return build.intrinsic(
      "jinja.kwSplat",
      [{ op: "record", fields }, lowerValue(cx, frame, node.kwSplat)],
      cx.place(node.kwSplat),
    );
  }
  return fields.length === 0 ? build.NULL : { op: "record", fields };
}

/** A call of a global that the template does not shadow; null: through its value. */
function lowerGlobalCall(cx: Context, frame: Frame, node: ast.Call, name: string): Expr | null {
  switch (name) {
    case "namespace":
      return build.intrinsic("jinja.namespace", lowerArguments(cx, frame, node), cx.place(node));
    case "range":
      return build.intrinsic("jinja.range", lowerArguments(cx, frame, node), cx.place(node));
    case "raise_exception": {
      const message = onlyArgument(node, "message");
      return message === null
        ? null
        : build.intrinsic("jinja.raiseException", [lowerValue(cx, frame, message)], cx.place(node));
    }
    case "strftime_now": {
      const format = onlyArgument(node, "format");
      return format === null
        ? null
        : build.intrinsic(
            "jinja.strftimeNow",
            [lowerValue(cx, frame, format), { op: "clock" }],
            cx.place(node),
          );
    }
    default:
      return null;
  }
}

/** The one argument of the function, given by position or by its parameter's name. */
function onlyArgument(node: ast.Call, parameter: string): ast.Expr | null {
  const { args, kwargs, splat, kwSplat } = node;
  if (splat !== null || kwSplat !== null || args.length + kwargs.length !== 1) return null;
  const [named] = kwargs;
  return args[0] ?? (named?.name === parameter ? named.value : null);
}

/** Python looks the method up before it evaluates the arguments; with these nobody can tell. */
function argumentsAreSimple(node: ast.Call): boolean {
  const isSimple = (arg: ast.Expr): boolean => arg.type === "Literal" || arg.type === "Name";
  return (
    node.args.every(isSimple) &&
    node.kwargs.every(({ value }) => isSimple(value)) &&
    node.splat === null &&
    node.kwSplat === null
  );
}
