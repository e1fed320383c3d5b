/** Walking and rebuilding IR trees; nodes are never changed in place. */
import type { Expr, FunctionDef, Local, Module, Stmt } from "./nodes.js";

/** The expression with its direct children replaced. */
export function mapChildren(expr: Expr, map: (child: Expr) => Expr): Expr {
  switch (expr.op) {
    case "literal":
    case "local":
    case "input":
    case "clock":
    case "spans":
    case "written":
    case "function":
    case "new-set":
      return expr;
    case "read":
      return { ...expr, object: map(expr.object) };
    case "at":
      return { ...expr, list: map(expr.list), index: map(expr.index) };
    case "concat":
      return { ...expr, parts: expr.parts.map(map) };
    case "choose":
      return {
        ...expr,
        test: map(expr.test),
        then: map(expr.then),
        otherwise: map(expr.otherwise),
      };
    case "and":
    case "or":
    case "compare":
    case "arithmetic":
      return { ...expr, left: map(expr.left), right: map(expr.right) };
    case "not":
    case "typeof":
    case "truthy":
    case "assign":
    case "spread":
      return { ...expr, value: map(expr.value) };
    case "count":
      return { ...expr, list: map(expr.list) };
    case "coalesce":
      return { ...expr, value: map(expr.value), otherwise: map(expr.otherwise) };
    case "list":
      return { ...expr, items: expr.items.map(map) };
    case "record":
      return {
        ...expr,
        fields: expr.fields.map(({ name, value }) => ({ name, value: map(value) })),
      };
    case "chain":
      return { ...expr, source: map(expr.source), body: map(expr.body) };
    case "method":
      return { ...expr, object: map(expr.object), args: expr.args.map(map) };
    case "call":
      return { ...expr, args: expr.args.map((arg) => (arg === null ? null : map(arg))) };
    case "intrinsic":
      return { ...expr, args: expr.args.map(map) };
  }
}

/** Calls back for each direct child, in order of evaluation. */
export function eachChild(expr: Expr, visit: (child: Expr) => void): void {
  mapChildren(expr, (child) => {
    visit(child);
    return child;
  });
}

/** Calls back for the expression and everything in it, parents first. */
export function walkExpr(expr: Expr, visit: (expr: Expr) => void): void {
  visit(expr);
  eachChild(expr, (child) => {
    walkExpr(child, visit);
  });
}

/** The expressions that a statement itself evaluates, in order; nested statements are left out. */
export function statementExprs(stmt: Stmt): readonly Expr[] {
  switch (stmt.op) {
    case "emit":
    case "set":
    case "unpack":
    case "run":
      return [stmt.value];
    case "if":
    case "while":
      return [stmt.test];
    case "each":
    case "entries":
      return [stmt.source];
    case "capture":
    case "define":
    case "break":
    case "continue":
    case "return":
    case "note":
      return [];
  }
}

/** The statement lists inside a statement. */
export function statementLists(stmt: Stmt): readonly (readonly Stmt[])[] {
  switch (stmt.op) {
    case "if":
      return [stmt.then, stmt.otherwise];
    case "each":
    case "entries":
      return [stmt.body, stmt.empty];
    case "while":
    case "capture":
      return [stmt.body];
    default:
      return [];
  }
}

/** The locals that a statement itself binds or assigns. */
export function assignedLocals(stmt: Stmt): readonly Local[] {
  switch (stmt.op) {
    case "set":
    case "capture":
      return [stmt.local];
    case "unpack":
      return stmt.locals;
    case "each":
      return [stmt.item, stmt.index].filter((local) => local !== null);
    case "entries":
      return [stmt.key, stmt.value].filter((local) => local !== null);
    default:
      return [];
  }
}

/** Calls back for each statement, parents first. */
export function walkStmts(list: readonly Stmt[], visit: (stmt: Stmt) => void): void {
  for (const stmt of list) {
    visit(stmt);
    for (const inner of statementLists(stmt)) walkStmts(inner, visit);
  }
}

/** Calls back for each expression of the statements, nested ones included. */
export function walkExprs(list: readonly Stmt[], visit: (expr: Expr) => void): void {
  walkStmts(list, (stmt) => {
    for (const expr of statementExprs(stmt)) walkExpr(expr, visit);
  });
}

/** The statement with its own expressions replaced; nested statements stay. */
export function mapStatementExprs(stmt: Stmt, map: (expr: Expr) => Expr): Stmt {
  switch (stmt.op) {
    case "emit":
    case "set":
    case "unpack":
    case "run":
      return { ...stmt, value: map(stmt.value) };
    case "if":
    case "while":
      return { ...stmt, test: map(stmt.test) };
    case "each":
    case "entries":
      return { ...stmt, source: map(stmt.source) };
    default:
      return stmt;
  }
}

/** The statement with its statement lists replaced. */
export function mapLists(stmt: Stmt, map: (list: readonly Stmt[]) => readonly Stmt[]): Stmt {
  switch (stmt.op) {
    case "if":
      return { ...stmt, then: map(stmt.then), otherwise: map(stmt.otherwise) };
    case "each":
    case "entries":
      return { ...stmt, body: map(stmt.body), empty: map(stmt.empty) };
    case "while":
    case "capture":
      return { ...stmt, body: map(stmt.body) };
    default:
      return stmt;
  }
}

/** Rebuilds every expression from the leaves up, in all statements. */
export function rewriteExprs(list: readonly Stmt[], rewrite: (expr: Expr) => Expr): Stmt[] {
  const deep = (expr: Expr): Expr => rewrite(mapChildren(expr, deep));
  return list.map((stmt) =>
    mapStatementExprs(
      mapLists(stmt, (inner) => rewriteExprs(inner, rewrite)),
      deep,
    ),
  );
}

/** Rebuilds every statement list from the innermost out. */
export function rewriteLists(
  list: readonly Stmt[],
  rewrite: (list: readonly Stmt[]) => readonly Stmt[],
): readonly Stmt[] {
  return rewrite(list.map((stmt) => mapLists(stmt, (inner) => rewriteLists(inner, rewrite))));
}

/** The module with each body (of render and of its functions) replaced. */
export function mapBodies(
  module: Module,
  map: (body: readonly Stmt[], owner: FunctionDef | null) => readonly Stmt[],
): Module {
  return {
    ...module,
    body: map(module.body, null),
    functions: module.functions.map((fn) => ({ ...fn, body: map(fn.body, fn) })),
  };
}

/** Calls back for each expression of the module. */
export function walkModule(module: Module, visit: (expr: Expr) => void): void {
  walkExprs(module.body, visit);
  for (const fn of module.functions) {
    for (const param of fn.params) if (param.default !== null) walkExpr(param.default, visit);
    walkExprs(fn.body, visit);
  }
}

/** An id above all those of the module's locals and functions. */
export function firstFreeId(module: Module): number {
  let last = -1;
  const see = ({ id }: { readonly id: number }): void => {
    last = Math.max(last, id);
  };
  for (const fn of module.functions) {
    see(fn.name);
    for (const { local } of fn.params) see(local);
  }
  for (const body of [module.body, ...module.functions.map((fn) => fn.body)]) {
    walkStmts(body, (stmt) => {
      for (const local of assignedLocals(stmt)) see(local);
    });
  }
  walkModule(module, (expr) => {
    if (expr.op === "local" || expr.op === "assign") see(expr.local);
    if (expr.op === "chain") see(expr.item);
  });
  return last + 1;
}
