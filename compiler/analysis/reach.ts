/** Which locals can hold an input as it is: through assignments, choices and arguments. */
import type { IntrinsicName } from "../ir/intrinsics.js";
import type { Expr, Local, Module, Stmt } from "../ir/nodes.js";
import { walkModule, walkStmts } from "../ir/visit.js";

/** A value that a local takes somewhere in the module. */
export type Assignment = readonly [local: Local, value: Expr];

/** Rules that hand on their first argument, Undefined or not. */
export const PASSING: ReadonlySet<IntrinsicName> = new Set(["jinja.named", "jinja.unset"]);

/** Rules whose result is what they are given, in another spelling at most. */
export const REPEATING: ReadonlySet<IntrinsicName> = new Set([
  "jinja.named",
  "jinja.unset",
  "jinja.strict",
  "jinja.str",
  "jinja.stringFilter",
  "jinja.textFor",
  "jinja.text",
  "jinja.lower",
  "jinja.lowerFilter",
  "jinja.strip",
  "jinja.trimFilter",
  "jinja.defaultFilter",
]);

export function localsReachedBy(
  name: string,
  assignments: readonly Assignment[],
): ReadonlySet<Local> {
  const reached = new Set<Local>();
  for (let size = -1; size < reached.size;) {
    size = reached.size;
    for (const [local, value] of assignments) {
      if (handsOn(value, name, reached)) reached.add(local);
    }
  }
  return reached;
}

export function assignmentsOf(module: Module): readonly Assignment[] {
  const found: Assignment[] = [];
  const see = (stmt: Stmt): void => {
    if (stmt.op === "set") found.push([stmt.local, stmt.value]);
  };
  const parameters = new Map(module.functions.map(({ name, params }) => [name.id, params]));
  walkStmts(module.body, see);
  for (const fn of module.functions) walkStmts(fn.body, see);
  walkModule(module, (expr) => {
    if (expr.op === "assign") found.push([expr.local, expr.value]);
    if (expr.op !== "call") return;
    const params = parameters.get(expr.callee.id);
    expr.args.forEach((arg, i) => {
      const param = params?.[i];
      if (param !== undefined && arg !== null) found.push([param.local, arg]);
    });
  });
  return found;
}

/** Whether the value can be the input itself. */
function handsOn(value: Expr, name: string, reached: ReadonlySet<Local>): boolean {
  switch (value.op) {
    case "input":
      return value.name === name;
    case "local":
      return reached.has(value.local);
    case "assign":
      return handsOn(value.value, name, reached);
    case "choose":
      return handsOn(value.then, name, reached) || handsOn(value.otherwise, name, reached);
    case "coalesce":
      return handsOn(value.value, name, reached) || handsOn(value.otherwise, name, reached);
    case "intrinsic":
      return value.args.some((arg) => handsOn(arg, name, reached)) && isPassing(value.name);
    default:
      return false;
  }
}

function isPassing(name: IntrinsicName): boolean {
  return PASSING.has(name) || name === "jinja.strict" || name === "jinja.defaultFilter";
}
