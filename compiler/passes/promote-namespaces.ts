/**
 * A namespace that never escapes becomes plain locals, one an attribute: `ns.first` is `first`. It must be created
 * before every use of it (in a list around the use), and only the function that creates it may set its attributes.
 */
import { mentions } from "../ir/effects.js";
import { intrinsic, literal, ref, set, UNDEFINED } from "../ir/build.js";
import { Any } from "../ir/kinds.js";
import type { Expr, Ids, Local, Module, Stmt } from "../ir/nodes.js";
import {
  eachChild,
  mapBodies,
  mapChildren,
  mapStatementExprs,
  mapLists,
  statementExprs,
  statementLists,
} from "../ir/visit.js";
import type { Pass } from "./pass.js";

export const promoteNamespaces: Pass = {
  name: "promote-namespaces",
  run(module, { ids }) {
    const candidates = new Candidates(module).promotable();
    return [...candidates].reduce(
      (current, local) => new Promotion(local, ids).apply(current),
      module,
    );
  },
};

/** `namespace(a=1, b=2)`: the only creation that can be promoted. */
function creation(expr: Expr): Extract<Expr, { op: "record" }> | null {
  if (expr.op !== "intrinsic" || expr.name !== "jinja.namespace") return null;
  const [args, named] = expr.args;
  if (args?.op !== "list" || args.items.length > 0) return null;
  if (named?.op === "record") return named;
  return named?.op === "literal" ? { op: "record", fields: [] } : null;
}

/** The local behind `ns` or `named(ns, "ns")`. */
function localOf(expr: Expr | undefined): Local | null {
  if (expr?.op === "local") return expr.local;
  if (
    expr?.op === "intrinsic" &&
    (expr.name === "jinja.named" || expr.name === "jinja.asNamespace")
  ) {
    return localOf(expr.args[0]);
  }
  return null;
}

interface AttributeRead {
  readonly local: Local;
  readonly name: string;
}

function attributeRead(expr: Expr): AttributeRead | null {
  if (expr.op !== "intrinsic" || (expr.name !== "jinja.attr" && expr.name !== "jinja.item")) {
    return null;
  }
  const local = localOf(expr.args[0]);
  const name = expr.args[1];
  if (local === null || name?.op !== "literal" || typeof name.value !== "string") return null;
  return { local, name: name.value };
}

interface AttributeWrite extends AttributeRead {
  readonly value: Expr;
}

function attributeWrite(expr: Expr): AttributeWrite | null {
  if (expr.op !== "intrinsic" || expr.name !== "jinja.setAttr") return null;
  const [target, name, value] = expr.args;
  const local = localOf(target);
  if (local === null || value === undefined) return null;
  if (name?.op !== "literal" || typeof name.value !== "string") return null;
  return { local, name: name.value, value };
}

/** Finds the namespaces whose every use is plain to see. */
class Candidates {
  readonly #module: Module;
  readonly #creations = new Map<Local, Set<readonly Stmt[]>>();
  readonly #refused = new Set<Local>();
  readonly #owners = new Map<Local, number>();

  constructor(module: Module) {
    this.#module = module;
  }

  promotable(): ReadonlySet<Local> {
    const bodies = [this.#module.body, ...this.#module.functions.map((fn) => fn.body)];
    bodies.forEach((body, owner) => {
      this.#findCreations(body, owner);
    });
    const defined = new Map<number, ReadonlySet<Local>>();
    this.#checkBody(this.#module.body, 0, new Set(), defined);
    this.#module.functions.forEach((fn, i) => {
      this.#checkBody(fn.body, i + 1, defined.get(fn.name.id) ?? new Set(), defined);
    });
    return new Set([...this.#creations.keys()].filter((local) => !this.#refused.has(local)));
  }

  #findCreations(list: readonly Stmt[], owner: number): void {
    for (const stmt of list) {
      if (stmt.op === "set" && creation(stmt.value) !== null) {
        this.#creations.set(stmt.local, (this.#creations.get(stmt.local) ?? new Set()).add(list));
        if ((this.#owners.get(stmt.local) ?? owner) !== owner) this.#refused.add(stmt.local);
        this.#owners.set(stmt.local, owner);
      }
      for (const inner of statementLists(stmt)) this.#findCreations(inner, owner);
    }
  }

  /** `created`: the namespaces that certainly exist where the list starts. */
  #checkBody(
    list: readonly Stmt[],
    owner: number,
    created: ReadonlySet<Local>,
    defined: Map<number, ReadonlySet<Local>>,
  ): void {
    const known = new Set(created);
    for (const stmt of list) {
      if (stmt.op === "define") defined.set(stmt.callee.id, new Set(known));
      if (stmt.op === "set" && this.#creations.has(stmt.local)) {
        this.#checkSet(stmt, owner, known);
      } else {
        for (const expr of statementExprs(stmt)) this.#checkExpr(expr, owner, known);
      }
      for (const inner of statementLists(stmt)) this.#checkBody(inner, owner, known, defined);
    }
  }

  #checkSet(stmt: Extract<Stmt, { op: "set" }>, owner: number, known: Set<Local>): void {
    const record = creation(stmt.value);
    if (record === null) {
      // What the frame starts with is never read, since every use comes after a creation.
      const isStart = stmt.value.op === "literal" || stmt.value.op === "input";
      if (!isStart && stmt.value.op !== "local") this.#refused.add(stmt.local);
      for (const expr of statementExprs(stmt)) this.#checkExpr(expr, owner, known);
      known.delete(stmt.local);
      return;
    }
    for (const { name, value } of record.fields) {
      if (name.startsWith("_") || mentions(value, stmt.local)) this.#refused.add(stmt.local);
      this.#checkExpr(value, owner, known);
    }
    known.add(stmt.local);
  }

  #checkExpr(expr: Expr, owner: number, known: ReadonlySet<Local>): void {
    const write = attributeWrite(expr);
    const access = write ?? attributeRead(expr);
    if (access !== null && this.#creations.has(access.local)) {
      const isForeign = write !== null && this.#owners.get(access.local) !== owner;
      if (isForeign || access.name.startsWith("_") || !known.has(access.local)) {
        this.#refused.add(access.local);
      }
      if (write !== null) this.#checkExpr(write.value, owner, known);
      return;
    }
    if (expr.op === "local") this.#refused.add(expr.local);
    eachChild(expr, (child) => {
      this.#checkExpr(child, owner, known);
    });
  }
}

/** Replaces one namespace by locals. */
class Promotion {
  readonly #namespace: Local;
  readonly #ids: Ids;
  readonly #attributes = new Map<string, Local>();

  constructor(namespace: Local, ids: Ids) {
    this.#namespace = namespace;
    this.#ids = ids;
  }

  apply(module: Module): Module {
    this.#findAttributes(module);
    return mapBodies(module, (body) => this.#list(body));
  }

  #findAttributes(module: Module): void {
    const see = (expr: Expr): void => {
      const access = attributeRead(expr) ?? attributeWrite(expr);
      if (access?.local === this.#namespace) this.#attribute(access.name);
      eachChild(expr, see);
    };
    const visit = (list: readonly Stmt[]): void => {
      for (const stmt of list) {
        if (stmt.op === "set" && stmt.local === this.#namespace) {
          for (const { name } of creation(stmt.value)?.fields ?? []) this.#attribute(name);
        }
        for (const expr of statementExprs(stmt)) see(expr);
        for (const inner of statementLists(stmt)) visit(inner);
      }
    };
    visit(module.body);
    for (const fn of module.functions) visit(fn.body);
  }

  #attribute(name: string): Local {
    const known = this.#attributes.get(name);
    if (known !== undefined) return known;
    const local = this.#ids.local(name, Any);
    this.#attributes.set(name, local);
    return local;
  }

  #list(list: readonly Stmt[]): readonly Stmt[] {
    return list.flatMap((stmt) => this.#statement(stmt));
  }

  #statement(stmt: Stmt): readonly Stmt[] {
    if (stmt.op === "set" && stmt.local === this.#namespace) {
      const record = creation(stmt.value);
      return record === null ? [] : this.#create(record, stmt.origin);
    }
    if (stmt.op === "run") {
      const write = attributeWrite(stmt.value);
      if (write?.local === this.#namespace) {
        return [set(this.#attribute(write.name), this.#expr(write.value), stmt.origin)];
      }
    }
    return [
      mapStatementExprs(
        mapLists(stmt, (inner) => this.#list(inner)),
        (e) => this.#expr(e),
      ),
    ];
  }

  /** Attributes that the creation does not set are unset again. */
  #create(record: Extract<Expr, { op: "record" }>, origin: Stmt["origin"]): readonly Stmt[] {
    const given = new Map(record.fields.map(({ name, value }) => [name, value]));
    const names = [...given.keys(), ...[...this.#attributes.keys()].filter((n) => !given.has(n))];
    return names.map((name) => {
      const value = given.get(name);
      return set(
        this.#attribute(name),
        value === undefined ? UNDEFINED : this.#expr(value),
        origin,
      );
    });
  }

  #expr(expr: Expr): Expr {
    const access = attributeRead(expr);
    if (access?.local === this.#namespace) {
      const value = ref(this.#attribute(access.name));
      return intrinsic("jinja.unset", [value, literal(access.name)]);
    }
    return mapChildren(expr, (child) => this.#expr(child));
  }
}
