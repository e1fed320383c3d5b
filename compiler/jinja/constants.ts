/** Which expressions Jinja2 evaluates when it compiles (`as_const` in nodes.py). */
import type * as ast from "./ast.js";
import { expressionChildren } from "./walk.js";

/** Whether an expression is made of constants only, so that Jinja2 tries to fold it. */
export function isConstant(node: ast.Expr): boolean {
  if (node.type === "Name" || node.type === "Call") return false;
  return expressionChildren(node).every(isConstant);
}
