/**
 * What a template reads of its inputs: for each input the fields, items and texts that it looks at. Shapes that flow
 * into one variable become one shape, so a recursive read (`tool = tool.function`) gives a recursive type.
 */
import type { Expr, Local, Module, Stmt } from "../ir/nodes.js";
import { eachChild, statementExprs, statementLists } from "../ir/visit.js";
import { isIdentifier } from "./names.js";

type Use = "text" | "list" | "mapping" | "truth" | "shown" | "boolean" | "number";

export class Shape {
  #merged: Shape | null = null;
  readonly fields = new Map<string, Shape>();
  /** Names that are looked for in it: fields, unless it is text. */
  readonly asked = new Set<string>();
  /** Texts that it is compared with. */
  readonly literals = new Set<string>();
  /** How it is used beside its fields. */
  readonly uses = new Set<Use>();
  #item: Shape | null = null;

  /** The shape that this one has become part of. */
  get root(): Shape {
    return this.#merged === null ? this : this.#merged.root;
  }

  field(name: string): Shape {
    const { fields } = this.root;
    const known = fields.get(name);
    if (known !== undefined) return known.root;
    const shape = new Shape();
    fields.set(name, shape);
    return shape;
  }

  item(): Shape {
    const { root } = this;
    root.uses.add("list");
    root.#item ??= new Shape();
    return root.#item.root;
  }

  itemIfAny(): Shape | null {
    return this.root.#item?.root ?? null;
  }

  /** Settles what it is that names were looked for in, here and in all that it holds. */
  settle(settled = new Set<Shape>()): void {
    const { root } = this;
    if (settled.has(root)) return;
    settled.add(root);
    const isText = root.uses.has("text") || root.literals.size > 0;
    if (!isText) for (const name of root.asked) if (isIdentifier(name)) root.field(name);
    for (const field of root.fields.values()) field.settle(settled);
    root.#item?.settle(settled);
  }

  mergeWith(other: Shape): void {
    const a = this.root;
    const b = other.root;
    if (a === b) return;
    b.#merged = a;
    for (const use of b.uses) a.uses.add(use);
    for (const name of b.asked) a.asked.add(name);
    for (const text of b.literals) a.literals.add(text);
    // What only the other has is taken over as it is: it may contain itself.
    const item = b.#item;
    const own = a.#item;
    if (own === null) a.#item = item;
    else if (item !== null) own.mergeWith(item);
    for (const [name, field] of b.fields) {
      const known = a.root.fields.get(name);
      if (known === undefined) a.root.fields.set(name, field);
      else known.mergeWith(field);
    }
  }
}

/** The shape of the whole input. */
export function inputShape(module: Module): Shape {
  return new ShapeFinder(module).find();
}

class ShapeFinder {
  readonly #module: Module;
  readonly #input = new Shape();
  readonly #locals = new Map<Local, Shape>();

  constructor(module: Module) {
    this.#module = module;
  }

  find(): Shape {
    this.#list(this.#module.body);
    for (const fn of this.#module.functions) this.#list(fn.body);
    for (const name of this.#module.asked ?? []) this.#input.field(name);
    this.#input.settle();
    return this.#input;
  }

  #local(local: Local): Shape {
    const known = this.#locals.get(local);
    if (known !== undefined) return known.root;
    const shape = new Shape();
    this.#locals.set(local, shape);
    return shape;
  }

  #list(list: readonly Stmt[]): void {
    for (const stmt of list) {
      this.#statement(stmt);
      for (const inner of statementLists(stmt)) this.#list(inner);
    }
  }

  #statement(stmt: Stmt): void {
    for (const expr of statementExprs(stmt)) this.#visit(expr);
    if (stmt.op === "set") this.#assign(stmt.local, stmt.value);
    if (stmt.op === "each" && stmt.item !== null) {
      const item = this.#local(stmt.item);
      for (const shape of this.#alternatives(stmt.source)) item.mergeWith(shape.item());
    }
    if (stmt.op === "emit") this.#show(stmt.value);
  }

  #assign(local: Local, value: Expr): void {
    for (const shape of this.#alternatives(value)) this.#local(local).mergeWith(shape);
  }

  /** The shapes of all that the expression can be. */
  #alternatives(expr: Expr): readonly Shape[] {
    if (expr.op === "choose") {
      return [...this.#alternatives(expr.then), ...this.#alternatives(expr.otherwise)];
    }
    const [value] = expr.op === "intrinsic" && PASSING.has(expr.name) ? expr.args : [];
    if (value !== undefined) return this.#alternatives(value);
    const shape = this.#shapeOf(expr);
    return shape === null ? [] : [shape];
  }

  /** What is written out is text, or is shown as text. */
  #show(expr: Expr): void {
    if (expr.op === "concat") for (const part of expr.parts) this.#show(part);
    else this.#shapeOf(expr)?.root.uses.add("text");
  }

  /** The shape of a path, or null where the value is made by the template. */
  #shapeOf(expr: Expr): Shape | null {
    switch (expr.op) {
      case "input":
        return this.#input.field(expr.name);
      case "local":
        return this.#local(expr.local);
      case "read":
        return this.#shapeOf(expr.object)?.field(expr.name) ?? null;
      case "at":
        return this.#shapeOf(expr.list)?.item() ?? null;
      case "coalesce":
      case "assign":
        return this.#shapeOf(expr.value);
      case "chain":
        return expr.mode === "filter" ? this.#filtered(expr) : null;
      case "intrinsic":
        return this.#ruleShape(expr);
      default:
        return null;
    }
  }

  #filtered({ source, item }: Extract<Expr, { op: "chain" }>): Shape | null {
    const shape = this.#shapeOf(source);
    if (shape !== null) this.#local(item).mergeWith(shape.item());
    return shape;
  }

  #ruleShape({ name, args }: Extract<Expr, { op: "intrinsic" }>): Shape | null {
    const [subject, key] = args;
    if (subject === undefined) return null;
    if (PASSING.has(name)) return this.#shapeOf(subject);
    if (ITEMS.has(name)) return this.#shapeOf(subject)?.item() ?? null;
    if (!LOOKUPS.has(name) || key?.op !== "literal") return null;
    if (typeof key.value === "number") return this.#shapeOf(subject)?.item() ?? null;
    return typeof key.value === "string"
      ? (this.#shapeOf(subject)?.field(key.value) ?? null)
      : null;
  }

  #visit(expr: Expr): void {
    this.#shapeOf(expr);
    this.#note(expr);
    eachChild(expr, (child) => {
      this.#visit(child);
    });
  }

  #note(expr: Expr): void {
    switch (expr.op) {
      case "compare":
        this.#noteComparison(expr);
        break;
      case "typeof":
        if (expr.type === "string") this.#shapeOf(expr.value)?.root.uses.add("text");
        break;
      case "call":
        this.#noteCall(expr);
        break;
      case "assign":
        this.#assign(expr.local, expr.value);
        break;
      case "intrinsic":
        this.#noteIntrinsic(expr);
        break;
      default:
    }
  }

  #noteComparison(expr: Extract<Expr, { op: "compare" }>): void {
    const shape = this.#shapeOf(expr.left);
    if (shape === null || expr.right.op !== "literal") return;
    const { value } = expr.right;
    if (typeof value === "string") shape.root.literals.add(value);
    else if (typeof value === "boolean") shape.root.uses.add("boolean");
    else shape.root.uses.add(typeof value === "number" ? "number" : "truth");
  }

  #noteCall(expr: Extract<Expr, { op: "call" }>): void {
    const fn = this.#module.functions.find(({ name }) => name.id === expr.callee.id);
    expr.args.forEach((arg, i) => {
      const param = fn?.params[i];
      const shape = arg === null ? null : this.#shapeOf(arg);
      if (param !== undefined && shape !== null) this.#local(param.local).mergeWith(shape);
    });
  }

  #noteIntrinsic(expr: Extract<Expr, { op: "intrinsic" }>): void {
    const [subject, name] = expr.args;
    const shape = subject === undefined ? null : this.#shapeOf(subject);
    if (shape === null) return;
    const use = USES[expr.name];
    if (use === "list") shape.item();
    else if (use !== undefined) shape.root.uses.add(use);
    const isNamed = expr.name === "jinja.has" && name?.op === "literal";
    if (isNamed && typeof name.value === "string") shape.root.asked.add(name.value);
  }
}

/** Intrinsics whose result is their first argument, or a list of the same items. */
const PASSING: ReadonlySet<string> = new Set([
  "jinja.list",
  "jinja.named",
  "jinja.strict",
  "jinja.slice",
  "jinja.listFilter",
  "jinja.reverseFilter",
  "jinja.defaultFilter",
  "jinja.dictFor",
]);

/** Intrinsics whose result is an item of their first argument. */
const ITEMS: ReadonlySet<string> = new Set(["jinja.firstFilter", "jinja.lastFilter"]);

/** Intrinsics whose result their second argument names: a field, or the place in a list. */
const LOOKUPS: ReadonlySet<string> = new Set(["jinja.attr", "jinja.item", "jinja.itemOf"]);

const USES: Readonly<Partial<Record<string, Use>>> = {
  "jinja.list": "list",
  "jinja.isSequence": "list",
  "jinja.items": "mapping",
  "jinja.fieldsOf": "mapping",
  "jinja.itemsFilter": "mapping",
  "jinja.dictsortFilter": "mapping",
  "jinja.dictFor": "mapping",
  "jinja.isString": "text",
  "jinja.text": "text",
  "jinja.strip": "text",
  "jinja.trimFilter": "text",
  "jinja.textFor": "text",
  "jinja.textBefore": "text",
  "jinja.truth": "truth",
  "jinja.str": "shown",
  "jinja.json": "shown",
  "jinja.tojsonFilter": "shown",
};
