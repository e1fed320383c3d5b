/** The literals that a template compares its inputs with, directly or through locals that only repeat an input. */
import type { Expr, Local, Module, Stmt } from "../ir/nodes.js";
import { assignedLocals, walkModule, walkStmts } from "../ir/visit.js";
import { REPEATING } from "./reach.js";

export type ComparedValue = string | number;

/** For each input the texts and numbers that it is compared with, in the order of the template. */
export function comparedValues(module: Module): ReadonlyMap<string, ReadonlySet<ComparedValue>> {
  const repeating = new Repeating(module);
  const found = new Map<string, Set<ComparedValue>>();
  walkModule(module, (expr) => {
    const comparison = comparisonOf(expr);
    if (comparison === null) return;
    for (const name of repeating.inputsOf(comparison.subject) ?? []) {
      const values = found.get(name) ?? new Set();
      for (const value of comparison.values) values.add(value);
      found.set(name, values);
    }
  });
  return found;
}

interface Comparison {
  readonly subject: Expr;
  readonly values: readonly ComparedValue[];
}

function comparisonOf(expr: Expr): Comparison | null {
  if (expr.op === "compare") {
    const isEquality = expr.operator === "===" || expr.operator === "!==";
    return isEquality ? withValues(expr.left, literalsOf(expr.right)) : null;
  }
  if (expr.op !== "intrinsic") return null;
  const [left, right] = expr.args;
  if (left === undefined || right === undefined) return null;
  if (expr.name === "jinja.eq") {
    return withValues(left, literalsOf(right)) ?? withValues(right, literalsOf(left));
  }
  return expr.name === "jinja.isIn" ? withValues(left, itemsOf(right)) : null;
}

function withValues(subject: Expr, values: readonly ComparedValue[]): Comparison | null {
  return values.length > 0 ? { subject, values } : null;
}

function literalsOf(expr: Expr): readonly ComparedValue[] {
  if (expr.op !== "literal") return [];
  const { value } = expr;
  return typeof value === "string" || typeof value === "number" ? [value] : [];
}

function itemsOf(expr: Expr): readonly ComparedValue[] {
  if (expr.op === "list") return expr.items.flatMap(literalsOf);
  const isTuple = expr.op === "intrinsic" && expr.name === "jinja.tuple";
  return isTuple ? expr.args.flatMap((arg) => [...itemsOf(arg), ...literalsOf(arg)]) : [];
}

class Repeating {
  /** All that is assigned to a local; null: something that no expression tells, such as an item of a loop. */
  readonly #sources = new Map<Local, (Expr | null)[]>();
  readonly #open = new Set<Local>();

  constructor(module: Module) {
    const note = (local: Local, source: Expr | null): void => {
      this.#sources.set(local, [...(this.#sources.get(local) ?? []), source]);
    };
    const see = (stmt: Stmt): void => {
      if (stmt.op === "set") note(stmt.local, stmt.value);
      else for (const local of assignedLocals(stmt)) note(local, null);
    };
    walkStmts(module.body, see);
    const parameters = new Map(module.functions.map((fn) => [fn.name.id, fn.params] as const));
    for (const fn of module.functions) walkStmts(fn.body, see);
    walkModule(module, (expr) => {
      if (expr.op === "assign") note(expr.local, expr.value);
      if (expr.op === "chain") note(expr.item, null);
      if (expr.op === "function") {
        for (const { local } of parameters.get(expr.callee.id) ?? []) note(local, null);
      }
      if (expr.op !== "call") return;
      expr.args.forEach((arg, i) => {
        const param = parameters.get(expr.callee.id)?.[i];
        if (param !== undefined && arg !== null) note(param.local, arg);
      });
    });
  }

  /** The inputs that the expression repeats, none where it is a literal; null where it can be anything else. */
  inputsOf(expr: Expr): ReadonlySet<string> | null {
    switch (expr.op) {
      case "literal":
        return new Set();
      case "input":
        return new Set([expr.name]);
      case "local":
        return this.#ofLocal(expr.local);
      case "assign":
        return this.inputsOf(expr.value);
      case "coalesce":
        return this.#ofAll([expr.value, expr.otherwise]);
      case "choose":
        return this.#ofAll([expr.then, expr.otherwise]);
      case "intrinsic": {
        const [value] = expr.args;
        return value !== undefined && REPEATING.has(expr.name) ? this.inputsOf(value) : null;
      }
      default:
        return null;
    }
  }

  #ofLocal(local: Local): ReadonlySet<string> | null {
    if (this.#open.has(local)) return new Set();
    this.#open.add(local);
    const inputs = this.#ofAll(this.#sources.get(local) ?? [null]);
    this.#open.delete(local);
    return inputs;
  }

  #ofAll(sources: readonly (Expr | null)[]): ReadonlySet<string> | null {
    const inputs = new Set<string>();
    for (const source of sources) {
      const found = source === null ? null : this.inputsOf(source);
      if (found === null) return null;
      for (const name of found) inputs.add(name);
    }
    return inputs;
  }
}
