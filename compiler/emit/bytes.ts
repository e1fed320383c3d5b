/** What differs where a template renders to bytes. */
import type { Expr, Local, Module, Stmt } from "../ir/nodes.js";

/** Whether a lone surrogate from U+DC80 on is a byte of its own in the module's output; else it is Go's U+FFFD. */
export function hasStrayBytes({ dialect, prepare }: Module): boolean {
  return dialect === "go" || prepare === "go.ollamaValuesStrict";
}

/** A text that is gathered only to join stray bytes to characters: as bytes they stand together anyway. */
export function joinedText(body: readonly Stmt[]): Extract<Stmt, { op: "capture" }> | null {
  const last = body.at(-1);
  const capture = body.at(-2);
  if (capture?.op !== "capture" || last?.op !== "emit") return null;
  return isJoin(last.value, capture.local) ? capture : null;
}

function isJoin(expr: Expr, local: Local): boolean {
  if (expr.op !== "intrinsic" || expr.name !== "go.joinBytes") return false;
  const [text] = expr.args;
  return text?.op === "local" && text.local === local;
}

/** A statement that only notes where a generation block stands. */
export function isSpanNote(stmt: Stmt): boolean {
  return stmt.op === "run" && stmt.value.op === "intrinsic" && stmt.value.name === "jinja.noteSpan";
}
