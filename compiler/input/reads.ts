/**
 * What a template reads of its input: so much of it must be plain data, whatever the rest is. It is found on what
 * lowering gave, so that it is the same before and after the passes.
 */
import type { IntrinsicName } from "../ir/intrinsics.js";
import { TYPE_TESTS } from "../ir/jinja-intrinsics.js";
import type { Expr, FunctionDef, Local, Module, Stmt } from "../ir/nodes.js";
import { isPlainName } from "../ir/plain-names.js";
import { assignedLocals, eachChild, statementExprs, statementLists } from "../ir/visit.js";

/**
 * What is read of a value: fields, if it is an object, or items, if it is a list; of a list that is asked for fields, and
 * of an object that is asked for items, it may be anything. With neither, its own type alone is asked for. Values that
 * flow into one variable are one, so `tool = tool.function` refers to itself.
 */
export class Reads {
  #merged: Reads | null = null;
  readonly #fields = new Map<string, Reads>();
  #item: Reads | null = null;
  #isWhole = false;

  /** The one that this one has become part of. */
  get root(): Reads {
    return this.#merged === null ? this : this.#merged.root;
  }

  get fields(): ReadonlyMap<string, Reads> {
    return this.root.#fields;
  }

  get items(): Reads | null {
    return this.root.#item?.root ?? null;
  }

  /** Whether anything in it may be read; so it is where both fields and items are. */
  get isWhole(): boolean {
    const { root } = this;
    return root.#isWhole || (root.#fields.size > 0 && root.#item !== null);
  }

  field(name: string): Reads {
    const { root } = this;
    const known = root.#fields.get(name);
    if (known !== undefined) return known.root;
    const reads = new Reads();
    root.#fields.set(name, reads);
    return reads;
  }

  item(): Reads {
    const { root } = this;
    root.#item ??= new Reads();
    return root.#item.root;
  }

  readWhole(): void {
    this.root.#isWhole = true;
  }

  mergeWith(other: Reads): void {
    const a = this.root;
    const b = other.root;
    if (a === b) return;
    b.#merged = a;
    a.#isWhole ||= b.#isWhole;
    if (a.#item === null) a.#item = b.#item;
    else if (b.#item !== null) a.#item.mergeWith(b.#item);
    // What is merged above may have made the value a part of another.
    for (const [name, field] of b.#fields) {
      const known = a.root.#fields.get(name);
      if (known === undefined) a.root.#fields.set(name, field);
      else known.mergeWith(field);
    }
  }
}

/** What the template reads of its input; of a request that a rule takes as a whole, such as Ollama's, all of it. */
export function inputReads(module: Module): Reads {
  if (module.prepare === null) return new ReadsFinder(module).find();
  const all = new Reads();
  all.readWhole();
  return all;
}

class ReadsFinder {
  readonly #input = new Reads();
  readonly #locals = new Map<Local, Reads>();
  readonly #functions: ReadonlyMap<number, FunctionDef>;
  readonly #bodies: readonly (readonly Stmt[])[];
  /** The macros that a local may hold; null: or another function. */
  readonly #macros = new Map<Local, FunctionDef[] | null>();

  constructor(module: Module) {
    this.#functions = new Map(module.functions.map((fn) => [fn.name.id, fn]));
    this.#bodies = [module.body, ...module.functions.map(({ body }) => body)];
  }

  find(): Reads {
    for (const body of this.#bodies) this.#findMacros(body);
    for (const { params } of this.#functions.values()) {
      for (const param of params) {
        this.#macros.set(param.local, null);
        if (param.default !== null)
          this.#merge(this.#local(param.local), this.#value(param.default));
      }
    }
    for (const body of this.#bodies) this.#list(body);
    return this.#input.root;
  }

  #local(local: Local): Reads {
    const known = this.#locals.get(local);
    if (known !== undefined) return known.root;
    const reads = new Reads();
    this.#locals.set(local, reads);
    return reads;
  }

  // ------------------------------------------------------------ macros

  #findMacros(list: readonly Stmt[]): void {
    for (const stmt of list) {
      for (const local of assignedLocals(stmt)) this.#noteMacro(local, stmt);
      for (const inner of statementLists(stmt)) this.#findMacros(inner);
    }
  }

  #noteMacro(local: Local, stmt: Stmt): void {
    const known = this.#macros.get(local);
    const value = stmt.op === "set" && stmt.local === local ? stmt.value : null;
    if (known === null || value?.op === "literal" || value?.op === "input") return;
    const macro = value === null ? null : this.#macroOf(value);
    this.#macros.set(local, macro === null ? null : [...(known ?? []), macro]);
  }

  #macroOf(value: Expr): FunctionDef | null {
    if (value.op !== "intrinsic" || value.name !== "jinja.macro") return null;
    const fn = value.args.find((arg) => arg.op === "function");
    return fn?.op === "function" ? (this.#functions.get(fn.callee.id) ?? null) : null;
  }

  /** The macros that a call of the value reaches; null: any function. An input is none, since it is data. */
  #called(callee: Expr | undefined): readonly FunctionDef[] | null {
    if (callee?.op === "intrinsic" && callee.name === "jinja.named")
      return this.#called(callee.args[0]);
    return callee?.op === "local" ? (this.#macros.get(callee.local) ?? null) : null;
  }

  // ------------------------------------------------------------ statements

  #list(list: readonly Stmt[]): void {
    for (const stmt of list) {
      this.#statement(stmt);
      for (const inner of statementLists(stmt)) this.#list(inner);
    }
  }

  #statement(stmt: Stmt): void {
    switch (stmt.op) {
      case "set":
        this.#merge(this.#local(stmt.local), this.#value(stmt.value));
        return;
      case "each": {
        const source = this.#value(stmt.source);
        if (source !== null && stmt.item !== null) this.#local(stmt.item).mergeWith(source.item());
        return;
      }
      case "if":
      case "while":
        this.#value(stmt.test);
        return;
      case "run":
        this.#value(stmt.value);
        return;
      default:
        for (const expr of statementExprs(stmt)) this.#whole(expr);
    }
  }

  // ------------------------------------------------------------ expressions

  #merge(into: Reads, value: Reads | null): void {
    if (value !== null) into.mergeWith(value);
  }

  /** Evaluates what may read anything in its value. */
  #whole(expr: Expr): void {
    this.#value(expr)?.readWhole();
  }

  #parts(expr: Expr): null {
    eachChild(expr, (child) => {
      this.#whole(child);
    });
    return null;
  }

  /** Parts of which no more is asked than their types and lengths. */
  #outside(expr: Expr): null {
    eachChild(expr, (child) => {
      this.#value(child);
    });
    return null;
  }

  /** What is read of the value, as far as it is the input's; null: it is the template's own. */
  #value(expr: Expr): Reads | null {
    switch (expr.op) {
      case "input":
        if (expr.name !== "") return this.#input.field(expr.name);
        this.#input.readWhole();
        return null;
      case "local":
        return this.#local(expr.local);
      case "read":
        return this.#field(this.#value(expr.object), expr.name);
      case "at":
        this.#value(expr.index);
        return this.#value(expr.list)?.item() ?? null;
      case "choose":
        this.#value(expr.test);
        return this.#either(expr.then, expr.otherwise);
      case "coalesce":
        return this.#either(expr.value, expr.otherwise);
      case "and":
      case "or":
      case "not":
      case "typeof":
      case "count":
      case "truthy":
      case "arithmetic":
        return this.#outside(expr);
      case "compare":
        return this.#comparison(expr, expr.left, expr.right);
      case "assign":
        return this.#assigned(expr);
      case "chain":
        return this.#chained(expr);
      case "call":
        return this.#passed(this.#functions.get(expr.callee.id), expr.args);
      case "intrinsic":
        return this.#rule(expr);
      default:
        return this.#parts(expr);
    }
  }

  #field(object: Reads | null, name: string): Reads | null {
    if (isPlainName(name)) return object?.field(name) ?? null;
    object?.readWhole();
    return null;
  }

  #either(a: Expr, b: Expr): Reads | null {
    const first = this.#value(a);
    const second = this.#value(b);
    if (first === null) return second;
    this.#merge(first, second);
    return first.root;
  }

  #assigned({ local, value }: Extract<Expr, { op: "assign" }>): Reads {
    const own = this.#local(local);
    this.#merge(own, this.#value(value));
    return own.root;
  }

  /** With a literal, which is no object, nothing inside of a value is compared. */
  #comparison(expr: Expr, left: Expr | undefined, right: Expr | undefined): null {
    const isOutside = left?.op === "literal" || right?.op === "literal";
    return isOutside ? this.#outside(expr) : this.#parts(expr);
  }

  #chained({ source, item, body, mode }: Extract<Expr, { op: "chain" }>): Reads | null {
    const list = this.#value(source);
    if (list !== null) this.#local(item).mergeWith(list.item());
    if (mode === "map") this.#whole(body);
    else this.#value(body);
    if (mode === "filter") return list;
    return mode === "find" ? (list?.item() ?? null) : null;
  }

  /** Arguments become parameters, nothing stands behind a spread one; the result is text. */
  #passed(fn: FunctionDef | undefined, args: readonly (Expr | null)[]): null {
    args.forEach((arg, i) => {
      const value = arg === null ? null : this.#value(arg);
      const param = fn?.params[i];
      if (param === undefined) value?.readWhole();
      else this.#merge(this.#local(param.local), value);
    });
    return null;
  }

  #rule(expr: Extract<Expr, { op: "intrinsic" }>): Reads | null {
    const { name, args } = expr;
    const [subject, other] = args;
    if (subject === undefined) return null;
    if (OUTSIDE.has(name)) return this.#outside(expr);
    if (PASSING.has(name)) {
      for (const arg of args.slice(1)) this.#whole(arg);
      return this.#value(subject);
    }
    switch (name) {
      case "jinja.attr":
      case "jinja.item":
        return this.#looked(subject, other);
      case "jinja.isIn":
        return this.#sought(subject, other);
      case "jinja.eq":
        return this.#comparison(expr, subject, other);
      case "jinja.firstFilter":
      case "jinja.lastFilter":
        return this.#value(subject)?.item() ?? null;
      case "jinja.call":
        return this.#call(expr);
      default:
        return this.#parts(expr);
    }
  }

  #looked(subject: Expr, key: Expr | undefined): Reads | null {
    const object = this.#value(subject);
    if (key?.op === "literal" && typeof key.value === "string")
      return this.#field(object, key.value);
    if (key !== undefined) this.#whole(key);
    return object?.item() ?? null;
  }

  /** `"name" in object`. */
  #sought(subject: Expr, container: Expr | undefined): null {
    if (container === undefined) return null;
    if (subject.op === "literal" && typeof subject.value === "string")
      this.#field(this.#value(container), subject.value);
    else for (const each of [subject, container]) this.#whole(each);
    return null;
  }

  #call(expr: Extract<Expr, { op: "intrinsic" }>): null {
    const [callee, list, ...others] = expr.args;
    const macros = this.#called(callee);
    if (callee === undefined || list?.op !== "list" || macros === null) return this.#parts(expr);
    this.#value(callee);
    for (const other of others) this.#whole(other);
    for (const macro of macros) this.#passed(macro, list.items);
    if (macros.length === 0) this.#parts(list);
    return null;
  }
}

/** Rules that ask for the type of a value, or how many items it has. */
const OUTSIDE: ReadonlySet<IntrinsicName> = new Set<IntrinsicName>([
  "jinja.truth",
  "jinja.isDefined",
  "jinja.isIterable",
  "jinja.isSequence",
  ...TYPE_TESTS,
  "jinja.lengthFilter",
]);

/** Rules whose result is their first argument, or a list of its items. */
const PASSING: ReadonlySet<IntrinsicName> = new Set<IntrinsicName>([
  "jinja.list",
  "jinja.named",
  "jinja.slice",
  "jinja.listFilter",
  "jinja.reverseFilter",
]);
