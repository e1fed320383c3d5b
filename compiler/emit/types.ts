/** What TypeScript makes of an emitted expression, as far as the emitter must know it. */
import { intrinsics } from "../ir/intrinsics.js";
import { Any, Bool, Index, List, only, Text, type Kinds } from "../ir/kinds.js";
import type { Expr, Local, Module } from "../ir/nodes.js";
import { assignedLocals, walkModule, walkStmts } from "../ir/visit.js";

export type TypeText =
  "input" | "string" | "number" | "boolean" | "Value" | "unknown" | "readonly Value[]";

export class Types {
  readonly #module: Module;
  /** Locals of which names are read, or that go where only a Value may go. */
  readonly #readable: ReadonlySet<Local>;
  readonly #mixed = new Set<Local>();
  readonly #variants = new Set<Local>();

  constructor(module: Module) {
    this.#module = module;
    this.#readable = readableLocals(module);
    this.#findMixed();
  }

  /** Locals whose kinds say more than the types of what they are assigned. */
  #findMixed(): void {
    const sets: { readonly local: Local; readonly value: Expr }[] = [];
    for (const body of [this.#module.body, ...this.#module.functions.map((fn) => fn.body)]) {
      walkStmts(body, (stmt) => {
        if (stmt.op === "set") sets.push(stmt);
      });
    }
    if (this.#module.dialect !== "jinja") this.#findVariants(sets);
    for (let size = -1; size !== this.#mixed.size;) {
      size = this.#mixed.size;
      for (const { local, value } of sets) {
        const scalar = scalarType(this.kinds(local));
        if (scalar !== null && this.ofExpr(value) !== scalar) this.#mixed.add(local);
      }
    }
  }

  /** Go's variables that are assigned values of different types. */
  #findVariants(sets: readonly { readonly local: Local; readonly value: Expr }[]): void {
    const types = new Map<Local, TypeText>();
    for (const { local, value } of sets) {
      const type = this.ofExpr(value);
      if ((types.get(local) ?? type) !== type) this.#variants.add(local);
      types.set(local, type);
    }
  }

  kinds(local: Local): Kinds {
    if (this.#module.carriers?.has(local.id) === true) return Any;
    return this.#module.facts.get(local.id) ?? local.kinds;
  }

  /** The type of a variable that must be able to hold all that it is ever assigned. */
  ofVariable(local: Local): string {
    if (this.#variants.has(local)) return "unknown";
    const isCarrier = this.#module.carriers?.has(local.id) === true;
    return (isCarrier ? undefined : local.type) ?? this.#ofLocal(local);
  }

  /** Parameters take what callers have: nothing is promised but that it can be read. */
  ofParameter(local: Local): string {
    const isCarrier = this.#module.carriers?.has(local.id) === true;
    if (this.#module.dialect !== "jinja" && !isCarrier)
      return local.type ?? scalarType(this.kinds(local)) ?? "unknown";
    return this.#readable.has(local) ? "Value" : "unknown";
  }

  ofExpr(expr: Expr): TypeText {
    switch (expr.op) {
      case "literal":
        return literalType(expr.value);
      case "concat":
        return "string";
      case "call":
        return this.#module.carriers === undefined ? "string" : "unknown";
      case "and":
      case "or":
      case "not":
      case "compare":
      case "typeof":
      case "truthy":
        return "boolean";
      case "method":
        return expr.name === "slice" || expr.name === "add" || expr.name === "push"
          ? "unknown"
          : "boolean";
      case "arithmetic":
      case "count":
        return "number";
      case "read":
        return (expr.kinds === undefined ? null : scalarType(expr.kinds)) ?? "Value";
      case "local":
        return this.#ofLocal(expr.local);
      case "intrinsic":
        return this.#ofIntrinsic(expr);
      case "choose":
        return join(this.ofExpr(expr.then), this.ofExpr(expr.otherwise));
      case "coalesce":
        return join(this.ofExpr(expr.value), this.ofExpr(expr.otherwise));
      case "assign":
        return this.ofExpr(expr.value);
      case "input":
        return "input";
      case "clock":
      case "spans":
        return "unknown";
      case "written":
        return "number";
      case "list":
      case "chain":
        return "readonly Value[]";
      default:
        return "Value";
    }
  }

  #ofIntrinsic(expr: Extract<Expr, { op: "intrinsic" }>): TypeText {
    const {
      name,
      args: [first],
    } = expr;
    const isPassed = name === "limits.mark" || name === "limits.weigh";
    if (isPassed && first !== undefined) return this.ofExpr(first);
    const result = resultOf(expr);
    return result === null ? (scalarType(intrinsics[name].gives) ?? "Value") : this.ofExpr(result);
  }

  /** Whether the type is the data model's own, which TypeScript infers. */
  isInferred(local: Local): boolean {
    if (this.#variants.has(local) || this.#module.carriers?.has(local.id) === true) return false;
    return this.#module.dialect !== "jinja" && scalarType(this.kinds(local)) === null;
  }

  /** Whether TypeScript takes it for an object of the data model. */
  isModel(local: Local): boolean {
    return this.isInferred(local) && local.type !== "Value";
  }

  /** Whether names can be read of it without more ado. */
  isReadable(expr: Expr): boolean {
    if (this.#module.dialect !== "jinja") return true;
    return this.ofExpr(expr) === "Value";
  }

  #ofLocal(local: Local): TypeText {
    const scalar = this.#mixed.has(local) ? null : scalarType(this.kinds(local));
    return scalar ?? (this.#readable.has(local) ? "Value" : "unknown");
  }
}

/** What a rule for segments gives as it is. */
function resultOf({ name, args }: Extract<Expr, { op: "intrinsic" }>): Expr | null {
  const isPassed =
    name === "segments.made" || name === "segments.split" || name === "segments.containers";
  return isPassed ? (args[1] ?? null) : null;
}

function scalarType(kinds: Kinds): TypeText | null {
  if (only(kinds, Text)) return "string";
  if (only(kinds, Bool)) return "boolean";
  if (only(kinds, Index)) return "number";
  if (only(kinds, List)) return "readonly Value[]";
  return null;
}

function literalType(value: unknown): TypeText {
  switch (typeof value) {
    case "string":
      return "string";
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    default:
      return "Value";
  }
}

function join(a: TypeText, b: TypeText): TypeText {
  return a === b ? a : "unknown";
}

function readableLocals(module: Module): ReadonlySet<Local> {
  const readable = new Set<Local>();
  const mark = (expr: Expr | undefined): void => {
    if (expr?.op === "local") readable.add(expr.local);
    if (expr?.op === "assign") readable.add(expr.local);
  };
  for (const body of [module.body, ...module.functions.map((fn) => fn.body)]) {
    walkStmts(body, (stmt) => {
      // What a loop or an unpacking binds is a Value already.
      if (stmt.op !== "set" && stmt.op !== "capture") {
        for (const local of assignedLocals(stmt)) readable.add(local);
      }
    });
  }
  walkModule(module, (expr) => {
    if (expr.op === "read") mark(expr.object);
    if (expr.op === "intrinsic" && intrinsics[expr.name].takesValue === true) mark(expr.args[0]);
  });
  return readable;
}
