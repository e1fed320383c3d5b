/**
 * Inputs that a template reads only because a variable of its own has the same name: Jinja2 looks a name up in the
 * context wherever no branch has set it.
 */
import type { Expr, Module, Stmt } from "./nodes.js";
import { assignedLocals, statementLists, walkExpr, walkModule } from "./visit.js";

/** What a caller passes on purpose, whatever the template then does with the name. */
const INTENDED: ReadonlySet<string> = new Set([
  "messages",
  "tools",
  "documents",
  "add_generation_prompt",
  "bos_token",
  "eos_token",
]);

export function accidentalInputs(module: Module): ReadonlySet<string> {
  const set = new Set<string>();
  const visit = (list: readonly Stmt[], asked: ReadonlySet<string>): void => {
    for (const stmt of list) {
      for (const { name } of assignedLocals(stmt)) {
        const isOwn = stmt.op === "set" && isStart(stmt.value, name);
        if (!isOwn && !asked.has(name)) set.add(name);
      }
      const known = stmt.op === "if" ? new Set([...asked, ...namesIn(stmt.test)]) : asked;
      for (const inner of statementLists(stmt)) visit(inner, known);
    }
  };
  visit(module.body, new Set());
  for (const fn of module.functions) visit(fn.body, new Set());
  const accidental = new Set<string>();
  walkModule(module, (expr) => {
    const isInput = expr.op === "input" && !INTENDED.has(expr.name);
    if (isInput && set.has(expr.name)) accidental.add(expr.name);
  });
  return accidental;
}

/** Whether the variable gets the input of its name, or what stands in for it: `{% set x = x or 1 %}`. */
function isStart(value: Expr, name: string): boolean {
  return namesIn(value).has(name);
}

function namesIn(expr: Expr): ReadonlySet<string> {
  const names = new Set<string>();
  walkExpr(expr, (inner) => {
    if (inner.op === "input") names.add(inner.name);
    if (inner.op === "local") names.add(inner.local.name);
  });
  return names;
}
