/** Joins outputs that follow each other into one, and literals that stand side by side into one text. */
import { concat, emit, literal, outputPart, placed } from "../ir/build.js";
import { intrinsics } from "../ir/intrinsics.js";
import type { Emit, Expr, Module, Stmt } from "../ir/nodes.js";
import { mapBodies, rewriteExprs, rewriteLists, walkExpr, walkExprs } from "../ir/visit.js";
import type { Pass } from "./pass.js";

export const mergeText: Pass = {
  name: "merge-text",
  run(module) {
    const isCounting = notesSpansInFunctions(module);
    return mapBodies(module, (body) =>
      rewriteLists(
        rewriteExprs(body, (expr) => (expr.op === "concat" ? merged(expr.parts) : expr)),
        (list) => mergeList(list, isCounting),
      ),
    );
  },
};

/** Whether a function asks how much has been written: then all must be written before it is called. */
function notesSpansInFunctions(module: Module): boolean {
  let notes = false;
  for (const fn of module.functions) {
    walkExprs(fn.body, (expr) => {
      if (expr.op === "spans") notes = true;
    });
  }
  return notes;
}

function callsFunctions(value: Expr): boolean {
  let calls = false;
  walkExpr(value, (expr) => {
    const isEffect = expr.op === "intrinsic" && !intrinsics[expr.name].pure;
    if (expr.op === "call" || isEffect) calls = true;
  });
  return calls;
}

function mergeList(list: readonly Stmt[], isCounting: boolean): readonly Stmt[] {
  const result: Stmt[] = [];
  // Joined only at its end: a run joined pair by pair would be copied for each of its outputs.
  let run: Emit[] = [];
  const close = (): void => {
    const [first, ...others] = run;
    if (first !== undefined) result.push(others.length === 0 ? first : joined(first, run));
    run = [];
  };
  for (const stmt of list) {
    if (stmt.op !== "emit") {
      close();
      result.push(stmt);
    } else if (!isEmptyText(stmt.value)) {
      if (isCounting && callsFunctions(stmt.value)) close();
      run.push(stmt);
    }
  }
  close();
  return result;
}

function joined(first: Emit, run: readonly Emit[]): Stmt {
  return emit(merged(run.map(outputPart)), first.origin);
}

function isEmptyText(expr: Expr): boolean {
  return expr.op === "literal" && expr.value === "";
}

function operands(expr: Expr): readonly Expr[] {
  return expr.op === "concat" ? expr.parts.map((part) => placed(part, expr.origin)) : [expr];
}

function merged(parts: readonly Expr[]): Expr {
  const result: Expr[] = [];
  for (const part of parts.flatMap(operands)) {
    const last = result.at(-1);
    if (isEmptyText(part)) continue;
    const isPair = part.op === "literal" && last?.op === "literal";
    if (isPair && typeof part.value === "string" && typeof last.value === "string") {
      result[result.length - 1] = { ...last, value: last.value + part.value };
    } else {
      result.push(part);
    }
  }
  return result.length === 0 ? literal("") : concat(result);
}
