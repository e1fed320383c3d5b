/** Ifs that follow each other and ask one path for different texts exclude each other: they become else-ifs. */
import type { Expr, If, Local, Stmt } from "../ir/nodes.js";
import { assignedLocals, mapBodies, rewriteLists, walkStmts } from "../ir/visit.js";
import type { Pass } from "./pass.js";
import { localKey, pathOf } from "./specialize/facts.js";

export const elseIf: Pass = {
  name: "else-if",
  run: (module) => mapBodies(module, (body) => rewriteLists(body, chain)),
};

function chain(list: readonly Stmt[]): readonly Stmt[] {
  const result: Stmt[] = [];
  for (let i = list.length - 1; i >= 0; i--) {
    const stmt = list[i];
    if (stmt === undefined) continue;
    const next = result[0];
    const joined = stmt.op === "if" && next?.op === "if" ? join(stmt, next) : null;
    if (joined === null) result.unshift(stmt);
    else result[0] = joined;
  }
  return result;
}

function join(first: If, second: If): If | null {
  const asked = question(first.test);
  if (asked === null || first.otherwise.length > 0) return null;
  const isExclusive = branches(second).every((test) => {
    const other = question(test);
    return other !== null && other.path === asked.path && other.text !== asked.text;
  });
  if (!isExclusive || changes(first.then, asked.path)) return null;
  return { ...first, otherwise: [second] };
}

/** The tests of an if and its else-ifs; a final else would not be exclusive. */
function branches(stmt: If): Expr[] {
  const [only] = stmt.otherwise;
  if (stmt.otherwise.length === 0) return [stmt.test];
  if (only?.op !== "if" || stmt.otherwise.length > 1) return [{ op: "literal", value: true }];
  return [stmt.test, ...branches(only)];
}

/** `path === "text"`. */
function question(test: Expr): { path: string; text: string } | null {
  if (test.op !== "compare" || test.operator !== "===" || test.right.op !== "literal") return null;
  const path = pathOf(test.left);
  const { value } = test.right;
  return path === null || typeof value !== "string" ? null : { path, text: value };
}

/** Whether the statements assign what the path starts from, or might change what it reads. */
function changes(list: readonly Stmt[], path: string): boolean {
  const assigned: Local[] = [];
  walkStmts(list, (stmt) => assigned.push(...assignedLocals(stmt)));
  return assigned.some(
    (local) => path === localKey(local) || path.startsWith(`${localKey(local)}.`),
  );
}
