/** Inputs of a template: what the caller gives, a constant in its place, or the environment's global of that name. */
import * as build from "../ir/build.js";
import type { Expr } from "../ir/nodes.js";
import { GLOBALS } from "./builtins.js";
import type { Context } from "./context.js";

/** An input, or the constant that stands for it. */
export function inputOf(cx: Context, name: string): Expr {
  if (Object.hasOwn(cx.define, name)) return constant(cx.define[name]);
  if (!GLOBALS.has(name)) return build.input(name);
  const isMissing = build.compare(build.input(name), "===", build.UNDEFINED);
  return build.choose(isMissing, globalOf(name), build.input(name));
}

/** A global of the environment as a value; strftime_now asks the clock of the render however it is called. */
export function globalOf(name: string): Expr {
  const clock: readonly Expr[] = name === "strftime_now" ? [{ op: "clock" }] : [];
  return build.intrinsic("jinja.globalValue", [build.literal(name), ...clock]);
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
