/** Walking and rebuilding IR trees; nodes are never changed in place. */
import type { Expr, FunctionDef, Local, Module, Stmt } from "./nodes.js";

/** The expression with its direct children replaced; the very node where none of them changes. */
export function mapChildren(expr: Expr, map: (child: Expr) => Expr): Expr {
  switch (expr.op) {
    case "literal":
    case "local":
    case "input":
    case "clock":
    case "spans":
    case "written":
    case "function":
    case "rule":
    case "new-set":
      return expr;
    case "read": {
      const object = map(expr.object);
      return object === expr.object ? expr : { ...expr, object };
    }
    case "at": {
      const list = map(expr.list);
      const index = map(expr.index);
      return list === expr.list && index === expr.index ? expr : { ...expr, list, index };
    }
    case "choose":
      return mapChoose(expr, map);
    case "and":
    case "or":
    case "compare":
    case "arithmetic": {
      const left = map(expr.left);
      const right = map(expr.right);
      return left === expr.left && right === expr.right ? expr : { ...expr, left, right };
    }
    case "not":
    case "typeof":
    case "truthy":
    case "assign":
    case "spread": {
      const value = map(expr.value);
      return value === expr.value ? expr : { ...expr, value };
    }
    case "count": {
      const list = map(expr.list);
      return list === expr.list ? expr : { ...expr, list };
    }
    case "coalesce": {
      const value = map(expr.value);
      const otherwise = map(expr.otherwise);
      const isSame = value === expr.value && otherwise === expr.otherwise;
      return isSame ? expr : { ...expr, value, otherwise };
    }
    case "chain": {
      const source = map(expr.source);
      const body = map(expr.body);
      return source === expr.source && body === expr.body ? expr : { ...expr, source, body };
    }
    default:
      return mapMany(expr, map);
  }
}

function mapChoose(expr: Extract<Expr, { op: "choose" }>, map: (child: Expr) => Expr): Expr {
  const test = map(expr.test);
  const then = map(expr.then);
  const otherwise = map(expr.otherwise);
  const isSame = test === expr.test && then === expr.then && otherwise === expr.otherwise;
  return isSame ? expr : { ...expr, test, then, otherwise };
}

/** The nodes with any number of children. */
type Many = Extract<Expr, { op: "concat" | "list" | "record" | "method" | "call" | "intrinsic" }>;

function mapMany(expr: Many, map: (child: Expr) => Expr): Expr {
  switch (expr.op) {
    case "concat": {
      const parts = mapAll(expr.parts, map);
      return parts === expr.parts ? expr : { ...expr, parts };
    }
    case "list": {
      const items = mapAll(expr.items, map);
      return items === expr.items ? expr : { ...expr, items };
    }
    case "record": {
      const fields = mapAll(expr.fields, (field) => {
        const value = map(field.value);
        return value === field.value ? field : { name: field.name, value };
      });
      return fields === expr.fields ? expr : { ...expr, fields };
    }
    case "method": {
      const object = map(expr.object);
      const args = mapAll(expr.args, map);
      return object === expr.object && args === expr.args ? expr : { ...expr, object, args };
    }
    case "call": {
      const args = mapAll(expr.args, (arg) => (arg === null ? null : map(arg)));
      return args === expr.args ? expr : { ...expr, args };
    }
    case "intrinsic": {
      const args = mapAll(expr.args, map);
      return args === expr.args ? expr : { ...expr, args };
    }
  }
}

/** The list with each item replaced; the very list where none changes. */
function mapAll<T>(list: readonly T[], map: (item: T) => T): readonly T[] {
  const changed: T[] = [];
  const mapped = list.map((item) => {
    const made = map(item);
    if (made !== item) changed.push(made);
    return made;
  });
  return changed.length === 0 ? list : mapped;
}

/** Calls back for each direct child, in order of evaluation. */
export function eachChild(expr: Expr, visit: (child: Expr) => void): void {
  switch (expr.op) {
    case "literal":
    case "local":
    case "input":
    case "clock":
    case "spans":
    case "written":
    case "function":
    case "rule":
    case "new-set":
      return;
    case "read":
      visit(expr.object);
      return;
    case "at":
      visit(expr.list);
      visit(expr.index);
      return;
    case "choose":
      visit(expr.test);
      visit(expr.then);
      visit(expr.otherwise);
      return;
    case "and":
    case "or":
    case "compare":
    case "arithmetic":
      visit(expr.left);
      visit(expr.right);
      return;
    case "not":
    case "typeof":
    case "truthy":
    case "assign":
    case "spread":
      visit(expr.value);
      return;
    case "count":
      visit(expr.list);
      return;
    case "coalesce":
      visit(expr.value);
      visit(expr.otherwise);
      return;
    case "chain":
      visit(expr.source);
      visit(expr.body);
      return;
    default:
      eachOfMany(expr, visit);
  }
}

function eachOfMany(expr: Many, visit: (child: Expr) => void): void {
  switch (expr.op) {
    case "concat":
      for (const part of expr.parts) visit(part);
      return;
    case "list":
      for (const item of expr.items) visit(item);
      return;
    case "record":
      for (const field of expr.fields) visit(field.value);
      return;
    case "method":
      visit(expr.object);
      for (const arg of expr.args) visit(arg);
      return;
    case "call":
      for (const arg of expr.args) if (arg !== null) visit(arg);
      return;
    case "intrinsic":
      for (const arg of expr.args) visit(arg);
      return;
  }
}

/** Calls back for the expression and everything in it, parents first. */
export function walkExpr(expr: Expr, visit: (expr: Expr) => void): void {
  const walk = (inner: Expr): void => {
    visit(inner);
    eachChild(inner, walk);
  };
  walk(expr);
}

/** Whether the test holds of the expression or of anything in it. */
export function someExpr(expr: Expr, test: (expr: Expr) => boolean): boolean {
  if (test(expr)) return true;
  let found = false;
  eachChild(expr, (child) => {
    if (!found) found = someExpr(child, test);
  });
  return found;
}

/** The expression that a statement itself evaluates, if any; nested statements are left out. */
export function statementExpr(stmt: Stmt): Expr | null {
  switch (stmt.op) {
    case "emit":
    case "set":
    case "unpack":
    case "run":
      return stmt.value;
    case "if":
    case "while":
      return stmt.test;
    case "each":
    case "entries":
      return stmt.source;
    case "capture":
    case "define":
    case "break":
    case "continue":
    case "return":
    case "round":
    case "note":
      return null;
  }
}

/** {@link statementExpr} as a list. */
export function statementExprs(stmt: Stmt): readonly Expr[] {
  const expr = statementExpr(stmt);
  return expr === null ? [] : [expr];
}

const NO_LISTS: readonly (readonly Stmt[])[] = [];

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
      return NO_LISTS;
  }
}

const NO_LOCALS: readonly Local[] = [];

/** The locals that a statement itself binds or assigns. */
export function assignedLocals(stmt: Stmt): readonly Local[] {
  switch (stmt.op) {
    case "set":
    case "capture":
      return [stmt.local];
    case "unpack":
      return stmt.locals;
    case "each":
      return present(stmt.item, stmt.index);
    case "entries":
      return present(stmt.key, stmt.value);
    default:
      return NO_LOCALS;
  }
}

function present(one: Local | null, two: Local | null): readonly Local[] {
  if (one === null) return two === null ? NO_LOCALS : [two];
  return two === null ? [one] : [one, two];
}

/** Calls back for each statement, parents first. */
export function walkStmts(list: readonly Stmt[], visit: (stmt: Stmt) => void): void {
  for (const stmt of list) {
    visit(stmt);
    switch (stmt.op) {
      case "if":
        walkStmts(stmt.then, visit);
        walkStmts(stmt.otherwise, visit);
        break;
      case "each":
      case "entries":
        walkStmts(stmt.body, visit);
        walkStmts(stmt.empty, visit);
        break;
      case "while":
      case "capture":
        walkStmts(stmt.body, visit);
        break;
      default:
        break;
    }
  }
}

/** Calls back for each expression of the statements, nested ones included. */
export function walkExprs(list: readonly Stmt[], visit: (expr: Expr) => void): void {
  const walk = (inner: Expr): void => {
    visit(inner);
    eachChild(inner, walk);
  };
  walkStmts(list, (stmt) => {
    const expr = statementExpr(stmt);
    if (expr !== null) walk(expr);
  });
}

/** The statement with its own expressions replaced; nested statements stay. */
export function mapStatementExprs(stmt: Stmt, map: (expr: Expr) => Expr): Stmt {
  switch (stmt.op) {
    case "emit":
    case "set":
    case "unpack":
    case "run": {
      const value = map(stmt.value);
      return value === stmt.value ? stmt : { ...stmt, value };
    }
    case "if":
    case "while": {
      const test = map(stmt.test);
      return test === stmt.test ? stmt : { ...stmt, test };
    }
    case "each":
    case "entries": {
      const source = map(stmt.source);
      return source === stmt.source ? stmt : { ...stmt, source };
    }
    default:
      return stmt;
  }
}

/** The statement with its statement lists replaced. */
export function mapLists(stmt: Stmt, map: (list: readonly Stmt[]) => readonly Stmt[]): Stmt {
  switch (stmt.op) {
    case "if": {
      const then = map(stmt.then);
      const otherwise = map(stmt.otherwise);
      const isSame = then === stmt.then && otherwise === stmt.otherwise;
      return isSame ? stmt : { ...stmt, then, otherwise };
    }
    case "each":
    case "entries": {
      const body = map(stmt.body);
      const empty = map(stmt.empty);
      return body === stmt.body && empty === stmt.empty ? stmt : { ...stmt, body, empty };
    }
    case "while":
    case "capture": {
      const body = map(stmt.body);
      return body === stmt.body ? stmt : { ...stmt, body };
    }
    default:
      return stmt;
  }
}

/** Rebuilds every expression from the leaves up, in all statements. */
export function rewriteExprs(
  list: readonly Stmt[],
  rewrite: (expr: Expr) => Expr,
): readonly Stmt[] {
  const deep = (expr: Expr): Expr => rewrite(mapChildren(expr, deep));
  const each = (inner: readonly Stmt[]): readonly Stmt[] =>
    mapAll(inner, (stmt) => mapStatementExprs(mapLists(stmt, each), deep));
  return each(list);
}

/** Rebuilds every statement list from the innermost out. */
export function rewriteLists(
  list: readonly Stmt[],
  rewrite: (list: readonly Stmt[]) => readonly Stmt[],
): readonly Stmt[] {
  const each = (stmt: Stmt): Stmt => mapLists(stmt, inside);
  const inside = (inner: readonly Stmt[]): readonly Stmt[] => {
    const before = mapAll(inner, each);
    const after = rewrite(before);
    // What is the same stays the same list, so that what is around it need not be made anew.
    return hasSameItems(before, after) ? before : after;
  };
  return inside(list);
}

function hasSameItems(a: readonly Stmt[], b: readonly Stmt[]): boolean {
  return a === b || (a.length === b.length && a.every((stmt, i) => stmt === b[i]));
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
