/** Binds the list of an indexed loop to a local: the emitted loop names it more than once. Always run. */
import { ref } from "../ir/build.js";
import { List } from "../ir/kinds.js";
import { Ids, type Each, type Expr, type Module, type Stmt } from "../ir/nodes.js";
import { mapBodies, rewriteLists } from "../ir/visit.js";

export function bindSources(module: Module, ids: Ids): Module {
  return mapBodies(module, (body) =>
    rewriteLists(body, (list) => list.flatMap((stmt) => bindSource(stmt, ids))),
  );
}

function bindSource(stmt: Stmt, ids: Ids): readonly Stmt[] {
  if (stmt.op !== "each" && stmt.op !== "entries") return [stmt];
  const isNamedTwice = stmt.empty.length > 0 || (stmt.op === "each" && namesListTwice(stmt));
  if (!isNamedTwice || isSimple(stmt.source)) return [stmt];
  const local = ids.local(stmt.op === "each" ? "list" : "entries", List);
  return [
    { op: "set", local, value: stmt.source, origin: stmt.origin },
    { ...stmt, source: ref(local) },
  ];
}

function namesListTwice(stmt: Each): boolean {
  return stmt.index !== null || stmt.backward;
}

function isSimple(expr: Expr): boolean {
  return (
    expr.op === "local" ||
    expr.op === "input" ||
    (expr.op === "read" && !expr.optional && isSimple(expr.object))
  );
}
