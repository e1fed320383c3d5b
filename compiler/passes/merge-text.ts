/** Joins outputs that follow each other into one, and literals that stand side by side into one text. */
import { concat, emit, literal } from "../ir/build.js";
import type { Expr, Stmt } from "../ir/nodes.js";
import { mapBodies, rewriteExprs, rewriteLists } from "../ir/visit.js";
import type { Pass } from "./index.js";

export const mergeText: Pass = {
  name: "merge-text",
  run: (module) =>
    mapBodies(module, (body) =>
      rewriteLists(
        rewriteExprs(body, (expr) => (expr.op === "concat" ? merged(expr.parts) : expr)),
        mergeList,
      ),
    ),
};

function mergeList(list: readonly Stmt[]): readonly Stmt[] {
  const result: Stmt[] = [];
  for (const stmt of list) {
    const last = result.at(-1);
    if (stmt.op === "emit" && isEmptyText(stmt.value)) continue;
    if (stmt.op === "emit" && last?.op === "emit") {
      result[result.length - 1] = emit(merged([last.value, stmt.value]), last.origin);
    } else {
      result.push(stmt);
    }
  }
  return result;
}

function isEmptyText(expr: Expr): boolean {
  return expr.op === "literal" && expr.value === "";
}

function merged(parts: readonly Expr[]): Expr {
  const result: Expr[] = [];
  for (const part of parts.flatMap((one) => (one.op === "concat" ? one.parts : [one]))) {
    const last = result.at(-1);
    if (isEmptyText(part)) continue;
    const isPair = part.op === "literal" && last?.op === "literal";
    if (isPair && typeof part.value === "string" && typeof last.value === "string") {
      result[result.length - 1] = literal(last.value + part.value);
    } else {
      result.push(part);
    }
  }
  return result.length === 0 ? literal("") : concat(result);
}
