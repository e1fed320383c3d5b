/** A module as text for people: one statement a line, locals as name#id, with what is known of them. */
import { Any, describe, Field, Json, type Kinds } from "./kinds.js";
import type { Expr, FunctionDef, FunctionName, Local, Module, Stmt } from "./nodes.js";

/** The text of a module; the same module always gives the same text. */
export function printModule(module: Module): string {
  return new ModulePrinter(module).print();
}

/** The text of an expression, without what is known of its locals. */
export function printExpr(expr: Expr): string {
  return expressionText(expr);
}

class ModulePrinter {
  readonly #module: Module;
  readonly #lines: string[] = [];

  constructor(module: Module) {
    this.#module = module;
  }

  print(): string {
    const { dialect, prepare, body, functions } = this.#module;
    this.#line(0, prepare === null ? dialect : `${dialect} prepared by ${prepare}`);
    this.#list(1, body);
    for (const fn of functions) this.#function(fn);
    return this.#lines.join("\n");
  }

  #line(depth: number, text: string): void {
    this.#lines.push(`${"  ".repeat(depth)}${text}`);
  }

  #function(fn: FunctionDef): void {
    const params = fn.params.map(({ local, default: value }) =>
      value === null ? this.#bound(local) : `${this.#bound(local)} = ${expressionText(value)}`,
    );
    this.#line(0, `${functionText(fn.name)}(${params.join(", ")})`);
    this.#list(1, fn.body);
  }

  #list(depth: number, list: readonly Stmt[]): void {
    for (const stmt of list) this.#statement(depth, stmt);
  }

  #statement(depth: number, stmt: Stmt): void {
    this.#line(depth, this.#head(stmt));
    switch (stmt.op) {
      case "if":
        this.#list(depth + 1, stmt.then);
        this.#branch(depth, "else", stmt.otherwise);
        break;
      case "each":
      case "entries":
        this.#list(depth + 1, stmt.body);
        this.#branch(depth, "empty", stmt.empty);
        break;
      case "while":
      case "capture":
        this.#list(depth + 1, stmt.body);
        break;
      default:
        break;
    }
  }

  #branch(depth: number, word: string, list: readonly Stmt[]): void {
    if (list.length === 0) return;
    this.#line(depth, word);
    this.#list(depth + 1, list);
  }

  #head(stmt: Stmt): string {
    switch (stmt.op) {
      case "emit":
      case "run":
        return `${stmt.op} ${expressionText(stmt.value)}`;
      case "set":
        return `set ${this.#bound(stmt.local)} = ${expressionText(stmt.value)}`;
      case "unpack":
        return `unpack ${this.#bounds(stmt.locals)} = ${expressionText(stmt.value)}`;
      case "if":
      case "while":
        return `${stmt.op} ${expressionText(stmt.test)}`;
      case "each": {
        const index = stmt.index === null ? "" : ` at ${this.#bound(stmt.index)}`;
        const backward = stmt.backward ? " backward" : "";
        const item = stmt.item === null ? "_" : this.#bound(stmt.item);
        return `each ${item}${index} of ${expressionText(stmt.source)}${backward}`;
      }
      case "entries":
        return `entries ${this.#bounds([stmt.key, stmt.value])} ${stmt.of === "fields" ? "in" : "of"} ${expressionText(stmt.source)}`;
      case "capture":
        return `capture ${this.#bound(stmt.local)}`;
      case "define":
        return `define ${functionText(stmt.callee)}`;
      case "round":
        return `round at ${stmt.place}`;
      case "note":
        return `note ${JSON.stringify(stmt.origin?.text ?? "")}`;
      default:
        return stmt.op;
    }
  }

  #bounds(locals: readonly (Local | null)[]): string {
    const names = locals.map((local) => (local === null ? "_" : this.#bound(local)));
    return `[${names.join(", ")}]`;
  }

  /** A local where it gets its value: with its kinds, where something is known of them. */
  #bound(local: Local): string {
    const kinds = this.#module.facts.get(local.id) ?? local.kinds;
    return kinds === Any ? localText(local) : `${localText(local)}: ${kindsText(kinds)}`;
  }
}

/** The kinds of JSON data by one word. */
function kindsText(kinds: Kinds): string {
  if (kinds === Json) return "Json";
  return kinds === Field ? "Field" : describe(kinds);
}

function localText(local: Local): string {
  return `${local.name}#${String(local.id)}`;
}

function functionText(name: FunctionName): string {
  return `${name.name}#${String(name.id)}`;
}

/** Operators in operators stand in parentheses: the text shows the tree. */
function operand(expr: Expr): string {
  const text = expressionText(expr);
  return isOperator(expr) ? `(${text})` : text;
}

function isOperator({ op }: Expr): boolean {
  switch (op) {
    case "concat":
    case "choose":
    case "and":
    case "or":
    case "compare":
    case "arithmetic":
    case "typeof":
    case "coalesce":
    case "assign":
      return true;
    default:
      return false;
  }
}

function listText(items: readonly (Expr | null)[]): string {
  return items.map((item) => (item === null ? "-" : expressionText(item))).join(", ");
}

function expressionText(expr: Expr): string {
  switch (expr.op) {
    case "literal":
      return literalText(expr.value);
    case "local":
      return localText(expr.local);
    case "input":
      return `@${expr.name}`;
    case "clock":
    case "spans":
    case "written":
    case "new-set":
      return expr.op;
    case "function":
      return functionText(expr.callee);
    case "rule":
      return expr.name;
    case "read":
      return `${operand(expr.object)}${expr.optional ? "?." : "."}${expr.name}`;
    case "at":
      return `${operand(expr.list)}[${expressionText(expr.index)}]${expr.bounded ? "!" : ""}`;
    case "count":
      return `${operand(expr.list)}${expr.optional === true ? "?." : "."}length`;
    case "list":
      return `[${listText(expr.items)}]`;
    case "record": {
      const fields = expr.fields.map(({ name, value }) => `${name}: ${expressionText(value)}`);
      return `{${fields.join(", ")}}`;
    }
    case "chain":
      return `${operand(expr.source)}.${expr.mode}(${localText(expr.item)} => ${expressionText(expr.body)})`;
    case "method":
      return `${operand(expr.object)}.${expr.name}(${listText(expr.args)})`;
    case "call":
      return `${functionText(expr.callee)}(${listText(expr.args)})`;
    case "intrinsic":
      return `${expr.name}(${listText(expr.args)})${expr.place === null ? "" : ` at ${expr.place}`}`;
    case "spread":
      return `...${operand(expr.value)}`;
    default:
      return operatorText(expr);
  }
}

type Operator = Extract<
  Expr,
  {
    op:
      | "concat"
      | "choose"
      | "and"
      | "or"
      | "not"
      | "compare"
      | "arithmetic"
      | "typeof"
      | "truthy"
      | "coalesce"
      | "assign";
  }
>;

function operatorText(expr: Operator): string {
  switch (expr.op) {
    case "concat":
      return expr.parts.map(operand).join(" ~ ");
    case "choose":
      return `${operand(expr.test)} ? ${operand(expr.then)} : ${operand(expr.otherwise)}`;
    case "and":
    case "or":
      return `${operand(expr.left)} ${expr.op} ${operand(expr.right)}`;
    case "not":
      return `not ${operand(expr.value)}`;
    case "compare":
    case "arithmetic":
      return `${operand(expr.left)} ${expr.operator} ${operand(expr.right)}`;
    case "truthy":
      return `!!${operand(expr.value)}`;
    case "typeof":
      return `typeof ${operand(expr.value)} === ${expr.type}`;
    case "coalesce":
      return `${operand(expr.value)} ?? ${operand(expr.otherwise)}`;
    case "assign":
      return `${localText(expr.local)} = ${expressionText(expr.value)}`;
  }
}

function literalText(value: string | number | bigint | boolean | null | undefined): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${String(value)}n`;
  return Object.is(value, -0) ? "-0" : String(value);
}
