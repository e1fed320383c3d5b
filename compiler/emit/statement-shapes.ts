/** What the printer of statements asks of them. */
import type { Expr, Stmt } from "../ir/nodes.js";
import { statementLists, walkExprs } from "../ir/visit.js";

/** The texts that a traced text is joined of. */
export function partsOf(value: Expr): readonly Expr[] | null {
  return value.op === "intrinsic" && value.name === "segments.join" ? value.args : null;
}

/** Outer loops and ifs always; inner ones where much hangs on them and their test is not plain to see. */
export function deservesComment(stmt: Stmt, loops: number): boolean {
  switch (stmt.op) {
    case "each":
    case "while":
      return loops === 0;
    case "entries":
      return true;
    case "if":
      return !isPlainTest(stmt.test) && (loops === 0 ? size(stmt) > 1 : size(stmt) > 4);
    default:
      return false;
  }
}

/** Whether any loop of the statements writes. */
export function writesInLoop(list: readonly Stmt[]): boolean {
  return list.some((stmt) => {
    switch (stmt.op) {
      case "each":
      case "entries":
      case "while":
        return stmt.body.some(writes) || (stmt.op !== "while" && writesInLoop(stmt.empty));
      case "if":
        return writesInLoop(stmt.then) || writesInLoop(stmt.otherwise);
      default:
        return false;
    }
  });
}

/** Whether the code shows the template's test as it is. */
function isPlainTest(test: Expr): boolean {
  return test.op === "typeof" || (test.op === "compare" && test.right.op === "literal");
}

function size(stmt: Stmt): number {
  return statementLists(stmt)
    .flat()
    .reduce((sum, inner) => sum + 1 + size(inner), 0);
}

export function writes(stmt: Stmt): boolean {
  switch (stmt.op) {
    case "emit":
    case "return":
    case "round":
      return true;
    case "capture":
      return false;
    default:
      return statementLists(stmt).some((list) => list.some(writes));
  }
}

export function endsInReturn(list: readonly Stmt[]): boolean {
  return list.at(-1)?.op === "return";
}

/** Whether the function asks how much it has written itself. */
export function countsItself(body: readonly Stmt[]): boolean {
  let counts = false;
  walkExprs(body, (expr) => {
    if (expr.op === "written" && expr.inBlock) counts = true;
  });
  return counts;
}

export function withoutReturn(list: readonly Stmt[]): readonly Stmt[] {
  return endsInReturn(list) ? list.slice(0, -1) : list;
}

export function isLong(value: Expr): boolean {
  return value.op === "choose" || (value.op === "concat" && value.parts.length > 4);
}
