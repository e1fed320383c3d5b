/**
 * A text that only grows by delimited integers and is only searched for them, as in `ns.seen ~ ',' ~ i ~ ','` and
 * `',' ~ i ~ ',' in ns.seen`, becomes a set: the search no longer reads the whole text. It is exact, since delimiters
 * without digits and signs bound each integer on both sides: what is found between them is one of those added.
 */
import { ref, run } from "../ir/build.js";
import { Any, Index, only } from "../ir/kinds.js";
import type { Expr, Ids, Local, Module, Stmt } from "../ir/nodes.js";
import {
  assignedLocals,
  eachChild,
  mapBodies,
  mapChildren,
  mapLists,
  mapStatementExprs,
  statementExprs,
  walkExpr,
  walkStmts,
} from "../ir/visit.js";
import type { Pass } from "./pass.js";

export const integerSet: Pass = {
  name: "integer-set",
  run(module, { ids }) {
    const texts = new Search(module).find();
    return texts.size === 0 ? module : replace(module, texts, ids);
  },
};

/** An integer between two delimiters: `"," ~ str(i) ~ ","`. */
interface Entry {
  readonly integer: Expr;
  readonly before: string;
  readonly after: string;
}

/** Any character that the text of an integer can hold. */
const INTEGER_CHARACTER = /[-0-9]/;

class Search {
  readonly #module: Module;
  /** The delimiters of the texts that may become sets. */
  readonly #delimiters = new Map<Local, string>();
  readonly #refused = new Set<Local>();

  constructor(module: Module) {
    this.#module = module;
  }

  /** The texts of which each use is an empty start, an addition or a search. */
  find(): ReadonlySet<Local> {
    for (const param of this.#module.functions.flatMap((fn) => fn.params)) {
      this.#refused.add(param.local);
      if (param.default !== null) this.#refuseAll(param.default);
    }
    for (const body of [this.#module.body, ...this.#module.functions.map((fn) => fn.body)]) {
      walkStmts(body, (stmt) => {
        this.#statement(stmt);
      });
    }
    return new Set([...this.#delimiters.keys()].filter((local) => !this.#refused.has(local)));
  }

  #statement(stmt: Stmt): void {
    const addition = additionOf(stmt);
    if (addition !== null) {
      this.#use(addition.local, addition.entry);
      return;
    }
    if (!isEmptyStart(stmt)) for (const local of assignedLocals(stmt)) this.#refused.add(local);
    for (const expr of statementExprs(stmt)) this.#expression(expr);
  }

  #expression(expr: Expr): void {
    const search = searchOf(expr);
    if (search !== null) {
      this.#use(search.local, search.entry);
      return;
    }
    if (expr.op === "local" || expr.op === "assign") this.#refused.add(expr.local);
    if (expr.op === "chain") this.#refused.add(expr.item);
    eachChild(expr, (child) => {
      this.#expression(child);
    });
  }

  #refuseAll(expr: Expr): void {
    walkExpr(expr, (inner) => {
      if (inner.op === "local") this.#refused.add(inner.local);
    });
  }

  #use(local: Local, entry: Entry): void {
    const delimiters = JSON.stringify([entry.before, entry.after]);
    const isFit =
      this.#isInteger(entry.integer) &&
      [entry.before, entry.after].every((text) => text !== "" && !INTEGER_CHARACTER.test(text)) &&
      (this.#delimiters.get(local) ?? delimiters) === delimiters;
    if (!isFit) this.#refused.add(local);
    this.#delimiters.set(local, delimiters);
    this.#expression(entry.integer);
  }

  /** Only a local can be asked what it holds at any time. */
  #isInteger(expr: Expr): boolean {
    if (expr.op === "literal") return Number.isSafeInteger(expr.value);
    return (
      expr.op === "local" && only(this.#module.facts.get(expr.local.id) ?? expr.local.kinds, Index)
    );
  }
}

function isEmptyStart(stmt: Stmt): boolean {
  return stmt.op === "set" && stmt.value.op === "literal" && stmt.value.value === "";
}

/** `text = text ~ "," ~ str(i) ~ ","`. */
function additionOf(stmt: Stmt): { local: Local; entry: Entry } | null {
  if (stmt.op !== "set" || stmt.value.op !== "concat") return null;
  const [text, ...rest] = stmt.value.parts;
  const entry = entryOf(rest);
  const isOwn = text?.op === "local" && text.local === stmt.local;
  return isOwn && entry !== null ? { local: stmt.local, entry } : null;
}

/** `text.includes("," ~ str(i) ~ ",")`. */
function searchOf(expr: Expr): { local: Local; entry: Entry } | null {
  if (expr.op !== "method" || expr.name !== "includes" || expr.object.op !== "local") return null;
  const [sought] = expr.args;
  const entry = sought?.op === "concat" ? entryOf(sought.parts) : null;
  return entry === null ? null : { local: expr.object.local, entry };
}

function entryOf([before, text, after, ...more]: readonly Expr[]): Entry | null {
  if (before?.op !== "literal" || after?.op !== "literal" || more.length > 0) return null;
  if (text?.op !== "intrinsic" || text.name !== "jinja.str") return null;
  const [integer] = text.args;
  if (integer === undefined) return null;
  if (typeof before.value !== "string" || typeof after.value !== "string") return null;
  return { integer, before: before.value, after: after.value };
}

function replace(module: Module, texts: ReadonlySet<Local>, ids: Ids): Module {
  const sets = new Map(
    [...texts].map((local) => [local, ids.local(local.name, Any, "Set<number>")]),
  );
  const expression = (expr: Expr): Expr => {
    const search = searchOf(expr);
    const set = search === null ? undefined : sets.get(search.local);
    return search === null || set === undefined
      ? mapChildren(expr, expression)
      : { op: "method", object: ref(set), name: "has", args: [search.entry.integer] };
  };
  const statement = (stmt: Stmt): Stmt => {
    const addition = additionOf(stmt);
    const set = stmt.op === "set" ? sets.get(stmt.local) : undefined;
    if (stmt.op === "set" && set !== undefined) {
      return addition === null
        ? { ...stmt, local: set, value: { op: "new-set" } }
        : run(add(set, addition.entry.integer), stmt.origin);
    }
    return mapStatementExprs(
      mapLists(stmt, (list) => list.map(statement)),
      expression,
    );
  };
  return mapBodies(module, (body) => body.map(statement));
}

function add(set: Local, integer: Expr): Expr {
  return { op: "method", object: ref(set), name: "add", args: [integer] };
}
